"""Whatever the files of a folder hold, a command ends with one sentence, as documented, and touches nothing outside."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from autograder.author.proof.proof_record import ProofRecord
from autograder.classroom import policy, register
from autograder.commands.cli import main
from autograder.core import figures, table
from autograder.core.errors import AttendError, UsageError
from autograder.core.files import holds, write
from autograder.core.message import Example, Line, Message
from autograder.core.reading import decoded
from autograder.core.records import CheckResult, ExerciseResult
from autograder.core.text import CONTROLS
from autograder.course.check_list import ListedCheck
from autograder.course.course import Course
from autograder.course.debriefs import debriefs
from autograder.course.titles import Titles
from autograder.report.outputs import read_result
from autograder.student import hints
from autograder.student.answers import reset
from autograder.student.saved_progress import Progress, Remembered
from autograder.student.start import start
from autograder.student.update import RECORD
from tests.autograder.conftest import CHAPTER, TOY, answer
from tests.autograder.run_cli import in_fork

DEEP = 10**6
BEYOND_MEMORY = 1 << 40
SECRET = "kept apart"
HINTS, SYNC, UPDATED = ".attend/hints.json", ".attend/sync.json", f".attend/updates/2026/{RECORD}"
Spoil = Callable[[Path, Path], object]
RECORDS = {
    ".attend/progress.json": [(), ("list",), ("explain", "double"), ("hint",), ("reset", "double")],
    HINTS: [("hint", "double")],
    SYNC: [("sync", "--yes")],
    ".attend/course/hints.json": [("hint", "double")],
    ".attend/course/effort.json": [(), ("list",), ("list", "--core")],
    ".attend/course/debriefs.json": [("explain", "double")],
    ".attend/course/checks.json": [("list",)],
    UPDATED: [("update", "--undo")],
    f".attend/stubs/{CHAPTER}.py": [(), ("sync",), ("reset", "double")],
    f".attend/stubs/{CHAPTER}.ipynb": [("sync",), ("reset", "double")],
    f"exercises/{CHAPTER}.py": [(), ("sync", "--yes"), ("reset", "double")],
    f"exercises/{CHAPTER}.ipynb": [(), ("sync", "--yes"), ("reset", "double")],
    f"tests/exercises/test_{CHAPTER}.py": [(), ("list",)],
    "attend.toml": [()],
}
"""The files that commands read, and the commands that read them."""
DOCUMENTS = {
    "empty": b"",
    "binary": bytes(range(256)),
    "deep lists": b"[" * DEEP,
    "deep objects": b'{"double":' * DEEP,
    "deep and closed": b"[" * 20_000 + b"]" * 20_000,
    "deep TOML": b"a = " + b"[" * 20_000 + b"]" * 20_000,
    "a long number": b'{"double": ' + b"9" * 6000 + b"}",
    "a number beyond all": b'{"double": 1e999}',
    "no number": b'{"double": NaN}',
    "nothing": b"null",
    "a list": b"[]",
    "a text": b'"double"',
    "twice": b'{"double": 1, "double": []}',
    "half a character": b'{"double": "\\ud800", "\\udfff": "x"}',
    "wrong rows": b'{"double": {"result": [], "suite": 1, "checks": 1}, "ch01_toy": {"suite": {}, "checks": [[1]]}}',
}
"""What a file may hold."""


def _folder(path: Path, _: Path) -> None:
    path.mkdir()


def _pipe(path: Path, _: Path) -> None:
    os.mkfifo(path)


def _link_outside(path: Path, outside: Path) -> None:
    path.symlink_to(outside / "secret")


def _circle(path: Path, _: Path) -> None:
    path.symlink_to(path)


def _endless(path: Path, _: Path) -> None:
    path.symlink_to("/dev/zero")


def _beyond_memory(path: Path, _: Path) -> None:
    path.touch()
    os.truncate(path, BEYOND_MEMORY)


ODD: dict[str, Spoil] = {
    "a folder": _folder,
    "a pipe": _pipe,
    "a link to a file outside": _link_outside,
    "a link to itself": _circle,
    "a link to a file without end": _endless,
    "a file larger than all memory": _beyond_memory,
}
"""What may be in the place of a file; each is given the place, and a folder outside."""


def _document(data: bytes) -> Spoil:
    return lambda path, _: bool(write(path, data))


ODD_VALUES: Sequence[Any] = (None, "x", [], 1e308)
"""What may stand where something else is expected."""
SPOILT: dict[str, Spoil] = {name: _document(data) for name, data in DOCUMENTS.items()}
SPOILT |= ODD if hasattr(os, "mkfifo") else {}


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working copy with a record of everything."""
    copy = Course(start(Course(TOY), tmp_path_factory.mktemp("pristine") / "mine").root)
    example = Example((("x", "[1]"),), "[2]", "[1]")
    says = Message("no", called="double([1])", line=Line(3, "return x"), example=example)
    checks = [CheckResult("test_a", "a", "values", points, 2.5, "failed", says, ("as-it-is",)) for points in (0.0, 1.0)]
    known = Remembered(ExerciseResult.of(CHAPTER, "double", checks), "0", "0", 1)
    Progress(copy, {"double": known}).keep()
    for name, rows in ((HINTS, {"double": 1}), (SYNC, {f"{CHAPTER}.py": "0"}), (UPDATED, {"docs/students.md": True})):
        write(copy.root / name, json.dumps(rows))
    return copy.root


class Told(NamedTuple):
    """What came of a command where a file was spoilt."""

    how: str
    words: Sequence[str]
    status: int
    out: str
    error: str


def tell(pristine: Path, place: Path, name: str, ways: Mapping[str, Spoil]) -> None:
    """Spoil a file in each way, in a fresh copy, and print what comes of each command that reads it."""
    _limit_memory()
    for number, (how, spoil) in enumerate(ways.items()):
        outside = place / f"{number}-outside"
        write(outside / "secret", SECRET)
        copy = shutil.copytree(pristine, place / str(number))
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).unlink(missing_ok=True)
        spoil(copy / name, outside)
        os.chdir(copy)
        for words in RECORDS[name]:
            print(json.dumps(typed(how, words)), flush=True)
        assert [(each.name, each.read_text()) for each in outside.iterdir()] == [("secret", SECRET)]
        own = [path for path in copy.rglob("*") if path.is_file() and not path.is_symlink()]
        assert not any(
            SECRET in each.read_text(errors="replace") for each in own if each.stat().st_size < BEYOND_MEMORY
        )


def _limit_memory() -> None:
    """Let this process ask for less than `BEYOND_MEMORY`, whatever the system would promise."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (BEYOND_MEMORY // 2, resource.getrlimit(resource.RLIMIT_AS)[1]))


def typed(how: str, words: Sequence[str]) -> Told:
    sys.argv = ["attend", *words]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as error:
        try:
            main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException:
            traceback.print_exc()
            status = -1
    return Told(how, words, status, out.getvalue(), error.getvalue())


def outcomes(pristine: Path, place: Path, name: str, ways: Mapping[str, Spoil]) -> list[Told]:
    """What comes of each command that reads a file, where that is spoilt in these ways."""
    done = in_fork(partial(tell, pristine, place, name, ways), cwd=place)
    assert done.returncode == 0, done.stderr
    found = [Told(*json.loads(line)) for line in done.stdout.splitlines()]
    assert len(found) == len(ways) * len(RECORDS[name])
    return found


def is_as_documented(told: Told) -> bool:
    """Whether a command ended with a status of its own, where it refuses with one sentence, and without a secret."""
    is_one_sentence = told.error.startswith("attend: ") and told.error.count("\n") == 1
    return told.status in (0, 1) or (told.status == 2 and is_one_sentence)


@pytest.mark.parametrize("name", RECORDS)
def test_whatever_a_file_is_a_command_ends_with_a_sentence_and_touches_nothing_outside(
    pristine: Path, tmp_path: Path, name: str
) -> None:
    found = outcomes(pristine, tmp_path, name, SPOILT)
    assert [each for each in found if not is_as_documented(each)] == []
    assert [each for each in found if SECRET in each.out + each.error] == []


@pytest.mark.parametrize("name", [name for name in RECORDS if name.endswith(".json")])
def test_a_record_may_be_wrong_at_every_level(pristine: Path, tmp_path: Path, name: str) -> None:
    known = json.loads((pristine / name).read_text(encoding="utf-8"))
    ways = {how: _document(json.dumps(wrong).encode()) for how, wrong in _wrong(known)}
    found = outcomes(pristine, tmp_path, name, ways)
    assert [each for each in found if not is_as_documented(each)] == []


def _wrong(record: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield a record with each of its parts, however deep, in turn replaced by something else."""
    for odd in ODD_VALUES:
        yield f"{where}: {odd!r}", odd
    if isinstance(record, dict | list):
        for key in [*record] if isinstance(record, dict) else range(len(record[:1])):
            for how, wrong in _wrong(record[key], f"{where}/{key}"):
                changed = record.copy()
                changed[key] = wrong
                yield how, changed


def test_a_file_of_another_size_is_not_read_to_be_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"longer")
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("it was read"))
    assert not holds(path, b"short")
    with pytest.raises(pytest.fail.Exception, match="it was read"):
        holds(path, b"equal!")


READERS: Mapping[str, Callable[[Path], object]] = {
    "results/ada.json": read_result,
    register.NAME: lambda path: register.read(path.parent),
    policy.NAME: lambda path: policy.read(path.parent),
    "gradebook.csv": table.read,
    "judged.json": lambda path: figures.read(path, ProofRecord, "make it again"),
}
"""The files of an instructor's folders, and what reads them."""
REFUSED: Mapping[str, set[str]] = {policy.NAME: {"deep TOML"}, "gradebook.csv": {"a pipe"}}
"""Of these no JSON is expected, so other documents are refused."""


@pytest.mark.parametrize("name", READERS)
def test_a_file_of_a_class_may_hold_anything(tmp_path: Path, name: str) -> None:
    refused = dict[str, str]()
    for number, (how, spoil) in enumerate(SPOILT.items()):
        path = tmp_path / str(number) / name
        path.parent.mkdir(parents=True)
        spoil(path, tmp_path)
        try:
            READERS[name](path)
        except AttendError as error:
            refused[how] = str(error)
    assert not any("\n" in said for said in refused.values())
    expected = REFUSED.get(name, {"deep lists", "a list"}) | {"binary", "a file larger than all memory"}
    assert {*refused} >= expected & {*SPOILT}


def test_a_reader_that_believes_what_it_reads_is_noticed(
    pristine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "decoded", lambda data, _: json.loads(data))
    found = outcomes(pristine, tmp_path, HINTS, SPOILT)
    assert {each.how for each in found if not is_as_documented(each)} >= {"deep lists", "a list", "wrong rows"}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_a_reader_that_reads_whatever_its_size_is_noticed(
    pristine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "contents", Path.read_bytes)
    found = outcomes(pristine, tmp_path, HINTS, {"larger": _beyond_memory})
    assert [each.status for each in found] == [-1]


def _old_format(notebook: dict[str, Any]) -> dict[str, Any]:
    cells = [{**cell, "input": cell["source"], "language": "python"} for cell in notebook["cells"]]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


def _unlike(notebook: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    return {**notebook, "cells": [{**cell, key: value} for cell in notebook["cells"]]}


NOTEBOOKS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "of an old format": _old_format,
    "with cells that are no objects": lambda notebook: {**notebook, "cells": [5, None, "x", *notebook["cells"]]},
    "without cells": lambda notebook: {**notebook, "cells": []},
    "with no list of cells": lambda notebook: {**notebook, "cells": {}},
    "with sources that are none": lambda notebook: _unlike(notebook, "source", 5),
    "with lines that are none": lambda notebook: _unlike(notebook, "source", [5, None]),
    "with metadata that are none": lambda notebook: _unlike(notebook, "metadata", "x"),
    "with ids that are none": lambda notebook: _unlike(notebook, "id", []),
    "with kinds that are none": lambda notebook: _unlike(notebook, "cell_type", []),
}
"""Notebooks that Jupyter would not write today."""
COMMANDS = [("check", "double"), ("reset", "double"), ("sync", "--yes"), ("sync", "double", "--yes"), ("list",), ()]


def _use_notebooks(pristine: Path, place: Path, name: str) -> None:
    """Put each notebook in the place of one, beside an answer, and print what comes of each command."""
    plain = json.loads((pristine / name).read_text(encoding="utf-8"))
    for how, odd in NOTEBOOKS.items():
        copy = shutil.copytree(pristine, place / how)
        text = json.dumps(odd(plain)).replace("raise NotImplementedError", "return [1]")
        write(copy / name, text)
        os.chdir(copy)
        for words in COMMANDS:
            print(json.dumps(typed(how, words)), flush=True)


@pytest.mark.parametrize("name", [f"exercises/{CHAPTER}.ipynb", f".attend/stubs/{CHAPTER}.ipynb"])
def test_whatever_the_cells_of_a_notebook_are_a_command_ends_with_a_sentence(
    pristine: Path, tmp_path: Path, name: str
) -> None:
    done = in_fork(partial(_use_notebooks, pristine, tmp_path, name), cwd=tmp_path)
    found = [Told(*json.loads(line)) for line in done.stdout.splitlines()]
    assert len(found) == len(NOTEBOOKS) * len(COMMANDS), done.stderr
    assert [each for each in found if not is_as_documented(each)] == []


def test_a_notebook_that_cannot_be_reset_leaves_the_module_as_it_is(pristine: Path, tmp_path: Path) -> None:
    copy = Course(shutil.copytree(pristine, tmp_path / "copy"))
    answer(copy, "def double(x):\n    return [1]\n")
    module, notebook = (copy.exercises_dir / f"{CHAPTER}{suffix}" for suffix in (".py", ".ipynb"))
    before = module.read_text(encoding="utf-8")
    write(notebook, json.dumps(_old_format(json.loads(notebook.read_text(encoding="utf-8")))))
    with pytest.raises(UsageError, match="open it in Jupyter and save it anew"):
        reset(copy, "double")
    assert module.read_text(encoding="utf-8") == before
    notebook.unlink()
    assert reset(copy, "double").changed == (module.relative_to(copy.root),)


EVIL = "\x1b]52;c;QUJD\x07\x1b[2J\x9b2J\u202eSEEN"
"""It fills a clipboard, clears a terminal and turns a line round, where it is printed as it is."""
SHOWN: Mapping[str, tuple[str, Callable[[Course], str]]] = {
    ".attend/course/hints.json": (json.dumps({"double": [EVIL]}), lambda copy: hints.hint(copy, "double").text()),
    ".attend/course/debriefs.json": (json.dumps({"double": EVIL}), lambda copy: debriefs(copy)["double"]),
    "attend.toml": (f'title = {json.dumps(EVIL)}\nkind = "copy"\n', lambda copy: Titles.of(copy).course),
    f".attend/stubs/{CHAPTER}.py": (f"# # Chapter 1 · {EVIL}\n", lambda copy: Titles.of(copy).topic(CHAPTER)),
}
"""What a file says that is shown as it stands there, and what shows it."""


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_file_says_gives_a_terminal_no_orders(pristine: Path, tmp_path: Path, name: str) -> None:
    text, shown = SHOWN[name]
    copy = Course(shutil.copytree(pristine, tmp_path / "copy"))
    write(copy.root / name, text)
    assert "SEEN" in shown(copy)
    assert not CONTROLS.search(shown(copy))
    assert CONTROLS.search(EVIL)


def test_what_is_no_name_in_python_is_no_name_of_an_exercise() -> None:
    assert decoded(b'["test_x", 1, "double", 1.0, "values"]', ListedCheck).exercise == "double"
    for name in (f"double{EVIL}", "../double", "double\n", "2", ""):
        with pytest.raises(ValueError, match="regex"):
            decoded(json.dumps(["test_x", 1, name, 1.0, "values"]).encode(), ListedCheck)
