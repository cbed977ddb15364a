"""Parameters in another order than the chapter's are told as that, and nothing else is."""

from __future__ import annotations

import pytest

from autograder.source.parameter_order import other_order
from tests.promises.world import COURSE, grade

SWAPPED = "your parameters are (dim, scores) instead of (scores, dim)"
FUNCTIONS = {
    "def softmax(dim, scores): ...": SWAPPED,
    "def softmax(dim, /, scores=None): ...": SWAPPED,
    "def softmax(scores, dim): ...\ndef softmax(dim, scores): ...": SWAPPED,
    "def softmax(scores, dim): ...": "",
    "def softmax(s, d): ...": "",
    "def softmax(dim, scores, more=1): ...": "",
    "def soft(dim, scores): ...": "",
    "softmax = lambda dim, scores: 0": "",
    "def softmax(dim, scores: ...": "",
}


@pytest.mark.parametrize("text", FUNCTIONS)
def test_the_order_of_parameters_is_told_where_it_is_another(text: str) -> None:
    assert other_order(text, "softmax", "", ("scores", "dim")) == FUNCTIONS[text]


def test_of_a_class_it_is_the_method_that_is_called() -> None:
    text = "class A:\n    def __init__(self, b, a): ...\n    def forward(self, k, q): ...\n"
    assert other_order(text, "A", "forward", ("q", "k")) == "your parameters are (k, q) instead of (q, k)"
    assert other_order(text, "A", "decode", ("q", "k")) == ""


def test_a_student_reads_it_instead_of_what_it_leads_to() -> None:
    (one,) = COURSE.select(["dot_scores"])
    swapped = "def dot_scores(k, q):\n    return q @ k.transpose(-2, -1)\n"
    (result,) = grade(one.chapter, {"swapped": "import torch\n\n\n" + swapped}, exercises=[one]).values()
    first = next(check.message.text for check in result.exercises[0].checks if check.status != "passed")
    assert first.startswith("your parameters are (k, q) instead of (q, k)")
    assert "try       keep the order of the given signature" in first
