"""The oracle of chapter 8, held against torch's own Transformer and the sizes that were published."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import ch08_decoder as reference
from reference.blocks import ScriptedModel
from tests.reference.drawing import normal

TIGHT = {"rtol": 0, "atol": 1e-10}
D, H, F = 12, 3, 20
PAD = 7
# No row of the target begins with padding: torch has NaN for a query that sees nothing.
SOURCE = torch.tensor([[1, 2, 3, 4, 5, 6], [8, 9, 3, 7, 7, 7], [4, 8, 2, 1, 7, 7]])
TARGET = torch.tensor([[1, 5, 6, 8], [1, 9, 7, 7], [1, 4, 10, 7]])
BOS, EOS, STRAY = 1, 2, 3
SCRIPT = torch.tensor([[5, 6, 2, 0, 0], [2, 0, 0, 0, 0], [8, 9, 8, 9, 2], [9, 9, 9, 9, 9]])


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(8)


def shuffled(module: nn.Module) -> nn.Module:
    """The module in float64 and evaluation, with random numbers also where it begins with zeros and ones."""
    module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(normal(*parameter.shape) / (parameter.shape[-1] ** 0.5 if parameter.dim() > 1 else 1))
    return module


def hand_over(pairs: list[tuple[nn.Module, nn.Module]]) -> None:
    for theirs, ours in pairs:
        theirs.load_state_dict(ours.state_dict())


def attention_like(theirs: nn.MultiheadAttention, ours: nn.Module) -> None:
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
    hand_over([(theirs.out_proj, ours.w_o)])


def decoder_layer_like(ours: reference.DecoderBlock) -> nn.TransformerDecoderLayer:
    theirs = nn.TransformerDecoderLayer(D, H, F, dropout=0.0, batch_first=True, dtype=torch.float64)
    attention_like(theirs.self_attn, ours.self_attention)
    attention_like(theirs.multihead_attn, ours.cross_attention)
    hand_over([(theirs.linear1, ours.feed_forward[0]), (theirs.linear2, ours.feed_forward[2])])
    hand_over([(theirs.norm1, ours.norm1), (theirs.norm2, ours.norm2), (theirs.norm3, ours.norm3)])
    return theirs.eval()


def decoder_like(ours: reference.Decoder) -> nn.TransformerDecoder:
    theirs = nn.TransformerDecoder(decoder_layer_like(ours.blocks[0]), len(ours.blocks))
    theirs.layers = nn.ModuleList([decoder_layer_like(block) for block in ours.blocks])
    return theirs


def encoder_layer_like(ours: nn.Module) -> nn.TransformerEncoderLayer:
    theirs = nn.TransformerEncoderLayer(D, H, F, dropout=0.0, batch_first=True, dtype=torch.float64)
    attention_like(theirs.self_attn, ours.attention)
    hand_over([(theirs.linear1, ours.feed_forward[0]), (theirs.linear2, ours.feed_forward[2])])
    hand_over([(theirs.norm1, ours.norm1), (theirs.norm2, ours.norm2)])
    return theirs  # in training mode, where torch takes no short cut; dropout is 0


def positions(length: int, width: int) -> torch.Tensor:
    """Vaswani et al. 2017, section 3.5, number by number."""

    def entry(row: int, column: int) -> float:
        wave = math.cos if column % 2 else math.sin
        return wave(row / 10000 ** ((column - column % 2) / width))

    rows = [[entry(row, column) for column in range(width)] for row in range(length)]
    return torch.tensor(rows, dtype=torch.float64)


def a_transformer(**kwargs: object) -> reference.Transformer:
    return shuffled(reference.Transformer(11, 13, 8, D, H, F, 2, pad_id=PAD, **kwargs))


def test_shifted_targets_are_what_the_chapter_prints() -> None:
    ann, reads, old, maps, end, begin = 5, 6, 8, 9, 2, 1
    shifted = reference.shift_right(torch.tensor([[ann, reads, old, maps, end]]), begin)
    assert shifted.tolist() == [[begin, ann, reads, old, maps]]


def test_a_single_token_is_shifted_out() -> None:
    assert reference.shift_right(torch.tensor([[5], [6]]), 0).tolist() == [[0], [0]]


@pytest.mark.parametrize("masked", [False, True])
def test_a_decoder_block_is_that_of_torch(masked: bool) -> None:
    ours = shuffled(reference.DecoderBlock(D, H, F))
    x, memory = normal(3, 4, D), normal(3, 6, D)
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    real, seen = TARGET != PAD, SOURCE != PAD
    mine, masks = (), {}
    if masked:
        mine = causal & real[:, None, None], seen[:, None, None]
        masks = {"tgt_mask": ~causal, "tgt_key_padding_mask": ~real, "memory_key_padding_mask": ~seen}
    theirs = decoder_layer_like(ours)(x, memory, **masks)
    torch.testing.assert_close(ours(x, memory, *mine), theirs, **TIGHT)


@pytest.mark.parametrize("blocks", [1, 3])
def test_a_decoder_is_that_of_torch_without_a_last_norm(blocks: int) -> None:
    ours = shuffled(reference.Decoder(blocks, D, H, F))
    x, memory = normal(3, 4, D), normal(3, 6, D)
    causal, seen = torch.ones(4, 4, dtype=torch.bool).tril(), SOURCE != PAD
    theirs = decoder_like(ours)(x, memory, tgt_mask=~causal, memory_key_padding_mask=~seen)
    torch.testing.assert_close(ours(x, memory, causal, seen[:, None, None]), theirs, **TIGHT)


def test_a_decoder_has_the_gradients_of_torch() -> None:
    ours = shuffled(reference.Decoder(2, D, H, F))
    theirs, weight = decoder_like(ours), normal(3, 4, D)
    x, memory = normal(3, 4, D).requires_grad_(), normal(3, 6, D).requires_grad_()
    mine = torch.autograd.grad((ours(x, memory) * weight).sum(), [x, memory, ours.blocks[0].cross_attention.w_v.weight])
    *inputs, packed = torch.autograd.grad(
        (theirs(x, memory) * weight).sum(), [x, memory, theirs.layers[0].multihead_attn.in_proj_weight]
    )
    torch.testing.assert_close(list(mine), [*inputs, packed[2 * D :]], **TIGHT)


def test_encode_is_the_encoder_of_torch_on_scaled_tokens_plus_positions() -> None:
    ours = a_transformer()
    x = ours.source_embedding.weight[SOURCE] * math.sqrt(D) + positions(6, D)
    for block in ours.encoder_blocks:
        x = encoder_layer_like(block)(x, src_key_padding_mask=SOURCE == PAD)
    torch.testing.assert_close(ours.encode(SOURCE), x, **TIGHT)


def test_decode_is_the_decoder_of_torch_and_a_linear_layer() -> None:
    ours, memory = a_transformer(), normal(3, 6, D)
    x = ours.target_embedding.weight[TARGET] * math.sqrt(D) + positions(4, D)
    hidden = torch.ones(4, 4, dtype=torch.bool).triu(1)
    theirs = decoder_like(ours.decoder)(
        x, memory, tgt_mask=hidden, tgt_key_padding_mask=TARGET == PAD, memory_key_padding_mask=SOURCE == PAD
    )
    torch.testing.assert_close(ours.decode(TARGET, memory, SOURCE), ours.output(theirs), **TIGHT)
    torch.testing.assert_close(ours(SOURCE, TARGET), ours.decode(TARGET, ours.encode(SOURCE), SOURCE), **TIGHT)


def test_logits_know_nothing_of_later_tokens_and_of_padding() -> None:
    ours = a_transformer()
    other = TARGET.clone()
    other[:, 2:] = torch.tensor([[9, 3], [4, 4], [7, 7]])
    torch.testing.assert_close(ours(SOURCE, other)[:, :2], ours(SOURCE, TARGET)[:, :2], **TIGHT)
    longer = functional.pad(SOURCE, (0, 2), value=PAD)
    torch.testing.assert_close(ours(longer, TARGET), ours(SOURCE, TARGET), **TIGHT)


def test_texts_of_nothing_but_padding_give_finite_logits_and_gradients() -> None:
    ours = a_transformer()
    logits = ours(torch.full((2, 3), PAD), torch.full((2, 4), PAD))
    assert logits.isfinite().all()
    gradients = torch.autograd.grad(logits.square().sum(), list(ours.parameters()), allow_unused=True)
    assert all(gradient.isfinite().all() for gradient in gradients if gradient is not None)


def test_the_base_model_has_the_published_number_of_parameters() -> None:
    """65 million in table 3, with one table of about 37000 tokens for both languages and the output."""
    with torch.device("meta"):
        base = reference.Transformer(37000, 37000, 512, 512, 8, 2048, 6)
        layer = nn.TransformerDecoderLayer(512, 8, 2048)
    counted = sum(parameter.numel() for parameter in base.parameters())
    shared = counted - base.source_embedding.weight.numel() - base.output.weight.numel() - base.output.bias.numel()
    assert shared == pytest.approx(65e6, rel=0.03)
    block = sum(parameter.numel() for parameter in base.decoder.blocks[0].parameters())
    assert block == sum(parameter.numel() for parameter in layer.parameters()) == 4_204_032


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.7])
@pytest.mark.parametrize("pad_id", [0, 7, 10])
def test_the_loss_is_cross_entropy_without_padding(smoothing: float, pad_id: int) -> None:
    logits = (normal(3, 4, 11) * 3).requires_grad_()
    targets = torch.where(TARGET == PAD, pad_id, TARGET)
    ours = reference.sequence_loss(logits, targets, pad_id, smoothing)
    theirs = functional.cross_entropy(
        logits.transpose(1, 2), targets, ignore_index=pad_id, label_smoothing=smoothing, reduction="mean"
    )
    torch.testing.assert_close(ours, theirs, **TIGHT)
    torch.testing.assert_close(torch.autograd.grad(ours, logits), torch.autograd.grad(theirs, logits), **TIGHT)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_model_without_an_opinion_loses_log_v(smoothing: float) -> None:
    loss = reference.sequence_loss(torch.zeros(3, 4, 11, dtype=torch.float64), TARGET, PAD, smoothing)
    assert loss.item() == pytest.approx(math.log(11), abs=1e-12)


def test_the_loss_stands_logits_that_are_far_apart() -> None:
    logits = torch.zeros(1, 2, 3, dtype=torch.float64)
    logits[0, 0, 0], logits[0, 1, 1] = 1e4, 1e4
    assert reference.sequence_loss(logits, torch.tensor([[1, 1]]), 0).item() == pytest.approx(5e3)


def scripted(rows: int = 4, max_length: int = 9) -> ScriptedModel:
    return ScriptedModel(SCRIPT[:rows], 11, BOS, EOS, PAD, STRAY, max_length)


def test_greedy_texts_are_those_of_the_script_up_to_their_ends() -> None:
    source = torch.tensor([[0, 9], [1, 9], [2, 9], [3, 9], [0, 4]])
    expected = [[5, 6, 2, 7, 7], [2, 7, 7, 7, 7], [8, 9, 8, 9, 2], [9, 9, 9, 9, 9], [5, 6, 2, 7, 7]]
    assert reference.greedy_decode(scripted(), source, BOS, EOS, 5).tolist() == expected


def test_greedy_texts_are_cut_off_and_no_wider_than_the_longest() -> None:
    rows = torch.tensor([[0], [1]])
    assert reference.greedy_decode(scripted(3), rows, BOS, EOS, 9).tolist() == [[5, 6, 2], [2, 7, 7]]
    assert reference.greedy_decode(scripted(3), rows, BOS, EOS, 2).tolist() == [[5, 6], [2, 7]]
    assert reference.greedy_decode(scripted(3), rows[1:], BOS, EOS, 9).tolist() == [[2]]


def test_a_transformer_writes_what_it_would_say_after_its_own_text() -> None:
    model = a_transformer()
    texts = reference.greedy_decode(model, SOURCE, BOS, EOS, 6)
    answers = model(SOURCE, reference.shift_right(texts, BOS)).argmax(-1)
    written = torch.cumsum(texts == EOS, 1) - (texts == EOS).long() == 0  # up to and with each row's eos
    assert torch.equal(texts[written], answers[written])
    assert bool((texts[~written] == PAD).all())


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_model(device: str, dtype: torch.dtype) -> None:
    model = reference.Transformer(11, 13, 8, D, H, F, 2, pad_id=PAD).to(device=device, dtype=dtype)
    source, target = SOURCE.to(device), TARGET.to(device)
    logits = model(source, reference.shift_right(target, BOS))
    loss = reference.sequence_loss(logits, target, PAD, 0.1)
    assert {(part.dtype, part.device.type) for part in (model.encode(source), logits, loss)} == {(dtype, device)}


def test_gradients_are_those_of_finite_differences() -> None:
    block = shuffled(reference.DecoderBlock(4, 2, 3))
    mask = torch.tensor([[False, False, False], [True, True, False], [True, False, True]])  # the first sees nothing
    inputs = [normal(2, 3, 4).requires_grad_(), normal(2, 2, 4).requires_grad_()]
    assert torch.autograd.gradcheck(lambda x, memory: block(x, memory, mask), inputs)
