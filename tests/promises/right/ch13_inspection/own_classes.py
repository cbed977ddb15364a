"""Own classes: a pattern is an object, a head's file of scores another; a tiny number in the logarithm; recursion."""

from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Pattern:
    name: str
    called: str
    rank: int
    belongs: Callable

    def score(self, weights, text):
        found = [keys for keys in (self.keys(query, text) for query in range(text.length)) if keys[1]]
        total = sum(sum(weights[query, key] for key in keys) for query, keys in found)
        return float(total) / len(found) if found else 0.0

    def keys(self, query, text):
        return query, [key for key in range(text.length) if self.belongs(text, query, key)]


@dataclass(frozen=True)
class Text:
    tokens: list
    sentences: list
    special: frozenset

    @property
    def length(self):
        return len(self.tokens)


PATTERNS = [
    Pattern("same_sentence", "same_sentence", 5, lambda text, q, k: text.sentences[q] == text.sentences[k]),
    Pattern("special", "null", 4, lambda text, q, k: text.tokens[k] in text.special),
    Pattern("next", "next", 1, lambda text, q, k: k == q + 1),
    Pattern("same_word", "same_word", 3, lambda text, q, k: text.tokens[q] == text.tokens[k]),
    Pattern("previous", "previous", 2, lambda text, q, k: k == q - 1),
]


def pattern_scores(weights, tokens, sentences, special):
    text = Text(list(tokens), list(sentences), frozenset(special))
    return {pattern.name: pattern.score(weights, text) for pattern in PATTERNS}


def name_head(scores, threshold=0.5):
    fitting = [pattern for pattern in PATTERNS if scores[pattern.name] >= threshold]
    return min(fitting, key=lambda pattern: pattern.rank).called if fitting else "mixed"


def attention_entropy(weights):
    precise = weights.double()
    return (-(precise * torch.log(precise + 1e-9)).sum(-1)).to(weights.dtype)


def attention_rollout(layers):
    *below, last = layers
    heads = last.double().mean(dim=0)
    moved = 0.5 * heads
    moved.diagonal().add_(0.5)
    if not below:
        return moved.type_as(last)
    return (moved @ attention_rollout([layer.double() for layer in below])).type_as(last)
