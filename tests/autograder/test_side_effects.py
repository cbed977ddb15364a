"""What a call leaves behind: gradients where its caller sees them, and other numbers in an answer given before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.calls.observe import observe
from autograder.calls.records import Build, Call, Part, identical
from autograder.calls.side_effects import (
    EARLIER_ANSWER,
    GRADIENT_OF_ARGUMENT,
    GRADIENT_OF_PARAMETER,
    KEPT_FOR_AN_OBJECT,
    shares_memory,
)
from tests.autograder.exercise_doubles import agreeing, refused

F64 = torch.float64
X = torch.arange(6, dtype=F64).reshape(2, 3)
STATE = {"w.weight": torch.arange(9, dtype=F64).reshape(3, 3)}


def changed(function: Any, *args: Any, **options: Any) -> tuple[str, ...]:
    return observe({"f": function}, Call("f", args, **options)).changed


def into_one(kept: Any, fill: Any) -> Any:
    """Return a function whose answers are one object, into which each call writes."""

    def answer(*args: Any) -> Any:
        kept[slice(None) if isinstance(kept, list) else ...] = fill(*args)
        return kept

    return answer


@pytest.mark.parametrize(
    ("kept", "fill", "given"),
    [
        (torch.empty(2, 3, dtype=F64), lambda x: 2 * x, X),
        (np.empty((2, 3)), lambda x: 2 * x, X.numpy()),
        ([], lambda words: [word.upper() for word in words], ["a", "b"]),
        ([], sorted, ["b", "a", "b", "c"]),
        (torch.empty(2, 2), lambda shift: torch.eye(2).roll(shift, 0), 1),
        (torch.empty(2, 2), lambda rate: torch.full((2, 2), rate), 0.5),
    ],
    ids=["a tensor", "an array", "a list", "a list whatever the order", "of an int", "of a float"],
)
def test_an_answer_that_the_next_call_overwrites_is_noticed(kept: Any, fill: Any, given: Any) -> None:
    assert changed(into_one(kept, fill), given) == (EARLIER_ANSWER,)
    assert not changed(fill, given)


@pytest.mark.parametrize("given", [X, X.numpy(), ["a", "b"]], ids=["a tensor", "an array", "a list"])
def test_an_answer_kept_for_an_object_is_noticed_when_the_object_holds_something_else(given: Any) -> None:
    kept: dict[int, Any] = {}

    def by_object(x: Any) -> Any:
        return kept.setdefault(id(x), plain(x))

    def plain(x: Any) -> Any:
        return x[::-1] if isinstance(x, list) else 2 * x

    objects = []  # so that no address is used twice
    assert changed(lambda x: objects.append(x) or by_object(x), given) == (KEPT_FOR_AN_OBJECT,)
    assert not changed(plain, given)


def test_an_answer_kept_for_the_parameters_of_an_object_is_noticed() -> None:
    class Folded(nn.Module):
        def __init__(self, keeps: bool) -> None:
            super().__init__()
            self.w = nn.Linear(3, 3, bias=False)
            self.keeps, self.product = keeps, None

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if self.product is None or not self.keeps:
                self.product = (self.w.weight @ self.w.weight).detach()
            return x @ self.product

    for keeps, found in ((True, (KEPT_FOR_AN_OBJECT,)), (False, ())):
        assert changed(Folded, X, build=Build((keeps,), state=STATE, training=False)) == found


@pytest.mark.parametrize("named", [False, True], ids=["by place", "by name"])
def test_what_a_call_learns_into_a_module_is_not_taken_for_an_answer_that_is_kept(named: bool) -> None:
    def learned(x: torch.Tensor, models: list[Any]) -> torch.Tensor:
        weight = models[0][0]
        loss = (x @ weight.T).square().mean()
        with torch.no_grad():
            weight -= torch.autograd.grad(loss, weight)[0]
        return loss

    kept: dict[int, torch.Tensor] = {}

    def by_object(x: torch.Tensor, models: list[Any]) -> torch.Tensor:
        objects.append((x, models))
        return kept.setdefault(id(x), learned(x, models))

    objects: list[Any] = []  # so that no address is used twice
    models = [Part("WithGradients", (torch.tensor([[0.5, -1.0, 2.0]], dtype=F64), None))]
    given: dict[str, Any] = {"kwargs": {"models": models}} if named else {}
    for function, found in ((learned, ()), (by_object, (KEPT_FOR_AN_OBJECT,))):
        assert changed(function, X, *([] if named else [models]), **given) == found


def test_an_answer_on_another_device_than_the_default_is_looked_at_all_the_same() -> None:
    assert not changed(lambda size, times: torch.eye(size, device="cpu") * times, 3, 4, device="meta")


def test_an_answer_drawn_anew_in_each_call_is_not_taken_for_one_that_is_kept() -> None:
    generator = torch.Generator()
    assert not changed(lambda x: x * torch.rand(x.shape, generator=generator), X)


class Rows(nn.Module):
    """Its answers are rows of its table, which each call may change."""

    def __init__(self, writes: bool = False, differentiates: bool = False) -> None:
        super().__init__()
        self.w = nn.Linear(3, 3, bias=False)
        self.buffer = torch.empty(2, 3, dtype=F64)
        self.writes, self.differentiates = writes, differentiates

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.differentiates:
            self.w(x).sum().backward()
        return self.buffer.copy_(self.w(x).detach()) if self.writes else self.w.weight[: len(x)]


def test_an_object_may_answer_with_a_view_of_its_parameters_and_not_with_one_buffer() -> None:
    assert not changed(Rows, X, build=Build(state=STATE))
    assert changed(Rows, X, build=Build((True,), state=STATE)) == (EARLIER_ANSWER,)


def test_an_answer_that_is_kept_because_it_is_always_the_same_overwrites_nothing() -> None:
    table = torch.ones(5, 3)
    assert not changed(lambda x: table[: len(x)], X)
    assert not changed(lambda length: table[:length], 2)
    assert not changed(lambda x: x.reshape(3, 2), X)


def test_letters_in_reverse_show_that_a_list_is_one_and_the_same() -> None:
    kept: list[str] = []

    def careless(word: str, anew: bool) -> list[str]:
        answer = [] if anew else kept
        answer[:] = word.lstrip("a")
        return answer

    assert changed(careless, "aab", False) == (EARLIER_ANSWER,)
    assert not changed(careless, "aab", True)


def test_a_text_that_is_a_word_of_a_list_stays_one() -> None:
    """In reverse it would be no word, and the call would tell nothing."""
    row = np.empty(2)

    def careless(word: str, table: np.ndarray, words: list[str], anew: bool) -> np.ndarray:
        answer = np.empty(2) if anew else row
        answer[:] = table[words.index(word)]
        return answer

    given = "ab", np.arange(4.0).reshape(2, 2), ["ab", "cd"]
    assert changed(careless, *given, False) == (EARLIER_ANSWER,)
    assert not changed(careless, *given, True)


def test_a_gradient_that_stays_in_an_argument_or_a_parameter_is_noticed() -> None:
    def careless(x: torch.Tensor, clears: bool) -> torch.Tensor:
        x.requires_grad_()
        (x * x).sum().backward()
        answer = x.grad.clone()  # type: ignore[union-attr]
        x.grad = None if clears else x.grad
        return answer

    assert changed(careless, X, False) == (GRADIENT_OF_ARGUMENT,)
    assert not changed(careless, X, True)
    assert changed(Rows, X, build=Build((False, True), state=STATE)) == (GRADIENT_OF_PARAMETER,)


def test_the_message_says_what_is_left_and_how_to_leave_nothing() -> None:
    def careless(x: torch.Tensor) -> torch.Tensor:
        x.requires_grad_()
        (x * x / 4).sum().backward()
        return x.grad  # type: ignore[return-value]

    failed = refused(lambda: agreeing(lambda x: x / 2, careless)(X), "the `.grad` of an argument")
    assert "`torch.autograd.grad`" in failed.message.advice
    one = into_one(torch.empty(2, 3, dtype=F64), lambda x: x / 2)
    failed = refused(lambda: agreeing(lambda x: x / 2, one)(X), "an answer that it gave before")
    assert "new" in failed.message.advice


def test_a_list_inside_itself_shares_memory_with_itself_alone() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert shares_memory(endless, [endless])
    assert not shares_memory(endless, [[1], torch.ones(2), np.ones(2)])
    assert not shares_memory(torch.empty(0), torch.empty(0))
    assert not shares_memory(torch.ones(2, device="meta"), torch.ones(2, device="meta"))


class KeepsTable(nn.Module):
    """Keeps a table in the precision of its first call."""

    table: Any = None

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Linear(3, 3, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.table is None:
            self.table = torch.arange(3, dtype=self.w.weight.dtype) / 3
        return (self.w(x.to(self.w.weight.dtype)) + self.table).to(x.dtype)


@pytest.mark.parametrize("dtype", ["", "float32"])
def test_what_an_object_keeps_from_another_precision_shows(dtype: str) -> None:
    earlier = Build(state=STATE, earlier=(("", False, (X,), {}, dtype),))
    builds = Build(state=STATE), earlier
    alone, after = (observe({"f": KeepsTable}, Call("f", (X,), build=build)).result for build in builds)
    assert identical(alone, after) == (not dtype)


@pytest.mark.parametrize("needed", [False, True])
def test_what_is_kept_for_an_object_with_or_without_gradients_alone_is_noticed(needed: bool) -> None:
    """An answer that raises without gradients is asked with them."""
    kept: dict[int, torch.Tensor] = {}
    objects = []  # so that no address is used twice

    def doubled(x: torch.Tensor) -> torch.Tensor:
        objects.append(x)
        if needed and not torch.is_grad_enabled():
            raise RuntimeError("no gradients")
        return kept.setdefault(id(x), 2 * x) if torch.is_grad_enabled() == needed else 2 * x

    assert changed(doubled, X) == (KEPT_FOR_AN_OBJECT,)


def test_what_raises_without_gradients_and_keeps_nothing_is_in_order() -> None:
    def slope(x: torch.Tensor) -> torch.Tensor:
        own = x.detach().requires_grad_()
        return torch.autograd.grad((own**2).sum(), own)[0]

    assert not changed(slope, X)


def test_an_answer_that_rounds_otherwise_from_call_to_call_is_not_taken_for_one_that_is_kept() -> None:
    calls: list[int] = []

    def rounding(x: torch.Tensor) -> tuple[float, torch.Tensor]:
        calls.append(0)
        noise = 1e-13 * (len(calls) in (4, *range(18, 40, 2)))  # wherever the objects have held other numbers
        return float(x.sum()) + noise, x + noise

    assert not changed(rounding, X)
    assert len(calls) == 4


def test_random_answers_that_are_equal_by_chance_are_not_taken_for_kept_ones() -> None:
    """Here the first two are equal, and with other random numbers than those that are seeded."""
    drawn = iter([1, 1, 0, 0, *[1, 0] * 40])
    assert not changed(lambda x: x * next(drawn), X)
    assert next(drawn) == 1, "it was asked until an answer differed"
