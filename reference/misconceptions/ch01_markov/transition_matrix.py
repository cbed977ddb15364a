"""What goes wrong in `transition_matrix`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
)
from reference.misconceptions import misconception


@misconception("transition_matrix", "transition-columns")
def columns_normalised(sentences, vocab):
    """Your columns sum to 1 instead of your rows.

    Divide by the sum along axis 1, with `keepdims=True`: a row holds what may follow one word.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / np.maximum(counts.sum(axis=0, keepdims=True), 1)


@misconception("transition_matrix", "transition-nan")
def nan_for_terminal_words(sentences, vocab):
    """A word that is never followed has a row of NaN, because you divided zero by zero.

    Divide by 1 where the row's sum is 0, for example by `np.maximum(sums, 1)`: the row stays zero.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=1, keepdims=True)


@misconception("transition_matrix", "transition-across-sentences")
def across_sentences(sentences, vocab):
    """You counted the first word of a sentence as following the last word of the one before.

    Count within one sentence at a time. Where a sentence ends, nothing follows.
    """
    hot = one_hot([word for sentence in sentences for word in sentence], vocab)
    counts = hot[:-1].T @ hot[1:]
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-swapped")
def next_in_rows(sentences, vocab):
    """Your rows are the next word and your columns the current one: the matrix is transposed.

    Count at [current, next], so that a word's row says what may follow it.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).T


@misconception("transition_matrix", "transition-last-positions-counted")
def all_occurrences_as_total(sentences, vocab):
    """You divided by how often a word occurs, sentence ends included, so that rows sum to less than 1.

    Divide by how often the word is followed: the sum of its row of counts.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    return sum(hot[:-1].T @ hot[1:] for hot in hots) / sum(hot.sum(axis=0) for hot in hots)[:, None]


@misconception("transition_matrix", "transition-counts")
def not_normalised(sentences, vocab):
    """Your entries are counts, not shares.

    Divide each row by its sum, so that it says what share of the time each word follows.
    """
    return sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
