"""Errors of torch and NumPy about sizes that do not fit, told in the names of the axes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

from autograder.compare.describe import Names

Told = tuple[str, str]

PRINT = "print the shapes just before this line, and write the name of each axis beside it"


def size_trouble(message: str, names: Names) -> Told | None:
    """Return a headline and advice for an error of torch or NumPy about sizes; None for any other error."""
    for pattern, tell in _TELLING:
        if found := pattern.search(message):
            return tell(found, names)
    return None


def _reshaped(found: re.Match[str], names: Names) -> Told:
    sizes, count = _sizes(found[1]), int(found[2])
    made = _product(count, sizes, names)
    have = f"{count} numbers{f' ({made})' if made else ''}"
    return f"it reshapes {have} to {names.shape(sizes)}, and they do not fit", f"which of these sizes is wrong? {PRINT}"


def _product(count: int, wanted: Sequence[int], names: Names) -> str:
    """Return a number of entries as a product of named axes: the one most like `wanted`, where that is one."""
    sizes = [size for size in names.axes if size > 1]
    products = (each for many in range(1, 6) for each in combinations_with_replacement(sizes, many))
    known = [each for each in products if math.prod(each) == count and len(each) - len({*each}) < 2]
    shared = [len({*each} & {*wanted}) for each in known]
    if not known or shared.count(max(shared)) != 1:
        return ""
    best = known[shared.index(max(shared))]
    return f"{'·'.join(names.axes[size] for size in best)} = {'·'.join(map(str, best))}"


def _met(found: re.Match[str], names: Names) -> Told:
    one, other, axis = int(found[1]), int(found[2]), found[3]
    where = f"{_named(one, names)} meets {_named(other, names)} at axis {axis}"
    advice = f"sizes are compared from the last axis; is an axis missing, or in another place? {PRINT}"
    return f"it combines tensors whose sizes do not fit: {where}", advice


def _arrays_met(found: re.Match[str], names: Names) -> Told:
    one, other = (names.shape(_sizes(each)) for each in found.groups())
    advice = f"sizes are compared from the last axis; is an axis missing, or in another place? {PRINT}"
    return f"it combines arrays whose sizes do not fit: {one} and {other}", advice


def _arrays_multiplied(found: re.Match[str], names: Names) -> Told:
    one, other = (_named(int(each), names) for each in found.groups())
    advice = f"the last size of the left one must be the last but one of the right one: is one transposed? {PRINT}"
    return f"it multiplies matrices whose inner sizes differ: {one} and {other}", advice


def _array_reshaped(found: re.Match[str], names: Names) -> Told:
    shape = names.shape(_sizes(found[2]))
    return f"it reshapes {found[1]} numbers to {shape}, and they do not fit", f"which of these sizes is wrong? {PRINT}"


def _array_beyond(found: re.Match[str], _: Names) -> Told:
    axis, axes = int(found[1]), int(found[2])
    says = f"it asks for axis {axis} of an array with {axes} {'axis' if axes == 1 else 'axes'}"
    return says, "axes are counted from 0, or from the right, where the last is -1"


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",") if size.strip()]


def _expanded(found: re.Match[str], names: Names) -> Told:
    wanted, have, axis = int(found[1]), int(found[2]), found[3]
    says = f"it puts {_named(have, names)} entries into {_named(wanted, names)} places, along axis {axis}"
    advice = "`expand`, and an assignment such as `x[i] = y`, stretch only axes of size 1"
    return says, f"{advice}; is an axis missing, or in another place? {PRINT}"


def _multiplied(found: re.Match[str], names: Names) -> Told:
    (rows, inner), (other, columns) = ((int(size) for size in each.split("x")) for each in (found[1], found[2]))
    shapes = f"{rows}×{_named(inner, names)} and {_named(other, names)}×{columns}"
    advice = "the last size of the left one must be the last but one of the right one: is one transposed?"
    advice = f"{advice} `nn.Linear(a, b)` multiplies too, and takes a last size of a; {PRINT}"
    return f"it multiplies matrices whose inner sizes differ: {shapes}", advice


def _beyond(found: re.Match[str], _: Names) -> Told:
    lowest, highest, axis = (int(each) for each in found.groups())
    says = f"it asks for axis {axis}, where only {lowest} to {highest} will do"
    if axis < 0:
        return says, "how many axes may the input have? look at the shapes in the task"
    return says, "count axes from the right, where the last is -1: then leading axes may come and go"


def _out_of_bounds(found: re.Match[str], _: Names) -> Told:
    index, axis, size = found.groups()
    says = f"it asks for entry {index} along axis {axis}, whose size is {size}"
    return says, "indices run from 0 to one less than the size; does a loop run over the size of another array?"


def _subscripts(found: re.Match[str], _: Names) -> Told:
    says = f"its einsum is written for {found[1]} axes, and this tensor has {found[2]}"
    return says, "`...` stands for any number of leading axes: '...id,...jd->...ij'"


def _unlisted(_: re.Match[str], __: Names) -> Told:
    return "it looks up a number that the table has no row for", "rows count from 0 to one less than their number"


def _none(_: re.Match[str], __: Names) -> Told:
    advice = (
        "test an argument that may be None first (`if mask is not None:`); a function without `return` gives None too"
    )
    return "it computes with None", advice


def _nothing(_: re.Match[str], __: Names) -> Told:
    return (
        "it takes the largest or smallest of nothing",
        "where can there be nothing to choose from? what should the result be then?",
    )


def _named(size: int, names: Names) -> str:
    return f"{names.axes[size]}={size}" if size in names.axes else str(size)


_TELLING: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Names], Told]], ...] = (
    (re.compile(r"shape '\[([-\d, ]*)\]' is invalid for input of size (\d+)"), _reshaped),
    (
        re.compile(
            r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dim\w* (\d)"
        ),
        _met,
    ),
    (
        re.compile(r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) at .*? (\d+)\."),
        _expanded,
    ),
    (re.compile(r"mat1 and mat2 shapes cannot be multiplied \((\d+x\d+) and (\d+x\d+)\)"), _multiplied),
    (
        re.compile(r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)"),
        _beyond,
    ),
    (re.compile(r"could not be broadcast together with shapes \(([\d,]*)\) \(([\d,]*)\)"), _arrays_met),
    (re.compile(r"\(size (\d+) is different from (\d+)\)"), _arrays_multiplied),
    (re.compile(r"not aligned: (\d+) \(dim \d+\) != (\d+) \(dim"), _arrays_multiplied),
    (re.compile(r"cannot reshape array of size (\d+) into shape \(([-\d,]*)\)"), _array_reshaped),
    (re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)"), _array_beyond),
    (re.compile(r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with size (\d+)"), _out_of_bounds),
    (
        re.compile(r"subscripts in the equation \((\d+)\) does not match the number of dimensions \((\d+)\)"),
        _subscripts,
    ),
    (re.compile(r"^index out of range in self$"), _unlisted),
    (re.compile(r"unsupported operand type.*'NoneType'|'NoneType' object (?:is not|has no attribute)"), _none),
    (
        re.compile(r"zero-size array to reduction|(?:min|max)\(\) (?:arg is an empty|iterable argument is empty)"),
        _nothing,
    ),
)
