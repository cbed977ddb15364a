"""The oracle of chapter 15, held against the lesson's tables, the papers' examples and torch's own functions."""

import math
import re
from collections import Counter

import pytest
import torch
from torch import nn

from reference import ch15_capstones as reference
from reference.blocks import Untrained, WithGradients
from tests.reference.drawing import normal

TEXTS = ["The film, the FILM: don't!", "A film. It's the end of 42 days", ""]
MERGES = [("a", "d"), ("e", "ad"), ("r", "ead"), ("e", "r")]
READ = {"read": 4, "reader": 3, "leader": 2}
PAPER = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # Sennrich et al. 2016, algorithm 1


def test_words_are_those_of_the_regular_expression() -> None:
    for text in TEXTS:
        assert reference.words_of(text) == re.findall(r"[a-z']+", text.lower())


def test_a_vocabulary_begins_with_two_entries_and_the_most_frequent_words() -> None:
    assert reference.word_vocabulary(TEXTS, 5) == ["<pad>", "<unk>", "film", "the", "a"]
    whole = reference.word_vocabulary(TEXTS, 100)
    assert sorted(whole[2:]) == sorted(Counter(word for text in TEXTS for word in reference.words_of(text)))
    assert reference.word_vocabulary([], 100) == reference.word_vocabulary(TEXTS, 2) == ["<pad>", "<unk>"]


def test_encoding_and_decoding_are_each_others_inverse_for_known_words() -> None:
    vocabulary = reference.word_vocabulary(TEXTS, 100)
    ids = reference.encode_text(TEXTS[1], vocabulary)
    assert reference.decode_ids([0, 0, *ids, 0], vocabulary) == "a film it's the end of days"


def test_the_lessons_unknown_word_has_id_one() -> None:
    vocabulary = ["<pad>", "<unk>", "a", "not", "film"]
    assert reference.encode_text("Not a masterpiece!", vocabulary) == [3, 2, 1]
    assert reference.decode_ids([3, 2, 1], vocabulary) == "not a <unk>"


@pytest.mark.parametrize(
    ("symbols", "pair", "merged"),
    [
        ("aaa", ("a", "a"), ("aa", "a")),
        ("aaaa", ("a", "a"), ("aa", "aa")),
        ("abab", ("a", "b"), ("ab", "ab")),
        ("ba", ("a", "b"), ("b", "a")),
        ("", ("a", "b"), ()),
    ],
)
def test_pairs_are_merged_from_the_left(symbols: str, pair: tuple[str, str], merged: tuple[str, ...]) -> None:
    assert reference.merge_pair(tuple(symbols), pair) == merged


def test_symbols_that_spell_a_pair_are_no_pair() -> None:
    assert reference.merge_pair(("ab", "c", "a", "bc"), ("a", "bc")) == ("ab", "c", "abc")


def test_the_lessons_merges_are_learnt_and_cut_bread() -> None:
    assert reference.learn_merges(READ, 4) == MERGES
    assert reference.apply_merges("bread", MERGES) == ["b", "read"]


def test_the_papers_words_give_the_papers_first_merges() -> None:
    assert reference.learn_merges(PAPER, 4) == [("e", "s"), ("es", "t"), ("l", "o"), ("lo", "w")]


def test_with_all_merges_every_word_is_one_symbol() -> None:
    merges = reference.learn_merges(PAPER, 1000)
    assert all(reference.apply_merges(word, merges) == [word] for word in PAPER)
    assert len(merges) == len(set(merges)) < 20


def test_the_order_of_merges_counts() -> None:
    assert reference.apply_merges("abc", [("a", "b"), ("b", "c")]) == ["ab", "c"]
    assert reference.apply_merges("abc", [("b", "c"), ("a", "b")]) == ["a", "bc"]


def test_the_lessons_learning_rates() -> None:
    rates = [reference.learning_rate(step, 4, 12, 1.0, 0.0) for step in (0, 1, 2, 3, 4, 6, 8, 10, 12, 20)]
    assert rates == pytest.approx([0.25, 0.5, 0.75, 1, 1, 0.854, 0.5, 0.146, 0, 0], abs=5e-4)


def test_without_a_warm_up_it_is_torchs_cosine() -> None:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=9, eta_min=0.1)
    for step in range(10):
        assert reference.learning_rate(step, 0, 9, 0.3, 0.1) == pytest.approx(schedule.get_last_lr()[0])
        optimizer.step()
        schedule.step()


@pytest.mark.parametrize("limit", [0.5, 3.0, 100.0])
def test_gradients_are_clipped_as_torch_clips_them(limit: float) -> None:
    values = [normal(3, 4), normal(5), normal(2)]
    gradients = [normal(3, 4), None, normal(2)]
    ours, theirs = (
        [nn.Parameter(value.clone()) for value in values],
        [nn.Parameter(value.clone()) for value in values],
    )
    for side in (ours, theirs):
        for parameter, gradient in zip(side, gradients, strict=True):
            parameter.grad = None if gradient is None else gradient.clone()
    assert reference.clip_gradients(iter(ours), limit) == pytest.approx(float(nn.utils.clip_grad_norm_(theirs, limit)))
    assert ours[1].grad is None
    for one, other in zip(ours, theirs, strict=True):
        if one.grad is not None:
            torch.testing.assert_close(one.grad, other.grad, rtol=1e-5, atol=0)


def test_parameters_without_gradients_have_the_norm_zero() -> None:
    assert reference.clip_gradients([nn.Parameter(torch.ones(2))], 1.0) == 0.0


def test_a_small_start_draws_weights_and_leaves_the_rest() -> None:
    norm, places = normal(50), normal(7, 50)
    model = Untrained(50, norm, places)
    before = model.state_dict()
    assert before["table.weight"] == "normal, mean 0, standard deviation 1, a row or column of equal numbers"
    reference.small_start(model, 0.1)
    after = model.state_dict()
    drawn = [name for name, value in after.items() if str(value).startswith("normal")]
    blocks = [f"blocks.0.{name}.weight" for name in ("wide", "own", "back")]
    assert drawn == ["table.weight", *blocks, "output.weight"]
    assert {after[name] for name in drawn} == {"normal, mean 0, standard deviation 0.1"}
    for name in ("blocks.1.weight", "blocks.1.bias", "places"):
        assert torch.equal(after[name], before[name])
    assert not after["output.bias"].any()
    assert not after["blocks.0.wide.bias"].any()


def test_a_model_that_is_no_part_starts_at_the_deviation_that_is_asked_for() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(500, 40), nn.LayerNorm(40), nn.Linear(40, 300))
    reference.small_start(model)
    for weight in (model[0].weight, model[2].weight):
        assert float(weight.detach().std()) == pytest.approx(0.02, rel=0.05)
        assert math.isclose(float(weight.detach().mean()), 0, abs_tol=0.001)
    assert bool((model[1].weight == 1).all())


def test_parameters_that_can_be_gone_through_once_are_then_gone() -> None:
    twice, once = (WithGradients(torch.ones(2), torch.ones(2), once=once) for once in (False, True))
    assert [len([*each]) for each in (twice, twice, once, once)] == [1, 1, 1, 0]


def test_the_largest_weight_of_each_row_and_the_earlier_of_equals() -> None:
    weights = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.1, 0.8, 0.1]])
    assert reference.attended_word(weights, ["the", "battery", "ran"]) == ["the", "the", "battery"]
