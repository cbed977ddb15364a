"""Recursive: sentences counted in a tree, vocabularies merged in halves, numbers kept, closures and generators."""

import functools
import itertools
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

REMEMBERED: dict[tuple[str, ...], dict[str, int]] = {}


class Gram(NamedTuple):
    context: tuple[str, ...]
    following: str


@dataclass
class Tree:
    """A word under each other; a leaf is a count."""

    children: "dict[str, Tree]" = field(default_factory=dict)
    count: int = 0

    def add(self, words: tuple[str, ...]) -> None:
        match words:
            case ():
                self.count += 1
            case (first, *rest):
                self.children.setdefault(first, Tree()).add(tuple(rest))

    def pour(self, array: np.ndarray, number: dict[str, int]) -> None:
        if array.ndim == 1:
            total = sum(child.count for child in self.children.values())
            for word, child in self.children.items():
                array[number[word]] = child.count / total
            return
        for word, child in self.children.items():
            child.pour(array[number[word]], number)


def numbered(vocab):
    """By content, not by identity: a list may be changed."""
    if (key := tuple(vocab)) not in REMEMBERED:
        REMEMBERED[key] = dict(map(reversed, enumerate(vocab)))
    return REMEMBERED[key]


def vocabulary(sentences):
    match sentences:
        case []:
            return []
        case [only]:
            return [word for word, _ in itertools.groupby(sorted(only))]
        case _:
            half = len(sentences) // 2
            return merged(vocabulary(sentences[:half]), vocabulary(sentences[half:]))


def merged(left, right):
    result = []
    while left and right:
        smaller = min(left[0], right[0])
        left, right = left[left[0] == smaller :], right[right[0] == smaller :]
        result.append(smaller)
    return result + left + right


def one_hot(tokens, vocab):
    def hot(word):
        if word not in numbered(vocab):
            raise KeyError(f"{word!r} is none of the {len(vocab)} words")
        return [float(each == word) for each in vocab]

    return np.asarray([*map(hot, tokens)], dtype="float64")


def lookup(one_hots, table):
    return np.block([[functools.reduce(np.add, map(np.multiply, row, table))] for row in one_hots])


def similarity(a, b):
    def product(left, right):
        if len(left) == 1:
            return left[0] * right[0]
        half = len(left) // 2
        return product(left[:half], right[:half]) + product(left[half:], right[half:])

    pairs = itertools.product(a, b)
    return np.reshape([product(*pair) for pair in pairs], (len(a), len(b)))


def counted(grams, vocab, order):
    tree = Tree()
    for gram in grams:
        tree.add((*gram.context, gram.following))
    shares = np.zeros((len(vocab),) * order, order="F")
    tree.pour(shares, numbered(vocab))
    return shares


def windows(sentence, width):
    yield from zip(*(itertools.islice(sentence, start, None) for start in range(width)), strict=False)


def transition_matrix(sentences, vocab):
    return counted((Gram(w[:-1], w[-1]) for s in sentences for w in windows(s, 2)), vocab, order=2)


def next_word(word, transitions, vocab):
    return lookup(one_hot([word], vocab), transitions).squeeze(axis=0)


def second_order_matrix(sentences, vocab):
    return counted((Gram(w[:-1], w[-1]) for s in sentences for w in windows(s, 3)), vocab, order=3)


def skip_grams(sentence):
    """From the end to the beginning."""
    match sentence:
        case [*before, current, following]:
            for earlier in frozenset(before):
                yield Gram((earlier, current), following)
            yield from skip_grams([*before, current])
        case _:
            return


def skip_matrix(sentences, vocab):
    return counted(itertools.chain.from_iterable(map(skip_grams, sentences)), vocab, order=3)


def skip_features(context, vocab):
    if len(context) == 1:
        return np.zeros(len(vocab))
    [first, *rest] = context
    return np.fmax(skip_features(rest, vocab), one_hot([first], vocab)[0])


def voting(weigh):
    """Makes a vote out of a function that weighs features."""

    @functools.wraps(weigh)
    def votes(context, skips, *given, **named):
        *mask, vocab = (*given, *named.values())
        activities = weigh(skip_features(context, vocab), *mask)
        rows = skips[:, numbered(vocab)[context[-1]]]
        return functools.reduce(operator.add, (activity * row for activity, row in zip(activities, rows, strict=True)))

    return votes


@voting
def vote(features):
    return features


@voting
def selective_vote(features, mask):
    return features * mask


def mask_for(context, masks, vocab):
    (mask,) = one_hot(context[-1:], vocab) @ masks
    return mask


def complete(prompt, skips, masks, vocab, steps):
    def words(text):
        votes = selective_vote(text, skips, mask_for(text, masks, vocab), vocab)
        best = max(votes)
        if best == 0:
            return
        winner = next(word for word, number in zip(vocab, votes, strict=True) if number == best)
        yield winner
        yield from words([*text, winner])

    return [*prompt, *itertools.islice(words(prompt), steps)]
