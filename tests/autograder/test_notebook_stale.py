"""%check judges what was run last, and says where that is not what the student wrote last."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER
from tests.autograder.in_notebook import Run, Shown

RIGHT = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"
BROKEN = "def double(x:\n    return 2 * x"
LATER, EARLIER = 2e9, 1e9
"""Times after and before any run of these cells."""


def words(shown: Shown) -> str:
    return " ".join(shown.text.split())


def test_after_a_cell_that_does_not_compile_the_cell_that_is_judged_is_named(run: Run) -> None:
    run(RIGHT)
    run(BROKEN)
    shown = run("%check double")
    note = "note: double is judged as cell [1] defined it: cell [2] does not compile; fix it, run it again, then %check"
    assert words(shown).startswith(note)
    assert note in shown.page
    assert "5/5" in shown.text
    run(RIGHT)
    assert "note" not in run("%check double").text


def test_every_exercise_of_a_broken_cell_is_named_and_no_other(run: Run) -> None:
    run(f"{RIGHT}\ndef mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)")
    run(f"import math\n\n{BROKEN}")
    said = words(run("%check"))
    assert "note: double is judged as cell [1]" in said
    assert "note: mean_and_sum" not in said


def test_a_cell_that_stopped_before_the_definition_did_not_define_it(run: Run) -> None:
    run(WRONG)
    run(f"import nowhere_to_be_found\n{RIGHT}")
    said = words(run("%check double"))
    assert "double is judged as cell [1] defined it: cell [2] stopped with ModuleNotFoundError before it" in said
    assert "2/5" in said


def test_a_cell_that_stopped_after_the_definition_did_define_it(run: Run) -> None:
    run(WRONG)
    run(f"{RIGHT}\nassert double(2) == 5")
    said = words(run("%check double"))
    assert "note" not in said
    assert "5/5" in said


def test_what_failed_and_was_never_defined_is_missing_for_that_reason(run: Run) -> None:
    run(f"1 / 0\n{RIGHT}")
    said = words(run("%check double"))
    assert "double is not defined yet: cell [1] stopped with ZeroDivisionError before it defined double" in said


def test_a_cell_that_only_writes_a_file_is_pointed_at(run: Run, tmp_path: Path) -> None:
    run(f"%%writefile {tmp_path / 'double.py'}\n{RIGHT}")
    told = "cell [1] begins with %%writefile, which keeps Python from it; delete that line, run it again, then %check"
    assert f"double is not defined yet: {told}" in words(run("%check double"))
    run(WRONG)
    run(f"%%writefile {tmp_path / 'double.py'}\n{RIGHT}")
    told = told.replace("[1]", "[4]")
    assert f"note: double is judged as cell [3] defined it: {told}" in words(run("%check double"))


def test_a_cell_magic_that_runs_python_keeps_nothing_from_it(run: Run) -> None:
    run(f"%%time\n{RIGHT}")
    said = words(run("%check double"))
    assert "note" not in said
    assert "5/5" in said


def save(course: Course, when: float, *cells: tuple[str, str]) -> None:
    """The notebook as its frontend saves it, at a time."""
    content: dict[str, Any] = {"cells": [{"cell_type": kind, "source": text} for kind, text in cells]}
    path = course.exercises_dir / f"{CHAPTER}.ipynb"
    path.write_text(json.dumps(content), encoding="utf-8")
    os.utime(path, (when, when))


@pytest.mark.parametrize(
    ("when", "text", "noted"),
    [(LATER, RIGHT, True), (LATER, BROKEN, True), (EARLIER, RIGHT, False), (LATER, f"{WRONG}  \n", False)],
    ids=["edited and saved", "edited, broken and saved", "saved before it ran", "the same"],
)
def test_a_cell_that_was_edited_and_not_run_is_noted_once_the_notebook_is_saved(
    run: Run, toy_copy: Course, when: float, text: str, noted: bool
) -> None:
    save(toy_copy, when, ("code", text), ("code", "%check double"))
    run(WRONG)
    said = words(run("%check double"))
    note = (
        "note: double is judged as cell [1] defined it, but the saved notebook has another double: run its cell again"
    )
    assert (note in said) is noted
    assert "2/5" in said


def test_the_notebook_is_the_one_that_jupyter_names(
    run: Run, toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(toy_copy, LATER, ("code", WRONG))
    path = toy_copy.exercises_dir / f"{CHAPTER}.ipynb"
    other = path.rename(tmp_path / "other.ipynb")
    save(toy_copy, LATER, ("code", RIGHT))
    monkeypatch.setenv("JPY_SESSION_NAME", str(other))
    run(WRONG)
    assert "note" not in run("%check double").text


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_an_answer_in_a_cell_of_text_is_pointed_at(run: Run, toy_copy: Course, kind: str) -> None:
    save(toy_copy, LATER, ("markdown", "# Doubling"), (kind, RIGHT))
    shown = {"markdown": "Markdown"}.get(kind, kind)
    told = f"in the saved notebook double stands in a {shown} cell (cell 2 from the top), which never runs; make it"
    assert f"double is not defined yet: {told}" in words(run("%check double"))
    run(WRONG)
    assert f"note: double is judged as cell [2] defined it: {told}" in words(run("%check double"))


def test_a_notebook_that_cannot_be_read_costs_nothing(run: Run, toy_copy: Course) -> None:
    (toy_copy.exercises_dir / f"{CHAPTER}.ipynb").write_text("{", encoding="utf-8")
    run(RIGHT)
    assert "5/5" in run("%check double").text


def test_a_reset_of_what_is_not_saved_says_so(run: Run, in_copy: Course) -> None:
    run(RIGHT)
    said = run("%reset double").printed
    assert "double is as it was handed out in the saved files, but you have run an answer that is not in them" in said
    assert "save the notebook, then %reset double again" in said
    save(in_copy, LATER, ("code", RIGHT))
    assert "your answer is kept in" in run("%reset double").printed
