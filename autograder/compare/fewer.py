"""Calls with fewer words: a vocabulary loses words together with the texts and arrays that go with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Call, leaves

FEW = 3
"""So many words are tried as the only ones."""
MOST = 8
"""Of longer lists single items are not left out."""


def fewer(call: Call) -> Iterator[Call]:
    """Yield calls with fewer words or entries, the smallest first."""
    vocabulary = _vocabulary(call)
    if vocabulary is not None:
        yield from _with_words(call, vocabulary)
    for value in _values(call):
        if value is not vocabulary:
            yield from (_replaced(call, value, shorter) for shorter in _shorter(value))


def _values(call: Call) -> list[Any]:
    return [*call.args, *call.kwargs.values()]


def _replaced(call: Call, old: Any, new: Any) -> Call:
    return _mapped(call, lambda value: new if value is old else value)


def _mapped(call: Call, change: Callable[[Any], Any]) -> Call:
    return replace(
        call, args=tuple(map(change, call.args)), kwargs={name: change(value) for name, value in call.kwargs.items()}
    )


def _vocabulary(call: Call) -> list[str] | None:
    """Return the list of distinct words that has all words of the other arguments; None where there is none."""
    for value in _values(call):
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value) or len({*value}) < 2:
            continue
        others = {word for other in _values(call) if other is not value for word in _words(other)}
        if len({*value}) == len(value) and others and others <= {*value}:
            return value
    return None


def _words(value: Any) -> Iterator[str]:
    return (leaf for leaf in leaves(value) if isinstance(leaf, str))


def _with_words(call: Call, vocabulary: list[str]) -> Iterator[Call]:
    """Yield the call with the words that occur most, then with one word less."""
    uses = Counter(word for value in _values(call) if value is not vocabulary for word in _words(value))
    ranked = sorted(vocabulary, key=lambda word: -uses[word])
    kept = [*(ranked[:count] for count in range(1, FEW + 1)), ranked[: len(uses)]]
    kept += [[word for word in ranked if word != dropped] for dropped in reversed(ranked)]
    for words in kept:
        if len(words) < len(vocabulary) and all(value in words for value in _values(call) if isinstance(value, str)):
            places = [place for place, word in enumerate(vocabulary) if word in words]
            smaller = _mapped(call, partial(_of_words, words, places, len(vocabulary)))
            if all(len(new) > 0 for new in _values(smaller) if isinstance(new, list)):
                yield smaller


def _of_words(words: Collection[str], places: list[int], size: int, value: Any) -> Any:
    """Return an argument with some words only; of an array with an axis for all of them, their rows."""
    if isinstance(value, list):
        inner = [_of_words(words, places, size, each) for each in value if not isinstance(each, str) or each in words]
        return [new for new in inner if new != []] if [] not in value else inner
    if isinstance(value, torch.Tensor | np.ndarray):
        for axis in (axis for axis, length in enumerate(value.shape) if length == size):
            value = (
                np.take(value, places, axis)
                if isinstance(value, np.ndarray)
                else value.index_select(axis, torch.tensor(places, device=value.device))
            )
    return value


def _shorter(value: Any) -> Iterator[Any]:
    """Yield a list, or a dict, with fewer entries, and a list of lists with one of them shorter."""
    if isinstance(value, dict):
        yield from (dict(items) for items in _parts([*value.items()]))
    elif isinstance(value, list):
        yield from map(list, _parts(value))
        for place, inner in enumerate(value[:MOST]):
            if isinstance(inner, list):
                yield from ([*value[:place], [*part], *value[place + 1 :]] for part in _parts(inner))


def _parts(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield parts of a sequence, none of them empty: single items, halves, and all but one."""
    half = len(items) // 2
    if half:
        yield items[:1]
        yield items[-1:]
        yield items[:half]
        yield items[half:]
    if half > 1 and len(items) <= MOST:
        yield from ([*items[:place], *items[place + 1 :]] for place in range(len(items)))
