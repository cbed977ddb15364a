"""What goes wrong in `skip_features`."""

import numpy as np

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
