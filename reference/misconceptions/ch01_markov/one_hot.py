"""What goes wrong in `one_hot`."""

import numpy as np

from reference.ch01_markov import (
    one_hot,
)
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


@misconception("one_hot", "one-hot-error-names-no-word")
def error_without_the_word(tokens, vocab):
    """Your KeyError does not name the word.

    Put the word into the message, `raise KeyError(token)`: of a long text, the reader must know which one it was.
    """
    if any(token not in vocab for token in tokens):
        raise KeyError("a token is not in the vocabulary")
    return one_hot(tokens, vocab)


@misconception("one_hot", "one-hot-each-word-once")
def each_word_once(tokens, vocab):
    """You made one row for each distinct token, so that a word that comes twice has a single row.

    A row per token, in the order of the text: a text of T tokens has T rows, repeated words included.
    """
    return one_hot(list(dict.fromkeys(tokens)), vocab)


@misconception("one_hot", "one-hot-each-word-once-sorted")
def each_word_once_and_sorted(tokens, vocab):
    """You made one row for each distinct token, in sorted order.

    A row per token, in the order of the text: a text of T tokens has T rows, repeated words included.
    """
    return one_hot(sorted(set(tokens)), vocab)


@misconception("one_hot", "one-hot-sorted-tokens")
def sorted_tokens(tokens, vocab):
    """Your rows are in the sorted order of the tokens, not in the order of the text.

    Row t belongs to token t: go through `tokens` as they are.
    """
    return one_hot(sorted(tokens), vocab)


@misconception("one_hot", "one-hot-float32")
def single_precision(tokens, vocab):
    """Your matrix is float32, not float64.

    Leave out the dtype: `np.zeros` and `np.eye` give float64.
    """
    return one_hot(tokens, vocab).astype(np.float32)


@misconception("one_hot", "one-hot-booleans")
def booleans(tokens, vocab):
    """Your matrix holds True and False instead of the numbers 1 and 0.

    Make numbers of them with `.astype(float)`: these rows will meet shares and weights.
    """
    return one_hot(tokens, vocab) == 1


@misconception("one_hot", "one-hot-list")
def list_of_rows(tokens, vocab):
    """You returned a list of rows, not an array.

    Make an array of it: `np.array(rows)`.
    """
    return [[float(number) for number in row] for row in one_hot(tokens, vocab)]


@misconception("one_hot", "one-hot-positions")
def position_as_column(tokens, vocab):
    """The 1 of token t is in column t, its place in the text.

    The column is the word's place in `vocab`, so that equal words have equal rows.
    """
    return np.eye(len(tokens), len(vocab))


@misconception("one_hot", "one-hot-shifted")
def columns_from_one(tokens, vocab):
    """The 1 of each word is one column too far to the right.

    Count columns from 0: the first word of `vocab` is column 0, as `enumerate(vocab)` numbers it.
    """
    return np.roll(one_hot(tokens, vocab), 1, axis=1)


@misconception("one_hot", "one-hot-numbers")
def numbers_instead_of_ones(tokens, vocab):
    """In each word's column there is its number instead of a 1.

    Write 1 in the column of the word, whatever its number is.
    """
    return one_hot(tokens, vocab) * np.arange(len(vocab))


@misconception("one_hot", "one-hot-ids")
def numbers_of_the_words(tokens, vocab):
    """You returned the numbers of the words, not their one-hot rows.

    Turn each number into a row of zeros with a 1 in that column: `np.eye(len(vocab))[numbers]`.
    """
    return one_hot(tokens, vocab).argmax(axis=1)


@misconception("one_hot", "one-hot-lower-case")
def lower_case(tokens, vocab):
    """You made the tokens lower case before looking them up.

    Look each token up as it is: "Ran" and "ran" are two words.
    """
    return one_hot([token.lower() for token in tokens], vocab)


@misconception("one_hot", "one-hot-unknown-left-out")
def unknown_words_left_out(tokens, vocab):
    """A word that is not in the vocabulary is left out, without an error.

    Raise a KeyError that names the word; a dictionary from word to number does so by itself.
    """
    return one_hot([token for token in tokens if token in vocab], vocab)


@misconception("one_hot", "one-hot-unknown-first")
def unknown_words_as_the_first(tokens, vocab):
    """A word that is not in the vocabulary silently becomes the first word of it.

    Raise a KeyError that names the word; a dictionary from word to number does so by itself.
    """
    return one_hot([token if token in vocab else vocab[0] for token in tokens], vocab)


@misconception("one_hot", "one-hot-unknown-last")
def unknown_words_as_the_last(tokens, vocab):
    """A word that is not in the vocabulary silently becomes the last word of it.

    Raise a KeyError that names the word: index −1, which stands for "not found", is the last column in NumPy.
    """
    return one_hot([token if token in vocab else vocab[-1] for token in tokens], vocab)


@misconception("one_hot", "one-hot-unknown-none")
def none_for_unknown_words(tokens, vocab):
    """For a text with an unknown word you return None instead of raising.

    Raise a KeyError that names the word, so that the caller cannot overlook it.
    """
    return one_hot(tokens, vocab) if set(tokens) <= set(vocab) else None


@misconception("one_hot", "one-hot-first-only")
def first_place_only(tokens, vocab):
    """A word that occurs again gets a 1 only at its first place; its later rows are all 0.

    Each row belongs to a token, not to a word: go through the places of the text, not through its different words.
    """
    rows = np.zeros((len(tokens), len(vocab)))
    for word in tokens:
        if word not in vocab:
            raise KeyError(word)
        rows[tokens.index(word), vocab.index(word)] = 1.0
    return rows


@misconception("one_hot", "one-hot-by-beginning")
def found_by_its_beginning(tokens, vocab):
    """You find a word by its beginning: a token that is only part of a word gets that word's column.

    Is "pro" in the vocabulary if "program" is? Compare whole words.
    """
    for token in tokens:
        if not any(word.startswith(token) for word in vocab):
            raise KeyError(token)
    column = [next(number for number, word in enumerate(vocab) if word.startswith(token)) for token in tokens]
    return np.eye(len(vocab))[column]


@misconception("one_hot", "one-hot-split-at-spaces")
def split_at_spaces(tokens, vocab):
    """You split tokens at spaces, so a token that holds a space gets two rows.

    The tokens are in a list already, and a word may be any text. What does splitting them gain?
    """
    column = {word: number for number, word in enumerate(vocab)}
    return np.eye(len(vocab))[[column[token] for token in " ".join(tokens).split()]]


@misconception("one_hot", "one-hot-first-row")
def ones_in_the_first_row(tokens, vocab):
    """All your ones are in the first row, as when a flat index (`np.put`) counts through the whole array.

    Column 3 of row 2 is not number 3 of the array. Each 1 needs two numbers, its row and its column.
    """
    index = {word: number for number, word in enumerate(vocab)}
    rows = np.zeros((len(tokens), len(vocab)))
    rows.flat[[index[token] for token in tokens]] = 1.0
    return rows


@misconception("one_hot", "one-hot-unknown-neighbour")
def unknown_gets_the_next_column(tokens, vocab):
    """An unknown word that sorts before the last word of `vocab` gets the column of the next word, without an error.

    `searchsorted` says where a word would belong, not that it is there. What do you find at that place?
    """
    places = np.searchsorted(np.array(vocab, dtype=str), np.array(tokens, dtype=str))
    for token, place in zip(tokens, places, strict=True):
        if place == len(vocab):
            raise KeyError(token)
    return np.eye(len(vocab))[places]


@misconception("one_hot", "one-hot-spaces-stripped")
def compared_without_trailing_spaces(tokens, vocab):
    """You compare words without trailing white space, so "a" and "a " count as the same word.

    `np.char.equal` drops the white space at the end of both before it compares; a word may be any text. Compare with
    `==`.
    """
    same = np.char.equal(np.array(tokens, dtype=str)[:, None], np.array(vocab, dtype=str))
    for token, row in zip(tokens, same, strict=True):
        if not row.any():
            raise KeyError(token)
    return same.astype(float)


@misconception("one_hot", "one-hot-first-word-refused")
def first_word_refused(tokens, vocab):
    """You refuse the first word of `vocab` as unknown, as `if not number` does where the number is 0.

    0 counts as false, and so does None. How do you ask whether a word is there, whatever its number is?
    """
    number = {word: place for place, word in enumerate(vocab)}
    for token in tokens:
        if not number.get(token):
            raise KeyError(token)
    return np.eye(len(vocab))[[number[token] for token in tokens]]
