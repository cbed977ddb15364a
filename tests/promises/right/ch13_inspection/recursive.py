"""Recursive: generators of shares, a fraction for each pattern, `match` on scores, paths through the layers."""

from __future__ import annotations

import functools
import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import Annotated, NamedTuple, TypedDict

import torch
from torch import Tensor

Weights = Annotated[Tensor, "T T"]


class Scores(TypedDict):
    next: float
    previous: float
    same_word: float
    same_sentence: float
    special: float


class Place(NamedTuple):
    number: int
    token: str
    sentence: int


def pattern_scores(weights: Weights, tokens: list[str], sentences: list[int], special: Collection[str]) -> Scores:
    table = weights.tolist()
    text = [Place(*each) for each in zip(range(len(tokens)), tokens, sentences, strict=True)]
    count = Counter(tokens)

    def shares(belongs: Callable[[Place, Place], bool]) -> Iterator[float]:
        for query, row in zip(text, table, strict=True):
            if found := [weight for weight, key in zip(row, text, strict=True) if belongs(query, key)]:
                yield sum(found)

    def mean(belongs: Callable[[Place, Place], bool]) -> float:
        return statistics.fmean(every) if (every := [*shares(belongs)]) else 0.0

    return Scores(
        next=mean(lambda query, key: query.number + 1 == key.number),
        previous=mean(lambda query, key: query.number == key.number + 1),
        same_word=mean(lambda query, key: query is key or (count[key.token] > 1 and query.token == key.token)),
        same_sentence=mean(lambda query, key: query.sentence == key.sentence),
        special=mean(lambda _, key: key.token in special),
    )


def name_head(scores: Scores, threshold: float = 0.5) -> str:
    match scores:
        case {"next": score} if score >= threshold:
            return "next"
        case {"previous": score} if score >= threshold:
            return "previous"
        case {"same_word": score} if score >= threshold:
            return "same_word"
        case {"special": score} if score >= threshold:
            return "null"
        case {"same_sentence": score} if score >= threshold:
            return "same_sentence"
    return "mixed"


def attention_entropy(weights: Annotated[Tensor, "... Tq Tk"]) -> Annotated[Tensor, "... Tq"]:
    if weights.dim() > 1:
        return torch.stack([attention_entropy(part) for part in weights.unbind(0)])
    return torch.nan_to_num(weights * weights.log()).sum().neg()


def attention_rollout(layers: list[Annotated[Tensor, "H T T"]]) -> Weights:
    """Half of what reaches a layer stays where it is, half goes on as the mean head says."""

    @functools.cache
    def flow(depth: int) -> Weights:
        if depth == 0:
            some = layers[0]
            return torch.zeros_like(some[0]).fill_diagonal_(1)
        below = flow(depth - 1)
        heads = layers[depth - 1].unbind(0)
        return (functools.reduce(torch.add, [head @ below for head in heads]) / len(heads) + below) / 2

    return flow(len(layers))
