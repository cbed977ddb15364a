"""What goes wrong in `attended_word`."""

from reference.misconceptions import misconception


@misconception("attended_word", "attended-word-columns")
def columns(weights, words):
    """You look along the columns: for each word, which word attends to it most.

    A row belongs to the word that looks. Take the largest number of each row: `dim=-1`.
    """
    return [words[place] for place in weights.argmax(dim=0).tolist()]


@misconception("attended_word", "attended-word-ties-to-the-later")
def ties_to_the_later(weights, words):
    """Of words with the same weight you take the last one.

    Take the first one. `argmax` gives it; `>=` in a loop, or sorting upwards and taking the end, does not.
    """
    size = len(words)
    return [words[size - 1 - place] for place in weights.flip(-1).argmax(dim=-1).tolist()]


@misconception("attended_word", "attended-word-least")
def least(weights, words):
    """You name the word with the smallest weight.

    Take the largest weight: `argmax`.
    """
    return [words[place] for place in weights.argmin(dim=-1).tolist()]


@misconception("attended_word", "attended-word-not-itself")
def not_itself(weights, words):
    """You do not let a word attend to itself.

    The diagonal counts like every other weight: a head may well look at the word itself.
    """
    others = weights.clone()
    others.fill_diagonal_(-1)
    return [words[place] for place in others.argmax(dim=-1).tolist()]


@misconception("attended_word", "attended-word-earlier-only")
def earlier_only(weights, words):
    """You look at earlier words and the word itself only.

    If there is a mask, the weights already contain it. Look at the whole row.
    """
    return [words[row[: place + 1].argmax().item()] for place, row in enumerate(weights)]


@misconception("attended_word", "attended-word-places")
def places(weights, words):
    """You return places instead of words.

    A place in a row is a place in `words`: look it up there.
    """
    return weights.argmax(dim=-1).tolist()


@misconception("attended_word", "attended-word-whole-matrix")
def whole_matrix(weights, words):
    """You search the whole matrix and name one word for all.

    Every word has a row of its own. `argmax` needs the axis: `dim=-1`.
    """
    return [words[weights.argmax().item() % len(words)]] * len(words)


@misconception("attended_word", "attended-word-pairs")
def pairs(weights, words):
    """You return pairs of words; return only the word that gets the attention.

    Place t of the list belongs to word t, so the first of each pair is known.
    """
    return [(word, words[place]) for word, place in zip(words, weights.argmax(dim=-1).tolist(), strict=True)]


@misconception("attended_word", "attended-word-each-once")
def each_once(weights, words):
    """You name each word once, though several words attend to it.

    The list has a word for each row: keep repetitions in it.
    """
    return list(dict.fromkeys(words[place] for place in weights.argmax(dim=-1).tolist()))


@misconception("attended_word", "attended-word-tensor-index")
def tensor_index(weights, words):
    """You look words up in a list with a whole tensor of places, which a list cannot do.

    Go through the places one by one: `[words[place] for place in places.tolist()]`.
    """
    return words[weights.argmax(dim=-1)]


@misconception("attended_word", "attended-word-sums")
def most_attended(weights, words):
    """You name the word that gets the most attention from all words together.

    Each word is asked by itself: compare within its row, without adding up rows.
    """
    return [words[weights.sum(dim=0).argmax().item()]] * len(words)
