"""The oracle of chapter 13 against torch's own functions, written-out numbers and the heads of a trained model."""

import math

import pytest
import torch
from torch.distributions import Categorical

from reference import ch13_inspection as reference

TIGHT = {"rtol": 1e-10, "atol": 1e-10}
MARKS = ("[CLS]", "[SEP]")
TOKENS = "[CLS] the cat sleeps [SEP] now the cat sings [SEP]".split()
SENTENCES = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
# The two heads of the chapter: read off a small trained model, in hundredths, rounded.
LEFT = [
    [31, 2, 1, 20, 0, 0, 23, 15, 8, 0],
    [0, 0, 0, 0, 86, 3, 0, 0, 0, 10],
    [0, 96, 0, 0, 1, 1, 0, 0, 1, 1],
    [0, 0, 98, 0, 0, 0, 1, 1, 0, 0],
    [0, 0, 0, 100, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 100, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 99, 0, 0, 0, 0],
    [0, 0, 1, 1, 0, 0, 98, 0, 0, 0],
    [4, 0, 0, 0, 1, 0, 0, 94, 0, 0],
    [3, 1, 0, 3, 1, 0, 0, 0, 86, 6],
]
TWIN = [
    [96, 0, 0, 2, 0, 1, 0, 0, 0, 0],
    [13, 5, 3, 1, 0, 0, 76, 1, 0, 0],
    [0, 1, 5, 9, 2, 0, 1, 81, 0, 1],
    [27, 4, 7, 16, 23, 7, 3, 2, 0, 12],
    [22, 3, 2, 43, 1, 7, 8, 2, 1, 10],
    [18, 1, 0, 17, 23, 28, 2, 0, 4, 7],
    [6, 85, 1, 1, 0, 0, 5, 1, 0, 1],
    [0, 0, 81, 3, 2, 0, 0, 7, 0, 5],
    [2, 0, 5, 8, 5, 9, 0, 6, 48, 16],
    [19, 1, 2, 4, 20, 21, 12, 14, 6, 1],
]


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(13)


def attention(*shape: int) -> torch.Tensor:
    return (2 * torch.randn(*shape, dtype=torch.float64)).softmax(-1)


def hundredths(rows: list[list[int]]) -> torch.Tensor:
    return torch.tensor(rows, dtype=torch.float64) / 100


def scores(**high: float) -> dict[str, float]:
    return {**dict.fromkeys(("next", "previous", "same_word", "same_sentence", "special"), 0.1), **high}


def test_scores_are_torch_s_diagonals_and_columns() -> None:
    weights, words = attention(7, 7), "a b # a c a #".split()
    found = reference.pattern_scores(weights, words, [0, 0, 0, 1, 1, 2, 2], ["#", "@"])
    blocks = [weights[:3, :3], weights[3:5, 3:5], weights[5:, 5:]]
    equal = [(0, 3, 5), (1,), (2, 6), (4,)]
    expected = {
        "next": weights.diagonal(1).mean(),
        "previous": weights.diagonal(-1).mean(),
        "same_word": sum(weights[places, :][:, places].sum() for places in equal) / 7,
        "same_sentence": sum(block.sum() for block in blocks) / 7,
        "special": weights.index_select(1, torch.tensor([2, 6])).sum(1).mean(),
    }
    assert found == pytest.approx({name: value.item() for name, value in expected.items()}, rel=1e-10)
    assert {type(score) for score in found.values()} == {float}


def test_even_attention_scores_what_counting_says() -> None:
    even = torch.full((4, 4), 1 / 4, dtype=torch.float64)
    found = reference.pattern_scores(even, ["[CLS]", "a", "a", "[SEP]"], [0, 0, 0, 0], MARKS)
    assert found == {"next": 0.25, "previous": 0.25, "same_word": 0.375, "same_sentence": 1.0, "special": 0.5}


@pytest.mark.parametrize(("token", "special"), [("a", 0.0), ("[SEP]", 1.0)])
def test_a_single_token_has_no_neighbours(token: str, special: float) -> None:
    found = reference.pattern_scores(torch.ones(1, 1), [token], [3], MARKS)
    assert found == {"next": 0.0, "previous": 0.0, "same_word": 1.0, "same_sentence": 1.0, "special": special}


@pytest.mark.parametrize("shift", [1, -1])
def test_a_head_one_step_away_scores_one(shift: int) -> None:
    found = reference.pattern_scores(torch.eye(5).roll(shift, 1), list("abcde"), [0, 0, 1, 1, 2], ())
    assert (found["next"], found["previous"]) == ((1.0, 0.0) if shift == 1 else (0.0, 1.0))


TRAINED = [
    (LEFT, {"next": 0.0, "previous": 0.86, "same_word": 0.04, "same_sentence": 0.82, "special": 0.25}, "previous"),
    (TWIN, {"next": 0.07, "previous": 0.11, "same_word": 0.57, "same_sentence": 0.48, "special": 0.33}, "same_word"),
]


@pytest.mark.parametrize(("rows", "expected", "name"), TRAINED)
def test_trained_heads_score_and_are_called_as_the_chapter_says(
    rows: list[list[int]], expected: dict[str, float], name: str
) -> None:
    found = reference.pattern_scores(hundredths(rows), TOKENS, SENTENCES, MARKS)
    assert {pattern: round(score, 2) for pattern, score in found.items()} == expected
    assert reference.name_head(found) == name


def test_trained_queries_look_at_as_many_keys_as_the_chapter_says() -> None:
    keys = reference.attention_entropy(hundredths(TWIN)).exp().tolist()
    assert [round(number, 1) for number in keys] == [1.2, 2.3, 2.1, 6.8, 5.3, 5.7, 1.9, 2.0, 5.0, 7.1]


def test_a_word_without_a_twin_rests_on_special_tokens() -> None:
    row = dict(zip(enumerate(TOKENS), TWIN[TOKENS.index("sleeps")], strict=True))
    assert sum(weight for (_, token), weight in row.items() if token in MARKS) == 62


NAMES = [
    ({}, "mixed"),
    ({"special": 0.5}, "null"),
    ({"special": 0.499}, "mixed"),
    ({"same_sentence": 0.9, "special": 0.6}, "null"),
    ({"same_sentence": 0.9}, "same_sentence"),
    ({"same_word": 0.5, "special": 0.9}, "same_word"),
    ({"previous": 0.6, "same_word": 0.9, "same_sentence": 0.95}, "previous"),
    ({"next": 0.5, "previous": 0.5}, "next"),
]


@pytest.mark.parametrize(("high", "name"), NAMES)
def test_the_first_pattern_that_reaches_the_threshold_gives_the_name(high: dict[str, float], name: str) -> None:
    assert reference.name_head(scores(**high)) == name
    assert reference.name_head(dict(reversed(scores(**high).items()))) == name


@pytest.mark.parametrize(("threshold", "name"), [(0.3, "next"), (0.4, "next"), (0.41, "null"), (0.8, "mixed")])
def test_the_threshold_decides(threshold: float, name: str) -> None:
    assert reference.name_head(scores(next=0.4, special=0.7), threshold) == name


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (4, 5), (1, 1, 1), (2, 1, 3, 2, 6)])
def test_entropy_is_torch_s_own(shape: tuple[int, ...]) -> None:
    weights = attention(*shape)
    found = reference.attention_entropy(weights)
    torch.testing.assert_close(found, torch.special.entr(weights).sum(-1), **TIGHT)
    torch.testing.assert_close(found, Categorical(probs=weights).entropy(), **TIGHT)


def test_entropy_of_hidden_keys_is_finite() -> None:
    weights = attention(2, 3, 4, 6).masked_fill(torch.rand(2, 1, 4, 6) < 0.5, 0.0)
    torch.testing.assert_close(reference.attention_entropy(weights), torch.special.entr(weights).sum(-1), **TIGHT)


@pytest.mark.parametrize("keys", [1, 2, 5, 10])
def test_even_attention_has_entropy_log_n(keys: int) -> None:
    weights = torch.zeros(3, 10, dtype=torch.float64)
    weights[:, :keys] = 1 / keys
    torch.testing.assert_close(reference.attention_entropy(weights), weights.new_full((3,), math.log(keys)), **TIGHT)


def test_entropy_has_the_gradients_of_finite_differences() -> None:
    assert torch.autograd.gradcheck(reference.attention_entropy, [attention(2, 3, 4).requires_grad_()])


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_rollout_is_torch_s_multi_dot(depth: int, length: int) -> None:
    layers = [attention(3, length, length) for _ in range(depth)]
    matrices = [(layer.mean(0) + torch.eye(length)) / 2 for layer in layers]
    theirs = torch.linalg.multi_dot(matrices[::-1])
    torch.testing.assert_close(reference.attention_rollout(layers), theirs, **TIGHT)


def test_rollout_follows_the_way_a_residual_stream_is_mixed() -> None:
    """Vectors sent through layers that only mix, half residual and half attention, are the rollout of the inputs."""
    layers, x = [attention(2, 5, 5) for _ in range(3)], torch.randn(5, 4, dtype=torch.float64)
    stream = x
    for layer in layers:
        stream = (stream + (layer @ stream).mean(0)) / 2
    torch.testing.assert_close(reference.attention_rollout(layers) @ x, stream, **TIGHT)


def test_rollout_of_the_chapter_s_picture() -> None:
    previous = torch.tensor([[[1.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    expected = torch.tensor([[1, 0, 0], [0.75, 0.25, 0], [0.25, 0.5, 0.25]])
    torch.testing.assert_close(reference.attention_rollout([previous, previous]), expected, rtol=0, atol=0)


def test_rollout_of_one_layer_is_half_of_it_and_half_identity() -> None:
    layer = attention(3, 4, 4)
    expected = layer.mean(0) / 2 + torch.eye(4, dtype=torch.float64) / 2
    torch.testing.assert_close(reference.attention_rollout([layer]), expected, **TIGHT)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_weights(device: str, dtype: torch.dtype) -> None:
    weights = torch.ones(2, 3, 3, dtype=dtype, device=device)
    for found in (reference.attention_entropy(weights), reference.attention_rollout([weights, weights])):
        assert (found.dtype, found.device.type) == (dtype, device)
