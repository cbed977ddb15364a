"""What goes wrong in `transition_matrix`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    transition_matrix,
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
    return transition_matrix([[word for sentence in sentences for word in sentence]], vocab)


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


@misconception("transition_matrix", "transition-no-keepdims")
def sums_along_the_columns(sentences, vocab):
    """You divided entry [i, j] by the sum of row j, where it should be the sum of row i.

    Keep the sums a column, (V, 1), with `keepdims=True` or `[:, None]`; a vector of V sums meets the columns.
    """
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    return counts / np.maximum(counts.sum(axis=1), 1)


@misconception("transition_matrix", "transition-no-keepdims", "transition-nan")
def sums_along_the_columns_and_nan(sentences, vocab):
    counts = sum(hot[:-1].T @ hot[1:] for hot in (one_hot(sentence, vocab) for sentence in sentences))
    with np.errstate(invalid="ignore", divide="ignore"):
        return counts / counts.sum(axis=1)


@misconception("transition_matrix", "transition-pairs-once")
def each_pair_once(sentences, vocab):
    """You counted each pair of words once, however often it occurs, so all words that follow have equal shares.

    Add 1 each time, `counts[i, j] += 1`; `= 1`, or a set of pairs, forgets how often.
    """
    followed = transition_matrix(sentences, vocab) > 0
    return followed / np.maximum(followed.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-zeros-and-ones")
def zeros_and_ones(sentences, vocab):
    """Your entries are 1 for each pair that occurs: neither counts nor shares.

    Add 1 each time, `counts[i, j] += 1`, and divide each row of counts by its sum.
    """
    return (transition_matrix(sentences, vocab) > 0).astype(float)


@misconception("transition_matrix", "transition-once-per-sentence")
def once_per_sentence(sentences, vocab):
    """You counted a pair only once in each sentence, even where it occurs there again.

    Count every position: a set of a sentence's pairs forgets those that come twice, and `+=` with lists of places as
    an index adds to each place once.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum((hot[:-1].T @ hot[1:] > 0).astype(float) for hot in hots)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-last-pair-lost")
def last_pair_lost(sentences, vocab):
    """You left out the last pair of each sentence.

    A sentence of n words has n − 1 pairs: `range(len(sentence) - 1)`, or `zip(sentence, sentence[1:])`.
    """
    return transition_matrix([sentence[:-1] for sentence in sentences], vocab)


@misconception("transition_matrix", "transition-first-pair-lost")
def first_pair_lost(sentences, vocab):
    """You left out the first pair of each sentence.

    The first word has a next word, too: begin the loop over pairs at position 0.
    """
    return transition_matrix([sentence[1:] for sentence in sentences], vocab)


@misconception("transition_matrix", "transition-last-sentence-only")
@misconception("skip_matrix", "skip-last-sentence-only")
@misconception("second_order_matrix", "second-order-last-sentence-only")
def last_sentence_only(sentences, vocab):
    """Your shares come from the last sentence alone.

    Make the array of counts once, before the loop over the sentences, and divide once, after it.
    """
    return transition_matrix(sentences[-1:], vocab)


@misconception("transition_matrix", "transition-first-sentence-only")
@misconception("skip_matrix", "skip-first-sentence-only")
@misconception("second_order_matrix", "second-order-first-sentence-only")
def first_sentence_only(sentences, vocab):
    """Your shares come from the first sentence alone.

    Count all sentences before you divide and return: `return` belongs after the loop.
    """
    return transition_matrix(sentences[:1], vocab)


@misconception("transition_matrix", "transition-round-again")
def end_followed_by_beginning(sentences, vocab):
    """You counted the first word of a sentence as following its own last word.

    Nothing follows the last word: count the pairs of `zip(sentence, sentence[1:])`, and no index −1.
    """
    return transition_matrix([[*sentence, *sentence[:1]] for sentence in sentences], vocab)


@misconception("transition_matrix", "transition-pairs-apart")
def pairs_apart(sentences, vocab):
    """You cut a sentence into pairs that do not overlap, so every second step between two words is not counted.

    How many steps does a sentence of four words take? Each word but the last begins one, even if it has ended one.
    """
    counts = np.zeros((len(vocab), len(vocab)))
    for sentence in sentences:
        steps = iter(sentence)
        for current, following in zip(steps, steps):  # noqa: B905
            counts[vocab.index(current), vocab.index(following)] += 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-bins-by-range")
def bins_from_the_smallest_to_the_largest(sentences, vocab):
    """Your V bins reach from the smallest to the largest number that occurs, so pairs may fall into other words' cells.

    Where the first or the last word of `vocab` is missing among them, which bin does word 1 fall into? Name the range.
    """
    index = {word: number for number, word in enumerate(vocab)}
    numbers = [[index[word] for word in sentence] for sentence in sentences]
    current = [number for sentence in numbers for number in sentence[:-1]]
    following = [number for sentence in numbers for number in sentence[1:]]
    if not current:
        return np.zeros((len(vocab), len(vocab)))
    counts, _, _ = np.histogram2d(current, following, bins=len(vocab))
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-last-follower")
def last_follower_alone(sentences, vocab):
    """In a sentence that repeats a word you count only its last follower: a dict keeps one value for a key.

    How often is "a" followed in "a b a c"? Every position counts.
    """
    counts = np.zeros((len(vocab), len(vocab)))
    for sentence in sentences:
        for current, following in dict(zip(sentence, sentence[1:], strict=False)).items():  # noqa: RUF007
            counts[vocab.index(current), vocab.index(following)] += 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


@misconception("transition_matrix", "transition-full-stop")
def full_stop_as_border(sentences, vocab):
    """You leave out every pair that holds ".", as if "." only marked the end of a sentence.

    A word may be any text, so no word can serve as a border. Count within one sentence at a time.
    """
    index = {word: number for number, word in enumerate(vocab)}
    counts = np.zeros((len(vocab), len(vocab)))
    for sentence in sentences:
        for pair in zip(sentence, sentence[1:], strict=False):  # noqa: RUF007
            if "." not in pair:
                counts[index[pair[0]], index[pair[1]]] += 1
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
