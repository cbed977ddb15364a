"""What goes wrong in `vote`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    skip_features,
)
from reference.misconceptions import misconception


@misconception("vote", "vote-averaged")
def votes_averaged(context, skips, vocab):
    """You divided the votes by the number of active pairs.

    Add the rows up and leave the sum: 5 to 4 tells how many pairs voted, .56 to .44 does not.
    """
    features = skip_features(context, vocab)
    return features @ skips[:, vocab.index(context[-1])] / max(features.sum(), 1)


@misconception("vote", "vote-as-probabilities")
def votes_as_probabilities(context, skips, vocab):
    """You divided the votes by their sum, as if they were probabilities.

    Add the rows up and leave the sum: 5 to 4 are votes and need not sum to 1.
    """
    votes = skip_features(context, vocab) @ skips[:, vocab.index(context[-1])]
    return votes / votes.sum() if votes.any() else votes


@misconception("vote", "vote-duplicates-counted")
def votes_of_every_occurrence(context, skips, vocab):
    """A word that occurs twice before the last one votes twice.

    Each pair votes once: multiply by `skip_features`, which are 0 or 1.
    """
    return one_hot(context[:-1], vocab).sum(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-last-included")
def last_word_votes(context, skips, vocab):
    """The last word votes as if it stood before itself.

    Only words of `context[:-1]` are active; `skip_features` says which.
    """
    return one_hot(context, vocab).max(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-neighbour-only")
def neighbour_votes(context, skips, vocab):
    """Only the word right before the last one votes.

    All words before the last one vote: add the rows of all active features.
    """
    return one_hot(context[-2:-1], vocab).sum(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-axes-swapped")
def last_word_on_the_first_axis(context, skips, vocab):
    """You took the rows skips[last word, earlier] instead of skips[earlier, last word].

    The first axis of `skips` is the earlier word: fix the last word on the second one, `skips[:, i]`.
    """
    return skip_features(context, vocab) @ skips[vocab.index(context[-1])]


@misconception("vote", "vote-next-fixed")
def last_word_on_the_last_axis(context, skips, vocab):
    """You fixed the last word on the third axis of `skips`, which is the next word's.

    The axes are [earlier, current, next]: fix the last word on the second one, `skips[:, i]`.
    """
    return skip_features(context, vocab) @ skips[:, :, vocab.index(context[-1])]


@misconception("vote", "vote-multiplied")
def votes_multiplied(context, skips, vocab):
    """You multiplied the rows instead of adding them.

    Add them up: a single 0 would silence all other votes.
    """
    rows = skips[:, vocab.index(context[-1])]
    return np.prod([rows[vocab.index(word)] for word in sorted(set(context[:-1]))] or np.zeros((1, len(vocab))), axis=0)


@misconception("vote", "vote-largest")
def largest_votes(context, skips, vocab):
    """You took the largest vote of all earlier words for each next word, not the sum.

    Add the rows of all active features.
    """
    return (skip_features(context, vocab)[:, None] * skips[:, vocab.index(context[-1])]).max(axis=0)


@misconception("vote", "vote-absent-words")
def absent_words_vote(context, skips, vocab):
    """All words of the vocabulary vote, even those that are not in the context.

    Only words before the last one vote: multiply by `skip_features`.
    """
    return skips[:, vocab.index(context[-1])].sum(axis=0)


@misconception("vote", "vote-inner-sum")
def rows_summed_along_the_next_word(context, skips, vocab):
    """You added up along the next word's axis, so that each earlier word has a number.

    Add the rows to each other, along the earlier words' axis: `features @ rows`.
    """
    return skip_features(context, vocab) * skips[:, vocab.index(context[-1])].sum(axis=1)


@misconception("vote", "vote-table-on-the-left")
def table_on_the_left(context, skips, vocab):
    """The table stands on the left of your product, so that the features meet the next words.

    Put the features on the left, `features @ rows`: they choose among the rows.
    """
    return skips[:, vocab.index(context[-1])] @ skip_features(context, vocab)


@misconception("vote", "vote-not-added")
def rows_not_added(context, skips, vocab):
    """You did not add the rows up: your result is (V, V).

    Sum over the earlier words, the first axis, or let `@` do it: `features @ rows`.
    """
    return skip_features(context, vocab)[:, None] * skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-every-current-word")
def every_current_word(context, skips, vocab):
    """You did not choose the rows of the last word: your result is (V, V), with votes for every current word.

    The current word is known, `context[-1]`: fix it on the second axis, `skips[:, i]`.
    """
    return np.tensordot(skip_features(context, vocab), skips, axes=1)


@misconception("vote", "vote-all-current-words-added")
def all_current_words_added(context, skips, vocab):
    """You added up the votes over all current words, so that the last word makes no difference.

    The current word is known, `context[-1]`: fix it on the second axis, `skips[:, i]`.
    """
    return np.tensordot(skip_features(context, vocab), skips, axes=1).sum(axis=0)


@misconception("vote", "vote-word-before-as-current")
def word_before_as_current(context, skips, vocab):
    """You took the last word but one as the current word.

    The current word is the context's last: `context[-1]`.
    """
    return skip_features(context, vocab) @ skips[:, vocab.index(context[-2:][0])]
