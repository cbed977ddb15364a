"""Without a GPU, a mixture of devices is noticed on tensors without data."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from autograder.calls.observe import observe
from autograder.calls.records import Call, Raised
from autograder.internals.kernels import prefer_native

prefer_native()  # as in grading
X = torch.ones(3, 4, device="meta")


def shown(answer, *args):
    return observe({"answer": answer}, Call("answer", args)).result


def looked_up_elsewhere(table):
    return F.embedding(torch.arange(2), table)


def test_an_index_made_elsewhere_is_refused_as_a_gpu_would_refuse_it() -> None:
    result = shown(looked_up_elsewhere, X)
    assert isinstance(result, Raised)
    assert "same device, but found cpu and meta" in result.message


def test_torch_itself_lets_it_pass_without_data() -> None:
    assert looked_up_elsewhere(X).is_meta


def test_with_data_nothing_is_refused() -> None:
    assert torch.equal(shown(looked_up_elsewhere, torch.ones(3, 4)), torch.ones(2, 4))


NUMBER, EVERYWHERE = torch.tensor(2.0), torch.ones(3, 4, dtype=torch.bool)
ALLOWED = {
    "made there": lambda x: F.embedding(torch.arange(2, device=x.device), x),
    "indexed from here": lambda x: x[torch.arange(2)],
    "put by an index from here": lambda x: x.index_put((torch.arange(2),), x[:2]),
    "moved": lambda x: x + torch.ones(4).to(x.device),
    "copied": lambda x: x.new_zeros(3, 4).copy_(torch.ones(3, 4)),
    "like": lambda x: torch.ones(3, 4).type_as(x),
    "times a number": lambda x: NUMBER * x + NUMBER,
    "a number where": lambda x: torch.where(x > NUMBER, x, NUMBER),
    "the larger one": lambda x: torch.maximum(x, NUMBER).clamp(min=NUMBER),
    "filled": lambda x: x.clone().fill_(NUMBER),
    "a number set": lambda x: x.clone().index_put_((torch.arange(2, device="meta"),), NUMBER),
    "masked with a number": lambda x: x.masked_fill(x > 0, torch.tensor(-1e9)),
    "masked with a number by its name": lambda x: torch.masked_fill(x, x > 0, value=NUMBER),
    "masked in place": lambda x: x.clone().masked_fill_(x > 0, NUMBER),
    "rows filled with a number": lambda x: x.index_fill(0, torch.arange(2, device="meta"), NUMBER),
    "with the sign of a number": lambda x: torch.copysign(x, NUMBER),
    "drawn from a distribution": lambda x: torch.distributions.Bernoulli(torch.full_like(x, 0.5)).sample() * x,
}
REFUSED = {
    "a mask from here": lambda x: x.masked_fill(EVERYWHERE, NUMBER),
    "a row from here": lambda x: x + torch.ones(4),
    "a column chosen here": lambda x: torch.where(EVERYWHERE, x, NUMBER),
    "rows put from here": lambda x: x.index_put((torch.arange(2, device="meta"),), torch.ones(2, 4)),
    "rows filled by an index from here": lambda x: x.index_fill(0, torch.arange(2), NUMBER),
    "a row of one": lambda x: torch.copysign(x, torch.ones(1)),
}


@pytest.mark.parametrize("answer", ALLOWED.values(), ids=ALLOWED)
def test_what_a_gpu_allows_is_allowed(answer) -> None:
    assert not isinstance(shown(answer, X), Raised)


@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
def test_what_a_gpu_refuses_is_refused(answer) -> None:
    assert isinstance(shown(answer, X), Raised)
