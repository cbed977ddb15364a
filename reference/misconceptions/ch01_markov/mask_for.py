"""What goes wrong in `mask_for`."""

import numpy as np

from reference.ch01_markov import (
    mask_for,
    one_hot,
    skip_features,
)
from reference.misconceptions import misconception


@misconception("mask_for", "mask-for-column")
def mask_column(context, masks, vocab):
    """You pulled out a column of the masks instead of a row.

    The mask of word i is row i. On which side of a matrix does a vector pull out rows?
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

    The most recent word asks. Where does it stand in the context?
    """
    return masks[vocab.index(context[-2])]


@misconception("mask_for", "mask-for-matrix")
def mask_as_matrix(context, masks, vocab):
    """You returned a matrix of one row instead of a vector.

    The query has shape (1, V), and so has its product with the masks. Which of the two axes do you not need?
    """
    return one_hot(context[-1:], vocab) @ masks


@misconception("mask_for", "mask-for-normalised")
def divided_by_its_sum(context, masks, vocab):
    """You divided the mask by its sum.

    Return the row as it is: a mask need not sum to 1. Weights that do come with the softmax, in chapter 3.
    """
    mask = mask_for(context, masks, vocab)
    return mask / (mask.sum() or 1)


@misconception("mask_for", "mask-for-softmax")
def softmax_of_the_mask(context, masks, vocab):
    """You took the softmax of the mask.

    Return the row as it is; the softmax comes in chapter 3.
    """
    weights = np.exp(mask_for(context, masks, vocab))
    return weights / weights.sum()


@misconception("mask_for", "mask-for-first-word")
def first_word_asks(context, masks, vocab):
    """You pulled out the mask of the context's first word.

    The most recent word asks. Where does it stand in the context?
    """
    return mask_for(context[:1], masks, vocab)


@misconception("mask_for", "mask-for-yes-or-no")
def mask_of_zeros_and_ones(context, masks, vocab):
    """You turned the mask into zeros and ones.

    Return the row as it is: its entries may be any numbers.
    """
    return (mask_for(context, masks, vocab) > 0).astype(float)


@misconception("mask_for", "mask-for-booleans")
def mask_of_booleans(context, masks, vocab):
    """You turned the mask into True and False.

    Return the row as it is: its entries may be any numbers.
    """
    return mask_for(context, masks, vocab) > 0


@misconception("mask_for", "mask-for-times-features")
def masked_features(context, masks, vocab):
    """You multiplied the mask by the features of the context.

    Return the row as it is; the features come in when the words vote.
    """
    return mask_for(context, masks, vocab) * skip_features(context, vocab)


@misconception("mask_for", "mask-for-earlier-words")
def masks_of_the_earlier_words(context, masks, vocab):
    """You added up the masks of the words before the last one.

    The last word asks: its one-hot vector alone is the query.
    """
    return skip_features(context, vocab) @ masks


@misconception("mask_for", "mask-for-every-occurrence")
def last_word_counted_as_often(context, masks, vocab):
    """Where the last word also occurs earlier, its mask counts as often as the word occurs.

    The query is the one-hot vector of the last position alone, with a single 1.
    """
    return mask_for(context, masks, vocab) * context.count(context[-1])


@misconception("mask_for", "mask-for-each-word-once")
def masks_of_all_words_once(context, masks, vocab):
    """You added up the masks of all words of the context, of each word once.

    Only the last word asks: its one-hot vector alone is the query.
    """
    return one_hot(context, vocab).max(axis=0) @ masks


@misconception("mask_for", "mask-for-a-mask-per-word")
def mask_for_each_word(context, masks, vocab):
    """You returned a mask for each word of the context, not for the last one alone.

    Only the last word asks. Make the query of it alone.
    """
    return one_hot(context, vocab) @ masks


@misconception("mask_for", "mask-for-averaged")
def average_of_masks(context, masks, vocab):
    """You averaged the masks of all words of the context.

    Only the last word asks: its one-hot vector alone is the query.
    """
    return one_hot(context, vocab).mean(axis=0) @ masks


@misconception("mask_for", "mask-for-entry-by-entry")
def entry_by_entry(context, masks, vocab):
    """You multiplied the query and the masks entry by entry.

    `*` leaves a (V, V) matrix that is mostly zero; row times matrix is `@`.
    """
    return one_hot(context[-1:], vocab) * masks


@misconception("mask_for", "mask-for-letters")
def word_as_a_list(context, masks, vocab):
    """You gave the last word itself where a list of words belongs, so that each letter counts as a word.

    `one_hot` takes a list of words, and a text is a list of letters. How do you make a list of one word?
    """
    column = {each: number for number, each in enumerate(vocab)}
    return np.eye(len(vocab))[[column[letter] for letter in context[-1]]][0] @ masks


@misconception("mask_for", "mask-for-query")
def the_query_itself(context, masks, vocab):
    """You returned the query, the one-hot vector of the last word, not its mask.

    The query says who asks. What has to be multiplied with it, so that it says who may vote?
    """
    return one_hot(context[-1:], vocab)[0]


@misconception("mask_for", "mask-for-row-after")
def row_after(context, masks, vocab):
    """You pulled out the row after the last word's own.

    Row i belongs to word i of `vocab`, counted from 0.
    """
    return masks[(vocab.index(context[-1]) + 1) % len(vocab)]


@misconception("mask_for", "mask-for-inverted")
def inverted(context, masks, vocab):
    """You returned 1 minus the mask.

    Return the row as it is: 1 means "may vote".
    """
    return 1 - mask_for(context, masks, vocab)


@misconception("mask_for", "mask-for-by-length")
def row_of_the_position(context, masks, vocab):
    """You pulled out a mask by the last word's position in the context, not by its number in `vocab`.

    Row i belongs to word i of `vocab`, wherever that word stands in the text.
    """
    return masks[len(context) - 1]


@misconception("mask_for", "mask-for-first-position")
def row_of_the_first_position(context, masks, vocab):
    """You pulled out a mask by the position where the last word first occurs, not by its number in `vocab`.

    Row i belongs to word i of `vocab`, wherever that word stands in the text.
    """
    return masks[context.index(context[-1])]


@misconception("mask_for", "mask-for-largest")
def largest_of_all_masks(context, masks, vocab):
    """You joined the masks of all words of the context: each entry is the largest of theirs.

    Only the last word asks: its one-hot vector alone is the query.
    """
    return (one_hot(context, vocab) @ masks).max(axis=0)


@misconception("mask_for", "mask-for-repeats-dropped")
def mask_after_dropping_repeats(context, masks, vocab):
    """You drop repeated words before you take the last one, so a last word that came earlier is no longer last.

    Which word stands last in your list for a text of "a", "b", "a"? Take it from the context as it is.
    """
    return mask_for(list(dict.fromkeys(context)), masks, vocab)
