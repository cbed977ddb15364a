"""A check finds torch in one state wherever it runs, and leaves it as it was."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from autograder.internals import kernels
from autograder.internals.grading_mode import grading_mode
from tests.autograder.forked import python

OWN = torch.compile
SPARED = """
import sys
import torch
from autograder.internals.grading_mode import grading_mode

with grading_mode():
    x = torch.ones(2, 3, device="meta")
    assert torch.nn.functional.layer_norm(x, (3,)).softmax(-1).shape == (2, 3)
    assert torch.compile(abs) is abs
    with grading_mode():
        assert torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1).zero_grad() is None
    assert torch.compile(abs) is abs
assert not {"torch._dynamo", "sympy"} & {*sys.modules}
"""


def is_on() -> bool:
    """Whether torch is as in grading, in all that can be seen of it here."""
    seen = {torch.compile is not OWN, kernels._are_native}
    assert len(seen) == 1
    return seen.pop()


@pytest.fixture(autouse=True)
def _as_torch_comes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo what another test may have set for good, and set it again at the end."""
    with monkeypatch.context() as patch:
        was_native = kernels._are_native
        patch.setattr(kernels, "_stay_native", False)
        if was_native:
            kernels._use_python()
        yield
    if was_native:
        kernels._use_native()


def test_it_is_on_within_the_context_and_off_after_it() -> None:
    assert not is_on()
    with grading_mode():
        assert is_on()
    assert not is_on()


def test_an_inner_context_that_ends_leaves_it_on() -> None:
    with grading_mode():
        with grading_mode():
            assert is_on()
        assert is_on()
    assert not is_on()


def test_an_error_leaves_it_off_and_the_next_check_can_enter() -> None:
    with pytest.raises(KeyboardInterrupt), grading_mode():
        raise KeyboardInterrupt
    assert not is_on()
    with grading_mode():
        assert is_on()


def test_an_inner_context_does_nothing_at_all() -> None:
    called: list[str] = []
    with grading_mode():
        sys.setprofile(lambda frame, event, _: called.append(frame.f_code.co_filename) if event == "call" else None)
        with grading_mode():
            pass
        sys.setprofile(None)
    assert {Path(each).name for each in called} == {"contextlib.py", "grading_mode.py"}


def test_neither_the_compiler_nor_sympy_is_loaded() -> None:
    run = python("-c", SPARED, cwd=Path.cwd())
    assert run.returncode == 0, run.stderr
