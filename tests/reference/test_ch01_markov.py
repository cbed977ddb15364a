"""The oracle of chapter 1 against the published tables and NumPy's own functions."""

import numpy as np
import pytest

from reference import ch01_markov as reference
from reference.ch01_markov import LOGS, PHOTOS, RUNS

LOG_WORDS = reference.vocabulary(LOGS)
PROGRAM = "check the program log and find out whether it ran".split()
BATTERY = "check the battery log and find out whether it ran".split()
RAN_LISTENS_TO = np.array([float(word in ("battery", "program")) for word in LOG_WORDS])


def shares(row: np.ndarray, vocab: list[str]) -> dict[str, float]:
    """The entries of a row that are not zero, by word."""
    return {word: value for word, value in zip(vocab, row.tolist(), strict=True) if value}


def log_skips() -> np.ndarray:
    return reference.skip_matrix(LOGS, LOG_WORDS)


def log_masks() -> np.ndarray:
    masks = np.ones((len(LOG_WORDS), len(LOG_WORDS)))
    masks[LOG_WORDS.index("ran")] = RAN_LISTENS_TO
    return masks


@pytest.mark.parametrize(
    ("sentences", "words"),
    [
        (PHOTOS, "directories files me my photos please show"),
        (RUNS, "battery check down please program ran the whether"),
        (LOGS, "and battery check down find it log out please program ran the whether"),
    ],
)
def test_vocabularies_are_the_published_ones(sentences: list[list[str]], words: str) -> None:
    assert reference.vocabulary(sentences) == words.split()


def test_the_published_product_pulls_out_three_rows() -> None:
    hots = reference.one_hot(["a", "d", "c"], list("abcd"))
    table = np.array([[0.2, 0.9], [0.7, 0.0], [0.8, 0.3], [0.1, 0.4]])
    assert hots.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    assert reference.lookup(hots, table).tolist() == [[0.2, 0.9], [0.1, 0.4], [0.8, 0.3]]


def test_an_unknown_word_raises_a_key_error_that_names_it() -> None:
    with pytest.raises(KeyError, match="zebra"):
        reference.one_hot(["a", "zebra"], ["a", "b"])


def test_lookup_and_similarity_are_numpys_products() -> None:
    rng = np.random.default_rng(1)
    a, b, table = rng.normal(size=(4, 3)), rng.normal(size=(5, 3)), rng.normal(size=(3, 2))
    np.testing.assert_allclose(reference.similarity(a, b), np.inner(a, b))
    np.testing.assert_allclose(reference.lookup(a, table), np.einsum("tv,vd->td", a, table))


def test_transitions_of_directories_files_and_photos_are_the_published_table() -> None:
    vocab = reference.vocabulary(PHOTOS)
    transitions = reference.transition_matrix(PHOTOS, vocab)
    published = {
        "directories": {"please": 1.0},
        "files": {"please": 1.0},
        "me": {"my": 1.0},
        "my": {"directories": 0.2, "files": 0.3, "photos": 0.5},
        "photos": {"please": 1.0},
        "please": {},
        "show": {"me": 1.0},
    }
    assert {word: shares(row, vocab) for word, row in zip(vocab, transitions, strict=True)} == published
    assert shares(reference.next_word("my", transitions, vocab), vocab) == published["my"]


def test_first_order_cannot_tell_what_ran() -> None:
    vocab = reference.vocabulary(RUNS)
    transitions = reference.transition_matrix(RUNS, vocab)
    assert shares(transitions[vocab.index("ran")], vocab) == {"down": 0.4, "please": 0.6}
    assert shares(transitions[vocab.index("the")], vocab) == {"battery": 0.4, "program": 0.6}
    assert shares(transitions[vocab.index("please")], vocab) == {}


def test_second_order_rows_are_the_published_ones_and_all_others_are_zero() -> None:
    vocab = reference.vocabulary(RUNS)
    pairs = reference.second_order_matrix(RUNS, vocab)
    rows = {
        f"{first} {second}": shares(pairs[i, j], vocab)
        for i, first in enumerate(vocab)
        for j, second in enumerate(vocab)
    }
    assert {pair: row for pair, row in rows.items() if row} == {
        "battery ran": {"down": 1.0},
        "check whether": {"the": 1.0},
        "program ran": {"please": 1.0},
        "the battery": {"ran": 1.0},
        "the program": {"ran": 1.0},
        "ran down": {"please": 1.0},
        "whether the": {"battery": 0.4, "program": 0.6},
    }


def test_skips_before_ran_are_the_published_table() -> None:
    rows = log_skips()[:, LOG_WORDS.index("ran")]
    unsure = {"down": 0.5, "please": 0.5}
    assert {word: shares(row, LOG_WORDS) for word, row in zip(LOG_WORDS, rows, strict=True)} == {
        "battery": {"down": 1.0},
        "program": {"please": 1.0},
        **{word: {} for word in ("down", "please", "ran")},
        **dict.fromkeys(["and", "check", "find", "it", "log", "out", "the", "whether"], unsure),
    }


def test_the_published_feature_activities_are_nine_ones() -> None:
    features = reference.skip_features(PROGRAM, LOG_WORDS)
    active = ["and", "check", "find", "it", "log", "out", "program", "the", "whether"]
    assert shares(features, LOG_WORDS) == dict.fromkeys(active, 1.0)


@pytest.mark.parametrize(
    ("context", "all_votes", "selected"),
    [
        (PROGRAM, {"please": 5.0, "down": 4.0}, {"please": 1.0}),
        (BATTERY, {"please": 4.0, "down": 5.0}, {"down": 1.0}),
    ],
)
def test_votes_are_five_to_four_and_one_to_nothing_with_the_mask(
    context: list[str], all_votes: dict[str, float], selected: dict[str, float]
) -> None:
    assert shares(reference.vote(context, log_skips(), LOG_WORDS), LOG_WORDS) == all_votes
    masked = reference.selective_vote(context, log_skips(), RAN_LISTENS_TO, LOG_WORDS)
    assert shares(masked, LOG_WORDS) == selected


def test_without_the_two_words_that_know_the_votes_are_even() -> None:
    votes = reference.selective_vote(PROGRAM, log_skips(), 1 - RAN_LISTENS_TO, LOG_WORDS)
    assert shares(votes, LOG_WORDS) == {"please": 4.0, "down": 4.0}


def test_the_masks_product_pulls_out_the_mask_of_ran() -> None:
    mask = reference.mask_for(PROGRAM, log_masks(), LOG_WORDS)
    np.testing.assert_array_equal(mask, RAN_LISTENS_TO)
    np.testing.assert_array_equal(mask, reference.lookup(reference.one_hot(["ran"], LOG_WORDS), log_masks())[0])


def test_completion_tells_both_sentences_to_their_end() -> None:
    tell = [PROGRAM[:3], BATTERY[:3], PROGRAM[:2]]  # the last one is a tie: battery sorts before program
    told = [reference.complete(prompt, log_skips(), log_masks(), LOG_WORDS, 20) for prompt in tell]
    assert told == [LOGS[0], LOGS[1], LOGS[1]]
    assert reference.complete(PROGRAM[:3], log_skips(), log_masks(), LOG_WORDS, 2) == PROGRAM[:5]


def test_a_repeated_word_counts_once_and_a_last_position_not_at_all() -> None:
    skips = reference.skip_matrix([list("aacx"), list("acy"), list("ac")], list("acxy"))
    assert shares(skips[0, 1], list("acxy")) == {"x": 0.5, "y": 0.5}


def test_rows_sum_to_one_or_are_zero_for_random_sentences() -> None:
    rng = np.random.default_rng(2)
    sentences = [[f"w{word}" for word in rng.integers(0, 6, size=length)] for length in range(1, 14)]
    vocab = reference.vocabulary(sentences)
    for model in (reference.transition_matrix, reference.second_order_matrix, reference.skip_matrix):
        sums = model(sentences, vocab).sum(axis=-1)
        assert (np.isclose(sums, 1) | (sums == 0)).all()
        assert sums.any()
