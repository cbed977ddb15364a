"""A class with whatever students may hand in comes to an end, and the others' results stay as they would be alone."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.grade_class import grade_and_show
from autograder.course.course import Course
from autograder.grading import run as command
from autograder.grading.admit import ClassOptions
from autograder.grading.run import GradingOptions
from tests.autograder.conftest import CHAPTER
from tests.autograder.interrupted_class import WRONG, Class, NoWall
from tests.autograder.test_intake_bounded import nested_finally, zipped

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork")
MARKDOWN = {"cell_type": "markdown", "source": "x", "metadata": {}, "attachments": {"\ud800": {"image/png": "\udfff"}}}
FILES: dict[str, dict[str, str | bytes]] = {
    "bomb": {f"{CHAPTER}.py": nested_finally()},
    "imports": {f"{CHAPTER}.py": "".join(f"import z{number}\n" for number in range(3000))},
    "digits": {"all.zip": zipped(f"{CHAPTER} ({'1' * 5000}).py", "x = 1\n")},
    "letters": {"all.zip": zipped(f"a{'_' * 60_000}.py", "x = 1\n")},
    "surrogate": {
        f"{CHAPTER}.ipynb": json.dumps({"cells": [MARKDOWN, {"cell_type": "code", "source": "x = '\ud800'"}]})
    },
    "nul": {f"{CHAPTER}.py": b"x = 1\0\n"},
    "x;=HYPERLINK(1+1)": {f"{CHAPTER}.py": "x = 1\n"},
    "\uff1dfull width": {f"{CHAPTER}.py": "x = 1\n"},
    "\x1b[31mred\x07\n": {f"{CHAPTER}.py": "x = 1\n"},
}


@pytest.fixture
def honest(toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    monkeypatch.setattr(command, "Wall", NoWall)
    made = Class(toy_copy, tmp_path / "in", tmp_path / "out")
    made.hand_in("ann")
    made.hand_in("zoe", WRONG)
    return made


def test_no_file_changes_what_the_others_get(honest: Class) -> None:
    honest.grade()
    undisturbed = honest.results()
    for name, handed_in in FILES.items():
        (honest.folder / name).mkdir()
        for file, data in handed_in.items():
            (honest.folder / name / file).write_bytes(data if isinstance(data, bytes) else data.encode())
    said = honest.grade()
    found = honest.results()
    assert (honest.status, len(found)) == (0, 2 + len(FILES)), said
    assert {name: found[name] for name in undisturbed} == undisturbed
    table = (honest.out / "grades.csv").read_text(encoding="utf-8")
    cells = [cell for row in csv.reader(io.StringIO(table)) for cell in row]
    assert "x;'=HYPERLINK(1+1)" in cells
    assert "'\uff1dfull width" in cells


@pytest.mark.parametrize("name", ["bob", "bob.zip"])
@pytest.mark.parametrize("target", ["itself", "a circle", "a folder"])
def test_a_link_in_the_place_of_a_submission_costs_its_owner_alone(honest: Class, name: str, target: str) -> None:
    honest.grade()
    undisturbed = honest.results()
    places = {"itself": name, "a circle": ".other", "a folder": "ann"}
    (honest.folder / name).symlink_to(places[target])
    (honest.folder / ".other").symlink_to(name)
    said = honest.grade()
    found = honest.results()
    assert (honest.status, len(found)) == (0, 3), said
    assert {name: found[name] for name in undisturbed} == undisturbed
    (own,) = [result for stem, result in found.items() if stem not in undisturbed]
    assert "is a link, and links are not followed" in str(own)


def test_a_chapter_that_is_not_graded_is_not_read(honest: Class) -> None:
    honest.grade()
    undisturbed = honest.results()
    shutil.copy(honest.course.suite(CHAPTER), honest.course.suite("ch02_other"))  # a second chapter
    (honest.folder / "zoe" / "ch02_other.py").write_text("# autograder\n", encoding="utf-8")  # noted if read
    console = Console(file=io.StringIO())
    options, chapter = GradingOptions(1, seed=7), ClassOptions([CHAPTER])
    grade_and_show(Course(honest.course.root), honest.folder, honest.out, options, console, chapter)
    assert honest.results() == undisturbed
