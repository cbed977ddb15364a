"""A class with odd files, graded: what is defined counts, in either form, and the student's page says what did not."""

from __future__ import annotations

import json
import os
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autograder.core.records import SubmissionResult
from autograder.course.course import Course
from autograder.report.outputs import read_result
from tests.autograder.class_of_two import Class, refuse_code
from tests.autograder.conftest import CHAPTER, TOY, exercise
from tests.autograder.run_cli import attend

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]
HEAD = "import torch\nfrom torch import nn\n"
DOUBLE = "def double(x):\n    return 2 * x\n"
MEAN = "def mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)\n"
SCALE = (
    "class Scale(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.ones(width))\n    def forward(self, x):\n        return x * self.weight\n"
)
CONFLICT = "<<<<<<< HEAD\n        return x\n=======\n        return x * self.weight\n>>>>>>> theirs\n"
ODD = {  # the cells of a notebook, or the parts of a .py; and what else is handed in
    "plots": ([HEAD, DOUBLE, "import no_plots as plt\nplt.plot(double(3))\ninput()", MEAN, "1 / 0", SCALE], {}),
    "helped": (
        [HEAD + "from helpers import TWO\nfrom tools import *", DOUBLE.replace("2", "TWO"), MEAN, SCALE],
        {"helpers.py": "TWO = 2\nassert TWO == 3\n", "tools.py": "LAST = -1\n"},
    ),
    "half": (
        [HEAD + "from helpers import TWO, LAST", DOUBLE.replace("2", "TWO"), MEAN.replace("-1", "LAST"), SCALE],
        {"helpers.py": "TWO = 2\nLAST = int(open('/nowhere/last.txt').read())\n"},
    ),
    "broken": ([HEAD, DOUBLE, "def mean_and_sum(x):\n    return (x.mean(-1)\n", SCALE], {}),
    "merged": ([HEAD, DOUBLE, MEAN, SCALE.replace("        return x * self.weight\n", CONFLICT)], {}),
    "table": (
        [
            HEAD,
            "TABLE = {}\nclass Fill:\n    def run(self, table):\n        table['two'] = 2",
            "Fill().run(TABLE)",
            DOUBLE.replace("2", "TABLE['two']"),
            MEAN,
            SCALE,
            "double = double(3)",
        ],
        {},
    ),
    "late": ([HEAD, "SCALE = later(2)", DOUBLE.replace("2", "SCALE"), MEAN, SCALE, "def later(n): return n"], {}),
}
POINTS = {"plots": 13, "helped": 13, "half": 9, "broken": 9, "merged": 9, "table": 13, "late": 13}


def cell(source: str) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}


def hand_in(folder: Path) -> None:
    """Everybody twice: once with a .py, once with a notebook of the same content."""
    for name, (parts, others) in ODD.items():
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell(part) for part in parts]}
        texts = {f"{CHAPTER}.py": "\n".join(parts), f"{CHAPTER}.ipynb": json.dumps(notebook)}
        for file, text in texts.items():
            own = folder / f"{name}{Path(file).suffix.replace('.', '-')}"
            own.mkdir(parents=True)
            for other, content in {file: text, **others}.items():
                (own / other).write_text(content, encoding="utf-8")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    hand_in(folder / "in")
    run = attend("grade", folder / "in", "--out", folder / "out", "--seed", 5, cwd=TOY)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def results(folder: Path) -> dict[str, SubmissionResult]:
    return {path.stem: read_result(path) for path in (folder / "out" / "results").glob("*.json")}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("form", ["py", "ipynb"])
def test_what_is_defined_counts_in_either_form(graded: Path, name: str, form: str) -> None:
    result = results(graded)[f"{name}-{form}"]
    assert result.score == POINTS[name], [(each.exercise, each.status) for each in result.exercises]


STATUS = {"half": ("mean_and_sum", "error"), "broken": ("mean_and_sum", "syntax"), "merged": ("Scale", "syntax")}


@pytest.mark.parametrize("name", STATUS)
@pytest.mark.parametrize("form", ["py", "ipynb"])
def test_what_does_not_count_is_told_with_its_cause(graded: Path, name: str, form: str) -> None:
    found = exercise(results(graded)[f"{name}-{form}"], STATUS[name][0])
    assert found.status == STATUS[name][1]
    if name == "half":
        says = "`mean_and_sum` needs `LAST`, but line 2 of helpers.py stopped"
        assert {each.message.headline.partition(":")[0] for each in found.checks} == {says}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page(folder: Path, stem: str) -> str:
    reader = _Text()
    reader.feed((folder / "out" / "feedback" / f"{stem}.html").read_text(encoding="utf-8"))
    return " ".join(" ".join(reader.words).split())


@pytest.mark.parametrize(
    ("stem", "says"),
    [
        ("half-py", "line 2 of helpers.py was passed over: FileNotFoundError"),
        ("half-ipynb", "line 2 of helpers.py was passed over: FileNotFoundError"),
        ("helped-py", f"helpers.py and tools.py were read with {CHAPTER}.py"),
        ("helped-py", "helpers.py: no exercise needs line 2, which was not run"),
        ("plots-py", f"{CHAPTER}.py: no exercise needs lines"),
        ("plots-ipynb", "prints, loops and experiments were left out (code cells 3 and 5)"),
    ],
)
def test_the_students_page_says_what_was_left_out_or_passed_over(graded: Path, stem: str, says: str) -> None:
    assert says in page(graded, stem)


def told(result: SubmissionResult) -> list[object]:
    return [
        result.notes,
        *((check.name, check.status, check.message) for each in result.exercises for check in each.checks),
    ]


@pytest.mark.usefixtures("toy")
def test_a_regrade_gives_the_same_notes_and_messages_and_runs_nothing(
    graded: Path, toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    before = results(tmp_path)
    again = Class(toy_copy, tmp_path)
    again.change("points=2", "points=4")
    refuse_code(monkeypatch)
    said = again.regrade(yes=True)
    after = results(tmp_path)
    assert again.status == 0, said
    assert after["plots-py"].score > before["plots-py"].score
    assert {stem: told(result) for stem, result in after.items()} == {stem: told(each) for stem, each in before.items()}
