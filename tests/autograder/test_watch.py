"""`attend watch`: what is checked after a save, and how it ends."""

from __future__ import annotations

import json
import multiprocessing
import os
import queue
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from autograder.__main__ import main
from autograder.core.submission import ChapterSource, Problem
from autograder.source.fingerprints import fingerprints
from autograder.student import watch as module
from autograder.student.watch import Saves
from tests.autograder.processes import soon
from tests.autograder.run_cli import begin

TOY = Path(__file__).parent / "toy"
RIGHT = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
WRONG = RIGHT.replace("return 2 * x", "return 3 * x")
PATIENCE = 600.0
LOOK_MS = 100
ROUNDS = count()
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="Ctrl-C is sent as a signal, to a fork")

NAMES = ("first", "second", "third")
FILE = """
import math

def helper(x):
    return x

def first(x):
    return math.exp(x)

def second(x):
    return first(x) + 1

class third:
    def forward(self, x):
        return helper(x)
"""


def changed(text: str, broken: dict[str, Problem] | None = None) -> list[str]:
    """The answers that differ between `FILE` and `text`."""
    before = fingerprints(ChapterSource("ch01_one", FILE, "ch01_one.py"), NAMES)
    after = fingerprints(ChapterSource("ch01_one", text, "ch01_one.py", broken=broken or {}), NAMES)
    return [name for name in NAMES if before[name] != after[name]]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return helper(x)", "return helper(x)  # words", []),
        ("return helper(x)", "return helper(2 * x)", ["third"]),
        ("first(x) + 1", "first(x) + 2", ["second"]),
        ("math.exp(x)", "math.exp(2 * x)", ["first", "second"]),
        ("    return x\n", "    return 2 * x\n", ["third"]),
        ("import math", "import cmath as math", ["first", "second"]),
        ("import math", "import math\nimport cmath", []),
        ("import math", "import math\nfrom cmath import *", ["first", "second", "third"]),
        ("import math", "import math\nmath.sin(1)", ["first", "second", "third"]),
        ("import math", "import math\n'words'\nif __name__ == '__main__':\n    first(1)", []),
        ("class third:", "third = None\nclass third:", ["third"]),
        ("def second(x):\n    return first(x) + 1", "", ["second"]),
    ],
)
def test_an_answer_is_new_if_it_or_what_it_uses_or_what_runs_with_the_file_is(
    old: str, new: str, expected: list[str]
) -> None:
    assert FILE.count(old) == 1
    assert changed(FILE.replace(old, new)) == expected


def test_an_answer_whose_cell_became_unreadable_is_new() -> None:
    assert changed(FILE, {"second": Problem("syntax", "no Python")}) == ["second"]


class Watching:
    """`attend watch` in a fork, with a toy course of its own."""

    def __init__(self, root: Path, *names: str) -> None:
        self.root = Path(shutil.copytree(TOY, root / "toy", ignore=shutil.ignore_patterns("__pycache__")))
        self.file = Path(shutil.copytree(self.root / "exercises", self.root / "mine")) / "ch01_toy.py"
        words = ("attend", "watch", *names, "--target", "mine")
        ours, theirs = os.pipe()
        self._looks = multiprocessing.Value("Q")
        with open(theirs, "w", encoding="utf-8") as said:
            self.process = begin(
                partial(watch, self._looks), *words, cwd=self.root, env={"COLUMNS": "100"}, streams=(said, said)
            )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=[ours])
        self._reader.start()
        self.opening = self.until("Ctrl-C ends")

    def _read(self, ours: int) -> None:
        with open(ours, encoding="utf-8") as lines:
            for line in lines:
                self._lines.put(line)

    def until(self, words: str) -> str:
        """What is printed up to the line with `words`."""
        said = ""
        while words not in said:
            try:
                said += self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                pytest.fail(f"{words!r} did not come, but: {said}")
        return said

    def save(self, text: str, until: str = " points") -> str:
        """What is printed after a plain save."""
        self.file.write_text(text, encoding="utf-8")
        return self.until(until)

    def rest(self) -> None:
        """Wait until all that was saved so far has been looked at, and what it says is said."""
        before = self._looks.value
        assert soon(lambda: self._looks.value > before + 2)  # one may have begun before, the next is whole

    def interrupt(self) -> None:
        assert self.process.pid
        os.kill(self.process.pid, signal.SIGINT)

    def end(self) -> int | None:
        """Its exit status."""
        self.process.join(PATIENCE)
        return self.process.exitcode

    def close(self) -> None:
        self.process.kill()
        self.process.join()
        self._reader.join()


def watch(looks: Any) -> None:
    """Watch, look often, and count the looks."""
    look = Saves._stamps

    def counted(each: Saves) -> module.Stamps:
        looks.value += 1
        return look(each)

    Saves._stamps = counted  # type: ignore[method-assign]
    module.LOOK_MS = LOOK_MS
    main()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watching]:
    """One process for all claims about what is checked."""
    running = Watching(tmp_path_factory.mktemp("watch"))
    assert "watching" in running.opening
    yield running
    running.close()


@pytest.fixture
def watching(shared: Watching) -> Watching:
    """The same when the right answers have been checked."""
    shared.save(f"{RIGHT}\n# {next(ROUNDS)}\n")
    shared.save(RIGHT)
    return shared


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Watching]:
    """A process for one test, which may end it."""
    running = Watching(tmp_path)
    yield running
    running.close()


def test_only_the_answer_that_changed_is_checked_and_the_total_is_that_of_the_chapter(watching: Watching) -> None:
    said = watching.save(WRONG)
    assert "✗ double" in said
    assert "mean_and_sum" not in said
    assert " of 13 points" in said
    assert "✓ double" in watching.save(RIGHT)


def renamed(file: Path, text: str) -> None:
    other = file.with_name(".new")
    other.write_text(text, encoding="utf-8")
    other.replace(file)


def removed(file: Path, text: str) -> None:
    file.unlink()
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("save", [renamed, removed])
def test_however_an_editor_saves_it_is_one_save(watching: Watching, save: Callable[[Path, str], None]) -> None:
    for text, symbol in ((WRONG, "✗"), (RIGHT, "✓")):
        save(watching.file, text)
        said = watching.until(" points")
        assert f"{symbol} double" in said
        assert said.count("ch01_toy\n") == 1


def test_text_that_did_not_change_runs_nothing_and_words_alone_check_nothing(watching: Watching) -> None:
    for text in (RIGHT, f"{RIGHT}\n# words\n"):
        watching.file.write_text(text, encoding="utf-8")
        watching.rest()
    said = watching.save(WRONG, until="✗ double")
    assert said.count("points") == said.count("no answer has changed") == said.count("double") == 1


def test_a_syntax_error_is_shown_and_forgotten_when_it_is_mended(watching: Watching) -> None:
    said = watching.save(RIGHT.replace("def double(", "def double(("))
    assert "ch01_toy.py does not compile: double, line" in " ".join(said.split())
    assert "\n8 of 13 points" in said
    assert "\n13 of 13 points" in watching.save(RIGHT)


def test_the_notebook_is_watched_too_and_the_file_that_counts_is_named(alone: Watching) -> None:
    alone.save(RIGHT)
    notebook = alone.file.with_suffix(".ipynb")
    renamed(notebook, notebook.read_text(encoding="utf-8").replace("raise NotImplementedError", "return 2 * x"))
    assert "ch01_toy.py counts" in alone.until("counts")


def test_a_line_of_a_notebook_is_told_by_its_cell(alone: Watching) -> None:
    notebook = alone.file.with_suffix(".ipynb")
    todo, wrong = (json.dumps(each)[1:-1] for each in ('raise NotImplementedError("double")', "return x.nothing"))
    text = notebook.read_text(encoding="utf-8")
    assert text.count(todo) == 1
    renamed(notebook, text.replace(todo, wrong))
    assert "where the cell of double: return x.nothing" in " ".join(alone.until(" points").split())


def test_ctrl_c_stops_an_endless_loop_names_its_line_and_goes_on(watching: Watching) -> None:
    loop = RIGHT.replace("return 2 * x", 'print("round", flush=True)\n    while True:\n        x = x + 1')
    watching.save(loop, until="round")
    watching.interrupt()
    stopped = watching.until("stopped double in line")
    assert any(line in stopped for line in ('print("round"', "while True:", "x = x + 1"))
    assert "✓ double" in watching.save(RIGHT.replace("return 2 * x", "return x + x"))
    assert watching.process.is_alive()


def test_ctrl_c_ends_it_without_a_trace_even_where_the_code_catches_everything(alone: Watching) -> None:
    stubborn = """while True:
        try:
            print("round", flush=True)
            while True:
                x = x + 1
        except BaseException:
            pass"""
    alone.save(RIGHT.replace("return 2 * x", stubborn), until="round")
    alone.interrupt()
    alone.until("round")
    alone.interrupt()
    assert alone.end() == 0
    alone.close()
    assert "Traceback" not in "".join(alone._lines.queue)


def test_names_choose_what_is_checked_and_ctrl_c_in_between_ends_it(tmp_path: Path) -> None:
    running = Watching(tmp_path, "double")
    try:
        said = running.save(WRONG.replace("x.sum(dim=-1)", "x.sum(dim=0)"))
        assert "✗ double" in said
        assert "of 5 points" in said
        assert "mean_and_sum" not in said
        running.interrupt()
        assert running.end() == 0
    finally:
        running.close()


def test_a_folder_that_vanishes_is_one_sentence(alone: Watching) -> None:
    alone.save(RIGHT)
    shutil.rmtree(alone.file.parent)
    assert "mine is not there any more" in alone.until("now in")
    assert alone.end() == 2


def test_a_file_that_is_just_being_written_is_no_save_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_MS", LOOK_MS)
    path = tmp_path / "ch01_toy.py"
    path.write_text(RIGHT, encoding="utf-8")
    found = iter(Saves([tmp_path], ["ch01_toy"]))
    path.write_bytes(b"")  # as `open(path, "w")` leaves it for a moment
    assert next(found) == []
    path.write_text(WRONG, encoding="utf-8")
    assert next(saved for saved in found if saved) == [path]


def test_what_is_written_in_pieces_within_a_moment_is_one_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK_MS", LOOK_MS)
    monkeypatch.setattr(module, "QUIET_MS", 500)
    path = tmp_path / "ch01_toy.py"
    path.write_text(RIGHT, encoding="utf-8")
    found = iter(Saves([tmp_path], ["ch01_toy"]))
    moments = []

    def write() -> None:
        begun = time.monotonic()
        with path.open("w", encoding="utf-8") as stream:
            for piece in (WRONG[:100], WRONG[100:200], WRONG[200:]):
                stream.write(piece)
                stream.flush()
                time.sleep(0.02)
        moments.append(time.monotonic() - begun)

    while not moments or moments[-1] > module.QUIET_MS / 1000:  # a busy machine paused between two pieces
        while next(found):
            pass
        writer = threading.Thread(target=write)
        writer.start()
        saved = next(each for each in found if each)
        seen = path.read_text(encoding="utf-8")
        writer.join()
    assert (saved, seen) == ([path], WRONG)


def test_what_is_not_begun_is_counted_and_not_listed(alone: Watching) -> None:
    stub = (TOY / "exercises" / "ch01_toy.py").read_text(encoding="utf-8")
    begun = stub.replace('raise NotImplementedError("double")', "return 2 * x")
    assert begun != stub
    said = alone.save(begun)
    assert "✓ double" in said
    assert "2 still to do" in said
    assert "Scale" not in said
