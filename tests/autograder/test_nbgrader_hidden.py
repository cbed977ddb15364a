"""With hidden checks, students learn nothing of them but how many there are and how many were passed."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from autograder.platforms.nbgrader.course import make
from tests.autograder.nbgrading import STEM, TOY, graded_cells, run, text_of, with_answers

TALKING = """\
def double(x):
    print("asked about", str(x.device), str(x.dtype), x.requires_grad)
    return 2 * x.detach()"""
SUITE = TOY.suite(STEM).read_text(encoding="utf-8")
HIDDEN = re.findall(r'level="edges"\)\ndef (\w+).*\n    """(.*)"""', SUITE)
"""Names and sentences of the checks that are hidden."""
TELLTALES = [*(word for pair in HIDDEN for word in pair), "gradient", "meta", "float32", "True"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with hidden checks, and what one student, whose answer fails one of them, gets back."""
    root = tmp_path_factory.mktemp("hidden") / "course"
    make(TOY, root, hide_edges=True)
    run(root, "nbgrader", "generate_assignment", STEM)
    place = root / "submitted" / "talking" / STEM
    place.mkdir(parents=True)
    released = root / "release" / STEM / f"{STEM}.ipynb"
    nbformat.write(with_answers(released, {"double": TALKING}), place / released.name)
    run(root, "nbgrader", "autograde", STEM)
    run(root, "nbgrader", "generate_feedback", STEM)
    return root


def graded(root: Path) -> Path:
    return root / "autograded" / "talking" / STEM / f"{STEM}.ipynb"


def page(root: Path) -> str:
    (found,) = (root / "feedback" / "talking" / STEM).glob("*.html")
    return found.read_text(encoding="utf-8")


def test_the_released_notebook_runs_the_shown_checks_alone(root: Path) -> None:
    released = root / "release" / STEM / f"{STEM}.ipynb"
    for name, cell in graded_cells(released).items():
        assert cell.source == f'from autograder.platforms.nbgrader import points\npoints("{name}", edges=False)'
    assert "HIDDEN" not in released.read_text(encoding="utf-8")


def test_the_toy_has_hidden_checks_that_could_be_told_of() -> None:
    assert len(HIDDEN) == 4
    assert all(word in SUITE for word in ("gradients=True", "on_meta", "float32"))


def test_the_graded_notebook_says_how_many_hidden_checks_were_passed_and_no_more(root: Path) -> None:
    said = text_of(graded_cells(graded(root))["double"])
    assert "hidden checks: 1 of 2 passed" in said
    assert "asked about cpu torch.float64 False" in said
    assert [word for word in TELLTALES if word in said] == []


def test_hidden_checks_count(root: Path) -> None:
    (value,) = (
        output.data["text/plain"]
        for output in graded_cells(graded(root))["double"].outputs
        if output.output_type == "execute_result"
    )
    assert float(value) == 4


def test_nothing_else_of_the_graded_notebook_or_the_page_tells_of_them(root: Path) -> None:
    outputs = "".join(text_of(cell) for cell in nbformat.read(graded(root), as_version=4).cells if "outputs" in cell)
    assert [word for word in TELLTALES if word in outputs] == []
    assert [word for pair in HIDDEN for word in pair if word in page(root)] == []
    assert "hidden checks: 1 of 2 passed" in page(root)
    assert page(root).count("asked about cpu") == outputs.count("asked about cpu")
