"""The oracle of chapter 3 against torch's own functions and published numbers."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import ch03_attention as reference
from reference.blocks import WatchedTensor
from tests.reference.drawing import normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(3)


def pairs(q: torch.Tensor, k: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Every query beside every key: two tensors (..., Tq, Tk, D)."""
    tq, tk = q.shape[-2], k.shape[-2]
    return q.unsqueeze(-2).expand(*q.shape[:-1], tk, -1), k.unsqueeze(-3).expand(*k.shape[:-2], tq, -1, -1)


@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
def test_softmax_is_that_of_torch(dim: int) -> None:
    for scores in (normal(3, 4, 5), 1000 + normal(3, 4, 5), 1000 * normal(3, 4, 5)):
        torch.testing.assert_close(reference.softmax(scores, dim), functional.softmax(scores, dim), **TIGHT)


def test_softmax_gives_the_published_weights() -> None:
    no = float("-inf")
    scores = torch.tensor([[0.7, no, no, no], [0.1, 0.6, no, no], [0.1, 0.3, 0.6, no], [0.1, 0.3, 0.3, 0.3]])
    printed = torch.tensor([[1, 0, 0, 0], [0.37, 0.62, 0, 0], [0.26, 0.31, 0.43, 0], [0.21, 0.26, 0.26, 0.26]])
    torch.testing.assert_close(reference.softmax(scores, -1), printed, rtol=0, atol=0.01)


def test_softmax_of_masked_rows_has_the_gradient_of_torch() -> None:
    scores = normal(3, 4).masked_fill(torch.eye(3, 4, dtype=torch.bool), float("-inf")).requires_grad_()
    weight = normal(3, 4)
    (ours,) = torch.autograd.grad((reference.softmax(scores, -1) * weight).sum(), scores)
    (theirs,) = torch.autograd.grad((functional.softmax(scores, -1) * weight).sum(), scores)
    torch.testing.assert_close(ours, theirs, **TIGHT)


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_scores_are_those_of_torch_for_every_pair(leading: tuple[int, ...]) -> None:
    q, k, other = normal(*leading, 4, 6), normal(*leading, 5, 6), normal(*leading, 5, 7)
    w, wide, v = normal(6, 7), normal(8, 13), normal(8)
    both = torch.cat(pairs(q, other), dim=-1)
    ones = torch.eye(6, dtype=torch.float64)
    dots = functional.bilinear(*pairs(q, k), ones[None]).squeeze(-1)
    for ours, theirs in (
        (reference.dot_scores(q, k), dots),
        (reference.scaled_dot_scores(q, k), dots / 6**0.5),
        (reference.general_scores(q, other, w), functional.bilinear(*pairs(q, other), w[None]).squeeze(-1)),
        (reference.cosine_scores(q, k), functional.cosine_similarity(*pairs(q, k), dim=-1)),
        (
            reference.additive_scores(q, other, wide, v),
            functional.linear(functional.linear(both, wide).tanh(), v[None]).squeeze(-1),
        ),
        (reference.location_scores(q, wide[:, :6]), functional.linear(q, wide[:, :6])),
    ):
        torch.testing.assert_close(ours, theirs, **TIGHT)


def test_simple_self_attention_is_that_of_torch_without_scale() -> None:
    x = normal(2, 4, 6)
    theirs = functional.scaled_dot_product_attention(x, x, x, scale=1.0)
    torch.testing.assert_close(reference.simple_self_attention(x), theirs, **TIGHT)


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_attention_is_that_of_torch(leading: tuple[int, ...]) -> None:
    q, k, v = normal(*leading, 4, 6), normal(*leading, 5, 6), normal(*leading, 5, 7)
    output, weights = reference.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(output, functional.scaled_dot_product_attention(q, k, v), **TIGHT)
    ones = torch.eye(5, dtype=torch.float64).expand(*leading, 5, 5)
    torch.testing.assert_close(weights, functional.scaled_dot_product_attention(q, k, ones), **TIGHT)


def test_self_attention_is_one_head_of_torch() -> None:
    ours, theirs = reference.SelfAttention(6).double(), nn.MultiheadAttention(6, 1, bias=False, batch_first=True)
    theirs.double()
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
        theirs.out_proj.weight.copy_(torch.eye(6))
    x = normal(2, 4, 6)
    torch.testing.assert_close(ours(x), theirs(x, x, x)[0], **TIGHT)


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 100])
@pytest.mark.parametrize("leading", [(), (2,), (2, 1, 3)])
def test_attention_in_blocks_is_that_of_torch(leading: tuple[int, ...], size: int) -> None:
    q, k, v = normal(*leading, 4, 8), normal(*leading, 7, 8), normal(*leading, 7, 5)
    theirs = functional.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(reference.attention_in_blocks(q, k, v, size), theirs, **TIGHT)


def test_two_blocks_by_hand() -> None:
    q, k, v = torch.ones(1, 1), torch.tensor([[1.0], [3.0]]).log(), torch.tensor([[4.0], [8.0]])
    output = reference.attention_in_blocks(q, k, v, 1)
    torch.testing.assert_close(output, torch.tensor([[7.0]]))


@pytest.mark.parametrize("step", [1000.0, -1000.0])
def test_attention_in_blocks_survives_scores_that_rise_and_fall(step: float) -> None:
    q, k, v = torch.ones(1, 1).double(), step * torch.arange(7.0)[:, None].double(), normal(7, 3)
    best = v[-1:] if step > 0 else v[:1]
    torch.testing.assert_close(reference.attention_in_blocks(q, k, v, 2), best, **TIGHT)


def test_a_watched_tensor_refuses_what_is_too_many_wherever_it_goes() -> None:
    q, k = WatchedTensor(normal(2, 3), 10), normal(5, 3)
    assert (q @ k[:4].T).sum().shape == ()
    table = torch.zeros(2, 5)
    for too_many in (lambda: q @ k.T, lambda: (q * 2).exp() @ k.T, lambda: torch.cat([q, q]), lambda: q.new_zeros(10)):
        with pytest.raises(RuntimeError, match="none may have 10 entries or more"):
            too_many()
    with pytest.raises(RuntimeError, match="shape \\(2, 5\\)"):
        table[:, :2] = q[:, :2]


CALLS = [
    (lambda s: reference.softmax(s, 1), [(2, 3, 4)]),
    (reference.dot_scores, [(2, 3, 4), (2, 5, 4)]),
    (reference.scaled_dot_scores, [(2, 3, 4), (2, 5, 4)]),
    (reference.general_scores, [(2, 3, 4), (2, 5, 6), (4, 6)]),
    (reference.cosine_scores, [(2, 3, 4), (2, 5, 4)]),
    (reference.additive_scores, [(2, 3, 4), (2, 5, 6), (7, 10), (7,)]),
    (reference.location_scores, [(2, 3, 4), (5, 4)]),
    (reference.simple_self_attention, [(2, 3, 4)]),
    (reference.scaled_dot_product_attention, [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
    (lambda q, k, v: reference.attention_in_blocks(q, k, v, 2), [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
]


@pytest.mark.parametrize(("function", "shapes"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shapes) -> None:
    assert torch.autograd.gradcheck(function, [normal(*shape).requires_grad_() for shape in shapes])


@pytest.mark.parametrize(("function", "shapes"), CALLS)
def test_float32_and_meta_stay_what_they_are(function, shapes) -> None:
    for inputs in ([normal(*s).float() for s in shapes], [torch.empty(s, device="meta") for s in shapes]):
        result = function(*inputs)
        for part in result if isinstance(result, tuple) else (result,):
            assert (part.dtype, part.device) == (torch.float32, inputs[0].device)


def test_gradients_of_self_attention_reach_every_weight() -> None:
    module = reference.SelfAttention(4).double()
    assert torch.autograd.gradcheck(module, [normal(2, 3, 4).requires_grad_()])
    module(normal(2, 3, 4)).sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in module.parameters())
