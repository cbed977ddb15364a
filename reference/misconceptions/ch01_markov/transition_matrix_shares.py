"""What goes wrong in `transition_matrix`, in the shares: other totals, other counts, words that are never followed."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    transition_matrix,
    vocabulary,
)
from reference.misconceptions import misconception


@misconception("transition_matrix", "transition-share-of-all")
def share_of_all_pairs(sentences, vocab):
    """You divided by the number of all pairs, so that the whole matrix sums to 1 instead of each row.

    Divide each row by its own sum, `counts.sum(axis=1, keepdims=True)`: `counts.sum()` is one number for all.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / max(counts.sum(), 1)


@misconception("transition_matrix", "transition-per-sentence")
def share_of_the_sentences(sentences, vocab):
    """You divided the counts by the number of sentences.

    Divide each row by its own sum: of all times that the word is followed, the share followed by each word.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / len(sentences)


@misconception("transition_matrix", "transition-by-largest")
def divided_by_the_largest(sentences, vocab):
    """You divided each row by its largest count, so that its largest entry is 1.

    Divide by the row's sum: only then are its entries shares.
    """
    shares = transition_matrix(sentences, vocab)
    largest = shares.max(axis=1, keepdims=True)
    return shares / np.where(largest > 0, largest, 1)


@misconception("transition_matrix", "transition-winner-only")
def winner_only(sentences, vocab):
    """Each of your rows has a 1 for the most frequent next word only.

    Keep the shares of all next words; choosing among them is a later step.
    """
    shares = transition_matrix(sentences, vocab)
    return np.eye(len(vocab))[shares.argmax(axis=1)] * shares.any(axis=1, keepdims=True)


@misconception("transition_matrix", "transition-softmax")
def softmax_of_counts(sentences, vocab):
    """You took the softmax of the counts.

    Divide each row of counts by its sum; the exponential gives a share even to words that never followed.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    weights = np.exp(counts)
    return weights / weights.sum(axis=1, keepdims=True)


@misconception("transition_matrix", "transition-add-one")
def add_one(sentences, vocab):
    """You added 1 to every count, so that words that never followed have shares, too.

    Count only what occurs (no smoothing here): pairs that never occur have share 0.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences)) + 1
    return counts / counts.sum(axis=1, keepdims=True)


@misconception("transition_matrix", "transition-small-number")
def small_number_in_the_sums(sentences, vocab):
    """You added 1e-8 to the sums before dividing, so that rows sum to less than 1.

    Divide by the sum itself, and by 1 where it is 0: `np.maximum(sums, 1)`.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / (counts.sum(axis=1, keepdims=True) + 1e-8)


@misconception("transition_matrix", "transition-small-number-6")
def larger_number_in_the_sums(sentences, vocab):
    """You added 1e-6 to the sums before dividing, so that rows sum to less than 1.

    Divide by the sum itself, and by 1 where it is 0: `np.maximum(sums, 1)`.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / (counts.sum(axis=1, keepdims=True) + 1e-6)


@misconception("transition_matrix", "transition-one-in-the-sums")
def one_in_the_sums(sentences, vocab):
    """You added 1 to every row's sum before dividing, so that rows sum to less than 1.

    Replace the sum by 1 only where it is 0: `np.maximum(sums, 1)`.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / (counts.sum(axis=1, keepdims=True) + 1)


@misconception("transition_matrix", "transition-uniform")
def equal_shares_where_nothing_follows(sentences, vocab):
    """A word that is never followed has equal shares of all words instead of a zero row.

    Leave the row zero: nothing was seen after this word.
    """
    shares = transition_matrix(sentences, vocab)
    return np.where(shares.any(axis=1, keepdims=True), shares, 1 / len(vocab))


@misconception("transition_matrix", "transition-stays")
def followed_by_itself(sentences, vocab):
    """A word that is never followed is followed by itself in your matrix, with share 1.

    Leave its row zero: nothing was seen after this word.
    """
    shares = transition_matrix(sentences, vocab)
    return shares + np.diag(1.0 - shares.any(axis=1))


@misconception("transition_matrix", "transition-whole-numbers")
@misconception("skip_matrix", "skip-whole-numbers")
@misconception("second_order_matrix", "second-order-whole-numbers")
def whole_numbers(sentences, vocab):
    """Your shares are rounded down to whole numbers.

    Divide by `/`: `//` drops what comes after the point, and so does an array of integers.
    """
    return np.floor(transition_matrix(sentences, vocab))


@misconception("transition_matrix", "transition-both-directions")
def both_directions(sentences, vocab):
    """You counted each pair in both directions, as neighbours.

    Count at [current, next] only: what comes before a word says nothing about what follows it.
    """
    return transition_matrix(sentences + [sentence[::-1] for sentence in sentences], vocab)


@misconception("transition_matrix", "transition-backwards")
def shares_of_the_word_before(sentences, vocab):
    """Your rows hold the shares of the words that come before a word, not of those that follow it.

    Count at [current, next]: the earlier word of a pair gives the row.
    """
    return transition_matrix([sentence[::-1] for sentence in sentences], vocab)


@misconception("transition_matrix", "transition-any-later-word")
def any_later_word(sentences, vocab):
    """You counted every later word of the sentence as following, not the next one alone.

    Pairs are neighbours: `zip(sentence, sentence[1:])`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(hot.T @ np.triu(np.ones((len(hot), len(hot))), 1) @ hot for hot in hots)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-word-after-next")
def word_after_next(sentences, vocab):
    """You counted the word after the next one, two places on.

    Pairs are neighbours: positions t and t + 1.
    """
    counts = sum(hot[:-2].T @ hot[2:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-own-vocabulary")
def own_vocabulary(sentences, vocab):
    """Your rows and columns are the words of the sentences, not those of `vocab`.

    Number the words by `vocab`, which may hold more of them: the matrix is (V, V) with V = `len(vocab)`.
    """
    return transition_matrix(sentences, vocabulary(sentences))


@misconception("transition_matrix", "transition-float32")
@misconception("skip_matrix", "skip-float32")
@misconception("second_order_matrix", "second-order-float32")
def single_precision(sentences, vocab):
    """Your shares are computed in float32, which keeps about seven digits.

    Leave out the dtype: `np.zeros` gives float64.
    """
    return transition_matrix(sentences, vocab).astype(np.float32).astype(np.float64)


@misconception("transition_matrix", "transition-averaged")
@misconception("skip_matrix", "skip-averaged")
@misconception("second_order_matrix", "second-order-averaged")
def averaged_over_sentences(sentences, vocab):
    """You compute shares in each sentence and average them, so one pair in a short sentence says as much as ten.

    Say "a b a b a b" and "a c" were read: b follows 3 of 4 times. Which step comes first, counting or dividing?
    """
    total, having = 0, 0
    for sentence in sentences:
        shares = transition_matrix([sentence], vocab)
        total, having = total + shares, having + shares.any(axis=-1, keepdims=True)
    return total / np.maximum(having, 1)
