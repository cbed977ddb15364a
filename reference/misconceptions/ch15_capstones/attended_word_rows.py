"""What goes wrong in `attended_word`: rows, ties and the caller's weights."""

from reference.misconceptions import misconception


@misconception("attended_word", "attended-word-diagonal-overwritten")
def diagonal_overwritten(weights, words):
    """You do not let a word attend to itself, and overwrite the diagonal of the caller's weights.

    The diagonal counts like every other weight; leave the weights as they are.
    """
    weights.fill_diagonal_(0)
    return [words[place] for place in weights.argmax(dim=-1).tolist()]


@misconception("attended_word", "attended-word-first-row")
def first_row(weights, words):
    """You look at one row only.

    Every word has a row of its own: `argmax(dim=-1)` answers for all of them.
    """
    return [words[int(weights[0].argmax())]] * len(words)


@misconception("attended_word", "attended-word-last-row")
def last_row(weights, words):
    """You look at the last row only.

    Every word has a row of its own: `argmax(dim=-1)` answers for all of them.
    """
    return [words[int(weights[-1].argmax())]] * len(words)


@misconception("attended_word", "attended-word-second")
def second_largest(weights, words):
    """You name the word with the second largest weight.

    Take the largest, even if it is the word's own.
    """
    return [words[int(row.argsort(descending=True, stable=True)[min(1, len(row) - 1)])] for row in weights]


@misconception("attended_word", "attended-word-weights")
def the_weights(weights, words):
    """You return the largest weights instead of words.

    `max` gives the weight; `argmax` gives its place, and `words[place]` the word.
    """
    return weights.max(dim=-1).values.tolist()


@misconception("attended_word", "attended-word-all-ties")
def all_ties(weights, words):
    """For each row you return a list of all words with the largest weight, even if there is only one.

    Return one word for each: the one that comes first in the text.
    """
    return [[w for w, weight in zip(words, row.tolist(), strict=True) if weight == row.max()] for row in weights]


@misconception("attended_word", "attended-word-first-missing")
def first_missing(weights, words):
    """You do not look at the first word of each row.

    Every column counts, also that of the first word.
    """
    return [words[int(row[1:].argmax()) + 1] if len(row) > 1 else words[0] for row in weights]


@misconception("attended_word", "attended-word-later-missing")
def last_missing(weights, words):
    """You do not look at the last word of each row.

    Every column counts, also that of the last word.
    """
    return [words[int(row[:-1].argmax())] if len(row) > 1 else words[0] for row in weights]


@misconception("attended_word", "attended-word-sorted")
def sorted_words(weights, words):
    """You sort the words, so places no longer belong to them.

    A place in a row is a place in the text: leave `words` in its order.
    """
    return [sorted(words)[place] for place in weights.argmax(dim=-1).tolist()]
