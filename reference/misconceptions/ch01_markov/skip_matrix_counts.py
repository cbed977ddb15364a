"""What goes wrong in `skip_matrix`, in what is counted and where."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    skip_matrix,
)
from reference.misconceptions import misconception


@misconception("skip_matrix", "skip-next-first")
def next_word_first(sentences, vocab):
    """Your first axis is the next word, before the other two: the axes are [next, earlier, current].

    Count at [earlier, current, next]: the axes follow the order in which the words are read.
    """
    return skip_matrix(sentences, vocab).transpose(2, 0, 1)


@misconception("skip_matrix", "skip-next-in-the-middle")
def next_word_in_the_middle(sentences, vocab):
    """Your second axis is the next word and your third the current one.

    Count at [earlier, current, next]: the axes follow the order in which the words are read.
    """
    return skip_matrix(sentences, vocab).swapaxes(1, 2)


@misconception("skip_matrix", "skip-reversed-axes")
def axes_reversed(sentences, vocab):
    """Your axes are in reverse order, [next, current, earlier].

    Count at [earlier, current, next]: the axes follow the order in which the words are read.
    """
    return skip_matrix(sentences, vocab).T


@misconception("skip_matrix", "skip-last-triple-lost")
def last_position_lost(sentences, vocab):
    """You left out the last position but one of each sentence, the last that has a next word.

    Only a sentence's last position has no next word: `range(1, len(sentence) - 1)` runs over all others that have an
    earlier word.
    """
    return skip_matrix([sentence[:-1] for sentence in sentences], vocab)


@misconception("skip_matrix", "skip-once-per-sentence")
def once_per_sentence(sentences, vocab):
    """You counted a triple only once in each sentence, though it may occur at several positions.

    The earlier words of one position are a set; positions are not: count every one of them.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    counts = sum(
        (np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) > 0).astype(float) for s, h in zip(seen, hots, strict=True)
    )
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-first-word-lost")
def first_word_lost(sentences, vocab):
    """You did not count the first word of a sentence as an earlier word.

    The earlier words of position t are all of `sentence[:t]`, from position 0 on.
    """
    return skip_matrix([sentence[1:] for sentence in sentences], vocab)


@misconception("skip_matrix", "skip-first-word-only")
def first_word_only(sentences, vocab):
    """You counted only the first word of the sentence as an earlier word.

    At each position take every word before it: `set(sentence[:t])`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences if len(sentence) > 2]
    counts = sum(np.einsum("e,tc,tn->ecn", hot[0], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-two-before")
def two_words_before(sentences, vocab):
    """You counted only the two words right before the current one.

    An earlier word may stand at any distance: take all of `sentence[:t]`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    near = [(np.pad(h, ((1, 0), (0, 0)))[:-1] + np.pad(h, ((2, 0), (0, 0)))[:-2] > 0) * 1.0 for h in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", n[:-1], h[:-1], h[1:]) for n, h in zip(near, hots, strict=True))
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-all-later-words")
def all_later_words(sentences, vocab):
    """You counted all later words of the sentence as following, not the next one alone.

    `next` is the word right after the position: `sentence[t + 1]`.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    seen = [(np.cumsum(hot, axis=0) - hot > 0).astype(float) for hot in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s[:-1], h[:-1], h[1:]) for s, h in zip(seen, hots, strict=True))
    later = [h[::-1].cumsum(axis=0)[::-1] - h for h in hots]
    counts = sum(np.einsum("te,tc,tn->ecn", s, h, rest) for s, h, rest in zip(seen, hots, later, strict=True))
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-other-than-current")
def current_never_earlier(sentences, vocab):
    """You left the current word out of the earlier words even where it stood before.

    Leave out the position, not the word: all of `sentence[:t]` came earlier.
    """
    return skip_matrix(sentences, vocab) * (1 - np.eye(len(vocab)))[:, :, None]


@misconception("skip_matrix", "skip-earlier-sentences")
def words_of_earlier_sentences(sentences, vocab):
    """The words of earlier sentences count as earlier words too: your set of words seen is never emptied.

    Each sentence begins with nothing before it. Where do you create the set?
    """
    counts, seen = np.zeros((len(vocab),) * 3), np.zeros(len(vocab))
    for hot in (one_hot(sentence, vocab) for sentence in sentences):
        for t in range(len(hot) - 1):
            counts += np.einsum("e,c,n->ecn", seen, hot[t], hot[t + 1])
            seen = np.maximum(seen, hot[t])
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("skip_matrix", "skip-words-as-bits")
def words_as_bits(sentences, vocab):
    """You keep the words seen so far as bits of one 64-bit number, which has no room for words from number 64 on.

    A vocabulary may have any size. An array of V booleans, or a set, holds any word.
    """
    index = {word: number for number, word in enumerate(vocab)}
    bits = np.arange(len(vocab))
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        seen = np.int64(0)
        for current, following in zip(sentence, sentence[1:], strict=False):  # noqa: RUF007
            counts[((seen >> bits) & 1).astype(bool), index[current], index[following]] += 1
            seen |= np.int64(1) << np.int64(index[current])
    return counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)


@misconception("skip_matrix", "skip-full-stop")
def full_stop_as_border(sentences, vocab):
    """You leave out "." and begin anew after it, as if it only marked the end of a sentence.

    A word may be any text, so no word can serve as a border. Count within one sentence at a time.
    """
    index = {word: number for number, word in enumerate(vocab)}
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        seen = set()
        for current, following in zip(sentence, sentence[1:], strict=False):  # noqa: RUF007
            if current == ".":
                seen = set()
            elif following != ".":
                counts[[index[word] for word in seen], index[current], index[following]] += 1
            if current != ".":
                seen.add(current)
    return counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
