"""Votes that are rounded, counted or cast for a single word before they are added up, in both kinds of vote."""

import numpy as np

from reference.ch01_markov import skip_features
from reference.misconceptions import misconception


@misconception("vote", "vote-unanimous-only")
def only_sure_pairs_vote(context, skips, vocab):
    """Only a share of exactly 1 votes; every other share counts as 0.

    A pair that was followed by a word in 2 of 5 cases gives that word 0.4 of a vote. Which entries do you leave out?
    """
    return skip_features(context, vocab) @ (skips[:, vocab.index(context[-1])] == 1).astype(float)


@misconception("vote", "vote-whole-shares")
def shares_rounded_down(context, skips, vocab):
    """You rounded each share down to a whole number before adding up.

    A share is between 0 and 1, and all of it counts. What is left of 0.4 in whole numbers?
    """
    return skip_features(context, vocab) @ np.floor(skips[:, vocab.index(context[-1])])


@misconception("vote", "vote-yes-or-no")
def each_share_counts_as_one(context, skips, vocab):
    """Every share above 0 counts as a full vote.

    A pair that was followed by a word once in five times says less for it than one that always was. Use the share.
    """
    return skip_features(context, vocab) @ (skips[:, vocab.index(context[-1])] > 0).astype(float)


@misconception("vote", "vote-for-the-favourite")
def each_word_votes_for_its_favourite(context, skips, vocab):
    """Each earlier word gives one full vote to its most frequent next word, and nothing to the others.

    It votes with its whole row: a share for every word that followed.
    """
    votes = np.zeros(len(vocab))
    rows = skips[:, vocab.index(context[-1])]
    for row in rows[skip_features(context, vocab) > 0]:
        if row.any():
            votes[row.argmax()] += 1
    return votes


@misconception("selective_vote", "selective-whole-shares")
def selected_shares_rounded_down(context, skips, mask, vocab):
    """You rounded each share down to a whole number before adding up.

    A share is between 0 and 1, and all of it counts. What is left of 0.4 in whole numbers?
    """
    return (skip_features(context, vocab) * mask) @ np.floor(skips[:, vocab.index(context[-1])])


@misconception("selective_vote", "selective-every-share-full")
def each_selected_share_counts_as_one(context, skips, mask, vocab):
    """Every share above 0 counts as a full vote.

    A pair that was followed by a word once in five times says less for it than one that always was. Use the share.
    """
    shares = (skips[:, vocab.index(context[-1])] > 0).astype(float)
    return (skip_features(context, vocab) * mask) @ shares


@misconception("vote", "vote-ones-as-indices")
def ones_and_zeros_as_indices(context, skips, vocab):
    """Your features are whole numbers and serve as indices: they pick rows 0 and 1 of `skips`, again and again.

    As a mask, an index must hold True and False. Or leave the features numbers, and multiply by them.
    """
    return skips[skip_features(context, vocab).astype(int), vocab.index(context[-1])].sum(axis=0)


@misconception("vote", "vote-averaged-error")
def averaged_or_an_error(context, skips, vocab):
    """You divide the votes by the number of active pairs, as `np.average` does, which fails where there are none.

    Two words that vote for the same next word count twice as much as one. Which sum of rows is left undivided?
    """
    return np.average(skips[:, vocab.index(context[-1])], axis=0, weights=skip_features(context, vocab))


@misconception("vote", "vote-repeats-dropped")
def repeats_dropped_first(context, skips, vocab):
    """You drop repeated words before you take the last one, so a last word that came earlier is no longer last.

    Which word stands last in your list for a text of "a", "b", "a"? Take it from the context as it is.
    """
    words = list(dict.fromkeys(context))
    return skip_features(words, vocab) @ skips[:, vocab.index(words[-1])]


@misconception("selective_vote", "selective-repeats-dropped")
def repeats_dropped_before_masking(context, skips, mask, vocab):
    """You drop repeated words before you take the last one, so a last word that came earlier is no longer last.

    Which word stands last in your list for a text of "a", "b", "a"? Take it from the context as it is.
    """
    words = list(dict.fromkeys(context))
    return skip_features(words, vocab) * mask @ skips[:, vocab.index(words[-1])]
