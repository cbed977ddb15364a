"""What goes wrong in `selective_vote`."""

import numpy as np

from reference.ch01_markov import (
    selective_vote,
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


@misconception("selective_vote", "selective-yes-or-no")
def mask_as_yes_or_no(context, skips, mask, vocab):
    """You took the mask as yes or no: every entry above 0 lets a word vote in full.

    Multiply by the mask itself: a word with .5 has half a vote.
    """
    return selective_vote(context, skips, (mask > 0).astype(float), vocab)


@misconception("selective_vote", "selective-ones-only")
def only_ones_count(context, skips, mask, vocab):
    """Only words with exactly 1 in the mask vote; every other entry counts as 0.

    Multiply by the mask itself: a word with .5 has half a vote.
    """
    return selective_vote(context, skips, (mask == 1).astype(float), vocab)


@misconception("selective_vote", "selective-half-or-more")
def half_or_more(context, skips, mask, vocab):
    """Words with more than .5 in the mask vote in full, all others not at all.

    Multiply by the mask itself: a word with .5 has half a vote.
    """
    return selective_vote(context, skips, (mask > 0.5).astype(float), vocab)


@misconception("selective_vote", "selective-whole-numbers")
def whole_numbers(context, skips, mask, vocab):
    """You rounded the mask down to whole numbers.

    Multiply by the mask itself: a word with .5 has half a vote.
    """
    return selective_vote(context, skips, np.floor(mask), vocab)


@misconception("selective_vote", "selective-mask-changed")
def mask_changed(context, skips, mask, vocab):
    """You multiplied the caller's mask in place, so that it is no longer the mask.

    Make a new array, `mask * skip_features(context, vocab)`: `*=` changes what the caller gave you.
    """
    mask *= skip_features(context, vocab)
    return mask @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-skips-changed")
def skips_changed(context, skips, mask, vocab):
    """You multiplied the caller's `skips` in place.

    Make a new array: `*=` changes what the caller gave you, and the next vote begins with it.
    """
    rows = skips[:, vocab.index(context[-1])]
    rows *= mask[:, None]
    return skip_features(context, vocab) @ rows


@misconception("selective_vote", "selective-mask-twice")
def mask_twice(context, skips, mask, vocab):
    """You multiplied by the mask twice.

    Multiply the features by it once, before the rows are added.
    """
    return selective_vote(context, skips, mask * mask, vocab)
