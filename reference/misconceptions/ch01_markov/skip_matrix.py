"""What goes wrong in `skip_matrix`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    second_order_matrix,
    skip_matrix,
)
from reference.misconceptions import misconception


@misconception("skip_matrix", "skip-neighbours-only")
def neighbours_only(sentences, vocab):
    """You counted pairs of neighbours only: nothing is skipped.

    At each position take every word before it in the sentence, at whatever distance.
    """
    return second_order_matrix(sentences, vocab)


@misconception("skip_matrix", "skip-current-included")
def current_included(sentences, vocab):
    """You counted the current word as standing before itself.

    Stop one short of the position: `sentence[:t]` holds the words before position t, without t itself.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-future-included")
def future_included(sentences, vocab):
    """You paired each word with all words of its sentence, those that come later included.

    Only earlier words may vote: at prediction time the rest is not yet written.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        counts += np.einsum("e,tc,tn->ecn", hot.max(axis=0), hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-duplicates-counted")
def duplicates_counted(sentences, vocab):
    """A word that occurs twice before a position was counted twice there.

    Take the set of the earlier words, so that each counts once per position.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        before = np.cumsum(hot, axis=0) - hot
        counts += np.einsum("te,tc,tn->ecn", before[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-neighbour-left-out")
def neighbour_left_out(sentences, vocab):
    """You left out the word right before the current one.

    "Anywhere before" includes the neighbour: the earlier words are all of `sentence[:t]`.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-3], hot[2:-1], hot[3:])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-last-positions-counted")
def all_positions_as_total(sentences, vocab):
    """You divided by all positions, a sentence's last one included, so that rows sum to less than 1.

    A last position is followed by nothing and does not count: divide by the sum of the counts along the last axis.
    """
    counts, totals = np.zeros((len(vocab),) * 3), np.zeros((len(vocab),) * 2)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) - hot > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
        totals += seen.T @ hot
    return counts / np.maximum(totals, 1)[:, :, None]


@misconception("skip_matrix", "skip-across-sentences")
def skips_across_sentences(sentences, vocab):
    """You looked back into earlier sentences.

    Begin anew with each sentence: only words before the position in the same sentence make a pair.
    """
    return skip_matrix([[word for sentence in sentences for word in sentence]], vocab)


@misconception("skip_matrix", "skip-swapped")
def skips_current_first(sentences, vocab):
    """Your first axis is the current word and your second the earlier one: the pair is swapped.

    Count at [earlier, current, next]: the axes follow the order in which the words are read.
    """
    return skip_matrix(sentences, vocab).swapaxes(0, 1)


@misconception("skip_matrix", "skip-current-as-total")
def share_of_the_current_word(sentences, vocab):
    """You divided by how often the current word is followed at all, with or without `earlier` before it.

    Divide each row [earlier, current] by its own sum: among the positions that have `earlier` before them.
    """
    counts = np.zeros((len(vocab),) * 3)
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        seen = (np.cumsum(hot, axis=0) - hot > 0).astype(float)
        counts += np.einsum("te,tc,tn->ecn", seen[:-1], hot[:-1], hot[1:])
    return counts / np.maximum(sum(one_hot(sentence[:-1], vocab).sum(axis=0) for sentence in sentences), 1)[:, None]


@misconception("skip_matrix", "skip-both-sides")
def words_on_both_sides(sentences, vocab):
    """You paired the current word with words on both sides of it, the next one too.

    When you predict the next word, you know only the current one and those before it. Which are `earlier`?

    Take the words of `sentence[:t]` alone.
    """
    column = {word: number for number, word in enumerate(vocab)}
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        for t in range(len(sentence) - 1):
            for other in {*sentence[:t], *sentence[t + 1 :]}:
                counts[column[other], column[sentence[t]], column[sentence[t + 1]]] += 1
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-matrix-window")
def window_of_five(sentences, vocab):
    """You pair a word only with the five words before it.

    The earlier word may stand at any distance: begin at the first word of the sentence.
    """
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        ids = [vocab.index(word) for word in sentence]
        for t in range(len(ids) - 1):
            for earlier in set(ids[max(0, t - 5) : t]):
                counts[earlier, ids[t], ids[t + 1]] += 1
    totals = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
