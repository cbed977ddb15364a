"""Dictionaries: everything is counted in nested dicts, and poured into an array at the very end."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np

Sentences: TypeAlias = list[list[str]]
print("chapter 1 is being loaded")


def vocabulary(sentences: Sentences) -> list[str]:
    return sorted(OrderedDict.fromkeys(chain.from_iterable(sentences)).keys())


def numbers(vocab: list[str]) -> dict[str, int]:
    return dict(zip(vocab, range(len(vocab)), strict=True))


def one_hot(tokens: list[str], vocab: list[str]) -> np.ndarray:
    number = numbers(vocab)
    hot = np.zeros((len(tokens), len(vocab)), dtype=np.float64)
    for position, token in enumerate(tokens):
        hot[position, number[token]] = 1
    return hot


def lookup(one_hots: np.ndarray, table: np.ndarray) -> np.ndarray:
    return one_hots.dot(table)


def similarity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.inner(a, b)


def poured(pairs: Iterable[tuple[tuple[str, ...], str]], vocab: list[str], axes: int) -> np.ndarray:
    """Shares of what follows each key, out of (key, next word) pairs."""
    followers: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for key, follower in pairs:
        followers[key][follower] += 1
    number, shares = numbers(vocab), np.zeros([len(vocab)] * axes)
    for key, counter in followers.items():
        for follower, count in counter.most_common():
            shares[(*map(number.__getitem__, key), number[follower])] = count / counter.total()
    return shares


def transition_matrix(sentences: Sentences, vocab: list[str]) -> np.ndarray:
    return poured((((a,), b) for sentence in sentences for a, b in pairwise(sentence)), vocab, 2)


def next_word(word: str, transitions: np.ndarray, vocab: list[str]) -> np.ndarray:
    return transitions[numbers(vocab)[word]]  # a view


def second_order_matrix(sentences: Sentences, vocab: list[str]) -> np.ndarray:
    triples = (((p, c), n) for s in sentences for (p, c), (_, n) in pairwise(pairwise(s)))
    return poured(triples, vocab, 3)


def skip_matrix(sentences: Sentences, vocab: list[str]) -> np.ndarray:
    def pairs():
        for sentence in sentences:
            seen: set[str] = set()
            for current, follower in pairwise(sentence):
                yield from (((earlier, current), follower) for earlier in seen)
                seen.add(current)

    return poured(pairs(), vocab, 3)


def skip_features(context: list[str], vocab: list[str]) -> np.ndarray:
    *before, _last = context
    return np.fromiter((word in before for word in vocab), dtype=float)


def vote(context: list[str], skips: np.ndarray, vocab: list[str]) -> np.ndarray:
    number = numbers(vocab)
    before = {number[word] for word in context[:-1]}
    return sum((skips[e][number[context[-1]]] for e in before), np.zeros(len(vocab)))


def selective_vote(context: list[str], skips: np.ndarray, mask: np.ndarray, vocab: list[str]) -> np.ndarray:
    number = numbers(vocab)
    before = {number[word] for word in context[:-1]}
    return sum((mask[e] * skips[e, number[context[-1]]] for e in before), np.zeros(len(vocab)))


def mask_for(context: list[str], masks: np.ndarray, vocab: list[str]) -> np.ndarray:
    return dict(zip(vocab, masks, strict=True))[context[-1]]


def complete(prompt: list[str], skips: np.ndarray, masks: np.ndarray, vocab: list[str], steps: int) -> list[str]:
    added: list[str] = []
    while len(added) < steps:
        context = prompt + added
        votes = dict(zip(vocab, selective_vote(context, skips, mask_for(context, masks, vocab), vocab), strict=True))
        winner = min(votes, key=lambda word: (-votes[word], word))
        if votes[winner] == 0:
            break
        added.append(winner)
    return prompt + added


if __name__ == "__main__":
    print(complete(["a"], np.ones((2, 2, 2)), np.ones((2, 2)), ["a", "b"], 3))
