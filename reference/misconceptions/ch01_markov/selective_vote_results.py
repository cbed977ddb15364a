"""What goes wrong in `selective_vote`: who votes, and what is returned."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    selective_vote,
    skip_features,
    vote,
)
from reference.misconceptions import misconception


@misconception("selective_vote", "selective-duplicates-counted")
def votes_of_every_occurrence(context, skips, mask, vocab):
    """A word that occurs twice before the last one votes twice.

    Each pair votes once: multiply the mask by `skip_features`, which are 0 or 1.
    """
    return (mask * one_hot(context[:-1], vocab).sum(axis=0)) @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-last-included")
def last_word_votes(context, skips, mask, vocab):
    """The last word votes as if it stood before itself.

    Only words of `context[:-1]` are active; `skip_features` says which.
    """
    return (mask * one_hot(context, vocab).max(axis=0)) @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-axes-swapped")
def last_word_on_the_first_axis(context, skips, mask, vocab):
    """You took the rows skips[last word, earlier] instead of skips[earlier, last word].

    The first axis of `skips` is the earlier word: fix the last word on the second one, `skips[:, i]`.
    """
    return selective_vote(context, skips.swapaxes(0, 1), mask, vocab)


@misconception("selective_vote", "selective-next-fixed")
def last_word_on_the_last_axis(context, skips, mask, vocab):
    """You fixed the last word on the third axis of `skips`, which is the next word's.

    The axes are [earlier, current, next]: fix the last word on the second one, `skips[:, i]`.
    """
    return selective_vote(context, skips.swapaxes(1, 2), mask, vocab)


@misconception("selective_vote", "selective-table-on-the-left")
def table_on_the_left(context, skips, mask, vocab):
    """The table stands on the left of your product, so that the features meet the next words.

    Put the masked features on the left, `features @ rows`: they choose among the rows.
    """
    return skips[:, vocab.index(context[-1])] @ (mask * skip_features(context, vocab))


@misconception("selective_vote", "selective-not-added")
def rows_not_added(context, skips, mask, vocab):
    """You did not add the masked rows up: your result is (V, V).

    Sum over the earlier words, the first axis, or let `@` do it: `features @ rows`.
    """
    return (mask * skip_features(context, vocab))[:, None] * skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-as-probabilities")
def votes_as_probabilities(context, skips, mask, vocab):
    """You divided the votes by their sum, as if they were probabilities.

    Add the masked rows up and leave the sum: votes need not sum to 1.
    """
    votes = selective_vote(context, skips, mask, vocab)
    return votes / votes.sum() if votes.any() else votes


@misconception("selective_vote", "selective-as-probabilities-nan")
def probabilities_and_nan(context, skips, mask, vocab):
    """You divided the votes by their sum, which gives NaN where there are no votes.

    Add the masked rows up and leave the sum: votes need not sum to 1.
    """
    votes = selective_vote(context, skips, mask, vocab)
    with np.errstate(invalid="ignore"):
        return votes / votes.sum()


@misconception("selective_vote", "selective-by-mask-sum")
def divided_by_the_mask(context, skips, mask, vocab):
    """You divided the votes by the sum of the mask.

    Add the masked rows up and leave the sum: they are votes, not averages.
    """
    return selective_vote(context, skips, mask, vocab) / mask.sum()


@misconception("selective_vote", "selective-mask-added")
def mask_added(context, skips, mask, vocab):
    """You added the mask to the features instead of multiplying by it.

    Multiply: only a product is 0 where either of the two is.
    """
    return (mask + skip_features(context, vocab)) @ skips[:, vocab.index(context[-1])]


@misconception("selective_vote", "selective-mask-of-last-word")
def mask_of_the_last_word(context, skips, mask, vocab):
    """You multiplied the votes by the last word's entry of the mask alone.

    Entry i of the mask belongs to earlier word i: multiply the features by the whole mask.
    """
    return mask[vocab.index(context[-1])] * vote(context, skips, vocab)


@misconception("selective_vote", "selective-mask-by-position")
def mask_by_position(context, skips, mask, vocab):
    """You took the mask's entries by the words' positions in the context.

    Entry i of the mask belongs to word i of `vocab`, wherever it stands.
    """
    votes = np.zeros(len(vocab))
    for place, word in enumerate(context[:-1]):
        votes += mask[place % len(mask)] * skips[vocab.index(word), vocab.index(context[-1])]
    return votes


@misconception("selective_vote", "selective-one-row-matrix")
def one_row_matrix(context, skips, mask, vocab):
    """You returned a matrix of one row instead of a vector.

    Votes are a vector, (V,): take row 0, or multiply the features themselves, not a matrix of one row.
    """
    return selective_vote(context, skips, mask, vocab)[None]


@misconception("selective_vote", "selective-changes-skips")
def writes_into_the_table(context, skips, mask, vocab):
    """You wrote into `skips`: a slice of an array is a view, and what you do to it is done to the table.

    The next vote needs the table as it was. Which form of your product makes a new array?

    Multiply without `=`, or leave both to a product: `(mask * features) @ rows`.
    """
    rows = skips[:, vocab.index(context[-1])]
    rows *= (mask * skip_features(context, vocab))[:, None]
    return rows.sum(axis=0)


@misconception("selective_vote", "selective-averaged-error")
def averaged_or_an_error(context, skips, mask, vocab):
    """You divide the votes by the sum of the masked activities, as `np.average` does, which fails where that sum is 0.

    Two words that vote for the same next word count twice as much as one. Which sum of rows is left undivided?
    """
    weights = skip_features(context, vocab) * mask
    return np.average(skips[:, vocab.index(context[-1])], axis=0, weights=weights)


@misconception("selective_vote", "selective-removed-from-context")
def masked_words_removed_from_the_context(context, skips, mask, vocab):
    """You remove masked words from the context, the last word too: where its mask is 0, you take another word for it.

    The mask says who may vote, not which word was heard last. And what becomes of an entry of .5?
    """
    return vote([word for word in context if mask[vocab.index(word)] != 0], skips, vocab)


@misconception("selective_vote", "selective-minimum")
def smaller_of_feature_and_mask(context, skips, mask, vocab):
    """You take the smaller of feature and mask, not their product, which differs for entries above 1 or below 0.

    The mask is a weight, whatever its size: multiply the features by it.
    """
    return np.minimum(skip_features(context, vocab), mask) @ skips[:, vocab.index(context[-1])]
