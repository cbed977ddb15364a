"""What is special about the arguments of a probe, and may hide mistakes: equal sizes, equal numbers, a lenient mask."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import torch

from autograder.calls.records import Data
from autograder.core.text import join_names

LARGE = 100
"""A score of rows with a number above this may be too large for exp."""

TINY = 1e-3
"""A number below this may make no difference."""

MOST = 4
SMALL = "no number is larger than"


def peculiar(given: Mapping[str, Data], beside: Mapping[str, Data]) -> list[str]:
    """Return what is most special about named arguments, and not about those `beside` them too."""
    common = [_kind(trait) for trait in traits(beside)]
    return [trait for trait in traits(given) if _kind(trait) not in common][:MOST]


def _kind(trait: str) -> str:
    return SMALL if trait.startswith(SMALL) else trait


def traits(given: Mapping[str, Data]) -> list[str]:
    """Return what is special about named arguments, each in a few words, the most special first."""
    arrays = {name: value for name, value in given.items() if isinstance(value, torch.Tensor) and value.numel()}
    numbers = {name: value.double() for name, value in arrays.items() if value.dtype != torch.bool}
    masks = {name: value for name, value in arrays.items() if value.dtype == torch.bool}
    return [
        *_twins(arrays),
        *(f"`{name}` is None" for name, value in given.items() if value is None),
        *(trait for name, value in arrays.items() for trait in _constant(name, value)),
        *_as_long(numbers),
        *(trait for name, value in numbers.items() for trait in _rows(name, value)),
        *(trait for name, mask in masks.items() for trait in _mask(name, mask)),
        *(trait for name, value in numbers.items() for trait in _equal_sizes(name, value.shape)),
        *(trait for name, value in arrays.items() for trait in _single(name, value.shape)),
        *_small([*numbers.values()]),
        *(f"`{name}` is only {value:g}" for name, value in given.items() if _is_tiny(value)),
    ]


def _twins(arrays: Mapping[str, torch.Tensor]) -> Iterator[str]:
    left = [*arrays]
    while left:
        first = arrays[left[0]]
        alike = [name for name in left if arrays[name].shape == first.shape and torch.equal(arrays[name], first)]
        if len(alike) > 1:
            yield f"{join_names(f'`{name}`' for name in alike)} hold the same numbers"
        left = [name for name in left if name not in alike]


def _as_long(arrays: Mapping[str, torch.Tensor]) -> Iterator[str]:
    tables = [(name, value) for name, value in arrays.items() if value.dim() == 2]
    for name, table in tables:
        for other, value in arrays.items():
            if value.dim() > 2 and value.shape[-2] == len(table):
                yield f"`{name}` has as many rows as `{other}`"


def _constant(name: str, value: torch.Tensor) -> Iterator[str]:
    if bool((value == value.flatten()[0]).all()):
        one = value.flatten()[0].item()
        yield f"`{name}` is {one if isinstance(one, bool) else f'{one:g}'} everywhere"


def _rows(name: str, value: torch.Tensor) -> Iterator[str]:
    if value.dim() < 2 or value.shape[-1] < 2:
        return
    if value.any() and bool((value.mean(-1).abs() <= 1e-6 * value.abs().max()).all()):
        yield f"every row of `{name}` has mean 0"
    if bool((value.abs().amax(-1) > LARGE).all()):
        yield f"every row of `{name}` holds a number beyond ±{LARGE}"


def _mask(name: str, mask: torch.Tensor) -> Iterator[str]:
    if mask.dim() < 2 or mask.all():
        return
    if bool(mask.any(-1).all()):
        yield f"every row of `{name}` allows something"
    if mask.shape[-1] == mask.shape[-2] and not bool(mask.triu(1).any()):
        yield f"`{name}` hides everything that comes later"
    if 1 not in mask.shape:
        yield f"no axis of `{name}` has size 1"


def _equal_sizes(name: str, shape: Sequence[int]) -> Iterator[str]:
    for one, other in combinations(range(len(shape)), 2):
        if shape[one] == shape[other] > 1:
            yield f"axes {one} and {other} of `{name}` have the same size"


def _single(name: str, shape: Sequence[int]) -> Iterator[str]:
    yield from (f"axis {axis} of `{name}` has size 1" for axis, size in enumerate(shape) if size == 1)


def _small(numbers: Sequence[torch.Tensor]) -> Iterator[str]:
    largest = max((float(value.abs().max()) for value in numbers), default=LARGE)
    if largest < LARGE:
        yield f"{SMALL} {_rounded_up(largest):g}"


def _rounded_up(number: float) -> float:
    """Return the next number of two digits that is not smaller."""
    step = 10.0 ** (math.floor(math.log10(number)) - 1) if number else 1.0
    return float(f"{math.ceil(number / step) * step:.2g}")


def _is_tiny(value: Data) -> bool:
    return isinstance(value, float) and 0 < value < TINY
