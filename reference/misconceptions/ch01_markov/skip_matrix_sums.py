"""What goes wrong in `skip_matrix`, in the sums: along another axis, or with something added."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
)
from reference.misconceptions import misconception


@misconception("skip_matrix", "skip-nan")
def nan_for_unseen_pairs(sentences, vocab):
    """Pairs that are never followed have rows of NaN, because you divided zero by zero.

    Divide by 1 where the sum is 0, for example by `np.maximum(sums, 1)`: most of the V² rows stay zero.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=2, keepdims=True)


@misconception("skip_matrix", "skip-no-keepdims")
def sums_along_another_axis(sentences, vocab):
    """You divided entry [i, j, k] by the sum of row [j, k], where it should be the sum of row [i, j].

    Keep the last axis of the sums, with `keepdims=True` or `[:, :, None]`: otherwise they meet the wrong two axes.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / np.maximum(counts.sum(axis=2), 1)


@misconception("skip_matrix", "skip-no-keepdims", "skip-nan")
def sums_along_another_axis_and_nan(sentences, vocab):
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    with np.errstate(invalid="ignore", divide="ignore"):
        return counts / counts.sum(axis=2)


@misconception("skip_matrix", "skip-first-axis-summed")
def first_axis_summed(sentences, vocab):
    """You divided by the sums along axis 0, so that the shares of all earlier words sum to 1.

    Divide by the sum along the last axis, the next word's: `counts.sum(axis=-1, keepdims=True)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / np.maximum(counts.sum(axis=0, keepdims=True), 1)


@misconception("skip_matrix", "skip-middle-axis-summed")
def middle_axis_summed(sentences, vocab):
    """You divided by the sums along axis 1, so that the shares of all current words sum to 1.

    Divide by the sum along the last axis, the next word's: `counts.sum(axis=-1, keepdims=True)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("skip_matrix", "skip-both-axes-summed")
def both_axes_summed(sentences, vocab):
    """You divided by the sums along two axes, so that the whole table of each earlier word sums to 1.

    Divide each row [earlier, current] by its own sum, along the last axis alone.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / np.maximum(counts.sum(axis=(1, 2), keepdims=True), 1)


@misconception("skip_matrix", "skip-share-of-all")
def share_of_everything(sentences, vocab):
    """You divided by the sum of all counts, so that the whole array sums to 1 instead of each row.

    Divide each row by its own sum, `counts.sum(axis=-1, keepdims=True)`: `counts.sum()` is one number for all.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / max(counts.sum(), 1)


@misconception("skip_matrix", "skip-counts")
def plain_counts(sentences, vocab):
    """Your entries are counts, not shares.

    Divide each row by its sum along the last axis, and by 1 where that is 0.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    return sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))


@misconception("skip_matrix", "skip-add-one")
def add_one(sentences, vocab):
    """You added 1 to every count, so that words that never followed have shares, too.

    Count only what occurs (no smoothing here): what never occurs has share 0.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return (counts + 1) / (counts + 1).sum(axis=2, keepdims=True)


@misconception("skip_matrix", "skip-small-number")
def small_number_in_the_sums(sentences, vocab):
    """You added 1e-8 to the sums before dividing, so that rows sum to less than 1.

    Divide by the sum itself, and by 1 where it is 0: `np.maximum(sums, 1)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / (counts.sum(axis=2, keepdims=True) + 1e-8)


@misconception("skip_matrix", "skip-small-number-6")
def larger_number_in_the_sums(sentences, vocab):
    """You added 1e-6 to the sums before dividing, so that rows sum to less than 1.

    Divide by the sum itself, and by 1 where it is 0: `np.maximum(sums, 1)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / (counts.sum(axis=2, keepdims=True) + 1e-6)


@misconception("skip_matrix", "skip-one-in-the-sums")
def one_in_the_sums(sentences, vocab):
    """You added 1 to every row's sum before dividing, so that rows sum to less than 1.

    Replace the sum by 1 only where it is 0: `np.maximum(sums, 1)`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    return counts / (counts.sum(axis=2, keepdims=True) + 1)


@misconception("skip_matrix", "skip-duplicates-counted", "skip-nan")
def duplicates_counted_and_nan(sentences, vocab):
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    before = [np.cumsum(hot, axis=0) - hot for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", b[:-1], h[:-1], h[1:]) for b, h in zip(before, hots, strict=True))
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=2, keepdims=True)


@misconception("skip_matrix", "skip-current-included", "skip-nan")
def current_included_and_nan(sentences, vocab):
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=2, keepdims=True)
