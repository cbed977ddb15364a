"""What goes wrong in `skip_features`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    skip_features,
)
from reference.misconceptions import misconception


@misconception("skip_features", "features-last-included")
def last_included(context, vocab):
    """You counted the last word as standing before itself.

    Leave out the last position: the features are the words of `context[:-1]`.
    """
    return np.array([float(word in context) for word in vocab])


@misconception("skip_features", "features-duplicates-counted")
def occurrences(context, vocab):
    """A word that occurs twice before the last one has activity 2.

    Activities are 1 or 0, present or not: ask whether the word is in `context[:-1]`, not how often.
    """
    return np.array([float(context[:-1].count(word)) for word in vocab])


@misconception("skip_features", "features-neighbour-only")
def neighbour_only(context, vocab):
    """Only the word right before the last one is active.

    All words before the last one are features, at whatever distance.
    """
    return np.array([float(word in context[-2:-1]) for word in vocab])


@misconception("skip_features", "features-last-word-never")
def last_word_never(context, vocab):
    """You left the last word out even where it also occurs earlier.

    Leave out the last position, not the word: every word in `context[:-1]` is active.
    """
    return np.array([float(word in context and word != context[-1]) for word in vocab])


@misconception("skip_features", "features-empty-maximum")
def maximum_of_nothing(context, vocab):
    """Your code fails on a context of one word, where nothing stands before the last one.

    Begin with zeros and set a 1 for each word of `context[:-1]`; the maximum of no rows is an error.
    """
    return one_hot(context[:-1], vocab).max(axis=0)


@misconception("skip_features", "features-integers")
def integers(context, vocab):
    """Your features are integers, not float64.

    Make them floats: `np.zeros` gives float64, and so does `.astype(float)`.
    """
    return skip_features(context, vocab).astype(int)


@misconception("skip_features", "features-booleans")
def booleans(context, vocab):
    """Your features are True and False instead of the numbers 1 and 0.

    Make numbers of them with `.astype(float)`.
    """
    return skip_features(context, vocab) == 1


@misconception("skip_features", "features-list")
def plain_list(context, vocab):
    """You returned a list, not an array.

    Make an array of it: `np.array(features)`.
    """
    return [float(number) for number in skip_features(context, vocab)]


@misconception("skip_features", "features-neighbour-left-out")
def neighbour_left_out(context, vocab):
    """You left out the word right before the last one.

    Only the last position is left out: `context[:-1]`.
    """
    return skip_features(context[:-1] or context, vocab)


@misconception("skip_features", "features-first-left-out")
def first_left_out(context, vocab):
    """You left out the first word of the context.

    Only the last position is left out: `context[:-1]`.
    """
    return skip_features(context[1:] or context, vocab)


@misconception("skip_features", "features-all-but-first")
def all_but_the_first(context, vocab):
    """You left out the first position of the context where it should be the last.

    The features are the words of `context[:-1]`; `context[1:]` holds the last word and not the first.
    """
    return np.array([float(word in context[1:]) for word in vocab])


@misconception("skip_features", "features-up-to-first-occurrence")
def up_to_the_first_occurrence(context, vocab):
    """You stopped where the last word stands for the first time.

    Stop at the last position, `context[:-1]`: `context.index(word)` finds the first of equal words.
    """
    return np.array([float(word in context[: context.index(context[-1])]) for word in vocab])


@misconception("skip_features", "features-last-only")
def last_word_only(context, vocab):
    """Only the last word is active.

    Active are the words before it: those of `context[:-1]`.
    """
    return one_hot(context[-1:], vocab)[0]


@misconception("skip_features", "features-first-only")
def first_word_only(context, vocab):
    """Only the first word of the context is active.

    All words before the last one are active, wherever they stand.
    """
    return np.array([float(word in context[:-1][:1]) for word in vocab])


@misconception("skip_features", "features-shares")
def shares(context, vocab):
    """You divided the features by their sum, the number of different words before the last one.

    Activities are 1 or 0, present or not: divide by nothing.
    """
    features = skip_features(context, vocab)
    return features / max(features.sum(), 1)


@misconception("skip_features", "features-shares-of-occurrences")
def shares_of_occurrences(context, vocab):
    """You divided how often each word occurs before the last one by how many words there are.

    Activities are 1 or 0, present or not, however often.
    """
    return one_hot(context[:-1], vocab).sum(axis=0) / max(len(context) - 1, 1)


@misconception("skip_features", "features-matrix")
def row_per_word(context, vocab):
    """You returned a row per earlier word, not one vector.

    Put them together into one vector of V numbers: 1 where any of the rows has a 1.
    """
    return one_hot(context[:-1], vocab)


@misconception("skip_features", "features-one-row-matrix")
def one_row_matrix(context, vocab):
    """You returned a matrix of one row instead of a vector.

    Return a vector, (V,): without `keepdims`, and row 0 of a matrix.
    """
    return skip_features(context, vocab)[None]


@misconception("skip_features", "features-unique-words")
def words_that_occur_once(context, vocab):
    """A word that occurs twice before the last one is not active.

    1 for each word that occurs there, once or more often.
    """
    return np.array([float(context[:-1].count(word) == 1) for word in vocab])


@misconception("skip_features", "features-inverted")
def inverted(context, vocab):
    """Your features are the wrong way round: 0 for the words before the last one, 1 for the others.

    1 means present, 0 absent.
    """
    return 1 - skip_features(context, vocab)


@misconception("skip_features", "features-words")
def words_themselves(context, vocab):
    """You returned words, not a number for each word of the vocabulary.

    Return V numbers: 1 at the place of each word of `context[:-1]`, 0 elsewhere.
    """
    return sorted(set(context[:-1]))


@misconception("skip_features", "features-numbers")
def numbers_of_the_words(context, vocab):
    """You returned the numbers of the earlier words, not a vector of zeros and ones.

    Write a 1 at each of these places: `features[numbers] = 1`, with `features = np.zeros(len(vocab))`.
    """
    return np.array([vocab.index(word) for word in context[:-1]])


@misconception("skip_features", "features-recent-more")
def recent_words_count_more(context, vocab):
    """Your features say where a word stands, not whether it is there.

    Every word before the last one has activity 1, near or far.
    """
    features = np.zeros(len(vocab))
    for place, word in enumerate(context[:-1], start=1):
        features[vocab.index(word)] = place
    return features


@misconception("skip_features", "features-repeats-dropped")
def repeats_dropped_first(context, vocab):
    """You drop repeated words before you leave out the last one: if that came earlier, another word is left out for it.

    Which words stand before the last one in "a", "b", "a", and which are in your list? Leave out the last one first.
    """
    return skip_features(list(dict.fromkeys(context)), vocab)
