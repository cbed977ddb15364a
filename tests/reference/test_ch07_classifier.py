"""The oracle of chapter 7, held against torch's own functions, Keras's documentation and the lecture's numbers."""

import math
from collections.abc import Iterator

import pytest
import torch
from torch.nn import functional

from reference import ch07_classifier as reference
from reference.blocks import BagOfWords, sgd
from tests.reference.drawing import normal

TIGHT = {"rtol": 0, "atol": 1e-10}
MASK = torch.tensor([[True, False, True, True], [False, False, False, True], [True, True, True, True]])
EMPTY = torch.tensor([[True, False, True, True], [False, False, False, False], [True, True, True, True]])
LABELS = torch.tensor([1, 0, 0, 1, 1])
GOOD = (
    "a good film",
    "a very good film",
    "good story and fine cast",
    "a fine film",
    "fine and funny",
    "not a dull film",
    "not bad",
    "very funny story",
    "i liked this film",
    "i liked the cast",
)
BAD = (
    "a bad film",
    "a very bad film",
    "bad story and dull cast",
    "a dull film",
    "dull and long",
    "not a good film",
    "not funny",
    "very long story",
    "i hated this film",
    "i hated the cast",
)


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    """One thread: tensors as small as these only wait for a second one."""
    torch.manual_seed(7)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def a_classifier(**kwargs: object) -> reference.SentimentClassifier:
    """A small one in float64 and evaluation, with random numbers also where it begins with zeros and ones."""
    model = reference.SentimentClassifier(13, 9, 6, 4, 5, **kwargs).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(*parameter.shape) / 2)
    return model


def by_hand(model: reference.SentimentClassifier, ids: torch.Tensor) -> torch.Tensor:
    """The lecture's layers, one after the other, on torch's own functions."""
    block, (batch, length) = model.encoder, ids.shape
    x = model.embedding.token.weight[ids] + model.embedding.position.weight[:length]
    q, k, v = (
        layer(x).view(batch, length, 4, 6).transpose(1, 2)
        for layer in (block.attention.w_q, block.attention.w_k, block.attention.w_v)
    )
    heard = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, 24)
    x = functional.layer_norm(x + block.attention.w_o(heard), (6,), block.norm1.weight, block.norm1.bias)
    thought = block.feed_forward[2](functional.relu(block.feed_forward[0](x)))
    x = functional.layer_norm(x + thought, (6,), block.norm2.weight, block.norm2.bias)
    pooled = functional.avg_pool1d(x.transpose(1, 2), length)[..., 0]
    return model.output(functional.relu(model.hidden(pooled)))[..., 0]


def a_learner(dtype: torch.dtype = torch.float64) -> BagOfWords:
    return BagOfWords(normal(11, 4).to(dtype), normal(4, 4).to(dtype), normal(1, 4).to(dtype))


def some_batches() -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(torch.randint(11, (size, 6)), torch.randint(2, (size,))) for size in (5, 2, 3)]


def test_padding_is_what_the_documentation_of_keras_shows() -> None:
    sequences = [[1], [2, 3], [4, 5, 6]]
    assert reference.pad_sequences(sequences, 3).tolist() == [[0, 0, 1], [0, 2, 3], [4, 5, 6]]
    assert reference.pad_sequences(sequences, 3, -1).tolist() == [[-1, -1, 1], [-1, 2, 3], [4, 5, 6]]
    assert reference.pad_sequences(sequences, 2).tolist() == [[0, 1], [2, 3], [5, 6]]


def test_the_sentences_of_the_lecture_are_padded_as_the_chapter_prints() -> None:
    sentences = [[318, 17, 10, 444, 9, 84, 174, 236], [9, 13, 3, 391, 17, 524, 226]]
    padded = [[0, 0, 318, 17, 10, 444, 9, 84, 174, 236], [0, 0, 0, 9, 13, 3, 391, 17, 524, 226]]
    assert reference.pad_sequences(sentences, 10).tolist() == padded
    assert reference.pad_sequences(sentences, 200).shape == (2, 200)


def test_the_table_of_the_chapter_is_right() -> None:
    table = reference.pad_sequences([[7, 3, 9], [1, 2, 3, 4, 5, 6, 7], []], 5)
    assert table.tolist() == [[0, 0, 7, 3, 9], [3, 4, 5, 6, 7], [0, 0, 0, 0, 0]]
    assert table.dtype == torch.int64


def test_padding_is_made_on_the_default_device() -> None:
    with torch.device("meta"):
        assert reference.pad_sequences([[], [1, 2, 3]], 2).device.type == "meta"


def test_a_masked_mean_is_the_mean_of_the_rows_that_are_picked() -> None:
    x = normal(3, 4, 5)
    picked = torch.stack([row[real].mean(dim=0) for row, real in zip(x, MASK, strict=True)])
    torch.testing.assert_close(reference.masked_mean(x, MASK), picked, **TIGHT)
    holes = x.masked_fill(~MASK[..., None], torch.nan).nanmean(dim=1)
    torch.testing.assert_close(reference.masked_mean(x, MASK), holes, **TIGHT)


def test_an_empty_row_has_a_mean_of_zero_and_right_gradients() -> None:
    x = normal(3, 4, 5).requires_grad_()
    assert reference.masked_mean(x, EMPTY)[1].tolist() == [0.0] * 5
    assert torch.autograd.gradcheck(lambda y: reference.masked_mean(y, EMPTY), x)


@pytest.mark.parametrize("scale", [1.0, 50.0, 1e3, 1e6])
def test_the_loss_is_that_of_torch(scale: float) -> None:
    logits = (normal(5) * scale).requires_grad_()
    ours = reference.binary_cross_entropy(logits, LABELS)
    theirs = functional.binary_cross_entropy_with_logits(logits, LABELS.double())
    torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-10)
    torch.testing.assert_close(torch.autograd.grad(ours, logits), torch.autograd.grad(theirs, logits), **TIGHT)


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int64, torch.float32, torch.float64])
def test_the_dtype_of_the_labels_makes_no_difference(dtype: torch.dtype) -> None:
    logits = normal(5)
    expected = functional.binary_cross_entropy(torch.sigmoid(logits), LABELS.double())
    torch.testing.assert_close(reference.binary_cross_entropy(logits, LABELS.to(dtype)), expected, **TIGHT)
    single = reference.binary_cross_entropy(logits.float(), LABELS.to(dtype))
    assert single.dtype == torch.float32


def test_the_losses_are_those_that_the_chapter_prints() -> None:
    losses = [
        reference.binary_cross_entropy(torch.tensor([logit], dtype=torch.float64), torch.tensor([label])).item()
        for logit, label in ((2, 1), (2, 0), (40, 0), (40, 1))
    ]
    assert losses == pytest.approx([0.1269, 2.1269, 40, 0], abs=5e-5)
    logits = torch.logit(torch.tensor([0.54321724, 0.2842807], dtype=torch.float64))
    assert reference.binary_cross_entropy(logits, torch.tensor([1, 0])).item() == pytest.approx(0.4724, abs=5e-5)
    assert reference.accuracy(logits, torch.tensor([1, 0])) == 1.0


def test_the_loss_of_the_first_two_reviews_is_small() -> None:
    """The lecture's model gives them 0.0094576 and 0.99988115, and their labels are 0 and 1."""
    logits = torch.logit(torch.tensor([0.0094576, 0.99988115], dtype=torch.float64))
    expected = -(math.log(1 - 0.0094576) + math.log(0.99988115)) / 2
    assert reference.binary_cross_entropy(logits, torch.tensor([0, 1])).item() == pytest.approx(expected, abs=1e-10)


def test_the_classifier_has_the_parameters_of_the_lecture() -> None:
    """The layers as Keras counts them, with key_dim=32: every head is as wide as the model."""
    heads, key, width = 2, 32, 32
    layers = {
        "token table": 20000 * width,
        "position table": 200 * width,
        "query, key, value": 3 * (width * heads * key + heads * key),
        "attention output": heads * key * width + width,
        "feed-forward, in": width * 32 + 32,
        "feed-forward, out": 32 * width + width,
        "layer norms": 2 * (width + width),
        "dense 100": width * 100 + 100,
        "dense 1": 100 * 1 + 1,
    }
    with torch.device("meta"):
        model = reference.SentimentClassifier()
    counted = {name: sum(p.numel() for p in part.parameters()) for name, part in model.named_children()}
    encoder = ("query, key, value", "attention output", "feed-forward, in", "feed-forward, out", "layer norms")
    assert counted == {
        "embedding": layers["token table"] + layers["position table"],
        "encoder": sum(layers[name] for name in encoder),
        "dropout1": 0,
        "hidden": layers["dense 100"],
        "dropout2": 0,
        "output": layers["dense 1"],
    }
    assert sum(counted.values()) == sum(layers.values()) == 660_457


@pytest.mark.parametrize("shape", [(3, 7), (2, 9), (1, 1)])
def test_the_classifier_is_its_layers_one_by_one(shape: tuple[int, int]) -> None:
    model, ids = a_classifier(), torch.randint(13, shape)
    torch.testing.assert_close(model(ids), by_hand(model, ids), **TIGHT)
    ours = torch.autograd.grad(model(ids).sum(), list(model.parameters()))
    theirs = torch.autograd.grad(by_hand(model, ids).sum(), list(model.parameters()))
    torch.testing.assert_close(ours, theirs, **TIGHT)


def test_the_classifier_drops_in_training_alone() -> None:
    model, ids = a_classifier(dropout=0.5), torch.randint(13, (2, 7))
    torch.testing.assert_close(model(ids), by_hand(model, ids), **TIGHT)
    model.train()
    assert not torch.allclose(model(ids), model(ids))


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_model(device: str, dtype: torch.dtype) -> None:
    model = reference.SentimentClassifier(13, 9, 6, 4, 5).to(device=device, dtype=dtype)
    logits = model(torch.ones(3, 7, dtype=torch.int64, device=device))
    loss = reference.binary_cross_entropy(logits, torch.ones(3, dtype=torch.bool, device=device))
    pooled = reference.masked_mean(torch.ones(3, 4, 5, device=device, dtype=dtype), MASK.to(device))
    assert {(part.dtype, part.device.type) for part in (logits, loss, pooled)} == {(dtype, device)}
    assert (logits.shape, loss.shape, pooled.shape) == ((3,), (), (3, 5))


def test_accuracy_counts_the_right_sides() -> None:
    logits = torch.tensor([-3.0, -0.2, 0.0, 0.2, 3.0])
    assert reference.accuracy(logits, torch.tensor([0, 0, 0, 1, 1])) == 1.0
    assert reference.accuracy(logits, torch.tensor([False, True, True, True, True])) == 0.6
    probabilities = torch.sigmoid(logits)
    assert probabilities.tolist() == pytest.approx([0.047, 0.450, 0.5, 0.550, 0.953], abs=5e-4)


def test_an_epoch_is_gradient_descent_on_the_loss_of_torch() -> None:
    model, batches = a_learner(), some_batches()
    twin = a_learner()
    twin.load_state_dict(model.state_dict())
    losses = []
    twin.train()
    for ids, labels in batches:
        loss = functional.binary_cross_entropy_with_logits(twin(ids), labels.double(), reduction="none")
        losses += loss.tolist()
        gradients = torch.autograd.grad(loss.mean(), list(twin.parameters()))
        with torch.no_grad():
            for parameter, gradient in zip(twin.parameters(), gradients, strict=True):
                parameter -= 0.5 * gradient
    mean = reference.train_epoch(model, iter(batches), sgd(model, 0.5))
    assert isinstance(mean, float)
    assert mean == pytest.approx(sum(losses) / 10, abs=1e-10)
    torch.testing.assert_close(model.state_dict(), twin.state_dict(), **TIGHT)


def test_an_epoch_does_what_an_optimizer_with_a_memory_does() -> None:
    model, batches = a_learner(), some_batches()
    twin = a_learner()
    twin.load_state_dict(model.state_dict())
    ours, theirs = (torch.optim.Adam(each.parameters(), lr=0.1) for each in (model, twin))
    for _ in range(2):
        reference.train_epoch(model, batches, ours)
        twin.train()
        for ids, labels in batches:
            theirs.zero_grad()
            functional.binary_cross_entropy_with_logits(twin(ids), labels.double()).backward()
            theirs.step()
    torch.testing.assert_close(model.state_dict(), twin.state_dict(), **TIGHT)


def test_the_loss_falls_from_epoch_to_epoch() -> None:
    model, batches = a_learner(torch.float32), some_batches()
    optimizer = sgd(model, 0.1)
    losses = [reference.train_epoch(model, batches, optimizer) for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]


def test_a_small_classifier_learns_twenty_sentences_by_heart() -> None:
    sentences = [text.split() for text in (*GOOD, *BAD)]
    numbers = {word: number for number, word in enumerate(sorted({w for text in sentences for w in text}), start=1)}
    ids = reference.pad_sequences([[numbers[word] for word in text] for text in sentences], 6)
    labels = torch.tensor([1] * len(GOOD) + [0] * len(BAD))
    model = reference.SentimentClassifier(len(numbers) + 1, 6, width=16, num_heads=2, hidden=8, dropout=0.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    order = torch.randperm(len(ids))
    batches = list(zip(ids[order].split(12), labels[order].split(12), strict=True))
    losses = [reference.train_epoch(model, batches, optimizer) for _ in range(60)]
    model.eval()
    with torch.no_grad():
        logits = model(ids)
    assert losses[0] > 0.5
    assert losses[-1] < 0.1
    assert reference.accuracy(logits, labels) == 1.0
    assert reference.binary_cross_entropy(logits, labels).item() < 0.05
