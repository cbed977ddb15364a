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
