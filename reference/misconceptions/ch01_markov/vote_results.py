"""What goes wrong in `vote`: who votes, and what is returned."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
    skip_features,
    vote,
)
from reference.misconceptions import misconception


@misconception("vote", "vote-without-the-neighbour")
def neighbour_left_out(context, skips, vocab):
    """The word right before the last one does not vote.

    All words before the last one vote: `context[:-1]`.
    """
    return one_hot(context[:-2], vocab).sum(axis=0).clip(max=1) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-without-the-last-word")
def repeated_last_word_silent(context, skips, vocab):
    """The last word does not vote even where it also occurs earlier.

    Leave out the last position, not the word: `skip_features` does.
    """
    features = skip_features(context, vocab)
    features[vocab.index(context[-1])] = 0
    return features @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-first-word-only")
def first_word_votes(context, skips, vocab):
    """Only the first word of the context votes.

    All words before the last one vote: add the rows of all active features.
    """
    return one_hot(context[:-1][:1], vocab).sum(axis=0) @ skips[:, vocab.index(context[-1])]


@misconception("vote", "vote-one-row-matrix")
def one_row_matrix(context, skips, vocab):
    """You returned a matrix of one row instead of a vector.

    Votes are a vector, (V,): take row 0, or multiply the features themselves, not a matrix of one row.
    """
    return vote(context, skips, vocab)[None]


@misconception("vote", "vote-winner-one-hot")
def winner_one_hot(context, skips, vocab):
    """You returned a 1 for the winner only.

    Return all votes, (V,); choosing the winner is a later step.
    """
    votes = vote(context, skips, vocab)
    return np.eye(len(vocab))[votes.argmax()] * votes.any()


@misconception("vote", "vote-winner")
def winning_word(context, skips, vocab):
    """You returned the winning word, not the votes.

    Return all votes, (V,); choosing the winner is a later step.
    """
    return vocab[int(vote(context, skips, vocab).argmax())]


@misconception("vote", "vote-winning-number")
def winning_number(context, skips, vocab):
    """You returned the number of the winning word, not the votes.

    Return all votes, (V,); choosing the winner is a later step.
    """
    return int(vote(context, skips, vocab).argmax())


@misconception("vote", "vote-by-length")
def divided_by_the_length(context, skips, vocab):
    """You divided the votes by the number of words before the last one.

    Add the rows up and leave the sum: they are votes, not shares.
    """
    return vote(context, skips, vocab) / max(len(context) - 1, 1)


@misconception("vote", "vote-softmax")
def softmax_of_votes(context, skips, vocab):
    """You took the softmax of the votes.

    Add the rows up and leave the sum: they are votes, not probabilities.
    """
    weights = np.exp(vote(context, skips, vocab))
    return weights / weights.sum()


@misconception("vote", "vote-as-probabilities-nan")
def probabilities_and_nan(context, skips, vocab):
    """You divided the votes by their sum, which gives NaN where there are no votes.

    Add the rows up and leave the sum: 5 to 4 are votes and need not sum to 1.
    """
    votes = vote(context, skips, vocab)
    with np.errstate(invalid="ignore"):
        return votes / votes.sum()


@misconception("vote", "vote-averaged-nan")
def averaged_and_nan(context, skips, vocab):
    """You divided the votes by the number of active pairs, which gives NaN where there are none.

    Add the rows up and leave the sum: 5 to 4 tells how many pairs voted, .56 to .44 does not.
    """
    with np.errstate(invalid="ignore"):
        return vote(context, skips, vocab) / skip_features(context, vocab).sum()


@misconception("vote", "vote-multiplied-ones")
def votes_multiplied_from_one(context, skips, vocab):
    """You multiplied the rows instead of adding them; where no word votes, that leaves ones.

    Add them up: a single 0 would silence all other votes, and no votes are zeros.
    """
    rows = skips[:, vocab.index(context[-1])]
    return np.prod(rows[skip_features(context, vocab) > 0], axis=0)


@misconception("vote", "vote-changes-skips")
def writes_into_the_table(context, skips, vocab):
    """You wrote into `skips`: a slice of an array is a view, and what you do to it is done to the table.

    The next vote needs the table as it was. Which form of your product makes a new array?

    Multiply without `=`, or leave both to a product: `features @ rows`.
    """
    rows = skips[:, vocab.index(context[-1])]
    rows *= skip_features(context, vocab)[:, None]
    return rows.sum(axis=0)


@misconception("vote", "vote-equal-rows-once")
def equal_rows_vote_once(context, skips, vocab):
    """Earlier words whose rows are equal cast one vote together, as in a set of rows.

    Each word counts once, and so does each word's row, even if it equals another's. What has to be distinct?
    """
    rows = skips[skip_features(context, vocab) > 0, vocab.index(context[-1])]
    return np.unique(rows, axis=0).sum(axis=0)
