"""What goes wrong in `next_word`."""

import numpy as np

from reference.ch01_markov import (
    next_word,
    one_hot,
)
from reference.misconceptions import misconception


@misconception("next_word", "next-word-column")
def column(word, transitions, vocab):
    """You pulled out the word's column: what comes before it, not what follows it.

    Row i of `transitions` says what follows word i. On which side of a matrix does a vector pull out a row?

    Put the one-hot vector on the left: `one_hot([word], vocab)[0] @ transitions`.
    """
    return transitions @ one_hot([word], vocab)[0]


@misconception("next_word", "next-word-winner-only")
def winner_only(word, transitions, vocab):
    """You returned a 1 for the most likely next word only.

    Return the whole row of shares; choosing from it is a later step.
    """
    return np.eye(len(vocab))[transitions[vocab.index(word)].argmax()]


@misconception("next_word", "next-word-matrix")
def one_row_matrix(word, transitions, vocab):
    """You returned a matrix of one row instead of a vector.

    `one_hot([word], vocab)` has shape (1, V): take its row 0, before or after the product.
    """
    return one_hot([word], vocab) @ transitions


@misconception("next_word", "next-word-normalised")
def divided_by_its_sum(word, transitions, vocab):
    """You divided the row by its sum once more.

    Return the row as it is: `transitions` holds shares already, and a row of zeros stays zero.
    """
    row = next_word(word, transitions, vocab)
    return row / (row.sum() or 1)


@misconception("next_word", "next-word-normalised-nan")
def divided_by_its_sum_and_nan(word, transitions, vocab):
    """You divided the row by its sum once more, and a word that is never followed has NaN.

    Return the row as it is: `transitions` holds shares already, and a row of zeros stays zero.
    """
    row = next_word(word, transitions, vocab)
    with np.errstate(invalid="ignore"):
        return row / row.sum()


@misconception("next_word", "next-word-letters")
def word_as_a_list(word, transitions, vocab):
    """You gave the word itself where a list of words belongs, so that each letter counts as a word.

    A text is a sequence of words, and a Python text one of letters. What makes a sequence of a single word?

    Put it into a list: `one_hot([word], vocab)`.
    """
    column = {each: number for number, each in enumerate(vocab)}
    return np.eye(len(vocab))[[column[letter] for letter in word]][0] @ transitions


@misconception("next_word", "next-word-itself")
def winning_word(word, transitions, vocab):
    """You returned the most likely next word, not the shares.

    Return the whole row, (V,); choosing from it is a later step.
    """
    return vocab[int(next_word(word, transitions, vocab).argmax())]


@misconception("next_word", "next-word-number")
def winning_number(word, transitions, vocab):
    """You returned the number of the most likely next word, not the shares.

    Return the whole row, (V,); choosing from it is a later step.
    """
    return int(next_word(word, transitions, vocab).argmax())


@misconception("next_word", "next-word-largest-share")
def largest_share(word, transitions, vocab):
    """You returned the largest share only.

    Return the whole row, (V,), with a share for every word.
    """
    return float(next_word(word, transitions, vocab).max())


@misconception("next_word", "next-word-one-hot")
def one_hot_of_the_word(word, transitions, vocab):
    """You returned the one-hot vector of the word, without looking anything up.

    The vector points at a row. Which of the arguments holds the rows, and have you used it?

    Multiply it with the transitions: `one_hot([word], vocab)[0] @ transitions`.
    """
    return one_hot([word], vocab)[0]


@misconception("next_word", "next-word-entry-by-entry")
def entry_by_entry(word, transitions, vocab):
    """You multiplied the one-hot vector and the transitions entry by entry.

    `*` leaves a (V, V) matrix that is mostly zero; row times matrix is `@`.
    """
    return one_hot([word], vocab) * transitions


@misconception("next_word", "next-word-sorted")
def sorted_shares(word, transitions, vocab):
    """You sorted the shares, so that they no longer say which word they belong to.

    Entry j is the share of word j of `vocab`: leave the row in its order.
    """
    return np.sort(next_word(word, transitions, vocab))[::-1].copy()


@misconception("next_word", "next-word-softmax")
def softmax_of_the_row(word, transitions, vocab):
    """You took the softmax of the row.

    Return the row as it is: it holds shares already.
    """
    weights = np.exp(next_word(word, transitions, vocab))
    return weights / weights.sum()


@misconception("next_word", "next-word-averaged")
def average_of_all_rows(word, transitions, vocab):
    """You averaged all rows, so that the word makes no difference.

    Pull out the word's own row, with its one-hot vector on the left of `transitions`.
    """
    return transitions.mean(axis=0)


@misconception("next_word", "next-word-row-after")
def row_after(word, transitions, vocab):
    """You pulled out the row after the word's own.

    Row i belongs to word i of `vocab`, counted from 0.
    """
    return transitions[(vocab.index(word) + 1) % len(vocab)]


@misconception("next_word", "next-word-dictionary")
def dictionary_of_shares(word, transitions, vocab):
    """You returned a dictionary from word to share, not the row.

    Return the row itself, an array of V numbers: entry j belongs to word j of `vocab`.
    """
    return {each: float(share) for each, share in zip(vocab, next_word(word, transitions, vocab), strict=True)}


@misconception("next_word", "next-word-equal-shares")
def equal_shares_where_nothing_follows(word, transitions, vocab):
    """After a word that is never followed you give equal shares of all words.

    Return its row as it is: all shares are 0.
    """
    row = next_word(word, transitions, vocab)
    return row if row.any() else np.full(len(vocab), 1 / len(vocab))


@misconception("next_word", "next-word-winner-alone")
def the_winner_alone(word, transitions, vocab):
    """You choose: the most likely next word gets 1, if there is one, and all others 0.

    Return the shares of all words; choosing among them is a later step.
    """
    row = next_word(word, transitions, vocab)
    return np.eye(len(vocab))[row.argmax()] * (row.max() > 0)
