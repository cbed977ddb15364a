"""What goes wrong in `vote`."""

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
