"""Calls that are accepted or refused the wrong way round are told by their sizes."""

from __future__ import annotations

import pytest
import torch

from autograder.calls.records import Build, Call, Observation, Raised
from autograder.compare.describe import Names
from autograder.compare.difference import Difference
from autograder.compare.refusals import refusal

X = torch.zeros(2, 9, 8)
NAMES = Names({2: "B"}, (), ("x", "rate", "training"), ("width", "heads"))
ERROR = Raised("ValueError", ("ValueError",), "")


def accepted(call: Call, message: str) -> str:
    right = Observation(Raised("ValueError", ("ValueError",), message))
    return refusal(call, right, Difference("outcome", "not raised", ERROR, X), NAMES)


def refused(source: str, message: str, kind: str = "ValueError") -> str:
    raised = Raised(kind, (kind,), message, 3, source)
    call = Call("f", (X, 6, True))
    return refusal(call, Observation(X), Difference("outcome", "raised", X, raised), NAMES)


def test_an_accepted_call_is_told_by_the_arguments_that_the_right_error_names() -> None:
    call = Call("f", (X, 6, True))
    assert accepted(call, "9 is no multiple of 6") == "`x` (B=2, 9, 8) and `rate=6` should be refused with a ValueError"
    assert accepted(Call("f", (X, 1.0, True)), "not 1") == "`rate=1` should be refused with a ValueError"


def test_an_accepted_call_is_told_by_its_only_number_where_the_right_error_names_none() -> None:
    assert accepted(Call("f", (X, -0.5, True)), "no rate") == "`rate=-0.5` should be refused with a ValueError"
    assert accepted(Call("f", (X, 1, 2)), "no rate") == ""


def test_an_accepted_size_of_a_class_is_told_too() -> None:
    call = Call("F", (), build=Build((10, 3)))
    text = "`width=10` and `heads=3` should be refused with a ValueError"
    assert accepted(call, "3 heads do not divide 10 columns") == text


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("raise ValueError('no 9')", "ValueError"),
        ("if len(x) > 2: raise ValueError('no 9')", "ValueError"),
        ("raise refused", "ValueError"),
        ("raise", "ValueError"),
        ("assert x, 'no 9'", "AssertionError"),
    ],
)
def test_a_call_that_the_answer_itself_refuses_is_told_by_its_sizes(source: str, kind: str) -> None:
    begins = "it refuses a call that it should accept, with `x` (B=2, 9, 8) (it raised"
    assert refused(source, "no 9", kind) == f"{begins} {kind}: no 9)"


def test_an_error_that_the_answer_runs_into_is_no_refusal() -> None:
    assert refused("return x.view(9)", "no 9") == ""
    assert refused("raise TypeError(f'{int(y)} does')", "no 9") == ""
    assert refused("assert x", "no 9") == ""
    assert refused("raise RuntimeError('no 9')", "no 9", "RuntimeError") == ""
