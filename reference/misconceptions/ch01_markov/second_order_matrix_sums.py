"""What goes wrong in `second_order_matrix`, in the sums: along another axis, or with something added."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    second_order_matrix,
)
from reference.misconceptions import misconception


@misconception("second_order_matrix", "second-order-no-keepdims")
def sums_along_another_axis(sentences, vocab):
    """You divided entry [i, j, k] by the sum of row [j, k], where it should be the sum of row [i, j].

    Keep the last axis of the sums, with `keepdims=True` or `[:, :, None]`: otherwise they meet the wrong two axes.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=2), 1)


@misconception("second_order_matrix", "second-order-no-keepdims", "second-order-nan")
def sums_along_another_axis_and_nan(sentences, vocab):
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    with np.errstate(invalid="ignore", divide="ignore"):
        return counts / counts.sum(axis=2)


@misconception("second_order_matrix", "second-order-first-axis-summed")
def first_axis_summed(sentences, vocab):
    """You divided by the sums along axis 0, so that the shares of all previous words sum to 1.

    Divide by the sum along the last axis, the next word's: `counts.sum(axis=-1, keepdims=True)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=0, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-middle-axis-summed")
def middle_axis_summed(sentences, vocab):
    """You divided by the sums along axis 1, so that the shares of all current words sum to 1.

    Divide by the sum along the last axis, the next word's: `counts.sum(axis=-1, keepdims=True)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-both-axes-summed")
def both_axes_summed(sentences, vocab):
    """You divided by the sums along two axes, so that the whole table of each previous word sums to 1.

    Divide each row [previous, current] by its own sum, along the last axis alone.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=(1, 2), keepdims=True), 1)


@misconception("second_order_matrix", "second-order-share-of-all")
def share_of_everything(sentences, vocab):
    """You divided by the sum of all counts, so that the whole array sums to 1 instead of each row.

    Divide each row by its own sum, `counts.sum(axis=-1, keepdims=True)`: `counts.sum()` is one number for all.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / max(counts.sum(), 1)


@misconception("second_order_matrix", "second-order-counts")
def plain_counts(sentences, vocab):
    """Your entries are counts, not shares.

    Divide each row by its sum along the last axis, and by 1 where that is 0.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    return sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)


@misconception("second_order_matrix", "second-order-add-one")
def add_one(sentences, vocab):
    """You added 1 to every count, so that words that never followed have shares, too.

    Count only what occurs (no smoothing here): what never occurs has share 0.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return (counts + 1) / (counts + 1).sum(axis=2, keepdims=True)


@misconception("second_order_matrix", "second-order-small-number")
def small_number_in_the_sums(sentences, vocab):
    """You added 1e-8 to the sums before dividing, so that rows sum to less than 1.

    Divide by the sum itself, and by 1 where it is 0: `np.maximum(sums, 1)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / (counts.sum(axis=2, keepdims=True) + 1e-8)


@misconception("second_order_matrix", "second-order-small-number-6")
def larger_number_in_the_sums(sentences, vocab):
    """You added 1e-6 to the sums before dividing, so that rows sum to less than 1.

    Divide by the sum itself, and by 1 where it is 0: `np.maximum(sums, 1)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / (counts.sum(axis=2, keepdims=True) + 1e-6)


@misconception("second_order_matrix", "second-order-one-in-the-sums")
def one_in_the_sums(sentences, vocab):
    """You added 1 to every row's sum before dividing, so that rows sum to less than 1.

    Replace the sum by 1 only where it is 0: `np.maximum(sums, 1)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / (counts.sum(axis=2, keepdims=True) + 1)


@misconception("second_order_matrix", "second-order-uniform")
@misconception("skip_matrix", "skip-uniform")
def equal_shares_where_nothing_follows(sentences, vocab):
    """A pair that is never followed has equal shares of all words instead of a zero row.

    Leave its row zero: nothing was seen after this pair.
    """
    shares = second_order_matrix(sentences, vocab)
    return np.where(shares.any(axis=2, keepdims=True), shares, 1 / len(vocab))
