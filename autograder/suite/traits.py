"""What is special about the arguments of a probe, and the same arguments without it.

Equal sizes, equal numbers or a lenient mask hide mistakes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

import torch

from autograder.calls.records import Data
from autograder.core.text import join_names

Given: TypeAlias = Mapping[str, Data]
Change: TypeAlias = Callable[[torch.Tensor], torch.Tensor]

LARGE = 100
"""A score of rows with a number above this may be too large for exp."""

TINY = 1e-3
"""A number below this may make no difference."""

ALMOST = 1e-9
"""Numbers that differ by less, relatively, are as good as equal."""

SMALL = "no number is larger than"


class Trait(NamedTuple):
    """What is special about arguments, in a few words; `changes` yields ways to make them otherwise ordinary."""

    says: str
    changes: Callable[[Given], Iterator[dict[str, Data]]]


def peculiar(given: Given, beside: Given) -> list[Trait]:
    """Return what is special about named arguments, and not about those `beside` them too; the most special first."""
    common = [_kind(trait.says) for trait in traits_of(beside)]
    return [trait for trait in traits_of(given) if _kind(trait.says) not in common]


def _kind(trait: str) -> str:
    return SMALL if trait.startswith(SMALL) else trait


def traits_of(given: Given) -> list[Trait]:
    """Return what is special about named arguments, the most special first."""
    arrays = {name: value for name, value in given.items() if isinstance(value, torch.Tensor) and value.numel()}
    numbers = {name: value.double() for name, value in arrays.items() if value.dtype != torch.bool}
    masks = {name: value for name, value in arrays.items() if value.dtype == torch.bool}
    return [
        *_twins(arrays),
        *(Trait(f"`{name}` is None", _never) for name, value in given.items() if value is None),
        *(trait for name, value in arrays.items() for trait in _constant(name, value)),
        *(trait for name, value in arrays.items() for trait in _patterns(name, value)),
        *_related(numbers),
        *_as_long(numbers),
        *(trait for name, value in numbers.items() for trait in _rows(name, value)),
        *(trait for name, mask in masks.items() for trait in _mask(name, mask)),
        *(trait for name, value in numbers.items() for trait in _equal_sizes(name, value.shape)),
        *(trait for name, value in arrays.items() for trait in _single(name, value.shape)),
        *_small([*numbers.values()]),
        *(
            Trait(f"`{name}` is only {value:g}", partial(_set, name, 0.1))
            for name, value in given.items()
            if _is_tiny(value)
        ),
        *_as_long_as_a_number(numbers, given),
        *_equally_long(numbers),
    ]


def _never(_: Given) -> Iterator[dict[str, Data]]:
    """Yield nothing: what another argument would be is not known."""
    return iter(())


def _set(name: str, value: Data, given: Given) -> Iterator[dict[str, Data]]:
    yield {**given, name: value}


def _changed(names: Sequence[str], change: Change, given: Given) -> Iterator[dict[str, Data]]:
    """Yield the arguments with some of them changed."""
    changed = {
        name: change(value) for name, value in given.items() if name in names and isinstance(value, torch.Tensor)
    }
    yield {**given, **changed}


def _twins(arrays: Mapping[str, torch.Tensor]) -> Iterator[Trait]:
    left = [*arrays]
    while left:
        first = arrays[left[0]]
        alike = [name for name in left if arrays[name].shape == first.shape and torch.equal(arrays[name], first)]
        if len(alike) > 1:
            yield Trait(
                f"{join_names(f'`{name}`' for name in alike)} hold the same numbers", partial(_apart, alike[1:])
            )
        left = [name for name in left if name not in alike]


def _apart(names: Sequence[str], given: Given) -> Iterator[dict[str, Data]]:
    """Yield the arguments with the numbers of some in another order, for each in another one."""
    made = dict(given)
    for turn, name in enumerate(names, 1):
        (made,) = _changed([name], lambda value, turn=turn: value.flatten().roll(turn).reshape(value.shape), made)  # type: ignore[misc]
    yield made


def _constant(name: str, value: torch.Tensor) -> Iterator[Trait]:
    if bool((value == value.flatten()[0]).all()):
        one = value.flatten()[0].item()
        says = f"`{name}` is {one if isinstance(one, bool) else f'{one:g}'} everywhere"
        yield Trait(says, partial(_changed, [name], _varied))


def _varied(value: torch.Tensor) -> torch.Tensor:
    """Return other entries in place of equal ones."""
    places = torch.arange(value.numel()).reshape(value.shape)
    if value.dtype == torch.bool:
        return (places % 3 != 1) & (places % 7 != 2)
    return value + (places if value.dtype == torch.int64 else (places * 0.7).cos())


def _patterns(name: str, value: torch.Tensor) -> Iterator[Trait]:
    """Yield along which axes an array repeats itself, and which of its axes can be exchanged."""
    if bool((value == value.flatten()[0]).all()):
        return
    for axis, size in enumerate(value.shape):
        sloped = partial(_changed, [name], partial(_sloped, axis=axis))
        steps = [step for step in range(1, size // 2 + 1) if size % step == 0 and _repeats(value, axis, step)]
        if steps[:1] == [1]:
            yield Trait(f"all entries along axis {axis} of `{name}` are the same", sloped)
        elif steps:
            yield Trait(f"`{name}` repeats itself along axis {axis}, after {steps[0]}", sloped)
    for one, other in combinations(range(value.dim()), 2):
        if value.shape[one] == value.shape[other] > 1 and _same(value, value.transpose(one, other)):
            change = partial(_changed, [name], partial(_sloped, axis=other))
            yield Trait(f"`{name}` stays the same when its axes {one} and {other} are exchanged", change)


def _repeats(value: torch.Tensor, axis: int, step: int) -> bool:
    rest = value.shape[axis] - step
    return _same(value.narrow(axis, step, rest), value.narrow(axis, 0, rest))


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether two arrays are equal, to nine digits."""
    return torch.allclose(one, other, rtol=ALMOST, atol=0) if one.is_floating_point() else torch.equal(one, other)


def _sloped(value: torch.Tensor, axis: int) -> torch.Tensor:
    """Return an array with other numbers from place to place along an axis."""
    size = [1] * value.dim()
    size[axis] = -1
    places = torch.arange(value.shape[axis]).reshape(size)
    if value.dtype == torch.bool:
        return value ^ (places % 2 == 1)
    return value + (places if value.dtype == torch.int64 else (places * 0.7).sin().to(value.dtype))


def _related(numbers: Mapping[str, torch.Tensor]) -> Iterator[Trait]:
    """Yield which arrays are multiples of others, and whose rows are perpendicular to those of others."""
    varied = {name: value for name, value in numbers.items() if value.dim() > 1 and bool(value.min() < value.max())}
    for (one, a), (other, b) in combinations(varied.items(), 2):
        place = a.abs().flatten().argmax()
        if a.shape == b.shape and not _same(a, b) and _same(b.flatten()[place] / a.flatten()[place] * a, b):
            yield Trait(f"`{other}` is a multiple of `{one}`", partial(_apart, [other]))
        if _are_perpendicular(a, b):
            says = f"every row of `{one}` is perpendicular to every row of `{other}`"
            yield Trait(says, partial(_changed, [one, other], lambda x: x + 1))


def _are_perpendicular(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape[-1] != other.shape[-1] or one.shape[:-2] != other.shape[:-2]:
        return False
    return bool(((one @ other.mT).abs() <= ALMOST * one.abs().max() * other.abs().max()).all())


def _as_long(arrays: Mapping[str, torch.Tensor]) -> Iterator[Trait]:
    tables = [(name, value) for name, value in arrays.items() if value.dim() == 2]
    for name, table in tables:
        for other, value in arrays.items():
            if value.dim() > 2 and value.shape[-2] == len(table):
                longer = partial(_changed, [name], partial(_longer, axis=0))
                yield Trait(f"`{name}` has as many rows as `{other}`", longer)


def _as_long_as_a_number(arrays: Mapping[str, torch.Tensor], given: Given) -> Iterator[Trait]:
    """Yield where an axis is as long as a plain number, such as that of a picture of one patch."""
    lengths = {name: value for name, value in given.items() if type(value) is int and value > 1}
    for name, array in arrays.items():
        for axis, size in enumerate(array.shape):
            twice = partial(_changed, [name], partial(_doubled, axis=axis))
            yield from (
                Trait(f"axis {axis} of `{name}` is as long as `{n}`", twice) for n in lengths if lengths[n] == size
            )


def _doubled(value: torch.Tensor, axis: int) -> torch.Tensor:
    """Return an array that is twice as long along an axis, with other entries in its second half."""
    return torch.cat([value, value + 1 + value.max() - value.min()], dim=axis)


def _longer(value: torch.Tensor, axis: int) -> torch.Tensor:
    """Return an array with more, and other, entries along an axis."""
    more = value.narrow(axis, 0, 1)
    return torch.cat([value, ~more if more.dtype == torch.bool else 2 * more.flip(-1) + 1], dim=axis)


def _rows(name: str, value: torch.Tensor) -> Iterator[Trait]:
    if value.dim() < 2 or value.shape[-1] < 2:
        return
    if value.any() and bool((value.mean(-1).abs() <= 1e-6 * value.abs().max()).all()):
        yield Trait(f"every row of `{name}` has mean 0", partial(_changed, [name], lambda x: x + 1))
    elif _is_constant(value.mean(-1)) and _is_constant(value.var(-1)) and not _is_constant(value[..., 0]):
        says = f"all rows of `{name}` have the same mean and the same variance"
        yield Trait(says, partial(_changed, [name], _stretched))
    if bool((value.abs().amax(-1) > LARGE).all()):
        says = f"every row of `{name}` holds a number beyond ±{LARGE}"
        yield Trait(says, partial(_changed, [name], lambda x: (x / x.abs().max()).to(x.dtype)))


def _is_constant(numbers: torch.Tensor) -> bool:
    return numbers.numel() > 1 and _same(numbers, numbers.flatten()[0].expand_as(numbers))


def _stretched(value: torch.Tensor) -> torch.Tensor:
    """Return rows of other means and variances, each by another factor."""
    factors = 1 + torch.arange(value[..., 0].numel()).reshape(value.shape[:-1])
    return (value * factors[..., None]).to(value.dtype)


def _mask(name: str, mask: torch.Tensor) -> Iterator[Trait]:
    if mask.dim() < 2 or mask.all():
        return
    if bool(mask.any(-1).all()):
        yield Trait(f"every row of `{name}` allows something", partial(_changed, [name], _dead))
    if mask.shape[-1] == mask.shape[-2] and not bool(mask.triu(1).any()):
        yield Trait(f"`{name}` hides everything that comes later", partial(_changed, [name], _ahead))
    if mask.any() and int(mask.sum(-1).max()) == 1:
        yield Trait(f"no row of `{name}` allows more than one", partial(_changed, [name], lambda x: x | x.roll(1, -1)))
    if 1 not in mask.shape:
        yield Trait(f"no axis of `{name}` has size 1", partial(_changed, [name], lambda x: x[:1]))


def _dead(mask: torch.Tensor) -> torch.Tensor:
    """Return a mask whose first rows allow nothing."""
    return mask.index_fill(-2, torch.tensor([0]), False)


def _ahead(mask: torch.Tensor) -> torch.Tensor:
    """Return a mask that allows the last column everywhere."""
    return mask.index_fill(-1, torch.tensor([mask.shape[-1] - 1]), True)


def _equal_sizes(name: str, shape: Sequence[int]) -> Iterator[Trait]:
    for one, other in combinations(range(len(shape)), 2):
        if shape[one] == shape[other] > 1:
            places = [(name, axis - len(shape)) for axis in (one, other)]
            yield Trait(f"axes {one} and {other} of `{name}` have the same size", partial(_resized, places, _shorter))


def _equally_long(arrays: Mapping[str, torch.Tensor]) -> Iterator[Trait]:
    for (one, a), (other, b) in combinations(arrays.items(), 2):
        for axis in (-1, -2):
            if min(a.dim(), b.dim()) >= -axis and a.shape[axis] == b.shape[axis] > 1:
                says = f"`{one}.shape[{axis}]` and `{other}.shape[{axis}]` are equal"
                yield Trait(says, partial(_resized, [(other, axis), (one, axis)], _shorter))


def _shorter(value: torch.Tensor, axis: int) -> torch.Tensor:
    return value.narrow(axis, 0, value.shape[axis] - 1)


def _single(name: str, shape: Sequence[int]) -> Iterator[Trait]:
    for axis, size in enumerate(shape):
        if size == 1:
            places = [(name, axis - len(shape))]
            yield Trait(f"axis {axis} of `{name}` has size 1", partial(_resized, places, _longer))


def _resized(
    places: Sequence[tuple[str, int]], change: Callable[..., torch.Tensor], given: Given
) -> Iterator[dict[str, Data]]:
    """Yield the arguments with another size of one axis: alone, or wherever that axis has it, counted from the end."""
    for name, axis in places:
        yield from _changed([name], partial(change, axis=axis), given)
    for name, axis in places:
        arrays = {each: value.shape for each, value in given.items() if isinstance(value, torch.Tensor)}
        size = arrays[name][axis]
        same = [each for each, shape in arrays.items() if len(shape) >= -axis and shape[axis] == size]
        yield from _changed(same, partial(change, axis=axis), given)


def _small(numbers: Sequence[torch.Tensor]) -> Iterator[Trait]:
    largest = max((float(value.abs().max()) for value in numbers), default=LARGE)
    if largest < LARGE:
        yield Trait(f"{SMALL} {_rounded_up(largest):g}", _enlarged)


def _enlarged(given: Given) -> Iterator[dict[str, Data]]:
    yield {
        name: value * 10 * LARGE if isinstance(value, torch.Tensor) and value.is_floating_point() else value
        for name, value in given.items()
    }


def _rounded_up(number: float) -> float:
    """Return the next number of two digits that is not smaller."""
    step = 10.0 ** (math.floor(math.log10(number)) - 1) if number else 1.0
    return float(f"{math.ceil(number / step) * step:.2g}")


def _is_tiny(value: Data) -> bool:
    return type(value) in (int, float) and 0 <= value < TINY
