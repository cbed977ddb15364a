"""What goes wrong in `next_word`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
)
from reference.misconceptions import misconception


@misconception("next_word", "next-word-column")
def column(word, transitions, vocab):
    """You pulled out the word's column: what comes before it, not what follows it.

    Put the one-hot vector on the left, `one_hot([word], vocab)[0] @ transitions`: on the left it pulls out a row.
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
