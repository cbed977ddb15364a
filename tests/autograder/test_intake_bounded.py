"""Whatever a file holds, it costs its owner alone: time and memory of reading it have an end."""

from __future__ import annotations

import io
import json
import os
import signal
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath

import pytest
from rich.console import Console

from autograder.classroom.enrol import enrol
from autograder.commands.traces import descendants
from autograder.core.submission import Problem, Submission, one_chapter
from autograder.course.course import Course
from autograder.grading import run
from autograder.grading.bounded import MIB, MORE_TRIES, Bounds, NotDoneError, bounded, each_bounded
from autograder.grading.run import read_class, read_in_bounds
from autograder.intake.misnamed import copies, is_code, likeness
from autograder.intake.submissions import HandIn, find_submissions, read_submission
from autograder.platforms import download as downloads
from autograder.source.module import without_experiments
from tests.autograder.processes import PATIENCE

COURSE = Course(Path(__file__).parent / "toy")
RIGHT = "def double(x):\n    return 2 * x\n"
SMALL = Bounds(memory_bytes=128 * MIB, seconds=2)
NESTED = "".join(f"{' ' * depth}try:\n{' ' * depth} pass\n{' ' * depth}finally:\n" for depth in range(19))


def nested_finally() -> str:
    return NESTED + " " * 19 + "pass\n"


def notebook(cells: list[dict[str, str]]) -> bytes:
    return json.dumps({"cells": cells}).encode()


def zipped(name: str, text: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, text)
    return stream.getvalue()


HOSTILE: dict[str, Callable[[], tuple[str, bytes]]] = {
    "digits": lambda: ("mallory.zip", zipped(f"ch01_toy ({'1' * 5000}).py", RIGHT)),
    "other digits": lambda: ("mallory.zip", zipped(f"ch{'1' * 5000}.py", RIGHT)),
    "underscores": lambda: ("mallory.zip", zipped(f"ch01_toy{'_' * 60_000}.pyx.py", RIGHT)),
    "finally": lambda: ("mallory/ch01_toy.py", nested_finally().encode()),
    "imports": lambda: ("mallory/ch01_toy.py", "".join(f"import z{n}\n" for n in range(10_000)).encode()),
    "surrogate": lambda: (
        "mallory/ch01_toy.ipynb",
        notebook([{"cell_type": "code", "source": "\ud800", "id": "\udfff"}]),
    ),
    "cells": lambda: ("mallory/ch01_toy.ipynb", notebook([{"cell_type": "code", "source": "import q"}] * 20_000)),
}


def class_of(folder: Path, *more: tuple[str, bytes]) -> dict[str, Submission]:
    """What is read of two honest students and of the one beside them."""
    for name, data in [("ada/ch01_toy.py", RIGHT.encode()), ("zoe.zip", zipped("ch01_toy.py", RIGHT)), *more]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return read_class(find_submissions(folder, COURSE), COURSE, Console(file=io.StringIO()))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.read_in_bounds, "__defaults__", (1, SMALL))


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_changes_nothing_for_its_neighbours(tmp_path: Path, kind: str) -> None:
    alone = class_of(tmp_path / "alone")
    beside = class_of(tmp_path / "beside", HOSTILE[kind]())
    assert beside.pop("mallory").student == "mallory"
    assert beside == alone
    assert alone["ada"].chapters["ch01_toy"].text == alone["zoe"].chapters["ch01_toy"].text == RIGHT


def test_code_that_the_compiler_has_no_memory_for_is_told_to_its_owner(tmp_path: Path) -> None:
    problem = class_of(tmp_path, HOSTILE["finally"]())["mallory"].chapters["ch01_toy"].problem
    says = "ch01_toy.py does not compile: the code is too deeply nested for Python's compiler"
    assert problem == Problem("syntax", says)


def spin() -> int:
    while True:
        pass


def grow() -> int:
    return len(bytes(2 << 30))


def fail() -> int:
    raise OverflowError("so many\x1b[31m digits\ud800")


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (spin, "takes longer than 1 s to read; hand in code"),
        (grow, "takes more than 128 MiB of memory to read; hand in code"),
        (fail, r"cannot be read \(OverflowError: so many digits\?\); hand in code"),
    ],
)
def test_work_without_end_ends(work: Callable[[], int], says: str) -> None:
    with pytest.raises(NotDoneError, match=says):
        bounded(work, int, Bounds(128 * MIB, 1))


def kill_oneself(folder: Path, times: int) -> int:
    """Be killed so many times; afterwards, return 7."""
    if (killed := len(list(folder.iterdir()))) < times:
        (folder / str(killed)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


@pytest.mark.parametrize("times", [1, MORE_TRIES])
def test_work_that_somebody_kills_is_done_again(tmp_path: Path, times: int) -> None:
    assert bounded(lambda: kill_oneself(tmp_path, times), int) == 7
    assert len(list(tmp_path.iterdir())) == times


def test_work_that_is_killed_again_and_again_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(NotDoneError, match="the system killed what reads it again and again"):
        bounded(lambda: kill_oneself(tmp_path, 99), int)
    assert len(list(tmp_path.iterdir())) == 1 + MORE_TRIES


def meet(own: Path, other: Path) -> bool:
    own.touch()
    while not other.exists():
        time.sleep(0.01)
    return True


def test_as_many_as_there_are_jobs_work_at_a_time(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    works = [partial(meet, one, other), partial(meet, other, one)]
    assert [*each_bounded(works, bool, Bounds(128 * MIB, 5, clock_seconds=int(PATIENCE)), jobs=2)] == [True, True]


def test_work_that_is_no_longer_wanted_is_ended() -> None:
    before = descendants(os.getpid())
    each = each_bounded([lambda: 1, spin, spin], int, jobs=3)
    assert next(each) == 1
    each.close()
    assert descendants(os.getpid()) <= before


def test_only_the_chapter_that_cannot_be_read_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(entry: HandIn, course: Course) -> Submission:
        if "ch02_other" in course.chapters:
            raise ValueError("no")
        return one_chapter("ada", "ch01_toy", RIGHT)

    monkeypatch.setattr(Course, "chapters", property(lambda self: self.only or ("ch01_toy", "ch02_other")))
    monkeypatch.setattr(run, "read_submission", read)
    (found,) = read_in_bounds([HandIn("ada", "ada", tmp_path)], COURSE)
    assert found.chapters["ch01_toy"].text == RIGHT
    assert found.chapters["ch02_other"].problem
    assert found.notes == (found.chapters["ch02_other"].problem.message,)


def test_names_without_end_are_nobodys() -> None:
    long = [PurePosixPath(f"ch01_toy ({'1' * 5000}).py"), PurePosixPath("_" * 60_000 + "x.py")]
    assert copies("ch01_toy.py", long) == []
    assert not any(is_code(path) or likeness(path, "ch01_toy") for path in long)


def test_many_absent_imports_are_left_out_in_one_pass() -> None:
    text = "".join(f"import nowhere{number}\n" for number in range(5000))
    left, notes = without_experiments(text, {"double"}, "ch01_toy.py")
    assert (left.strip(), notes) == ("", ())


def test_of_a_zip_of_the_class_each_process_reads_from_a_place_of_its_own(tmp_path: Path) -> None:
    texts = {f"s{number}": RIGHT + f"# {number}\n" * (10 + number * 977 % 5000) for number in range(12)}
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name, text in texts.items():
            archive.writestr(f"{name}/ch01_toy.py", text)
    _, entries = enrol(downloads.read(tmp_path / "class.zip", COURSE), None)
    read_submission(entries[0], COURSE)  # as the list of a class is read from its zip, before any process is forked
    read = read_class(entries, COURSE, Console(file=io.StringIO()), jobs=4)
    assert {stem: each.chapters["ch01_toy"].text for stem, each in read.items()} == texts
