"""A ban may stand between calls: then it costs nothing to put up, and forbids nothing while no call is watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from autograder.calls.observe import observe
from autograder.calls.records import Call, Raised
from autograder.internals import forbid as home
from autograder.internals.forbid import ForbiddenError, forbid, standing
from tests.autograder.test_forbidden import FORBIDDEN_CALLS, PATTERNS, SOFTMAX, WAYS, X


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.filterwarnings("ignore")
def test_a_standing_ban_holds_in_every_call_and_in_nothing_between(way: Callable[[], object]) -> None:
    with standing():
        for _ in range(3):
            with pytest.raises(ForbiddenError, match=r"(?i)softmax|attention"), forbid(SOFTMAX):
                way()
            way()
    way()


@pytest.mark.parametrize("run", FORBIDDEN_CALLS.values(), ids=FORBIDDEN_CALLS)
@pytest.mark.filterwarnings("ignore")
def test_a_standing_pattern_holds_in_every_call_and_in_nothing_between(run: Callable[[], object]) -> None:
    with standing():
        for _ in range(2):
            with pytest.raises(ForbiddenError), forbid(PATTERNS):
                run()
            run()


def shown(x: torch.Tensor) -> list[torch.Tensor]:
    """Results and gradients of functions that are forbidden."""
    x = x.clone().requires_grad_()
    image = x.expand(1, 1, 2, 3)
    parts = (
        x.softmax(-1),
        F.log_softmax(x, 0),
        nn.Softmax(-1)(x),
        torch.vmap(lambda row: row.softmax(-1))(x),
        F.unfold(image, 2),
        F.conv2d(image, torch.ones(1, 1, 2, 2)),
        F.conv1d(x[None], torch.ones(1, 2, 1)),
        torch.sparse.softmax(x.to_sparse(), -1).to_dense(),
    )
    weighted = sum((part * torch.arange(part.numel()).reshape(part.shape)).sum() for part in parts)
    return [*parts, *torch.autograd.grad(weighted, x)]


def test_between_calls_the_functions_are_themselves_with_their_gradients() -> None:
    expected = shown(X)
    with standing():
        with forbid((*SOFTMAX, "log_softmax", *PATTERNS)):
            X.exp()
        assert F.softmax.__code__.co_filename == home.__file__  # it stands
        assert all(map(torch.equal, shown(X), expected))
        assert nn.Conv2d(3, 1, 2, device="meta")(torch.ones(2, 3, 8, 8, device="meta")).shape == (2, 1, 7, 7)
    assert F.softmax.__code__.co_filename != home.__file__


FAULTS: dict[str, Callable[[], object]] = {
    "no such axis": lambda: X.softmax(5),
    "no number": lambda: F.softmax("x", -1),
    "sizes that do not fit": lambda: F.conv2d(torch.ones(1, 2, 3, 3), torch.ones(1, 1, 2, 2)),
    "a kernel that is too large": lambda: F.unfold(torch.ones(1, 1, 2, 2), 3),
    "whole numbers": lambda: torch.log_softmax(torch.ones(2, dtype=torch.long), 0),
}


@pytest.mark.parametrize("run", FAULTS.values(), ids=FAULTS)
def test_between_calls_their_errors_are_the_same_too(run: Callable[[], object]) -> None:
    with pytest.raises(Exception) as plain:  # noqa: PT011 - whichever it is
        run()
    with standing():
        with forbid((*SOFTMAX, "log_softmax", *PATTERNS)):
            X.exp()
        with pytest.raises(type(plain.value)) as idle:
            run()
    assert (type(idle.value), str(idle.value)) == (type(plain.value), str(plain.value))


def test_a_composite_kernel_does_not_give_way_to_that_of_the_cpu_between_calls() -> None:
    with standing(), forbid(SOFTMAX):
        assert home._STANDING.ban
        blind = {key for name, key, _ in home._STANDING.ban._blind if name == "aten::_softmax"}
    assert "CompositeExplicitAutogradNonFunctional" in blind
    assert "CPU" not in blind


@pytest.fixture
def put_up(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The bans that are put up."""
    found: list[tuple[str, ...]] = []

    class Counted(home.Ban):
        def __init__(self, patterns: Any, free: Any, *, stands: bool) -> None:
            found.append(tuple(patterns))
            super().__init__(patterns, free, stands=stands)

    monkeypatch.setattr(home, "Ban", Counted)
    return found


def test_calls_that_forbid_the_same_put_it_up_once(put_up: list[tuple[str, ...]]) -> None:
    def free() -> None: ...

    call, attention = Call("answer", (X,), forbidden=SOFTMAX), ("MultiheadAttention",)
    with standing():
        for _ in range(3):
            observe({"answer": torch.exp}, call)
        assert put_up == [SOFTMAX]
        for names, codes in ((attention, ()), (SOFTMAX, ()), (SOFTMAX, (free.__code__,)), (SOFTMAX, ())):
            with forbid(names, frozenset(codes)):
                pass
        assert put_up == [SOFTMAX, attention, SOFTMAX, SOFTMAX, SOFTMAX]
        result = observe({"answer": lambda x: x.softmax(-1)}, Call("answer", (X,))).result  # a call without a ban
        assert torch.equal(result, X.softmax(-1))
        observe({"answer": torch.exp}, call)
        assert len(put_up) == 5
    for _ in range(2):
        observe({"answer": torch.exp}, Call("answer", (X,), forbidden=SOFTMAX, once=True))
    assert len(put_up) == 7  # elsewhere each call has its own


def test_what_is_forbidden_is_seen_in_the_second_call_too() -> None:
    made: list[int] = []

    def answer(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return x.softmax(-1) if len(made) > 1 else x.exp() / x.exp().sum(-1, keepdim=True)

    again = observe({"answer": answer}, Call("answer", (X,), forbidden=SOFTMAX)).again
    assert isinstance(again, Raised)
    assert again.kind == "ForbiddenError"


def test_a_standing_ban_keeps_nothing_of_an_answer_alive() -> None:
    with standing():
        with pytest.raises(ForbiddenError), forbid(SOFTMAX):
            X.softmax(-1)
        assert home._STANDING.ban
        assert home._STANDING.ban.seen is None
