"""Own classes: a vocabulary that encodes, a counter of contexts, and functions that only ask them."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class UnknownWordError(KeyError):
    """A word that is not in the vocabulary."""

    def __str__(self) -> str:
        return f"unknown word: {self.args[0]}"


class Words:
    """Words with numbers."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self._ids: dict[str, int] = {}
        for i, word in enumerate(words):
            self._ids.setdefault(word, i)

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, word: str) -> int:
        try:
            return self._ids[word]
        except KeyError:
            raise UnknownWordError(word) from None

    def vector(self, word: str) -> Array:
        unit = np.zeros(len(self))
        unit[self[word]] = 1.0
        return unit

    def presence(self, words: list[str]) -> Array:
        return functools.reduce(np.maximum, map(self.vector, words), np.zeros(len(self)))


@dataclass
class Shares:
    """Counts what follows; `array` has shares instead of counts."""

    words: Words
    order: int
    counts: Array = field(init=False)

    def __post_init__(self) -> None:
        self.counts = np.zeros((len(self.words),) * self.order)

    def see(self, *words: str) -> Shares:
        self.counts[tuple(self.words[word] for word in words)] += 1.0
        return self

    @property
    def array(self) -> Array:
        sums = self.counts.sum(-1)
        sums[sums == 0] = np.inf
        return self.counts / sums[..., None]


def vocabulary(sentences: list[list[str]]) -> list[str]:
    return sorted(set().union(*sentences))


def one_hot(tokens: list[str], vocab: list[str]) -> Array:
    return np.vstack([Words(vocab).vector(token) for token in tokens])


def lookup(one_hots: Array, table: Array) -> Array:
    return (table.T @ one_hots.T).T


def similarity(a: Array, b: Array) -> Array:
    return np.einsum("td,sd->ts", a, b)


def transition_matrix(sentences: list[list[str]], vocab: list[str]) -> Array:
    shares = Shares(Words(vocab), 2)
    for sentence in sentences:
        for i in range(1, len(sentence)):
            shares.see(sentence[i - 1], sentence[i])
    return shares.array


def next_word(word: str, transitions: Array, vocab: list[str]) -> Array:
    return np.dot(Words(vocab).vector(word), transitions)


def second_order_matrix(sentences: list[list[str]], vocab: list[str]) -> Array:
    shares = Shares(Words(vocab), 3)
    [shares.see(*sentence[i : i + 3]) for sentence in sentences for i in range(len(sentence) - 2)]
    return shares.array


def skip_matrix(sentences: list[list[str]], vocab: list[str]) -> Array:
    shares = Shares(Words(vocab), 3)
    for sentence in sentences:
        for i, now in enumerate(sentence[:-1]):
            for earlier in dict.fromkeys(sentence[:i]):
                shares.see(earlier, now, sentence[i + 1])
    return shares.array


def skip_features(context: list[str], vocab: list[str]) -> Array:
    return Words(vocab).presence(context[:-1])


def selective_vote(context: list[str], skips: Array, mask: Array, vocab: list[str]) -> Array:
    speaking = np.diag(mask) @ skip_features(context, vocab)
    return np.tensordot(speaking, skips, axes=(0, 0))[Words(vocab)[context[-1]]]


def vote(context: list[str], skips: Array, vocab: list[str]) -> Array:
    return selective_vote(context, skips, np.ones(len(vocab)), vocab)


def mask_for(context: list[str], masks: Array, vocab: list[str], **_unused: Any) -> Array:
    return next_word(context[-1], masks, vocab)


def complete(prompt: list[str], skips: Array, masks: Array, vocab: list[str], steps: int) -> list[str]:
    if steps == 0:
        return [*prompt]
    votes = selective_vote(prompt, skips, mask_for(prompt, masks, vocab), vocab)
    if np.count_nonzero(votes) == 0:
        return [*prompt]
    return complete([*prompt, vocab[int(np.argmax(votes))]], skips, masks, vocab, steps - 1)
