"""What was passed over is told where it is the cause of a failure, and nowhere else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.calls.loading import Unfinished
from autograder.calls.local import LocalTarget
from autograder.calls.passed_over import NOTED, cause, notes, passed_over
from autograder.calls.records import Absent, Call, Observation, Raised
from autograder.core.errors import CheckFailed
from autograder.core.submission import ChapterSource, PassedOver
from tests.autograder.conftest import CHAPTER
from tests.autograder.test_intake import hand_in

FILE = f"{CHAPTER}.py"
SCALE = PassedOver(f"line 3 of {FILE}", ("SCALE",), "ValueError: no")
STAR = PassedOver(f"line 1 of {FILE}", ("*",), "ModuleNotFoundError: No module named 'helpers'")


def raised(message: str, kind: str = "NameError", *bases: str) -> Observation:
    return Observation(result=Raised(kind, (kind, *bases), message, 7, "return SCALE * x"))


def headline(seen: Observation, *passed: PassedOver) -> str:
    found = cause(seen, "softmax", passed)
    return found.message.headline if found else ""


NEEDS = f"`softmax` needs `SCALE`, but line 3 of {FILE} stopped: ValueError: no"
MISSED = {
    "a name": raised("name 'SCALE' is not defined"),
    "a name with a guess": raised("name 'SCALE' is not defined (did you mean SCALED?)"),
    "a name in a module": raised("module 'helpers' has no attribute 'SCALE'", "AttributeError"),
    "a name in a module of a package": raised("module 'a.b' has no attribute 'SCALE'", "AttributeError"),
    "a name to import": raised("cannot import name 'SCALE' from 'helpers' (helpers.py)", "ImportError"),
    "an error of a class of its own": raised("name 'SCALE' is not defined", "MyError", "NameError"),
}


@pytest.mark.parametrize("what", MISSED)
def test_a_call_that_misses_a_name_is_told_why_it_is_missing(what: str) -> None:
    found = cause(MISSED[what], "softmax", [SCALE])
    assert found
    assert (found.status, found.message.headline) == ("error", NEEDS)
    assert found.message.line
    assert found.message.line.number == 7


OTHERS = {
    "another name": raised("name 'OTHER' is not defined"),
    "another error": raised("name 'SCALE' is not defined", "ValueError"),
    "a local name": raised("cannot access local variable 'SCALE' where it is not associated", "UnboundLocalError"),
    "an attribute of an object": raised("'Table' object has no attribute 'SCALE'", "AttributeError"),
    "a library": raised("No module named 'SCALE'", "ModuleNotFoundError", "ImportError"),
    "a result": Observation(result=3),
    "a definition of another kind": Observation(result=Absent("value")),
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_call_that_fails_for_another_reason_is_told_as_ever(what: str) -> None:
    assert headline(OTHERS[what], SCALE) == ""


def test_an_exercise_that_could_not_be_defined_is_told_so() -> None:
    found = replace(SCALE, names=("softmax",))
    says = f"`softmax` could not be defined: line 3 of {FILE} stopped: ValueError: no"
    assert headline(Observation(result=Absent("nothing")), found) == says
    assert headline(Observation(result=Absent("nothing")), SCALE) == ""


def test_of_several_causes_the_first_is_told_and_of_none_an_import_of_everything() -> None:
    later = replace(SCALE, place=f"line 9 of {FILE}")
    assert headline(MISSED["a name"], STAR, SCALE, later) == NEEDS
    assert headline(MISSED["a name"], STAR).startswith(f"`softmax` needs `SCALE`, but line 1 of {FILE} stopped: Mod")


def test_the_advice_fits_the_cause() -> None:
    advice = {
        each.status + each.why: found.message.advice
        for each in (
            replace(SCALE, why=STAR.why),
            SCALE,
            replace(SCALE, status="timeout"),
            replace(SCALE, why="it does not compile: '(' was never closed"),
        )
        if (found := cause(MISSED["a name"], "softmax", [each]))
    }
    words = ("leave this import out", "make this line run by itself", "made in a moment", "correct this line first")
    assert all(word in given for word, given in zip(words, advice.values(), strict=True))


def test_what_takes_too_long_costs_a_timeout() -> None:
    found = cause(MISSED["a name"], "softmax", [replace(SCALE, status="timeout")])
    assert found
    assert found.status == "timeout"


def test_places_are_those_that_the_student_sees() -> None:
    text = "# code cell 2\nimport torch\n# code cell 5\nx = 1 / 0\n"
    stopped = [Unfinished(FILE, 4, ("x",), "no"), Unfinished("helpers.py", 4, ("x",), "no", is_late=True)]
    notebook = ChapterSource(CHAPTER, text, f"hw/{CHAPTER}.ipynb")
    module = ChapterSource(CHAPTER, text, f"hw/{CHAPTER}.py")
    assert [each.place for each in passed_over(stopped, notebook, FILE)] == [
        f"code cell 5 of hw/{CHAPTER}.ipynb (x = 1 / 0)",
        "line 4 of helpers.py",
    ]
    assert passed_over(stopped, module, FILE)[0].place == f"line 4 of hw/{FILE}"
    assert [each.status for each in passed_over(stopped, module, FILE)] == ["error", "timeout"]


def test_of_very_many_the_first_are_noted() -> None:
    many = [replace(SCALE, place=f"line {number}") for number in range(NOTED + 3)]
    assert len(notes(many)) == NOTED + 1
    assert notes(many)[0] == "line 0 was passed over: ValueError: no"
    assert notes(many)[-1] == "passed over like these: 3 more lines"
    assert len(notes(many[:NOTED])) == NOTED


FILES = {
    "an error": ("SCALE = [][1]\n", "line 1", "IndexError: list index out of range"),
    "a missing module": ("import nowhere\nSCALE = nowhere.x\n", "line 2", "NameError: name 'nowhere' is not defined"),
    "a file": ("SCALE = open('weights.npy')\n", "line 1", "FileNotFoundError"),
    "a question": ("SCALE = input()\n", "line 1", "EOFError"),
    "a static piece": ("SCALE = (2\n\n", "line 1", "it does not compile: '(' was never closed"),
    "one of two": ("other = 1; SCALE = 1 / 0; more = 2\n", "line 1", "ZeroDivisionError"),
    "an `if`": ("if 1 / 0:\n    SCALE = 1\nelse:\n    SCALE = 2\n", "line 1", "ZeroDivisionError"),
    "a later change": ("SCALE = nowhere\nSCALE += 1\n", "line 1", "NameError: name 'nowhere' is not defined"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_told_with_the_line_that_stopped(tmp_path: Path, name: str) -> None:
    above, where, why = FILES[name]
    text = f"{above}def double(x):\n    return SCALE * x\ndef mean_and_sum(x):\n    return x\n"
    for number, (file, place) in enumerate({FILE: text, f"{CHAPTER}.ipynb": notebook(text)}.items()):
        submission = hand_in(tmp_path / str(number), {file: place})
        target = LocalTarget(submission)
        assert target.observe(CHAPTER, Call("mean_and_sum", (3,))).result == 3
        with pytest.raises(CheckFailed) as caught:
            target.observe(CHAPTER, Call("double", (3,)))
        target.close()
        told = caught.value.message.headline
        assert told.startswith("`double` needs `SCALE`, but ")
        assert f"stopped: {why}" in told
        assert (f"{where} of {FILE}" if file == FILE else "code cell 1") in told


def notebook(text: str) -> str:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": text}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})


def test_ctrl_c_while_a_file_is_loaded_ends_a_check_on_ones_own_machine(tmp_path: Path) -> None:
    text = "S = 1\nfor S in [2]:\n    raise KeyboardInterrupt\ndef double(x): return S\n"
    target = LocalTarget(hand_in(tmp_path, {FILE: text}))
    with pytest.raises(KeyboardInterrupt):
        target.observe(CHAPTER, Call("double", (3,)))
