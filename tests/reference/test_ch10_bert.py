"""The oracle of chapter 10 against torch's own functions, published numbers and the examples of its text."""

import pytest
import torch
from torch import nn
from torch.distributions import Geometric
from torch.nn import functional

from reference import blocks
from reference import ch10_bert as reference
from tests.reference.drawing import normal

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
BERT = {"vocab_size": 11, "max_length": 9, "num_segments": 2, "width": 8}


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(10)


def filled(module: nn.Module) -> nn.Module:
    """The module in float64, every parameter drawn at random: nothing stays at 0 or 1."""
    module.double().eval()
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module


def texts() -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randint(11, (3, 7)), torch.randint(2, (3, 7))


def test_the_picture_of_the_chapter_is_masked_as_drawn() -> None:
    words = ["[MASK]", "tea", "we", "watched", "the", "crane", "spread", "its", "wings"]
    ids = torch.tensor([[2, 3, 4, 5, 6, 7, 8]])
    select = torch.tensor([[0.61, 0.08, 0.93, 0.11, 0.40, 0.05, 0.77]])
    action = torch.tensor([[0.50, 0.31, 0.02, 0.95, 0.66, 0.84, 0.12]])
    inputs, labels = reference.mask_tokens(ids, ids > 0, select, action, torch.ones_like(ids), 0)
    assert [words[i] for i in inputs[0]] == ["we", "[MASK]", "the", "crane", "spread", "tea", "wings"]
    assert labels.tolist() == [[-100, 3, -100, 5, -100, 7, -100]]


def test_of_a_long_text_the_published_shares_are_masked() -> None:
    ids, maskable = torch.randint(10, 500, (100, 2000)), torch.rand(100, 2000) < 0.9
    inputs, labels = reference.mask_tokens(
        ids, maskable, torch.rand(ids.shape), torch.rand(ids.shape), torch.randint(500, 600, ids.shape), 1
    )
    chosen = labels != -100
    shares = [(inputs[chosen] == 1), (inputs[chosen] >= 500), (inputs == ids)[chosen]]
    assert [share.double().mean().item() for share in shares] == pytest.approx([0.8, 0.1, 0.1], abs=0.01)
    assert chosen[maskable].double().mean().item() == pytest.approx(0.15, abs=0.005)
    assert torch.equal(labels[chosen], ids[chosen])
    assert torch.equal(inputs[~chosen], ids[~chosen])
    assert not chosen[~maskable].any()


@pytest.mark.parametrize(("p", "max_length"), [(0.2, 10), (0.5, 4), (0.9, 3), (0.01, 50), (0.3, 1)])
def test_span_lengths_are_torch_s_geometric_distribution_cut_off(p: float, max_length: int) -> None:
    failures = torch.arange(max_length, dtype=torch.float64)
    theirs = Geometric(torch.tensor(p, dtype=torch.float64)).log_prob(failures).softmax(0)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        torch.testing.assert_close(reference.span_length_probabilities(p, max_length), theirs, **TIGHT)
    finally:
        torch.set_default_dtype(before)


def test_the_mean_span_length_is_the_published_one() -> None:
    probabilities = reference.span_length_probabilities()
    assert (probabilities * torch.arange(1, 11)).sum().item() == pytest.approx(3.8, abs=0.005)
    written = [0.224, 0.179, 0.143, 0.115, 0.092, 0.073, 0.059, 0.047, 0.038, 0.03]
    assert probabilities.tolist() == pytest.approx(written, abs=0.0005)
    assert probabilities.dtype == torch.float32


def test_the_spans_of_the_chapter_s_picture() -> None:
    starts, lengths = torch.tensor([4, 5, 10, 0]), torch.tensor([2, 2, 4, 3])
    hidden = reference.mask_spans(torch.zeros(12, dtype=torch.int64), starts, lengths, 0.3)
    assert hidden.nonzero()[:, 0].tolist() == [4, 5, 6, 10, 11]


@pytest.mark.parametrize("budget", [0.1, 0.15, 0.25, 0.5, 1.0])
def test_spans_are_hidden_by_slices_until_the_budget_is_reached(budget: float) -> None:
    for size in (1, 8, 37):
        starts, lengths = torch.randint(size, (40,)), torch.randint(1, 6, (40,))
        expected = torch.zeros(size, dtype=torch.bool)
        for start, length in zip(starts, lengths, strict=True):
            if expected.sum() / size < budget:
                expected[start : start + length] = True
        hidden = reference.mask_spans(torch.zeros(size, dtype=torch.int64), starts, lengths, budget)
        assert torch.equal(hidden, expected)


def test_span_boundary_loss_is_the_sum_of_two_cross_entropies() -> None:
    boundary, token, targets = normal(6, 9), normal(6, 9) * 500, torch.randint(9, (6,))
    theirs = functional.cross_entropy(boundary, targets) + functional.cross_entropy(token, targets)
    torch.testing.assert_close(reference.span_boundary_loss(boundary, token, targets), theirs, **TIGHT)


def test_the_pair_of_sentences_in_the_chapter() -> None:
    ids, segments = reference.sentence_pair(torch.tensor([7, 8, 9]), torch.tensor([5, 6]), 101, 102)
    assert ids.tolist() == [101, 7, 8, 9, 102, 5, 6, 102]
    assert segments.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert {ids.dtype, segments.dtype} == {torch.int64}


def test_embedding_is_made_of_torch_s_own_functions() -> None:
    ours, (ids, segments) = filled(reference.BertEmbedding(**BERT)), texts()
    bags = torch.stack([ids, 11 + torch.arange(7).expand(3, -1), 11 + 9 + segments], dim=-1)
    tables = torch.cat([ours.token.weight, ours.position.weight, ours.segment.weight])
    summed = functional.embedding_bag(bags.flatten(0, 1), tables, mode="sum").unflatten(0, (3, 7))
    theirs = functional.layer_norm(summed, (8,), ours.norm.weight, ours.norm.bias)
    torch.testing.assert_close(ours(ids, segments), theirs, **TIGHT)


def test_embedding_is_that_of_the_given_part() -> None:
    ours, theirs = filled(reference.BertEmbedding(**BERT)), blocks.BertEmbedding(**BERT).double()
    theirs.load_state_dict(ours.state_dict())
    ids, segments = texts()
    torch.testing.assert_close(ours(ids, segments), theirs(ids, segments), **TIGHT)


@pytest.mark.parametrize("scale", [1, 1000])
def test_masked_lm_loss_is_torch_s_cross_entropy(scale: int) -> None:
    logits, labels = (normal(3, 7, 11) * scale).requires_grad_(), torch.randint(11, (3, 7))
    labels[torch.rand(3, 7) < 0.6] = -100
    labels[0, 0] = 0
    ours, theirs = reference.masked_lm_loss(logits, labels), functional.cross_entropy(logits.mT, labels)
    torch.testing.assert_close(ours, theirs, **TIGHT)
    torch.testing.assert_close(*(torch.autograd.grad(loss, logits)[0] for loss in (ours, theirs)), **TIGHT)


def test_the_sentences_of_the_chapter() -> None:
    documents = [["the kettle boils", "I make tea", "we drink it"], ["it snows", "trams are late"]]
    swap, picks = torch.tensor([False, True, False]), torch.tensor([0, 4, 2])
    pairs, labels = reference.next_sentence_examples(documents, swap, picks)
    assert pairs == [
        ("the kettle boils", "I make tea"),
        ("I make tea", "trams are late"),
        ("it snows", "trams are late"),
    ]
    assert labels.tolist() == [True, False, True]
    assert torch.equal(swap, torch.tensor([False, True, False]))


def torch_layer(block: nn.Module, width: int, num_heads: int, hidden: int) -> nn.TransformerEncoderLayer:
    """The same weights in torch's own post-norm GELU layer."""
    layer = nn.TransformerEncoderLayer(width, num_heads, hidden, 0.0, "gelu", batch_first=True, dtype=torch.float64)
    q, k, v = block.attention.w_q, block.attention.w_k, block.attention.w_v
    layer.self_attn.in_proj_weight.data = torch.cat([q.weight, k.weight, v.weight])
    layer.self_attn.in_proj_bias.data = torch.cat([q.bias, k.bias, v.bias])
    layer.self_attn.out_proj.load_state_dict(block.attention.w_o.state_dict())
    layer.linear1.load_state_dict(block.feed_forward[0].state_dict())
    layer.linear2.load_state_dict(block.feed_forward[2].state_dict())
    layer.norm1.load_state_dict(block.norm1.state_dict())
    layer.norm2.load_state_dict(block.norm2.state_dict())
    return layer


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("num_blocks", [1, 3])
def test_classifier_is_made_of_torch_s_layers(num_blocks: int, masked: bool) -> None:
    model = filled(reference.BertClassifier(**BERT, num_heads=2, hidden=9, num_blocks=num_blocks, num_classes=5))
    ids, segments = texts()
    padding = torch.zeros(3, 7, dtype=torch.bool)
    padding[1, 4:] = padding[2, 6:] = masked
    x = model.embedding(ids, segments)
    for block in model.blocks:
        x = torch_layer(block, 8, 2, 9)(x, src_key_padding_mask=padding)
    theirs = model.head(model.pooler(x[:, 0]).tanh())
    mask = ~padding[:, None, None] if masked else None
    torch.testing.assert_close(model(ids, segments, mask), theirs, **TIGHT)


def test_bert_base_has_the_parameters_that_were_published() -> None:
    """110 million in the paper; 109,482,240 without a head in every library."""
    with torch.device("meta"):
        model = reference.BertClassifier(30522, 512, 2, 768, 12, 3072, 12, 2)
    counted = sum(parameter.numel() for parameter in model.parameters())
    head = sum(parameter.numel() for parameter in model.head.parameters())
    assert counted - head == 109_482_240


@pytest.mark.parametrize("frozen", [False, True])
def test_the_head_alone_learns_after_freezing(frozen: bool) -> None:
    model = blocks.BagOfWords(normal(7, 4), normal(4, 4), normal(1, 4), frozen=frozen)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    assert reference.freeze_all_but_head(model) is model
    model(torch.randint(7, (3, 5))).sum().backward()
    learning = [name for name, parameter in model.named_parameters() if parameter.grad is not None]
    assert learning == ["head.weight", "head.bias"]
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_models_and_losses_follow_dtype_and_device(device: str, dtype: torch.dtype) -> None:
    ids = torch.ones(3, 7, dtype=torch.int64, device=device)
    logits = torch.ones(3, 7, 11, dtype=dtype, device=device)
    sizes = {"num_heads": 2, "hidden": 9, "num_blocks": 2, "num_classes": 5}
    results = [
        reference.BertEmbedding(**BERT).to(device, dtype)(ids, ids),
        reference.BertClassifier(**BERT, **sizes).to(device, dtype)(ids, ids),
        reference.masked_lm_loss(logits, ids),
        reference.span_boundary_loss(logits[0], logits[1], ids[0]),
    ]
    assert [tuple(result.shape) for result in results] == [(3, 7, 8), (3, 5), (), ()]
    assert {(result.dtype, result.device.type) for result in results} == {(dtype, device)}


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_ids_stay_ids_where_they_are(device: str) -> None:
    ids = torch.ones(3, 7, dtype=torch.int64, device=device)
    draws = torch.rand(3, 7, device=device)
    results = [
        *reference.mask_tokens(ids, ids > 0, draws, draws, ids, 0),
        *reference.sentence_pair(ids[0], ids[1, :4], 2, 3),
    ]
    assert [tuple(result.shape) for result in results] == [(3, 7), (3, 7), (14,), (14,)]
    assert {(result.dtype, result.device.type) for result in results} == {(torch.int64, device)}
