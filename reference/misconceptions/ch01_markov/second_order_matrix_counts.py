"""What goes wrong in `second_order_matrix`, in what is counted and where."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    second_order_matrix,
    transition_matrix,
    vocabulary,
)
from reference.misconceptions import misconception


@misconception("second_order_matrix", "second-order-next-first")
def next_word_first(sentences, vocab):
    """Your first axis is the next word, before the other two: the axes are [next, previous, current].

    Count at [previous, current, next]: the axes follow the order in which the words are read.
    """
    return second_order_matrix(sentences, vocab).transpose(2, 0, 1)


@misconception("second_order_matrix", "second-order-next-in-the-middle")
def next_word_in_the_middle(sentences, vocab):
    """Your second axis is the next word and your third the current one.

    Count at [previous, current, next]: the axes follow the order in which the words are read.
    """
    return second_order_matrix(sentences, vocab).swapaxes(1, 2)


@misconception("second_order_matrix", "second-order-reversed-axes")
def axes_reversed(sentences, vocab):
    """Your axes are in reverse order, [next, current, previous].

    Count at [previous, current, next]: the axes follow the order in which the words are read.
    """
    return second_order_matrix(sentences, vocab).T


@misconception("second_order_matrix", "second-order-last-triple-lost")
def last_position_lost(sentences, vocab):
    """You left out the last three words of each sentence as a triple.

    A sentence of n words has n − 2 triples: `range(len(sentence) - 2)`, or `zip(s, s[1:], s[2:])`.
    """
    return second_order_matrix([sentence[:-1] for sentence in sentences], vocab)


@misconception("second_order_matrix", "second-order-round-again")
@misconception("skip_matrix", "skip-round-again")
def end_followed_by_beginning(sentences, vocab):
    """You counted the first word of a sentence as following its own last word.

    Nothing follows a sentence's last word: no index may run past the end, and none be −1.
    """
    return second_order_matrix([[*sentence, *sentence[:1]] for sentence in sentences], vocab)


@misconception("second_order_matrix", "second-order-each-once")
@misconception("skip_matrix", "skip-each-once")
def each_triple_once(sentences, vocab):
    """You counted each triple of words only once, however often it occurs, so all words that follow have equal shares.

    Add 1 each time, `counts[i, j, k] += 1`; `= 1`, or a set of triples, forgets how often.
    """
    followed = second_order_matrix(sentences, vocab) > 0
    return followed / np.maximum(followed.sum(axis=2, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-zeros-and-ones")
@misconception("skip_matrix", "skip-zeros-and-ones")
def zeros_and_ones(sentences, vocab):
    """Your entries are 1 for each triple of words that occurs: neither counts nor shares.

    Add 1 each time, `counts[i, j, k] += 1`, and divide each row of counts by its sum.
    """
    return (second_order_matrix(sentences, vocab) > 0).astype(float)


@misconception("second_order_matrix", "second-order-own-vocabulary")
@misconception("skip_matrix", "skip-own-vocabulary")
def own_vocabulary(sentences, vocab):
    """Your axes are the words of the sentences, not those of `vocab`.

    Number the words by `vocab`, which may hold more of them: each axis has V = `len(vocab)` entries.
    """
    return second_order_matrix(sentences, vocabulary(sentences))


@misconception("second_order_matrix", "second-order-once-per-sentence")
def once_per_sentence(sentences, vocab):
    """You counted a triple only once in each sentence, even where it occurs there again.

    Count every position: a set of a sentence's triples forgets those that come twice, and `+=` with lists of places as
    an index adds to each place once.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum((np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) > 0).astype(float) for hot in hots)
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-first-triple-lost")
def first_triple_lost(sentences, vocab):
    """You left out the first three words of each sentence as a triple.

    Begin at position 0: the first pair of a sentence is followed by its third word.
    """
    return second_order_matrix([sentence[1:] for sentence in sentences], vocab)


@misconception("second_order_matrix", "second-order-product")
def product_of_transitions(sentences, vocab):
    """You multiplied the shares of single words, as if the next word did not depend on the previous one.

    Count triples, [previous, current, next], and divide each row by its sum.
    """
    shares = transition_matrix(sentences, vocab)
    return shares[:, :, None] * shares[None]


@misconception("second_order_matrix", "second-order-current-alone")
def current_word_alone(sentences, vocab):
    """Your shares depend on the current word alone, for each previous word the same.

    Count triples, [previous, current, next]: the previous word chooses among the rows.
    """
    return np.repeat(transition_matrix(sentences, vocab)[None], len(vocab), axis=0)


@misconception("second_order_matrix", "second-order-current-as-total")
def share_of_the_current_word(sentences, vocab):
    """You divided by how often the current word is followed at all, whatever stands before it.

    Divide each row [previous, current] by its own sum: among the positions that have this pair.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(sum(hot[:-1].sum(axis=0) for hot in hots), 1)[:, None]


@misconception("second_order_matrix", "second-order-backwards")
def backwards(sentences, vocab):
    """You read the sentences backwards: your shares are of the word before a pair, not of the word after it.

    Count at [previous, current, next] for words that stand in this order.
    """
    return second_order_matrix([sentence[::-1] for sentence in sentences], vocab)


@misconception("second_order_matrix", "second-order-triples-apart")
def triples_apart(sentences, vocab):
    """You cut a sentence into triples that do not overlap, so most triples of neighbours are not counted.

    How many triples of neighbours does a sentence of five words have? The next one begins one word later, not three.
    """
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        words = iter(sentence)
        for triple in zip(words, words, words):  # noqa: B905
            counts[tuple(map(vocab.index, triple))] += 1
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-last-word-before")
def last_word_of_the_vocabulary_before(sentences, vocab):
    """You count a sentence's first two words as if the last word of `vocab` stood before them: index -1 is that word.

    A sentence's first word has no previous word. From which position on are there three words to count?
    """
    index = {word: number for number, word in enumerate(vocab)}
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        numbers = [-1, *(index[word] for word in sentence)]
        for triple in zip(numbers, numbers[1:], numbers[2:], strict=False):
            counts[triple] += 1
    return counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-last-follower")
def last_follower_of_a_pair_alone(sentences, vocab):
    """In a sentence that repeats a pair of words you count only its last follower: a dict keeps one value for a key.

    How often is "a b" followed in "a b c a b d"? Every position counts.
    """
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        followers = dict(zip(zip(sentence, sentence[1:], strict=False), sentence[2:], strict=False))  # noqa: RUF007
        for (previous, current), following in followers.items():
            counts[vocab.index(previous), vocab.index(current), vocab.index(following)] += 1
    return counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-full-stop")
def full_stop_as_border(sentences, vocab):
    """You leave out every triple that holds ".", as if "." only marked the end of a sentence.

    A word may be any text, so no word can serve as a border. Count within one sentence at a time.
    """
    index = {word: number for number, word in enumerate(vocab)}
    counts = np.zeros((len(vocab),) * 3)
    for sentence in sentences:
        for triple in zip(sentence, sentence[1:], sentence[2:], strict=False):
            if "." not in triple:
                counts[tuple(index[word] for word in triple)] += 1
    return counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
