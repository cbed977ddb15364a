"""The oracle of chapter 13: heads read one query at a time, rollout followed along every residual path."""

import functools
import math
from collections.abc import Callable, Collection, Mapping, Sequence

import torch

PRECEDENCE = {  # what a head is called, after the score that decides
    "next": "next",
    "previous": "previous",
    "same_word": "same_word",
    "special": "null",
    "same_sentence": "same_sentence",
}


def pattern_scores(
    weights: torch.Tensor, tokens: Sequence[str], sentences: Sequence[int], special: Collection[str]
) -> dict[str, float]:
    """Key after key is asked whether it is one of those that the pattern looks at."""
    rules: dict[str, Callable[[int, int], bool]] = {
        "next": lambda query, key: key == query + 1,
        "previous": lambda query, key: key + 1 == query,
        "same_word": lambda query, key: tokens[query] == tokens[key],
        "same_sentence": lambda query, key: sentences[query] == sentences[key],
        "special": lambda _, key: tokens[key] in special,
    }
    return {name: _average(weights.tolist(), rule) for name, rule in rules.items()}


def _average(rows: list[list[float]], rule: Callable[[int, int], bool]) -> float:
    """The mean of what the queries spend on the keys of the rule, where it has any."""
    spent = []
    for query, row in enumerate(rows):
        found = [weight for key, weight in enumerate(row) if rule(query, key)]
        if found:
            spent.append(math.fsum(found))
    return math.fsum(spent) / len(spent) if spent else 0.0


def name_head(scores: Mapping[str, float], threshold: float = 0.5) -> str:
    """The first in order of precedence that reaches the threshold."""
    return next((called for score, called in PRECEDENCE.items() if scores[score] >= threshold), "mixed")


def attention_entropy(weights: torch.Tensor) -> torch.Tensor:
    """Σ w · log(1/w), where no logarithm of 0 is ever taken: (..., Tq, Tk) -> (..., Tq)."""
    surprise = weights.masked_fill(weights == 0, 1.0).log()
    return -torch.linalg.vecdot(weights, surprise)


def attention_rollout(layers: Sequence[torch.Tensor]) -> torch.Tensor:
    """Half of each row stays, the other half is spread evenly over the heads and by them over the keys."""

    def passed_on(below: torch.Tensor, layer: torch.Tensor) -> torch.Tensor:
        carried = torch.einsum("hij,jk->ik", layer, below) / layer.shape[0]
        return torch.lerp(below, carried, 0.5)

    length = layers[0].shape[-1]
    start = torch.eye(length, dtype=layers[0].dtype, device=layers[0].device)
    return functools.reduce(passed_on, layers, start)
