"""Was an exercise attempted? A stub left alone is missing, whatever was done around it."""

from pathlib import Path

import pytest

from autograder.source.stub import defines, is_stub_answer

TOY = Path(__file__).parent / "toy"
STUB = (TOY / "exercises" / "ch01_toy.py").read_text(encoding="utf-8")
SOLUTION = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
NAMES = ("double", "mean_and_sum", "Scale")


@pytest.mark.parametrize("name", NAMES)
def test_an_untouched_stub_is_left_alone_and_a_solution_is_not(name: str) -> None:
    assert is_stub_answer(STUB, STUB, name)
    assert not is_stub_answer(SOLUTION, STUB, name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# TODO: double (attend hint double)\n", "# tomorrow\n\n"),
        ('"""Twice every number of `x`.', '"""What is this?'),
        ('    raise NotImplementedError("double")', "    raise NotImplementedError( 'double' )  # later"),
        ('raise NotImplementedError("double")', "raise NotImplementedError"),
        ("import torch\n", "import torch\nimport math\n\nprint('hello')\n"),
        ('raise NotImplementedError("Scale")', "return x * self.weight"),
    ],
)
def test_words_layout_and_other_exercises_do_not_make_an_attempt(old: str, new: str) -> None:
    assert old in STUB
    assert is_stub_answer(STUB.replace(old, new), STUB, "double")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('raise NotImplementedError("double")', "return x"),
        ('raise NotImplementedError("double")', "raise ValueError"),
        ('raise NotImplementedError("double")', 'y = x\n    raise NotImplementedError("double")'),
        ("def double(x: torch.Tensor)", "def double(y: torch.Tensor)"),
    ],
)
def test_any_other_change_is_an_attempt(old: str, new: str) -> None:
    assert old in STUB
    assert not is_stub_answer(STUB.replace(old, new), STUB, "double")


def test_a_class_is_compared_as_a_whole() -> None:
    changed = STUB.replace("nn.Parameter(torch.ones(width))", "nn.Parameter(torch.zeros(width))")
    assert changed != STUB
    assert not is_stub_answer(changed, STUB, "Scale")
    assert is_stub_answer(STUB.replace('"""Scale `x` (..., D); the shape stays."""', '"""Later."""'), STUB, "Scale")


def test_the_last_definition_counts() -> None:
    assert not is_stub_answer(STUB + "\n\ndef double(x):\n    return 2 * x\n", STUB, "double")


def test_what_is_absent_is_no_stub() -> None:
    assert not is_stub_answer("x = 1\n", STUB, "double")
    assert not defines("x = 1\n", "double")


@pytest.mark.parametrize(
    "source",
    [
        "def double(x): ...",
        "class double: ...",
        "double = lambda x: x",
        "double: int = 1",
        "from torch import double",
        "import math as double",
        "if True:\n    def double(x): ...",
        "try:\n    from fast import double\nexcept ImportError:\n    double = None",
        "other, double = 1, 2",
    ],
)
def test_a_name_is_defined_in_whatever_way_it_is_bound(source: str) -> None:
    assert defines(source, "double")


@pytest.mark.parametrize(
    "source", ["def other():\n    double = 1", "double()", "def f(double): ...", "x.double = 1", ""]
)
def test_a_name_that_is_only_used_or_local_is_not_defined(source: str) -> None:
    assert not defines(source, "double")


@pytest.mark.parametrize("source", ["def double(:", "x = '\0'", "(" * 5000, "x = " + "-" * 50000 + "1", "return 1"])
def test_what_is_no_python_defines_nothing(source: str) -> None:
    assert not defines(source, "double")
    assert not is_stub_answer(source, STUB, "double")


PATCHES = [
    "def mine(x):\n    return x\n\ndouble = mine\n",
    "if True:\n    def double(x):\n        return 2 * x\n",
    "from helpers import double\n",
    "def forward(self, x):\n    return x\n\nScale.forward = forward\n",
]


@pytest.mark.parametrize("patch", PATCHES)
def test_a_stub_left_in_place_but_given_another_value_is_an_answer(patch: str) -> None:
    stub = STUB
    name = "Scale" if "Scale" in patch else "double"
    assert is_stub_answer(stub, stub, name)
    assert not is_stub_answer(stub + patch, stub, name)
    assert is_stub_answer(stub + patch, stub, "mean_and_sum")
