"""Without a GPU, a mixture of devices is noticed on tensors without data."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from autograder.calls import Call, Raised
from autograder.observe import observe

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


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: F.embedding(torch.arange(2, device=x.device), x),
        lambda x: x[torch.arange(2)],
        lambda x: x * torch.tensor(2.0),
        lambda x: x + torch.ones(4).to(x.device),
        lambda x: x.new_zeros(3, 4).copy_(torch.ones(3, 4)),
        lambda x: torch.ones(3, 4).type_as(x),
    ],
    ids=["made there", "indexed from here", "one number", "moved", "copied", "like"],
)
def test_what_a_gpu_allows_is_allowed(answer) -> None:
    assert not isinstance(shown(answer, X), Raised)
