"""What `points` shows and returns in a running kernel, and what nbgrader makes of it."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.autograder.nbgrading import TOY, run, text_of

WORTH = 5.0
CHECK = 'from autograder.platforms.nbgrader import points\npoints("double")'
SEEN = CHECK.replace(")", ", edges=False)")
REST = CHECK.replace(")", ', shown=("property", "values"))')
LOUD = """\
import logging, os, sys
logging.basicConfig(stream=sys.stderr)
held = sys.stderr
def double(x):
    assert x is not 2
    logging.error("logged")
    print("to stderr", file=sys.stderr)
    print("held", file=held)
    os.write(2, b"written\\n")
    print("printed")
    return 2 * x"""
TALKING = """\
import os
from IPython.display import display
def double(x):
    print("printed", tuple(x.shape))
    os.write(1, b"written")
    display("displayed")
    return 2 * x.detach()"""
BROKEN = """\
import autograder.judging.judge
whole = autograder.judging.judge.judge
def broken(*_, **__):
    raise OSError("the disk is full")
autograder.judging.judge.judge = broken"""
FAULTY = """\
import dataclasses
from autograder.core.message import Message
def faulty(course, exercises, jobs, seed, on_result, left_out):
    def spoil(result):
        (one,) = result.exercises
        fault = Message("no verdict")
        checks = [dataclasses.replace(check, status="grader_error", message=fault) for check in one.checks]
        on_result(dataclasses.replace(result, exercises=(dataclasses.replace(one, checks=tuple(checks)),)))
    whole(course, exercises, jobs, seed, spoil)
autograder.judging.judge.judge = faulty"""
CELLS = {
    "before any answer": CHECK,
    "an answer above what it needs": "def double(x, factor=FACTOR):\n    return factor * x",
    "what it needs": "%%writefile helpers.py\nTWO = 2",
    "below": "from helpers import TWO as FACTOR",
    "above": CHECK,
    "a loud answer": LOUD,
    "loud": CHECK,
    "loud without capture": "import contextlib, autograder.platforms.nbgrader.kernel as kernel\n"
    "capture, kernel.stderr_as_stdout = kernel.stderr_as_stdout, contextlib.nullcontext\n" + CHECK,
    "after the check": "kernel.stderr_as_stdout = capture\nprint('still shown', file=held)",
    "an answer that talks": TALKING,
    "rest": REST,
    "all": CHECK,
    "all again": CHECK,
    "seen": SEEN,
    "in autograde": f"os.environ['NBGRADER_EXECUTION'] = 'autograde'\n{SEEN}",
    "a right answer": "del os.environ['NBGRADER_EXECUTION']\ndef double(x):\n    return x + x",
    "right": CHECK,
    "right seen": SEEN,
    "no such exercise": CHECK.replace("double", "treble"),
    "a broken engine": BROKEN,
    "broken": CHECK,
    "broken and hidden": REST,
    "a faulty check": FAULTY,
    "faulty": CHECK,
    "a stopped answer": "autograder.judging.judge.judge = whole\ndef double(x):\n    raise KeyboardInterrupt",
    "stopped": CHECK,
    "stopped and hidden": REST,
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All of CELLS, run one after the other beside a course that a student brought along."""
    folder = tmp_path_factory.mktemp("points") / "notebooks"
    folder.mkdir()
    (folder / "attend.toml").write_text('title = "A course of my own"\n', encoding="utf-8")
    cells = [new_code_cell(text, id=f"c{number}") for number, text in enumerate(CELLS.values())]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / "cells.ipynb")
    run(folder, "jupyter-execute", "cells.ipynb", "--allow-errors", "--inplace", ATTEND_COURSE=str(TOY.root))
    return dict(zip(CELLS, nbformat.read(folder / "cells.ipynb", as_version=4).cells, strict=True))


def score(cell: Any) -> float:
    """What nbgrader takes a test cell with these outputs to have earned."""
    from nbgrader.utils import determine_grade  # its package takes a second to load

    cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": WORTH}
    return float(determine_grade(cell)[0])


def test_what_a_cell_defines_counts_even_if_what_it_needs_came_later(ran: dict[str, Any]) -> None:
    assert "NameError" in text_of(ran["an answer above what it needs"])
    assert score(ran["above"]) == WORTH


def test_an_exercise_whose_cell_was_not_run_is_missing(ran: dict[str, Any]) -> None:
    assert "· double  0/5" in text_of(ran["before any answer"])
    assert score(ran["before any answer"]) == 0


def test_what_an_answer_writes_to_stderr_costs_nothing_and_is_shown(ran: dict[str, Any]) -> None:
    assert score(ran["loud"]) == WORTH
    said = text_of(ran["loud"])
    ways = ("SyntaxWarning", "logged", "to stderr", "held", "written", "printed")
    assert [word for word in ways if word not in said] == []


def test_without_our_capture_it_would_cost_all_points(ran: dict[str, Any]) -> None:
    assert score(ran["loud without capture"]) == 0


def test_the_streams_of_the_kernel_are_as_they_were_after_a_check(ran: dict[str, Any]) -> None:
    outputs = ran["after the check"].outputs
    assert {output.name for output in outputs} == {"stderr"}
    assert "".join(output.text for output in outputs) == "still shown\n"


def test_feedback_is_that_of_attend_check_and_the_value_is_what_was_earned(ran: dict[str, Any]) -> None:
    assert "gradients flow to x" in text_of(ran["all"])
    assert "cuts the gradient" in text_of(ran["all"])
    assert score(ran["all"]) == 4
    assert score(ran["right"]) == WORTH


def test_a_kernel_keeps_its_inputs(ran: dict[str, Any]) -> None:
    sizes = [re.findall(r"printed \(.*\)", text_of(ran[name])) for name in ("all", "all again")]
    assert sizes[0]
    assert sizes[0] == sizes[1]


def test_a_students_copy_runs_no_hidden_check_and_says_how_many_there_are(ran: dict[str, Any]) -> None:
    said = text_of(ran["seen"])
    assert "3/3" in said
    assert "2 more checks are run when this is graded" in said
    assert "gradient" not in said
    assert said.count("printed") < text_of(ran["all"]).count("printed")


def test_what_students_see_counts_in_full_so_that_validation_can_pass(ran: dict[str, Any]) -> None:
    assert score(ran["seen"]) == score(ran["right seen"]) == WORTH


def test_while_nbgrader_grades_the_shown_part_has_the_value_of_all_checks(ran: dict[str, Any]) -> None:
    assert score(ran["in autograde"]) == 4


def test_of_hidden_checks_nothing_is_told_but_how_many_were_passed(ran: dict[str, Any]) -> None:
    assert text_of(ran["rest"]) == "hidden checks: 1 of 2 passed\n4.0"
    assert all(word in text_of(ran["all"]) for word in ("printed", "displayed"))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no such exercise", "there is no chapter or exercise 'treble'; .+"),
        (
            "broken",
            r"the check of double could not be run \(OSError: the disk is full\); this is a fault of the grader.+",
        ),
        ("broken and hidden", "the check of double could not be run; this is a fault of the grader, not of the answer"),
        (
            "faulty",
            r"the check of double could not be run \(RuntimeError: no verdict\); this is a fault of the grader.+",
        ),
        ("stopped", r"the check of double was stopped in line \d+: raise KeyboardInterrupt"),
        ("stopped and hidden", "the check of double was stopped"),
    ],
)
def test_what_could_not_be_checked_earns_nothing_and_says_why_in_one_line(
    ran: dict[str, Any], name: str, says: str
) -> None:
    (error,) = (output for output in ran[name].outputs if output.output_type == "error")
    (line,) = error.traceback
    assert re.fullmatch(f"NotCheckedError: {says}", line)
    assert score(ran[name]) == 0
