"""The oracle of chapter 4 against torch's own functions and published numbers."""

import pytest
import torch
from torch.nn import functional

from reference import ch04_masking as reference
from tests.reference.drawing import mask_with_dead_rows, mask_without_dead_rows, normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
TRIANGLE = torch.ones(4, 4, dtype=torch.bool).tril()
MASKS = [(2, 3, 4, 5), (2, 1, 1, 5), (4, 5), (2, 1, 4, 5), (3, 1, 5), (5,)]


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(4)


def test_padding_mask_of_a_written_batch() -> None:
    ids = torch.tensor([[7, 7, 3, 0], [5, 7, 1, 2]])
    written = torch.tensor([[False, False, True, True], [True, False, True, True]])
    torch.testing.assert_close(reference.padding_mask(ids, 7), written.view(2, 1, 1, 4))


def test_padding_mask_does_for_torch_what_its_key_padding_does() -> None:
    layer = torch.nn.MultiheadAttention(6, 1, batch_first=True, dtype=torch.float64)
    ids, x = torch.tensor([[3, 4, 5, 0], [6, 0, 0, 0]]), normal(2, 4, 6)
    theirs, _ = layer(x, x, x, key_padding_mask=ids == 0)
    q, k, v = functional.linear(x, layer.in_proj_weight, layer.in_proj_bias).chunk(3, dim=-1)
    ours, _ = reference.masked_attention(q, k, v, reference.padding_mask(ids, 0)[:, 0])
    torch.testing.assert_close(layer.out_proj(ours), theirs, **TIGHT)


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("past", [0, 1, 4])
def test_causal_mask_is_a_triangle_moved_right_by_the_past(length: int, past: int) -> None:
    theirs = torch.tril(torch.ones(length, past + length), diagonal=past).bool()
    torch.testing.assert_close(reference.causal_mask(length, past), theirs)


def test_causal_masks_of_pieces_are_the_rows_of_the_whole() -> None:
    pieces = [reference.causal_mask(2), reference.causal_mask(3, past=2), reference.causal_mask(1, past=5)]
    whole = torch.cat([functional.pad(piece, (0, 6 - piece.shape[1])) for piece in pieces])
    torch.testing.assert_close(whole, reference.causal_mask(6))


def test_causal_attention_is_that_of_torch() -> None:
    q, k, v = normal(2, 3, 4, 6), normal(2, 3, 4, 6), normal(2, 3, 4, 5)
    ours, _ = reference.masked_attention(q, k, v, reference.causal_mask(4))
    torch.testing.assert_close(ours, functional.scaled_dot_product_attention(q, k, v, is_causal=True), **TIGHT)


def test_combined_masks_are_their_logical_and() -> None:
    masks = [mask_without_dead_rows(*shape) for shape in MASKS]
    together = masks[0]
    for mask in masks[1:]:
        together = torch.logical_and(together, mask)
    torch.testing.assert_close(reference.combine_masks(None, *masks, None), together)
    torch.testing.assert_close(reference.combine_masks(masks[1], masks[2]), masks[1] & masks[2])


def test_no_mask_at_all_combines_to_none() -> None:
    assert reference.combine_masks() is None
    assert reference.combine_masks(None, None) is None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_additive_mask_is_the_published_table(dtype: torch.dtype) -> None:
    no = float("-inf")
    printed = torch.tensor([[0, no, no, no], [0, 0, no, no], [0, 0, 0, no], [0, 0, 0, 0]], dtype=dtype)
    torch.testing.assert_close(reference.additive_mask(reference.causal_mask(4), dtype), printed, rtol=0, atol=0)


def test_masked_softmax_gives_the_published_weights() -> None:
    """Of the two printed digits some are rounded and some cut off, so an entry may be off by one hundredth."""
    scores = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.3, 0.6, 0.1], [0.1, 0.3, 0.3, 0.3]])
    printed = torch.tensor([[1, 0, 0, 0], [0.37, 0.62, 0, 0], [0.26, 0.31, 0.43, 0], [0.21, 0.26, 0.26, 0.26]])
    torch.testing.assert_close(reference.masked_softmax(scores, TRIANGLE), printed, rtol=0, atol=0.01)


@pytest.mark.parametrize("shape", MASKS)
@pytest.mark.parametrize("offset", [0.0, 1e6, -1e6])
def test_masked_softmax_is_that_of_torch_on_filled_scores(shape: tuple[int, ...], offset: float) -> None:
    scores, mask = normal(2, 3, 4, 5) + offset, mask_without_dead_rows(*shape)
    theirs = functional.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    torch.testing.assert_close(reference.masked_softmax(scores, mask), theirs, **TIGHT)


@pytest.mark.parametrize("shape", MASKS)
def test_masked_softmax_has_the_gradient_of_torch(shape: tuple[int, ...]) -> None:
    scores, mask, weight = normal(2, 3, 4, 5).requires_grad_(), mask_without_dead_rows(*shape), normal(2, 3, 4, 5)
    (ours,) = torch.autograd.grad((reference.masked_softmax(scores, mask) * weight).sum(), scores)
    filled = scores.masked_fill(~mask, float("-inf"))
    (theirs,) = torch.autograd.grad((functional.softmax(filled, dim=-1) * weight).sum(), scores)
    torch.testing.assert_close(ours, theirs, **TIGHT)


def test_forbidden_weights_are_exactly_zero_whatever_the_scores() -> None:
    scores, mask = normal(2, 3, 4, 5), mask_without_dead_rows(2, 3, 4, 5)
    loud = scores.masked_fill(~mask, 1e6)
    assert not reference.masked_softmax(loud, mask)[~mask].any()
    torch.testing.assert_close(reference.masked_softmax(loud, mask), reference.masked_softmax(scores, mask), **TIGHT)


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (2, 1, 1, 5), (4, 5)])
def test_dead_rows_are_zero_and_so_are_their_gradients(shape: tuple[int, ...]) -> None:
    mask = mask_with_dead_rows(*shape)
    scores = normal(2, 3, 4, 5).requires_grad_()
    weights = reference.masked_softmax(scores, mask)
    dead = ~mask.any(-1).expand(2, 3, 4)
    assert dead.any()
    assert not weights[dead].any()
    torch.testing.assert_close(weights.sum(-1), (~dead).double(), **TIGHT)
    (gradient,) = torch.autograd.grad((weights * normal(2, 3, 4, 5)).sum(), scores)
    assert gradient.isfinite().all()
    assert not gradient[dead].any()


@pytest.mark.parametrize("shape", [None, *MASKS])
def test_masked_attention_is_that_of_torch(shape: tuple[int, ...] | None) -> None:
    q, k, v = normal(2, 3, 4, 6), normal(2, 3, 5, 6), normal(2, 3, 5, 7)
    mask = None if shape is None else mask_without_dead_rows(*shape)
    wide = None if mask is None else mask.expand(2, 3, 4, 5)
    output, weights = reference.masked_attention(q, k, v, mask)
    torch.testing.assert_close(output, functional.scaled_dot_product_attention(q, k, v, wide), **TIGHT)
    ones = torch.eye(5, dtype=torch.float64).expand(2, 3, 5, 5)
    torch.testing.assert_close(weights, functional.scaled_dot_product_attention(q, k, ones, wide), **TIGHT)


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_masked_attention_takes_any_leading_axes(leading: tuple[int, ...]) -> None:
    q, k, v, mask = normal(*leading, 4, 6), normal(*leading, 5, 6), normal(*leading, 5, 7), mask_without_dead_rows(4, 5)
    theirs = functional.scaled_dot_product_attention(q, k, v, mask)
    torch.testing.assert_close(reference.masked_attention(q, k, v, mask)[0], theirs, **TIGHT)


def test_a_million_at_a_forbidden_key_does_not_leak() -> None:
    q, k, v, mask = normal(2, 3, 4, 6), normal(2, 3, 5, 6), normal(2, 3, 5, 7), mask_with_dead_rows(2, 1, 1, 5)
    hidden = ~mask.transpose(-2, -1)
    loud = reference.masked_attention(q, k.masked_fill(hidden, 1e4), v.masked_fill(hidden, 1e6), mask)
    quiet = reference.masked_attention(q, k, v, mask)
    torch.testing.assert_close(loud, quiet, rtol=0, atol=0)
    assert not quiet[0][0].any()


NOTHING_FOR_THE_FIRST = torch.tensor([[[False, False, False, False]], [[True, False, True, True]]])
CALLS = [
    (lambda s: reference.masked_softmax(s, NOTHING_FOR_THE_FIRST), [(2, 3, 4)]),
    (reference.masked_attention, [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
    (lambda q, k, v: reference.masked_attention(q, k, v, TRIANGLE[:3]), [(2, 3, 5), (2, 4, 5), (2, 4, 6)]),
]


@pytest.mark.parametrize(("function", "shapes"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shapes) -> None:
    assert torch.autograd.gradcheck(function, [normal(*shape).requires_grad_() for shape in shapes])


def test_gradients_of_attention_stay_finite_past_dead_rows() -> None:
    inputs = [normal(2, 4, 6), normal(2, 5, 6), normal(2, 5, 7)]
    for part in inputs:
        part.requires_grad_()
    output, weights = reference.masked_attention(*inputs, mask_with_dead_rows(2, 1, 5))
    gradients = torch.autograd.grad(output.sum() + weights.square().sum(), inputs)
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert all(not gradient[0].any() for gradient in gradients)  # the first sentence sees nothing, and teaches nothing


def test_alibi_of_eight_heads_has_the_slopes_of_the_paper() -> None:
    slopes = -reference.alibi(8, 2)[:, 1, 0]
    assert slopes.tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]


def test_alibi_of_the_first_of_eight_heads_as_the_chapter_shows_it() -> None:
    no = float("-inf")
    shown = torch.tensor([[0, no, no, no], [-0.5, 0, no, no], [-1, -0.5, 0, no], [-1.5, -1, -0.5, 0]])
    torch.testing.assert_close(reference.alibi(8, 4)[0], shown)


@pytest.mark.parametrize("num_heads", [1, 2, 4, 16, 32])
def test_alibi_weighs_as_the_published_code_that_counts_keys(num_heads: int) -> None:
    slopes = torch.tensor([2.0 ** (-8.0 / num_heads) for _ in range(num_heads)]).cumprod(0)
    future = torch.full((9, 9), float("-inf")).triu(1)
    theirs = future + slopes[:, None, None] * torch.arange(9.0)  # (H, T, T): m j instead of -m (i - j)
    torch.testing.assert_close(reference.alibi(num_heads, 9).softmax(-1), theirs.softmax(-1))


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_inputs(device: str, dtype: torch.dtype) -> None:
    mask = mask_without_dead_rows(2, 1, 1, 5).to(device)
    q, k, v = (torch.ones(2, 3, length, 6, dtype=dtype, device=device) for length in (4, 5, 5))
    floats = (*reference.masked_attention(q, k, v, mask), reference.additive_mask(mask, dtype))
    assert {(part.dtype, part.device.type) for part in floats} == {(dtype, device)}
    ids = torch.ones(2, 5, dtype=torch.int64, device=device)
    bools = (reference.padding_mask(ids, 0), reference.combine_masks(mask, mask[:, 0]))
    assert {(part.dtype, part.device.type) for part in bools} == {(torch.bool, device)}
