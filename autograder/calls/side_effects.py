"""What a call leaves behind in what its caller holds: gradients, and other numbers in an answer given before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np
import torch

from autograder.calls.built import Callee
from autograder.calls.records import Call, Data, mapped, tensors

GRADIENT_OF_ARGUMENT: Final = "the `.grad` of an argument"
GRADIENT_OF_PARAMETER: Final = "the `.grad` of a parameter"
EARLIER_ANSWER: Final = "an answer that it gave before"
KEPT_FOR_AN_OBJECT: Final = "what it answers for objects whose numbers change between calls"
MODES_LEFT_ON: Final = "which modes of torch are on"
DEEPEST: Final = 8
"""Lists inside more lists than this are no data."""


def gradients_left(given: Iterable[Any], made: Callee) -> Iterator[str]:
    """Yield where a call left gradients: in the tensors that it was given, in the parameters of its object."""
    if any(each.grad is not None for value in given for each in tensors(value)):
        yield GRADIENT_OF_ARGUMENT
    own = made.owner.parameters() if isinstance(made.owner, torch.nn.Module) else ()
    if any(each.grad is not None for each in own):
        yield GRADIENT_OF_PARAMETER


def shares_memory(answer: Any, later: Any) -> bool:
    """Return whether two answers hold the same list, or numbers in the same memory."""
    with suppress(Exception):  # a tensor may have no memory, and an object of the student's class may do anything
        return not {*_places(answer)}.isdisjoint(_places(later))
    return False


def _places(value: Any, depth: int = 0) -> Iterator[int]:
    """Yield the address of each object in an answer that can be written to."""
    if isinstance(value, list | dict):
        yield id(value)
    if isinstance(value, list | tuple | dict) and depth < DEEPEST:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _places(item, depth + 1)
    if isinstance(value, torch.Tensor) and value.numel() and not value.is_meta:
        yield value.untyped_storage().data_ptr()
    if isinstance(value, np.ndarray) and value.size:
        yield _whole(value).ctypes.data


def _whole(array: np.ndarray) -> np.ndarray:
    """Return the array that a view shows a part of."""
    return _whole(array.base) if isinstance(array.base, np.ndarray) else array


def ask_with_other_numbers(made: Callee, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, records: bool) -> None:
    """Call with these very objects while they hold other numbers: an answer kept for an object shows in the next."""
    own = made.owner.parameters() if isinstance(made.owner, torch.nn.Module) else ()
    with _holding_others((*args, *kwargs.values(), *own)), suppress(Exception), torch.set_grad_enabled(records):
        made.function(*args, **kwargs)


@contextmanager
def _holding_others(values: Iterable[Any]) -> Iterator[None]:
    """Let tensors, arrays and lists hold what is in them in reverse, and afterwards what they held."""
    own = [each for each in values if isinstance(each, torch.Tensor | np.ndarray | list)]
    before = [each.detach().clone() if isinstance(each, torch.Tensor) else each.copy() for each in own]
    for value, held in zip(own, before, strict=True):
        _hold(value, held[::-1] if isinstance(held, list) else _reversed(held))
    try:
        yield
    finally:
        for value, held in zip(own, before, strict=True):
            _hold(value, held)


def _hold(value: torch.Tensor | np.ndarray | list[Any], held: Any) -> None:
    with torch.no_grad():
        if isinstance(value, torch.Tensor):
            value.copy_(held)
        else:
            value[:] = held


def other_calls(call: Call) -> Iterator[Call]:
    """Yield calls that probably have other answers of the same form: lists and numbers in reverse, texts too, or one
    number other.

    A text may be a word of a list; a list is also left without its last item, as not every answer depends on the order.
    """
    numbers = dict(call.kwargs)
    reverse = tuple(each[::-1] if isinstance(each, list) else each for each in call.args)
    of_texts = tuple(each[::-1] if isinstance(each, str) else each for each in reverse)
    shorter = tuple(each[:-1] if isinstance(each, list) else each for each in call.args)
    turned = (mapped((each, numbers), _reversed) for each in (reverse, of_texts))
    for args, kwargs in (*turned, (shorter, numbers)):
        yield replace(call, args=args, kwargs=kwargs)
    for place, number in enumerate(call.args):
        if type(number) in (int, float):
            other = number + 1 if isinstance(number, int) else number / 2
            yield replace(call, args=(*call.args[:place], other, *call.args[place + 1 :]))


def _reversed(leaf: Data) -> Data:
    if isinstance(leaf, torch.Tensor):
        return leaf.flatten().flip(0).reshape(leaf.shape)
    return np.flip(leaf) if isinstance(leaf, np.ndarray) else leaf
