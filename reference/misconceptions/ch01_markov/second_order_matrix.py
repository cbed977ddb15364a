"""What goes wrong in `second_order_matrix`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    second_order_matrix,
    skip_matrix,
    transition_matrix,
)
from reference.misconceptions import misconception


@misconception("second_order_matrix", "second-order-swapped")
def current_first(sentences, vocab):
    """Your first axis is the current word and your second the previous one: the pair is swapped.

    Count at [previous, current, next]: the axes follow the order in which the words are read.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->cpn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)


@misconception("second_order_matrix", "second-order-across-sentences")
def pairs_across_sentences(sentences, vocab):
    """You counted pairs that reach from one sentence into the next.

    Count within one sentence at a time: the last word of one and the first of the next are no pair.
    """
    return second_order_matrix([[word for sentence in sentences for word in sentence]], vocab)


@misconception("second_order_matrix", "second-order-last-positions-counted")
def all_pairs_as_total(sentences, vocab):
    """You divided by how often a pair occurs, sentence ends included, so that rows sum to less than 1.

    Only pairs that are followed by a word count: divide by the sum of the counts along the last axis.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    return counts / np.maximum(sum(hot[:-1].T @ hot[1:] for hot in hots), 1)[:, :, None]


@misconception("second_order_matrix", "second-order-nan")
def nan_for_unseen_pairs(sentences, vocab):
    """Pairs that are never followed have rows of NaN, because you divided zero by zero.

    Divide by 1 where the sum is 0, for example by `np.maximum(sums, 1)`: most of the V² rows stay zero.
    """
    hots = [one_hot(sentence, vocab) for sentence in sentences]
    counts = sum(np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:]) for hot in hots)
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=2, keepdims=True)


@misconception("second_order_matrix", "second-order-with-skips")
def any_earlier_word(sentences, vocab):
    """You took any earlier word as the previous one.

    Here the pair are neighbours: previous, current and next stand side by side. Skips come next.
    """
    return skip_matrix(sentences, vocab)


@misconception("second_order_matrix", "second-order-across-sentences", "second-order-nan")
def pairs_across_sentences_and_nan(sentences, vocab):
    hot = one_hot([word for sentence in sentences for word in sentence], vocab)
    counts = np.einsum("tp,tc,tn->pcn", hot[:-2], hot[1:-1], hot[2:])
    with np.errstate(invalid="ignore"):
        return counts / counts.sum(axis=2, keepdims=True)


@misconception("second_order_matrix", "second-order-glued")
def pairs_glued_together(sentences, vocab):
    """You count under both words of a pair glued together, so that other pairs with the same letters join in.

    "a" and "bc" spell what "ab" and "c" spell. A key of two parts keeps them apart.
    """
    triples = [s[at : at + 3] for s in sentences for at in range(len(s) - 2)]
    shares = np.zeros((len(vocab),) * 3)
    for previous, current, _ in triples:
        said = [after for one, two, after in triples if one + two == previous + current]
        shares[vocab.index(previous), vocab.index(current)] = [said.count(word) / len(said) for word in vocab]
    return shares


@misconception("second_order_matrix", "second-order-current-alone-where-seen")
def current_word_alone_where_the_pair_occurs(sentences, vocab):
    """Each row of a pair that occurs holds the shares of its current word, whatever the previous word is.

    "ran" is followed by "down" after one word and by "please" after another. Count three words at a time.
    """
    shares = transition_matrix(sentences, vocab)
    return np.where(shares[:, :, None] > 0, shares, 0)
