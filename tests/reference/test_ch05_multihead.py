"""The oracle of chapter 5 against torch's own layers and published numbers."""

import pytest
import torch
from torch.nn import functional

from reference import blocks
from reference import ch05_multihead as reference
from tests.reference.drawing import mask_with_dead_rows, mask_without_dead_rows, normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
MASKS = [(2, 3, 4, 5), (2, 1, 1, 5), (4, 5), (1, 1, 4, 5), (3, 1, 5), (5,)]


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(5)


def drawn(layer: torch.nn.Module) -> torch.nn.Module:
    """The layer in float64, biases not zero."""
    layer.double()
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return layer


def torch_layer_like(ours: torch.nn.Module) -> torch.nn.MultiheadAttention:
    """torch's layer with the parameters of ours; it needs D = H · d."""
    theirs = torch.nn.MultiheadAttention(ours.w_o.out_features, ours.num_heads, batch_first=True, dtype=torch.float64)
    three = (ours.w_q, ours.w_k, ours.w_v)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in three]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in three]))
        theirs.out_proj.load_state_dict(ours.w_o.state_dict())
    return theirs


def inputs(width: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return normal(2, 4, width), normal(2, 5, width), normal(2, 5, width)


@pytest.mark.parametrize("heads", [1, 2, 3, 12])
def test_split_heads_is_a_view_with_two_axes_exchanged(heads: int) -> None:
    x = normal(2, 5, 12)
    torch.testing.assert_close(reference.split_heads(x, heads), x.view(2, 5, heads, 12 // heads).transpose(1, 2))


@pytest.mark.parametrize("heads", [1, 2, 3, 12])
def test_merging_undoes_splitting_and_the_other_way_round(heads: int) -> None:
    x, apart = normal(2, 5, 12), normal(2, heads, 5, 4)
    torch.testing.assert_close(reference.merge_heads(reference.split_heads(x, heads)), x)
    torch.testing.assert_close(reference.split_heads(reference.merge_heads(apart), heads), apart)


def test_what_does_not_divide_is_refused_by_both_numbers() -> None:
    calls = [
        lambda: reference.split_heads(normal(2, 5, 10), 3),
        lambda: reference.MultiHeadAttention(10, 3),
        lambda: reference.attention_parameters(10, 3),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"10.*3"):
            call()
    assert reference.WideMultiHeadAttention(10, 3, 4).w_q.out_features == 12


@pytest.mark.parametrize("heads", [1, 3, 12])
@pytest.mark.parametrize("shape", [None, (2, 1, 1, 5), (4, 5)])
def test_multi_head_attention_is_that_of_torch(heads: int, shape: tuple[int, ...] | None) -> None:
    ours, (query, key, value) = drawn(reference.MultiHeadAttention(12, heads)), inputs(12)
    mask = None if shape is None else mask_without_dead_rows(*shape)
    hidden = None if mask is None else ~mask.expand(2, heads, 4, 5).reshape(2 * heads, 4, 5)
    theirs = torch_layer_like(ours)(query, key, value, attn_mask=hidden, average_attn_weights=False)
    torch.testing.assert_close(ours(query, key, value, mask), theirs, **TIGHT)


def test_self_attention_with_one_tensor_three_times_is_that_of_torch() -> None:
    ours, x = drawn(reference.MultiHeadAttention(12, 3)), normal(2, 5, 12)
    theirs = torch_layer_like(ours)(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(ours(x, x, x), theirs, **TIGHT)


def test_wide_heads_of_width_d_by_h_are_ordinary_heads() -> None:
    ours, wide = drawn(reference.MultiHeadAttention(12, 3)), reference.WideMultiHeadAttention(12, 3, 4).double()
    wide.load_state_dict(ours.state_dict())
    mask, tensors = mask_with_dead_rows(2, 1, 4, 5), inputs(12)
    torch.testing.assert_close(wide(*tensors, mask), ours(*tensors, mask), **TIGHT)


@pytest.mark.parametrize("sizes", [(10, 3, 4), (7, 2, 16), (12, 3, 1)])
def test_wide_heads_are_projections_around_the_attention_of_torch(sizes: tuple[int, int, int]) -> None:
    ours, (query, key, value) = drawn(reference.WideMultiHeadAttention(*sizes)), inputs(sizes[0])
    pairs = ((ours.w_q, query), (ours.w_k, key), (ours.w_v, value))
    q, k, v = (layer(x).unflatten(-1, sizes[1:]).transpose(1, 2) for layer, x in pairs)
    theirs = ours.w_o(functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(ours(query, key, value)[0], theirs, **TIGHT)


LAYERS = [("MultiHeadAttention", (12, 3)), ("WideMultiHeadAttention", (10, 3, 4))]


@pytest.mark.parametrize(("name", "sizes"), LAYERS)
@pytest.mark.parametrize("shape", [None, *MASKS])
def test_the_layers_are_the_given_building_blocks(name, sizes, shape) -> None:
    ours, given = drawn(getattr(reference, name)(*sizes)), getattr(blocks, name)(*sizes).double()
    given.load_state_dict(ours.state_dict())
    tensors, mask = inputs(sizes[0]), None if shape is None else mask_with_dead_rows(*shape)
    torch.testing.assert_close(ours(*tensors, mask=mask), given(*tensors, mask=mask), **TIGHT)


@pytest.mark.parametrize(("name", "sizes"), LAYERS)
def test_who_sees_nothing_gets_the_bias_and_teaches_nothing(name, sizes) -> None:
    layer, tensors = drawn(getattr(reference, name)(*sizes)), inputs(sizes[0])
    for part in tensors:
        part.requires_grad_()
    output, weights = layer(*tensors, mask_with_dead_rows(2, 1, 1, 5))
    assert not weights[0].any()
    torch.testing.assert_close(output[0], layer.w_o.bias.expand(4, -1))
    gradients = torch.autograd.grad(output.sum() + weights.square().sum(), [*tensors, *layer.parameters()])
    assert all(gradient.isfinite().all() for gradient in gradients)
    assert not any(gradient[0].any() for gradient in gradients[:3])


def test_a_head_is_attention_in_its_own_columns() -> None:
    layer, (query, key, value) = drawn(reference.MultiHeadAttention(12, 3)), inputs(12)
    _, weights = layer(query, key, value)
    for head in range(3):
        own = slice(4 * head, 4 * head + 4)
        scores = layer.w_q(query)[..., own] @ layer.w_k(key)[..., own].mT / 2
        torch.testing.assert_close(weights[:, head], scores.softmax(-1), **TIGHT)


@pytest.mark.parametrize("bias", [True, False])
def test_parameters_are_those_of_torch(bias: bool) -> None:
    theirs = torch.nn.MultiheadAttention(24, 3, bias=bias)
    assert reference.attention_parameters(24, 3, bias=bias) == sum(part.numel() for part in theirs.parameters())


def test_parameters_are_those_of_the_layers() -> None:
    for name, sizes in LAYERS:
        layer = getattr(reference, name)(*sizes)
        assert reference.attention_parameters(*sizes) == sum(part.numel() for part in layer.parameters())


def test_published_numbers_of_parameters() -> None:
    assert reference.attention_parameters(512, 8) == 1_050_624
    assert reference.attention_parameters(768, 12) == 2_362_368
    assert reference.attention_parameters(32, 2, key_width=32) == 8_416
    # The lecture's model: what its other layers do not account for.
    embeddings, norms, hidden, head = 20_200 * 32, 2 * 2 * 32, 2 * (32 * 32 + 32), (32 * 100 + 100) + (100 + 1)
    assert 660_457 - embeddings - norms - hidden - head == 8_416


@pytest.mark.parametrize(("heads", "groups"), [(6, 6), (6, 3), (6, 2), (6, 1)])
@pytest.mark.parametrize("shape", [None, (2, 6, 5, 5), (2, 1, 1, 5), (5, 5), (6, 1, 5)])
def test_grouped_queries_are_those_of_torch(heads: int, groups: int, shape: tuple[int, ...] | None) -> None:
    q, k, v = normal(2, heads, 5, 4), normal(2, groups, 5, 4), normal(2, groups, 5, 4)
    mask = None if shape is None else mask_without_dead_rows(*shape)
    wide = None if mask is None else mask.expand(2, heads, 5, 5)
    theirs = functional.scaled_dot_product_attention(q, k, v, wide, enable_gqa=True)
    torch.testing.assert_close(reference.grouped_query_attention(q, k, v, mask), theirs, **TIGHT)


def test_grouped_queries_that_see_nothing_get_zeros_and_finite_gradients() -> None:
    parts = [normal(2, heads, 5, 4).requires_grad_() for heads in (6, 3, 3)]
    output = reference.grouped_query_attention(*parts, mask_with_dead_rows(2, 1, 1, 5))
    assert not output[0].any()
    gradients = torch.autograd.grad(output.square().sum(), parts)
    assert all(gradient.isfinite().all() and not gradient[0].any() for gradient in gradients)


def test_gradients_are_those_of_finite_differences() -> None:
    layer, mask = drawn(reference.WideMultiHeadAttention(3, 2, 2)), torch.tensor([[True, False], [False, False]])
    x = [normal(2, 2, 3).requires_grad_() for _ in range(3)]
    assert torch.autograd.gradcheck(lambda *parts: layer(*parts, mask), x)
    q, k, v = (normal(1, heads, 2, 3).requires_grad_() for heads in (4, 2, 2))
    assert torch.autograd.gradcheck(lambda *parts: reference.grouped_query_attention(*parts, mask), (q, k, v))


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_inputs(device: str, dtype: torch.dtype) -> None:
    q, k = (torch.ones(2, heads, 5, 4, dtype=dtype, device=device) for heads in (6, 3))
    mask = torch.ones(2, 1, 1, 5, dtype=torch.bool, device=device)
    x = torch.ones(2, 5, 12, dtype=dtype, device=device)
    layers = [getattr(reference, name)(*sizes).to(device, dtype) for name, sizes in LAYERS]
    results = [part for layer in layers for part in layer(*[x[..., : layer.w_o.out_features]] * 3, mask)]
    results += [reference.grouped_query_attention(q, k, k, mask), reference.merge_heads(reference.split_heads(x, 3))]
    assert {(part.dtype, part.device.type) for part in results} == {(dtype, device)}
