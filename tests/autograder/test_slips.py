"""Slips of layout: read from the text, and told only where they are the cause of a failure."""

from __future__ import annotations

import ast

import pytest

from autograder.core.records import CheckResult
from autograder.source.loops import loops_around, owner
from autograder.source.misplaced import misplaced
from autograder.source.slips import doubled, slips
from autograder.student.check import why_missing
from tests.autograder.conftest import CHAPTER, TOY, Grade, exercise, failed

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
STUB = (TOY / "exercises" / f"{CHAPTER}.py").read_text(encoding="utf-8")
FILE = f"{CHAPTER}.py"


def without(name: str) -> str:
    """The right answers but for one."""
    tree = ast.parse(RIGHT)
    tree.body = [node for node in tree.body if getattr(node, "name", "") != name]
    return ast.unparse(tree)


SCALE = """
class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
"""
FORWARD = "    def forward(self, x):\n        return x * self.weight\n"
OUTSIDE = FORWARD.replace("\n    ", "\n").removeprefix("    ")
WRONG = {
    "inside a function": (
        "double",
        "def other(x):\n    return x\n\n    def double(x):\n        return 2 * x\n",
        f"{FILE} defines double only inside other; move it to the left margin",
        "def double(x):",
    ),
    "inside a block of a function": (
        "double",
        "def other(x):\n    for each in x:\n        def double(x):\n            return 2 * x\n",
        f"{FILE} defines double only inside other; move it to the left margin",
        "def double(x):",
    ),
    "outside of the class": (
        "Scale",
        SCALE + OUTSIDE,
        "forward of Scale stands outside of the class; indent it as far as a method",
        "def forward(self, x):",
    ),
    "inside another method": (
        "Scale",
        SCALE + "".join(f"    {line}\n" for line in FORWARD.splitlines()),
        "forward of Scale stands inside of __init__; move it left, below `class Scale`",
        "def forward(self, x):",
    ),
    "the constructor outside": (
        "Scale",
        "class Scale(nn.Module):\n" + FORWARD + SCALE.split("\n", 2)[2].replace("\n    ", "\n").removeprefix("    "),
        "__init__ of Scale stands outside of the class; indent it as far as a method",
        "def __init__(self, width):",
    ),
    "no self": (
        "Scale",
        SCALE + FORWARD.replace("self, ", ""),
        "forward of Scale does not take self; write `def forward(self, x)`",
        "def forward(x):",
    ),
    "no self, and a default": (
        "Scale",
        SCALE + FORWARD.replace("self, x", "x, *, times=1"),
        "forward of Scale does not take self; write `def forward(self, x, *, times=1)`",
        "def forward(x, *, times=1):",
    ),
    "no self in the constructor": (
        "Scale",
        SCALE.replace("self, ", "") + FORWARD,
        "__init__ of Scale does not take self; write `def __init__(self, width)`",
        "def __init__(width):",
    ),
    "no self in a helper": (
        "Scale",
        SCALE
        + FORWARD.replace("x * self.weight", "self.scaled(x)")
        + "    def scaled(x):\n        return x * self.weight\n",
        "scaled of Scale does not take self; write `def scaled(self, x)`",
        "def scaled(x):",
    ),
}


def lost(grade: Grade, name: str, text: str) -> list[CheckResult]:
    return failed(grade(f"{without(name)}\n\n{text}"), name)


@pytest.mark.parametrize("case", WRONG)
def test_a_slip_is_the_headline_of_the_checks_that_fail_because_of_it(grade: Grade, case: str) -> None:
    name, text, says, line = WRONG[case]
    messages = [check.message for check in lost(grade, name, text)]
    assert {message.headline for message in messages} == {says}
    assert {message.line.text for message in messages if message.line} == {line}


def test_a_slip_keeps_the_status_and_a_missing_answer_shows_its_line(grade: Grade) -> None:
    result = exercise(grade(f"{without('double')}\n\n{WRONG['inside a function'][1]}"), "double")
    assert {check.status for check in result.checks} == {"missing"}
    line = result.checks[0].message.line
    assert line
    assert why_missing(result).endswith(
        f"only inside other; move it to the left margin (line {line.number}: def double(x))"
    )
    assert {check.status for check in lost(grade, "Scale", WRONG["no self"][1])} == {"error"}


def test_an_answer_that_calls_what_is_only_inside_fails_because_of_it() -> None:
    (slip,) = slips(f"{without('double')}\n\n{WRONG['inside a function'][1]}", STUB, FILE)
    assert slip.explains("NameError: name 'double' is not defined", 3)
    assert not slip.explains("NameError: name 'doubled' is not defined", 3)


RIGHT_ALL_THE_SAME = {
    "another name for self": SCALE.replace("self", "me") + FORWARD.replace("self", "me"),
    "a static method": SCALE
    + FORWARD.replace("x * ", "Scale.same(x) * ")
    + "    @staticmethod\n    def same(x):\n        return x\n",
    "forward is given later": f"{SCALE}\n{OUTSIDE}\nScale.forward = forward\n",
    "a function inside with its name": SCALE
    + FORWARD.replace("return", "def forward(self): return self\n        return"),
}


@pytest.mark.parametrize("case", RIGHT_ALL_THE_SAME)
def test_of_a_right_answer_nothing_is_said(grade: Grade, case: str) -> None:
    result = exercise(grade(f"{without('Scale')}\n\n{RIGHT_ALL_THE_SAME[case]}"), "Scale")
    assert {check.status for check in result.checks} == {"passed"}


@pytest.mark.parametrize("case", ["forward is given later", "another name for self"])
def test_a_failure_with_another_cause_keeps_its_message(grade: Grade, case: str) -> None:
    wrong = RIGHT_ALL_THE_SAME[case].replace("x * ", "x.nothing * ")
    assert any(check.message.line and "nothing" in check.message.line.text for check in lost(grade, "Scale", wrong))


def test_a_text_without_slips_has_none() -> None:
    assert slips(RIGHT, STUB, FILE) == ()
    assert slips("def double(x:", STUB, FILE) == ()


def test_of_several_definitions_all_lines_are_given_in_the_order_of_the_exercises() -> None:
    text = "def b(): 0\ndef a(): 0\ndef b(): 0\na = lambda: 1\nb = cached(b)\nif True:\n    def c(): 0\ndef c(): 0\n"
    assert doubled(ast.parse(text), ["a", "b", "c"]) == [("a", (2, 4)), ("b", (1, 3))]


DOUBLE = "import torch\n\ndef double(x):\n    return 2 * x\n"


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        (("markdown", DOUBLE), "Markdown"),
        (("markdown", f"```python\n{DOUBLE}```"), "Markdown"),
        (("raw", DOUBLE.split("\n")), "raw"),
        (("code", f"%%writefile double.py\n{DOUBLE}"), "%%writefile"),
        (("code", f"%%time\n{DOUBLE}"), ""),
        (("markdown", f"Here is how:\n{DOUBLE}"), ""),
        (("markdown", STUB), ""),
    ],
)
def test_an_answer_in_a_cell_that_python_does_not_run_is_found(cell: tuple[str, str | list[str]], kind: str) -> None:
    kind_of_cell, source = cell
    text = source if isinstance(source, str) else [f"{line}\n" for line in source]
    cells = [{"cell_type": "code", "source": "import torch"}, {"cell_type": kind_of_cell, "source": text}]
    found = misplaced(cells, ["double", "Scale"])
    assert [(each.exercise, each.number, each.kind) for each in found] == ([("double", 2, kind)] if kind else [])


def test_an_answer_that_stands_in_a_code_cell_too_is_not_misplaced() -> None:
    cells = [{"cell_type": kind, "source": DOUBLE} for kind in ("markdown", "code")]
    assert misplaced(cells, ["double"]) == []


def test_the_loops_around_a_line_are_those_of_its_own_function() -> None:
    text = (
        "def a():\n  while 1:\n    for _ in b:\n      try: 0\n      except E:\n        c()\n    def d():\n      e()\n"
    )
    assert [loop.lineno for loop in loops_around(text, 6)] == [2, 3]
    assert loops_around(text, 8) == []
    assert (owner(text, 8), owner(text, 9), owner("(", 1)) == ("a", "", "")
