"""Forbidden ready-made functions: found in the text and while running, innocent namesakes left alone."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from autograder.forbidden import forbidden_use
from autograder.guard import ForbiddenError, forbid

NAMES = ("softmax", "Softmax")


def used(source: str) -> str | None:
    found = forbidden_use(source, "answer", NAMES)
    return found.name if found else None


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def answer(x):\n    return torch.softmax(x, -1)", "torch.softmax"),
        ("def answer(x):\n    return x.softmax(-1)", "x.softmax"),
        ("from torch.nn.functional import softmax as s\ndef answer(x):\n    return s(x, -1)", "softmax"),
        ("def helper(x):\n    return x.softmax(-1)\ndef answer(x):\n    return helper(x)", "x.softmax"),
        ("class answer:\n    def forward(self, x):\n        return nn.Softmax(-1)(x)", "nn.Softmax"),
        ("import torch.nn.functional as F\ndef answer(x):\n    return F.softmax(x, -1)", "F.softmax"),
        ("def answer(x):\n    from torch import softmax as s\n    return s(x, -1)", "softmax"),
        (
            "import torch\nclass Mine:\n    def softmax(self): ...\ndef answer(x):\n    return torch.softmax(x, -1)",
            "torch.softmax",
        ),
    ],
)
def test_a_forbidden_name_is_found_in_the_text(source: str, name: str) -> None:
    assert used(source) == name


@pytest.mark.parametrize(
    "source",
    [
        "def softmax(x):\n    return x.exp()\ndef answer(x):\n    return softmax(x)",
        "from torch import softmax\ndef softmax(x):\n    return x\ndef answer(x):\n    return softmax(x)",
        "class answer:\n    def softmax(self, x): return x\n    def forward(self, x): return self.softmax(x)",
        "def other(x):\n    return torch.softmax(x, -1)\ndef answer(x):\n    return x",
        "def scores(x):\n    return x.softmax(-1)\ndef answer(scores):\n    return scores.exp()",
        "def scores(x):\n    return x.softmax(-1)\ndef answer(x):\n    scores = x.exp()\n    return scores",
        "class Maths:\n    def softmax(x): return x.exp()\ndef answer(x):\n    return Maths.softmax(x)",
        "class Head:\n    def softmax(self, x): ...\ndef answer(x):\n    h = Head()\n    return h.softmax(x)",
        "def other(x):\n    from torch import softmax as e\ndef answer(x):\n    e = x.exp()\n    return e",
        "def answer(x):\n    '''not torch.softmax'''\n    return x",
        "def answer(x:\n",
    ],
)
def test_an_innocent_use_of_the_name_is_left_alone(source: str) -> None:
    assert used(source) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.softmax(x, -1),
        lambda x: x.softmax(-1),
        lambda x: F.softmax(x, dim=-1),
        lambda x: torch.nn.Softmax(-1)(x),
        lambda x: getattr(torch, "soft" + "max")(x, -1),
        lambda x: torch.ops.aten._softmax.default(x, -1, False),
    ],
)
def test_a_forbidden_function_raises_however_it_is_reached(call) -> None:  # type: ignore[no-untyped-def]
    with forbid(NAMES), pytest.raises(ForbiddenError, match="softmax"):
        call(torch.ones(2, 3))


def test_everything_else_runs_and_nothing_is_left_behind() -> None:
    x = torch.ones(2, 3)
    with forbid(NAMES):
        assert torch.exp(x).sum() > 0
    assert torch.softmax(x, -1).sum() == pytest.approx(2)
