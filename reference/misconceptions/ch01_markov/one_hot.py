"""What goes wrong in `one_hot`."""

import numpy as np

from reference.misconceptions import misconception


@misconception("one_hot", "one-hot-transposed")
def words_in_rows(tokens, vocab):
    """Your matrix has a row per word of the vocabulary and a column per token.

    Make it (T, V), a row per token: a text is then read from top to bottom, and row t can be multiplied by a table.
    """
    return np.array([[float(word == token) for token in tokens] for word in vocab])


@misconception("one_hot", "one-hot-bag-of-words")
def bag_of_words(tokens, vocab):
    """You added all tokens up into one vector, a bag of words that has lost their order.

    Keep a row for each token: (T, V), with a single 1 in each row.
    """
    return np.array([float(tokens.count(word)) for word in vocab])


@misconception("one_hot", "one-hot-integers")
def integers(tokens, vocab):
    """Your ones and zeros are integers.

    Make them float64, as `np.zeros` and `np.eye` do by default: these rows will meet shares and weights.
    """
    column = {word: number for number, word in enumerate(vocab)}
    return np.eye(len(vocab), dtype=int)[[column[token] for token in tokens]]


@misconception("one_hot", "one-hot-own-numbers")
def numbered_by_the_text(tokens, vocab):
    """You numbered the words of this text afresh instead of taking their places in `vocab`.

    The column of a word is its place in `vocab`, whatever text it stands in; otherwise you cannot compare two texts.
    """
    own = sorted(set(tokens))
    return np.eye(len(vocab))[[own.index(token) for token in tokens if token in vocab]]


@misconception("one_hot", "one-hot-unknown-zeros")
def zeros_for_unknown_words(tokens, vocab):
    """A word that is not in the vocabulary silently becomes a row of zeros.

    Raise a KeyError that names the word; a dictionary from word to number does so by itself.
    """
    return np.array([[float(word == token) for word in vocab] for token in tokens])


@misconception("one_hot", "one-hot-unknown-value-error")
def value_error_for_unknown_words(tokens, vocab):
    """A word that is not in the vocabulary raises ValueError, as `vocab.index` does, instead of KeyError.

    Look the word up in a dictionary from word to number: it raises KeyError, names the word, and is faster.
    """
    return np.eye(len(vocab))[[vocab.index(token) for token in tokens]]
