"""`attend release --audit`: what is handed out is handed in as an answer, in the obvious disguises."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest
from rich.console import Console
from typer.testing import CliRunner

from autograder.author.release.audit import Audit, audit, copies
from autograder.commands.cli import app
from autograder.course.course import Course
from tests.autograder.conftest import in_place_of_the_real

pytestmark = pytest.mark.usefixtures("warm")

TOY = Path(__file__).parent / "toy"
PARTS = "reference/blocks/parts.py"
PART = """from torch import einsum, nn
import torch
def weighted(x, weight):
    return einsum("...d,d->...d", x, weight)
class Weighing(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
    def forward(self, x):
        return weighted(x, self.weight)
"""
needs_the_wall = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Course]:
    copy = Path(shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__")))
    with in_place_of_the_real(Course(copy)) as course:
        yield course


def audited(course: Course, files: Mapping[str, str]) -> Audit:
    """What comes of a release that holds these files."""
    path = course.root.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"out/{name}", text)
    return audit(course, path, Console(quiet=True))


@needs_the_wall
def test_a_release_with_the_reference_is_told_and_is_no_success(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(course.root)
    said = CliRunner().invoke(app, ["release", str(tmp_path / "out"), "--audit"])
    assert said.exit_code == 1
    words = " ".join(said.output.split())
    total = sum(exercise.points for exercise in course.exercises)
    assert f"reference/ch01_toy.py earns {total:g}: double" in words
    assert "for practice: it holds the reference" in words
    assert ".attend/stubs" not in words


@needs_the_wall
@pytest.mark.parametrize("file", ["notes.md", "lesson.ipynb", "hints.json", "debriefs.json"])
def test_an_answer_is_found_in_whatever_is_read(course: Course, file: str) -> None:
    texts = {
        "notes.md": "Some words.\n\n```python\ndef double(x):\n    return x + x\n```\n",
        "lesson.ipynb": '{"cells": [{"cell_type": "code", "source": ["def twice(x):\\n", "    return x + x"]}]}',
        "hints.json": '{"double": ["Add `x` to itself.", "`y = x + x`; `return y`", null]}',
        "debriefs.json": '{"double": "In a whole model `x + x` comes again."}',
    }
    assert set(audited(course, {file: texts[file]}).earned) == {file}


@needs_the_wall
def test_what_answers_nothing_earns_nothing(course: Course) -> None:
    stub = course.stub("ch01_toy").read_text(encoding="utf-8")
    found = audited(
        course, {"exercises/ch01_toy.py": stub, "wrong.py": "def double(x):\n    return None", "a.md": "`x`"}
    )
    assert (found.earned, found.copies > 0) == ({}, True)
    assert "none of them earns a point" in found.text()


def test_a_given_part_is_renamed_imported_assigned_called_and_derived_from(course: Course) -> None:
    texts = [
        each.text for each in copies(course, {PurePosixPath(PARTS): PART.encode()}) if each.exercises == ("Scale",)
    ]
    own = [text.rpartition('raise NotImplementedError("Scale")')[2] for text in texts]
    assert len(own) == 5
    assert "def weighted(x, weight)" in own[0]  # what it needs comes along
    for how in (
        "Scale = Weighing",
        "import Weighing as Scale",
        "Scale = handed_out",
        "return handed_out",
        "class Scale(",
    ):
        assert any(how in text for text in own), how
