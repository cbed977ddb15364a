"""What goes wrong in `mask_for`."""

from reference.ch01_markov import (
    one_hot,
)
from reference.misconceptions import misconception


@misconception("mask_for", "mask-for-column")
def mask_column(context, masks, vocab):
    """You pulled out a column of the masks instead of a row.

    Put the query on the left, `query @ masks`: the mask of word i is row i.
    """
    return masks @ one_hot(context[-1:], vocab)[0]


@misconception("mask_for", "mask-for-all-words")
def masks_added(context, masks, vocab):
    """You added up the masks of all words of the context.

    Only the last word asks: its one-hot vector alone is the query.
    """
    return one_hot(context, vocab).sum(axis=0) @ masks


@misconception("mask_for", "mask-for-word-before")
def word_before_asks(context, masks, vocab):
    """You pulled out the mask of the last word but one.

    The most recent word is the query: `context[-1]`.
    """
    return masks[vocab.index(context[-2])]


@misconception("mask_for", "mask-for-matrix")
def mask_as_matrix(context, masks, vocab):
    """You returned a matrix of one row instead of a vector.

    The query has shape (1, V), and so has its product with the masks: return row 0 of it.
    """
    return one_hot(context[-1:], vocab) @ masks
