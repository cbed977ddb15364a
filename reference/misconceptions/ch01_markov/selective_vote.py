"""What goes wrong in `selective_vote`."""

from reference.ch01_markov import (
    skip_features,
    vote,
)
from reference.misconceptions import misconception


@misconception("selective_vote", "selective-mask-ignored")
def mask_ignored(context, skips, mask, vocab):
    """Your mask changes nothing: all active pairs vote.

    Multiply the feature activities by the mask before the rows are added up.
    """
    return vote(context, skips, vocab)


@misconception("selective_vote", "selective-mask-inverted")
def mask_inverted(context, skips, mask, vocab):
    """Your mask works the wrong way round: it silences the words it should let speak.

    1 means "may vote", here and for every mask of the course: multiply by the mask, not by 1 − mask.
    """
    return ((1 - mask) * skip_features(context, vocab)) @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-mask-on-votes")
def mask_on_votes(context, skips, mask, vocab):
    """You masked the words that are voted for instead of the words that vote.

    Multiply the feature activities by the mask first, then add up the rows.
    """
    return mask * vote(context, skips, vocab)


@misconception("selective_vote", "selective-absent-words-vote")
def absent_words_vote(context, skips, mask, vocab):
    """Every word the mask allows votes, even one that is not in the context.

    Multiply the mask by the feature activities: to vote, a word must be both allowed and present.
    """
    return mask @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-averaged")
def masked_votes_averaged(context, skips, mask, vocab):
    """You divided the votes by the sum of the masked activities.

    Add the masked rows up and leave the sum: they are votes, not shares. Weights that sum to 1 come with the softmax.
    """
    activities = mask * skip_features(context, vocab)
    return activities @ skips[:, vocab.index(context[-1])] / (activities.sum() or 1)
