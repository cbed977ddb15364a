"""`attend check` on a notebook says in which cell, as a notebook has no lines."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.cli import app
from autograder.core.message import Line
from autograder.core.submission import ChapterSource
from autograder.course.course import Course
from autograder.student.cell_lines import as_magics, line_in_file
from autograder.student.check import check
from autograder.student.show import show
from tests.autograder.conftest import CHAPTER, answer
from tests.autograder.in_notebook import fresh_shell

TODO = 'raise NotImplementedError("double")'
MODULE = "# code cell 2\nimport torch\n# code cell 5\ndef double(x):\n    return x.nothing\n# code cell 6\nY = 1 / 0\n"


@pytest.fixture
def notebook(mine: Course) -> Course:
    """A copy whose module is untouched and whose notebook raises an error."""
    answer(mine, mine.stub(CHAPTER).read_text(encoding="utf-8"))
    path = mine.exercises_dir / f"{CHAPTER}.ipynb"
    content = json.loads(path.read_text(encoding="utf-8"))
    (cell,) = [cell for cell in content["cells"] if cell["id"] == "ch01-double"]
    cell["source"] = "".join(cell["source"]).replace(TODO, "return x.nothing")
    path.write_text(json.dumps(content), encoding="utf-8")
    return mine


def screen() -> Console:
    return Console(file=io.StringIO(), width=80, color_system=None)


def said(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return " ".join(console.file.getvalue().split())


def checked(course: Course) -> str:
    console = screen()
    check(course, [course.one("double")], course.exercises_dir, None, console, again=False)
    return said(console)


def test_an_error_is_told_with_the_cell_of_its_exercise(notebook: Course) -> None:
    told = checked(notebook)
    assert "where the cell of double: return x.nothing" in told
    assert " line " not in told


def test_it_is_told_so_from_memory_too(notebook: Course) -> None:
    checked(notebook)
    told = checked(notebook)
    assert "double 0/5 not changed since it was checked" in told
    assert "where the cell of double: return x.nothing" in told


def test_an_interruption_is_told_with_exercise_and_cell(notebook: Course) -> None:
    path = notebook.exercises_dir / f"{CHAPTER}.ipynb"
    text = path.read_text(encoding="utf-8").replace("return x.nothing", "raise KeyboardInterrupt")
    path.write_text(text, encoding="utf-8")
    assert checked(notebook).startswith("stopped double in the cell of double: raise KeyboardInterrupt; exercises")
    console = screen()
    show(notebook, notebook.one("double"), notebook.exercises_dir, None, None, console)
    assert said(console) == "stopped double in the cell of double: raise KeyboardInterrupt"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (Line(5, "return x.nothing"), "the cell of double: return x.nothing"),
        (Line(5), "the cell of double"),
        (Line(2, "import torch"), "code cell 2: import torch"),
        (Line(7, "Y = 1 / 0"), "code cell 6: Y = 1 / 0"),
        (Line(5, "another text"), "line 5: another text"),
        (Line(99), "line 99"),
    ],
)
def test_a_line_of_a_notebook_is_told_by_what_its_cell_defines_or_by_its_number(line: Line, said: str) -> None:
    assert str(line_in_file(line, ChapterSource("ch01_one", MODULE, "ch01_one.ipynb"))) == said
    assert line_in_file(line, ChapterSource("ch01_one", MODULE, "ch01_one.py")) == line


def test_a_notebook_is_told_magics_and_only_where_there_are_some() -> None:
    said = "try `attend show softmax` or attend reset one; `attend train digits --resume`; attend grade it"
    told = "try `%show softmax` or %reset one; `%train digits --resume`; attend grade it"
    assert as_magics(said) == told
    assert as_magics("`attend ask` alone picks another exercise") == "`%ask` alone picks another exercise"
    assert as_magics("`attend check` or attend\n  explain one; attend hint, attend update") == (
        "`%check` or %explain one; attend hint, attend update"
    )


def test_whatever_has_a_magic_is_told_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fresh_shell(tmp_path, tmp_path, monkeypatch) as shell:
        registered = shell.magics_manager.magics["line"].items()
        ours = {name for name, magic in registered if "autograder" in getattr(magic, "__module__", "")}
    known = {command.name for command in app.registered_commands if as_magics(f"attend {command.name} it")[0] == "%"}
    assert ours == known | {"picture"}  # which only a notebook can show
