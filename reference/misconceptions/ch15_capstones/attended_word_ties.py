"""Ties of `attended_word` that are settled by something else, and words that occur twice."""

import torch

from reference.misconceptions import misconception


@misconception("attended_word", "attended-word-ties-by-alphabet")
def ties_by_alphabet(weights, words):
    """Of words with the same weight you take the one that comes first in the alphabet.

    The order of the sentence decides: which of them is said first?
    """
    return [min((-weight, word) for weight, word in zip(row, words, strict=True))[1] for row in weights.tolist()]


@misconception("attended_word", "attended-word-ties-by-alphabet-backwards")
def ties_by_alphabet_backwards(weights, words):
    """Of words with the same weight you take the one that comes last in the alphabet, as `max` of pairs does.

    The order of the sentence decides: which of them is said first?
    """
    return [max(zip(row, words, strict=True))[1] for row in weights.tolist()]


@misconception("attended_word", "attended-word-ties-to-the-nearest")
def ties_to_the_nearest(weights, words):
    """Of words with the same weight you take the one that attends, or the one that is nearest to it.

    How far away a word is plays no part: take the first of them in the sentence.
    """
    found = []
    for place, row in enumerate(weights.tolist()):
        largest = [key for key, weight in enumerate(row) if weight == max(row)]
        found.append(words[min(largest, key=lambda key: abs(key - place))])
    return found


@misconception("attended_word", "attended-word-last-of-the-same-word")
def dictionary_of_words(weights, words):
    """You keep one weight for each word in a dictionary, so of a word that occurs twice only the last weight is left.

    Two places of a sentence may hold the same word. Look for the place first, and only then for its word.
    """
    found = []
    for row in weights.tolist():
        weight_of = dict(zip(words, row, strict=True))
        found.append(max(weight_of, key=weight_of.get))
    return found


@misconception("attended_word", "attended-word-sum-of-the-same-word")
def weights_of_the_same_word_added(weights, words):
    """You add up the weights of a word that occurs twice.

    A weight belongs to a place. Look for the place with the largest one, and only then for its word.
    """
    found = []
    for row in weights.tolist():
        weight_of = dict.fromkeys(words, 0.0)
        for word, weight in zip(words, row, strict=True):
            weight_of[word] += weight
        found.append(max(weight_of, key=weight_of.get))
    return found


@misconception("attended_word", "attended-word-row-of-the-same-word")
def row_of_the_same_word(weights, words):
    """A word that occurs again gets the row of its first place, as `words.index` finds it.

    Each place has a row of its own, whatever word stands there. Which row belongs to the third word?
    """
    return [words[int(weights[words.index(word)].argmax())] for word in words]


@misconception("attended_word", "attended-word-close-weights")
def close_weights(weights, words):
    """You take weights that are merely close for the same, so an earlier word with a slightly smaller weight wins.

    The larger of two weights is the larger one, however small the difference. Only equal weights are a tie.
    """
    largest = weights.max(dim=-1, keepdim=True).values
    return [words[row.tolist().index(True)] for row in torch.isclose(weights, largest)]
