"""Notebooks as students hand them in: each has a clear status, and a right answer in it counts."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.autograder import handing_in
from tests.autograder.handing_in import MODULE, RIGHT, SQUARED, answered, hand_in
from tests.autograder.nbgrading import STEM, text_of

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]

MERGED = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"
DETACHED = RIGHT | {"double": "def double(x):\n    return 2 * x.detach()\n"}
ESSAY = "Why is the sum not the mean?"
FULL = 13.0


def own_cells(notebook: Any) -> None:
    """What an instructor may add: an essay, and a test that is no exercise's."""
    marks = {"schema_version": 3, "locked": False, "task": False, "grade": True}
    essay = marks | {"grade_id": "essay", "solution": True, "points": 3}
    test = marks | {"grade_id": "own-test", "solution": False, "locked": True, "points": 2}
    notebook.cells += [new_markdown_cell(ESSAY, id="essay", metadata={"nbgrader": essay})]
    notebook.cells += [new_code_cell("assert double(2) == 4", id="own-test", metadata={"nbgrader": test})]


def at(notebook: Any, grade_id: str) -> int:
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    return ids.index(grade_id)


def large(notebook: Any) -> Any:
    notebook.cells[1].outputs = [new_output("stream", text="loss 0.1\n" * 400_000)]
    return notebook


def without_cells(notebook: Any) -> Any:
    """Everything but the answers, which stand in one new cell."""
    notebook.cells = [notebook.cells[1], new_code_cell("\n".join(RIGHT.values()))]
    return notebook


def twice(notebook: Any) -> Any:
    """A copied cell comes with the metadata of the first, and a wrong answer stands in the first."""
    index = at(notebook, "double")
    second = copy.deepcopy(notebook.cells[index])
    second.id = "copied"
    notebook.cells[index].source = SQUARED["double"].replace("** 2", "** 3 + undefined")
    notebook.cells[index]["id"] = "changed"
    notebook.cells.insert(index + 1, second)
    return notebook


def backwards(notebook: Any) -> Any:
    """The tests before the answers, the last first; only the imports are where they were."""
    notebook.cells = notebook.cells[:2] + notebook.cells[:1:-1]
    return notebook


def other_kernel(notebook: Any) -> Any:
    notebook.metadata["kernelspec"] = {"name": "my-env", "display_name": "Mine", "language": "R"}
    return notebook


def with_magics(notebook: Any) -> Any:
    notebook.cells[1].source = "%matplotlib inline\n!pip install numpy\n" + notebook.cells[1].source
    index = at(notebook, "double")
    notebook.cells.insert(index, new_code_cell("%%timeit\ndouble(torch.ones(3))\n"))
    notebook.cells[index + 1].source = "%%time\n" + notebook.cells[index + 1].source
    return notebook


def forged_marks(notebook: Any) -> Any:
    """Points raised, a test unlocked and rewritten, a mark of no version that exists."""
    test = notebook.cells[at(notebook, "check-double")]
    test.source = "100.0"
    test.metadata["nbgrader"] |= {"points": 100, "locked": False}
    notebook.cells[at(notebook, "Scale")].metadata["nbgrader"] = {"schema_version": 9, "grade_id": "Scale"}
    notebook.cells[0].metadata["nbgrader"] = {"grade": True, "grade_id": "check-bonus", "points": 50}
    return notebook


def not_to_be_written(notebook: Any) -> Any:
    """A lone surrogate, which JSON can hold and no file: in a picture's name, its kind and its data."""
    picture = {"a\ud800.png": {"image/\ud800": "\udfff"}}
    notebook.cells.insert(0, new_markdown_cell("![a](a.png)", attachments=picture))
    return notebook


def in_a_cell(notebook: Any) -> Any:
    notebook.cells[at(notebook, "Scale")].source = MERGED.format(RIGHT["Scale"], "")
    return notebook


SHAPES = {
    "large": large,
    "removed": without_cells,
    "twice": twice,
    "backwards": backwards,
    "kernel": other_kernel,
    "magics": with_magics,
    "forged": forged_marks,
    "surrogates": not_to_be_written,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with hidden checks and cells of the instructor's own, graded."""
    root = handing_in.course(tmp_path_factory.mktemp("class") / "course", hide_edges=True, more=own_cells)
    for student, shape in SHAPES.items():
        hand_in(root, student, shape(answered(root, RIGHT)))
    essay = answered(root, RIGHT)
    essay.cells[at(essay, "essay")].source = "Because it is not divided."
    hand_in(root, "essay", essay)
    hand_in(root, "merged-cell", in_a_cell(answered(root, RIGHT)))
    text = json.dumps(answered(root, RIGHT), indent=1)
    hand_in(root, "merged", MERGED.format(text, text))
    hand_in(root, "cut", text[:-300])
    hand_in(root, "module", MODULE, f"{STEM}.py")
    hand_in(root, "detached", answered(root, DETACHED))
    hand_in(root, "stamped", answered(root, RIGHT))
    hand_in(root, "stamped", "yesterday evening", "timestamp.txt")
    (root / "says").write_text(handing_in.grade(root), encoding="utf-8")
    return root


@pytest.mark.parametrize("student", [*SHAPES, "essay", "module", "stamped"])
def test_a_right_answer_counts_whatever_happened_to_the_notebook(root: Path, student: str) -> None:
    assert handing_in.scores(root)[student] == FULL


@pytest.mark.parametrize("student", ["merged", "cut"])
def test_an_unreadable_notebook_waits_for_a_score_and_says_why(root: Path, student: str) -> None:
    why = {"merged": "line 1 holds a merge conflict", "cut": "is no readable notebook"}[student]
    assert handing_in.grades(root)[student, "check-double"] == (None, None, True)
    assert why in handing_in.comments(root)[student, "double"][0]
    assert "Your instructor will look at it." in handing_in.comments(root)[student, "double"][0]
    cells = handing_in.graded_cells(root, student)
    assert why in cells["attend-notes"].source
    assert "raise NotImplementedError" in cells["double"].source


def test_a_broken_cell_costs_its_own_exercise_only(root: Path) -> None:
    assert handing_in.scores(root)["merged-cell"] == FULL - 4
    assert "merge conflict" in handing_in.comments(root)["merged-cell", "Scale"][0]


def test_what_was_mended_is_said_in_the_notebook(root: Path) -> None:
    said = {student: handing_in.graded_cells(root, student)["attend-notes"].source for student in ("removed", "twice")}
    assert "missing cells were added again: double, check-double" in said["removed"]
    assert "more than one cell was marked double" in said["twice"]
    assert "ch01_toy.py was graded" in handing_in.graded_cells(root, "module")["attend-notes"].source


def test_marks_and_tests_are_the_gradebooks_whatever_a_student_writes(root: Path) -> None:
    cells = handing_in.graded_cells(root, "forged")
    assert cells["check-double"].metadata["nbgrader"]["points"] == 5
    assert "100.0" not in cells["check-double"].source
    assert "check-bonus" not in cells
    assert cells["Scale"].metadata["nbgrader"]["schema_version"] == 3


def test_outputs_and_kernels_of_students_are_gone(root: Path) -> None:
    path = root / "autograded" / "{}" / STEM / f"{STEM}.ipynb"
    assert Path(str(path).format("large")).stat().st_size < 50_000
    assert nbformat.read(str(path).format("kernel"), as_version=4).metadata["kernelspec"]["name"] == "python3"


def test_of_hidden_checks_only_how_many_passed_is_told(root: Path) -> None:
    cell = handing_in.graded_cells(root, "detached")["check-double"]
    assert "hidden checks: 1 of 2 passed" in text_of(cell)
    assert handing_in.comments(root)["detached", "double"][0] == "hidden checks: 1 of 2 passed"
    assert "gradient" not in text_of(cell)
    report = (root / "attend" / STEM / "results" / "detached.json").read_text("utf-8")
    assert "gradient" in report, "what the instructor reads tells it"


def test_an_instructors_own_cells_are_left_to_a_person(root: Path) -> None:
    grades = handing_in.grades(root)
    assert grades["essay", "essay"] == (None, None, 1)
    assert grades["large", "essay"] == (0.0, None, 0), "no answer was written"
    assert {grades[student, "own-test"] for student in SHAPES} == {(None, None, 1)}
    assert f"left for you to grade: {STEM}/own-test" in (root / "says").read_text("utf-8")
