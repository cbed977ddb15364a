"""The oracle of chapter 6 against torch's own functions and published numbers."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import blocks
from reference import ch06_encoder as reference
from tests.reference.drawing import mask_without_dead_rows, normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
MASKS = [(2, 3, 5, 5), (2, 1, 1, 5), (5, 5), (2, 1, 5, 5)]


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(6)


def randomised(module: nn.Module) -> nn.Module:
    """With random parameters everywhere, so that no norm or bias is what it was born as."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_()
    return module.double().eval()


def as_torch_names(ours: nn.Module) -> dict[str, torch.Tensor]:
    """The state of a block under the names of `nn.TransformerEncoderLayer`."""
    state, attention = ours.state_dict(), ours.attention
    named = {
        "self_attn.in_proj_weight": torch.cat([attention.w_q.weight, attention.w_k.weight, attention.w_v.weight]),
        "self_attn.in_proj_bias": torch.cat([attention.w_q.bias, attention.w_k.bias, attention.w_v.bias]),
    }
    renamed = {
        "attention.w_o": "self_attn.out_proj",
        "feed_forward.0": "linear1",
        "feed_forward.2": "linear2",
        "norm1": "norm1",
        "norm2": "norm2",
    }
    for old, new in renamed.items():
        named.update({f"{new}.{end}": state[f"{old}.{end}"] for end in ("weight", "bias")})
    return named


def torch_layer(ours: nn.Module, norm_first: bool) -> nn.TransformerEncoderLayer:
    width, hidden = ours.norm1.weight.numel(), ours.feed_forward[0].out_features
    theirs = nn.TransformerEncoderLayer(
        width, ours.attention.num_heads, hidden, dropout=0.0, norm_first=norm_first, batch_first=True
    )
    theirs.double().load_state_dict(as_torch_names(ours))
    return theirs  # in training mode, where torch takes no short cuts


@pytest.mark.parametrize("shape", [(6,), (4, 6), (2, 4, 6), (2, 3, 4, 6), (2, 3, 1), (6, 6)])
@pytest.mark.parametrize("eps", [1e-5, 0.3])
def test_layer_norm_is_that_of_torch(shape: tuple[int, ...], eps: float) -> None:
    x, scale, shift = normal(*shape), normal(shape[-1]), normal(shape[-1])
    theirs = functional.layer_norm(x, shape[-1:], scale, shift, eps)
    torch.testing.assert_close(reference.layer_norm(x, scale, shift, eps), theirs, **TIGHT)


@pytest.mark.parametrize("shape", [(6,), (4, 6), (2, 4, 6), (2, 3, 4, 6), (2, 3, 1), (6, 6)])
@pytest.mark.parametrize("eps", [1e-5, 0.3])
def test_rms_norm_is_that_of_torch(shape: tuple[int, ...], eps: float) -> None:
    x, scale = normal(*shape), normal(shape[-1])
    theirs = functional.rms_norm(x, shape[-1:], scale, eps)
    torch.testing.assert_close(reference.rms_norm(x, scale, eps), theirs, **TIGHT)


def test_rms_norm_by_hand() -> None:
    x, one = torch.tensor([1.0, 2, 3, 0]), torch.ones(4)
    torch.testing.assert_close(reference.rms_norm(x, one, 0.5), torch.tensor([0.5, 1, 1.5, 0]))


@pytest.mark.parametrize("shape", [(6,), (4, 6), (2, 3, 4, 6), (6, 6)])
def test_swiglu_is_silu_times_a_linear_map(shape: tuple[int, ...]) -> None:
    x, gate, up, down = normal(*shape), normal(6, 11), normal(6, 11), normal(11, 6)
    theirs = functional.linear(functional.silu(functional.linear(x, gate.T)) * functional.linear(x, up.T), down.T)
    torch.testing.assert_close(reference.swiglu(x, gate, up, down), theirs, **TIGHT)


def test_swiglu_of_one_unit_by_hand() -> None:
    one, x = torch.ones(1, 1), torch.tensor([[1.0], [-1.0]])
    torch.testing.assert_close(reference.swiglu(x, one, one, one), torch.tensor([[0.731], [0.269]]), atol=1e-3, rtol=0)


def test_layer_norm_by_hand() -> None:
    x, one, zero = torch.tensor([1.0, 2, 3, 6]), torch.ones(4), torch.zeros(4)
    torch.testing.assert_close(reference.layer_norm(x, one, zero, 0.5), torch.tensor([-1, -0.5, 0, 1.5]))


def test_layer_norm_of_equal_features_is_the_shift() -> None:
    x, scale, shift = normal(2, 3, 1).expand(2, 3, 6), normal(6), normal(6)
    torch.testing.assert_close(reference.layer_norm(x, scale, shift, 1e-5), shift.expand(2, 3, 6), **TIGHT)


def test_layer_norm_does_not_mind_a_large_offset() -> None:
    x, scale, shift = normal(2, 3, 6), normal(6), normal(6)
    far = reference.layer_norm(x + 1e4, scale, shift, 0.1)
    torch.testing.assert_close(far, reference.layer_norm(x, scale, shift, 0.1), rtol=1e-9, atol=1e-9)


def test_feed_forward_is_two_linear_layers_of_torch() -> None:
    x, w1, b1, w2, b2 = normal(2, 4, 6), normal(6, 7), normal(7), normal(7, 6), normal(6)
    theirs = functional.linear(functional.linear(x, w1.T, b1).relu(), w2.T, b2)
    torch.testing.assert_close(reference.feed_forward(x, w1, b1, w2, b2), theirs, **TIGHT)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_dropout_has_the_mean_and_variance_of_that_of_torch(rate: float) -> None:
    x = torch.ones(100_000, dtype=torch.float64)
    ours, theirs = reference.dropout(x, rate, True), functional.dropout(x, rate, True)
    assert set(ours.unique().tolist()) == set(theirs.unique().tolist())
    assert ours.mean() == pytest.approx(1, abs=0.05)
    assert ours.var() == pytest.approx(rate / (1 - rate), rel=0.05)  # theirs, in the limit


@pytest.mark.parametrize(("rate", "training"), [(0.0, True), (0.0, False), (0.7, False)])
def test_dropout_may_do_nothing(rate: float, training: bool) -> None:
    x = normal(2, 3)
    torch.testing.assert_close(reference.dropout(x, rate, training), x, rtol=0, atol=0)


@pytest.mark.parametrize("rate", [1.0, 1.5, -0.25])
@pytest.mark.parametrize("training", [True, False])
def test_dropout_refuses_what_is_no_rate(rate: float, training: bool) -> None:
    with pytest.raises(ValueError, match=str(rate)):
        reference.dropout(normal(2, 3), rate, training)


def test_dropout_sends_its_gradient_where_its_values_went() -> None:
    x = normal(50, 40).requires_grad_()
    dropped = reference.dropout(x, 0.2, True)
    (gradient,) = torch.autograd.grad(dropped.sum(), x)
    torch.testing.assert_close(gradient * x, dropped, **TIGHT)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("shape", [None, *MASKS])
def test_a_block_is_that_of_torch(norm_first: bool, shape: tuple[int, ...] | None) -> None:
    ours = randomised(reference.EncoderBlock(12, 3, 7, norm_first=norm_first))
    x, mask = normal(2, 5, 12), None if shape is None else mask_without_dead_rows(*shape)
    wide = None if mask is None else ~mask.expand(2, 3, 5, 5).reshape(6, 5, 5)  # True = may not
    theirs = torch_layer(ours, norm_first)(x, src_mask=wide)
    torch.testing.assert_close(ours(x, mask), theirs, **TIGHT)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_block_is_the_given_one(norm_first: bool) -> None:
    ours = randomised(reference.EncoderBlock(12, 3, 7, norm_first=norm_first))
    given = blocks.EncoderBlock(12, 3, 7, norm_first=norm_first).double().eval()
    given.load_state_dict(ours.state_dict())
    mask = mask_without_dead_rows(2, 1, 1, 5)
    mask[0] = False
    for x in (normal(2, 5, 12), 1000 * normal(2, 5, 12)):
        torch.testing.assert_close(ours(x, mask), given(x, mask), **TIGHT)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("num_blocks", [1, 3])
def test_an_encoder_is_that_of_torch(norm_first: bool, num_blocks: int) -> None:
    ours = randomised(reference.Encoder(num_blocks, 12, 3, 7, norm_first=norm_first))
    layers = [torch_layer(block, norm_first) for block in ours.blocks]
    last = ours.norm if norm_first else None
    theirs = nn.TransformerEncoder(layers[0], num_blocks, norm=last, enable_nested_tensor=False)
    theirs.layers = nn.ModuleList(layers)
    ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 0, 0, 0]])
    x = normal(2, 5, 12)
    expected = theirs(x, src_key_padding_mask=ids == 0)
    torch.testing.assert_close(ours(x, (ids != 0)[:, None, None, :]), expected, **TIGHT)


def test_only_a_pre_norm_encoder_has_a_last_norm() -> None:
    names = [[name for name, _ in reference.Encoder(2, 4, 1, 3, norm_first=first).named_children()] for first in (0, 1)]
    assert names == [["blocks"], ["blocks", "norm"]]


@pytest.mark.parametrize("norm_first", [False, True])
def test_dropout_acts_in_training_only(norm_first: bool) -> None:
    encoder = randomised(reference.Encoder(2, 12, 3, 7, dropout=0.5, norm_first=norm_first))
    x = normal(2, 5, 12)
    torch.testing.assert_close(encoder(x), encoder(x), rtol=0, atol=0)
    encoder.train()
    assert not torch.allclose(encoder(x), encoder(x))


@pytest.mark.parametrize("sizes", [(1, 6, 7), (3, 12, 5)])
def test_parameters_are_those_of_torch(sizes: tuple[int, int, int]) -> None:
    num_blocks, width, hidden = sizes
    layer = nn.TransformerEncoderLayer(width, 2, hidden)
    theirs = nn.TransformerEncoder(layer, num_blocks, enable_nested_tensor=False)
    assert reference.encoder_parameters(*sizes) == sum(weight.numel() for weight in theirs.parameters())
    with_tables = nn.ModuleList([theirs, nn.Embedding(50, width), nn.Embedding(20, width)])
    assert reference.encoder_parameters(*sizes, 50, 20) == sum(weight.numel() for weight in with_tables.parameters())


def test_parameters_are_those_of_our_encoder() -> None:
    encoder = reference.Encoder(3, 12, 3, 7)
    assert reference.encoder_parameters(3, 12, 7) == sum(weight.numel() for weight in encoder.parameters())


def test_parameters_of_bert_are_the_published_ones() -> None:
    """Besides encoder and tables, BERT has two segment vectors, a norm after the tables, and a pooler."""
    assert reference.encoder_parameters(12, 768, 3072) == 85_054_464
    rest = 2 * 768 + 2 * 768 + 768 * 768 + 768
    assert reference.encoder_parameters(12, 768, 3072, 30522, 512) + rest == 109_482_240
    assert reference.encoder_parameters(24, 1024, 4096, 30522, 512) == pytest.approx(340e6, rel=0.02)


CALLS = [
    (lambda x, scale, shift: reference.layer_norm(x, scale, shift, 0.3), [(2, 3, 4), (4,), (4,)]),
    (reference.feed_forward, [(2, 3, 4), (4, 5), (5,), (5, 4), (4,)]),
    (lambda x: reference.dropout(x, 0.5, False), [(2, 3)]),
    (lambda x, scale: reference.rms_norm(x, scale, 0.3), [(2, 3, 4), (4,)]),
    (reference.swiglu, [(2, 3, 4), (4, 5), (4, 5), (5, 4)]),
]


@pytest.mark.parametrize(("function", "shapes"), CALLS)
def test_gradients_are_those_of_finite_differences(function, shapes) -> None:
    assert torch.autograd.gradcheck(function, [normal(*shape).requires_grad_() for shape in shapes])


@pytest.mark.parametrize(("function", "shapes"), [*CALLS, (lambda x: reference.dropout(x, 0.5, True), [(2, 3)])])
def test_float32_and_meta_stay_what_they_are(function, shapes) -> None:
    for inputs in ([normal(*s).float() for s in shapes], [torch.empty(s, device="meta") for s in shapes]):
        result = function(*inputs)
        assert (result.dtype, result.device) == (torch.float32, inputs[0].device)


@pytest.mark.parametrize("norm_first", [False, True])
def test_gradients_reach_every_parameter_of_an_encoder(norm_first: bool) -> None:
    encoder = randomised(reference.Encoder(2, 4, 1, 3, norm_first=norm_first))
    assert torch.autograd.gradcheck(encoder, [normal(2, 3, 4).requires_grad_()])
    (encoder(normal(4, 5, 4)) * normal(4, 5, 4)).sum().backward()
    learning = {name: weight.grad for name, weight in encoder.named_parameters() if "w_k.bias" not in name}
    assert all(gradient is not None and gradient.any() for gradient in learning.values())
