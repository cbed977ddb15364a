"""Of a free design a mistake is named only if it breaks the same facts, and hangs on chance as the answer does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.core.errors import CheckFailed
from autograder.suite.facts import Ask, Fact, Facts
from autograder.suite.live_calls import Student
from tests.autograder.exercise_doubles import Course1, agreeing, refused

IDS = torch.arange(6).reshape(2, 3)


class Table(nn.Module):
    """Gives each id its row, and may add something to it."""

    def __init__(self, rows: int, more: Callable[[torch.Tensor], torch.Tensor] = lambda x: x) -> None:
        super().__init__()
        self.table = nn.Embedding(rows, 4)
        self.more = more

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.more(self.table(ids))


def numbered(x: torch.Tensor) -> torch.Tensor:
    return x + torch.arange(x.shape[1])[:, None]


def placeless(ask: Ask) -> str:
    rows = ask(torch.ones(1, 3, dtype=torch.int64), drawn=1)
    return "" if torch.allclose(rows, rows[:, :1].expand_as(rows)) else "they differ"


def apart(ask: Ask) -> str:
    both, one = ask(IDS, drawn=1), ask(IDS[:1], drawn=1)
    return "" if torch.allclose(both[:1], one) else "they differ"


FACTS = (Fact("the same id has the same row everywhere", placeless), Fact("a text alone has its rows", apart))


def seen(monkeypatch: pytest.MonkeyPatch, more: Any, rows: int = 6, **known: Any) -> CheckFailed:
    monkeypatch.setattr(Course1, "is_sealed", False)
    agree = agreeing(lambda: Table(6), lambda: Table(rows, more), **known)
    facts = Facts(agree.grading, agree._check, Student(agree.grading, agree._check))
    return refused(lambda: facts(*FACTS), ".")


def test_a_mistake_that_breaks_the_same_facts_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = seen(monkeypatch, lambda x: 2 * numbered(x), knows_places=lambda: Table(6, numbered))
    assert failed.misconceptions == ("knows_places",)


def test_a_mistake_that_breaks_fewer_facts_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    leaks = lambda x: numbered(x) + x.sum()  # noqa: E731
    failed = seen(monkeypatch, leaks, knows_places=lambda: Table(6, numbered))
    assert failed.misconceptions == ()
    assert failed.message.headline == "this should be true, but is not: the same id has the same row everywhere"


def test_what_hangs_on_chance_is_not_called_a_mistake_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = lambda x: x + torch.rand(3, 1)  # noqa: E731
    assert seen(monkeypatch, noise, knows_places=lambda: Table(6, numbered)).misconceptions == ()
    assert seen(monkeypatch, noise, noisy=lambda: Table(6, noise)).misconceptions == ("noisy",)


def test_an_error_that_many_mistakes_raise_suggests_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = seen(monkeypatch, lambda x: x, 1, too_few=lambda: Table(1))
    assert failed.misconceptions == ("too_few",)
    says = "It may be this: too_few. (it raised IndexError: index out of range in self)"
    assert failed.message.headline == says
