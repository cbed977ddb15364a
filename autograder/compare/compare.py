"""Compare two observations stage by stage, and find the first difference."""

from __future__ import annotations

import cmath
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, Final

import numpy as np
import torch

from autograder.calls.as_data import NARROW
from autograder.calls.records import Absent, Call, Data, Observation, Opaque, Part, Raised
from autograder.calls.unfit import NoPairError, StateMismatchError, StrayError
from autograder.calls.values import in_order
from autograder.compare.difference import STAGES, Difference, PathStep, Stage

TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4, torch.complex128: 1e-9, torch.complex64: 1e-4}
LAST_DIGIT = Decimal("1e-24")
"""The tolerance of decimal numbers, which have 28 digits."""

LARGEST = torch.iinfo(torch.int64).max
LENIENT = 1e-4
"""A larger difference rules a known mistake out: no rounding explains it, not even float32's in a plain number."""

PLAIN = 1e-3
"""A mistake that is off by more than this is recognised in rounded answers, too."""

KINDS = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, Decimal, Fraction)
NARROWER = {"float": ("int",), "complex": ("float", "int")}
"""Kinds of numbers that are as good as another one."""

Compare = Callable[[Data, Data, float | None], Difference | None]


def tensor(value: Data) -> torch.Tensor | None:
    """Return a tensor of the value's numbers; None where it is no array."""
    if isinstance(value, np.ndarray):
        known = _known(value)
        return torch.from_numpy(np.array(value, dtype=known)) if known else None
    return value if isinstance(value, torch.Tensor) else None


def _known(array: np.ndarray) -> np.dtype[Any] | None:
    """Return the dtype nearest to a number's that torch computes with; None if numbers would not stay as they are."""
    if array.dtype.kind == "u" and array.itemsize > 1:
        return None if array.size and array.max() > LARGEST else np.dtype(np.int64)
    if array.dtype.kind not in "biufc":
        return None
    most = np.dtype(np.complex128 if array.dtype.kind == "c" else np.float64)
    return most if array.itemsize > most.itemsize else array.dtype.newbyteorder("=")


def shape(want: Data, have: Data, _: float | None) -> Difference | None:
    if not hasattr(want, "shape") or tuple(want.shape) == tuple(have.shape):
        return None
    return Difference("shape", "shape", want, have)


def dtype(want: Data, have: Data, _: float | None) -> Difference | None:
    if not hasattr(want, "dtype"):
        return None
    if want.dtype != have.dtype and not (_kind_of_array(want) == _kind_of_array(have) == "U"):
        return Difference("dtype", "dtype", want, have)
    return None if device(want) == device(have) else Difference("dtype", "device", want, have)


def _kind_of_array(value: Data) -> str:
    return value.dtype.kind if isinstance(value, np.ndarray) else ""


def device(value: Data) -> str:
    """Return the type of the device that a value lies on."""
    return value.device.type if isinstance(value, torch.Tensor) else "cpu"


def nan(want: Data, have: Data, _: float | None) -> Difference | None:
    wanted, got = tensor(want), tensor(have)
    if isinstance(want, float) and want == want and have != have:
        return Difference("nan", "nan", want, have)
    if wanted is None or got is None or got.is_meta or not (got.is_floating_point() or got.is_complex()):
        return None
    return Difference("nan", "nan", wanted, got) if bool(unexpected_nan(wanted, got).any()) else None


def unexpected_nan(want: torch.Tensor, have: torch.Tensor) -> torch.Tensor:
    """Return where there is a NaN instead of a number."""
    return have.isnan() & ~want.isnan()


def values(want: Data, have: Data, tolerance: float | None) -> Difference | None:
    wanted, got = tensor(want), tensor(have)
    if wanted is None or got is None:
        return None if _same(want, have, tolerance) else Difference("values", "plain", want, have, tolerance=tolerance)
    if got.is_meta or torch.equal(wanted, got) or not bool(differing(wanted, got, tolerance).any()):
        return None
    return Difference("values", "numbers", wanted, got, tolerance=tolerance)


LEAF: tuple[tuple[str, Compare], ...] = (("shape", shape), ("dtype", dtype), ("nan", nan), ("values", values))
"""The comparisons of two leaves, in the order of their stages."""


def differing(want: torch.Tensor, have: torch.Tensor, tolerance: float | None) -> torch.Tensor:
    """Return where two tensors differ by more than the tolerance, or than what their dtype allows."""
    if not (want.is_floating_point() or want.is_complex()):
        return want != have
    limit = tolerance or TOLERANCE.get(want.dtype, 1e-2)
    return ~torch.isclose(have, want, rtol=limit, atol=limit, equal_nan=True)


def _same(want: Data, have: Data, tolerance: float | None) -> bool:
    if isinstance(want, np.ndarray):
        return bool(np.array_equal(want, have))
    if isinstance(want, set | frozenset) and len(want) == len(have):
        pairs = zip(in_order(want), in_order(have), strict=True)
        return want == have or all(_same_member(one, other, tolerance) for one, other in pairs)
    if want == have or (want != want and have != have):
        return True
    if isinstance(want, Decimal) and want.is_finite() and have.is_finite():
        with localcontext(Context(traps=[])):
            return bool(abs(want - have) <= max(LAST_DIGIT, Decimal(tolerance or 0)) * (1 + abs(want)))
    return isinstance(want, float | complex) and _close(want, have, tolerance or TOLERANCE[torch.float64])


def _same_member(want: Data, have: Data, tolerance: float | None) -> bool:
    return kind_of(want) == kind_of(have) and _same(want, have, tolerance)


def _close(want: complex, have: complex, limit: float) -> bool:
    """Return whether two numbers, the first of which is a float or complex, are equal up to rounding."""
    try:
        return cmath.isfinite(want) and abs(want - have) <= limit * (1 + abs(want))
    except OverflowError:  # an int that is no float
        return False


UNFIT = {
    StateMismatchError.__name__: "the parameters of the given __init__",
    NoPairError.__name__: "a pair, such as (output, cache)",
    StrayError.__name__: "tensors on the device of what was given",
}

GRADIENT_TOLERANCE = {torch.float64: 1e-7, torch.float32: 1e-3}

Path = tuple[PathStep, ...]
Leaf = tuple[Path, Data, Data]


def difference(
    expected: Observation, got: Observation, *, until: Stage = "again", tolerance: float | None = None
) -> Difference | None:
    """Return the first difference in the order of `STAGES`, up to and with `until`; None if there is none."""
    if special := _outcome(expected.result, got.result):
        return special
    if isinstance(expected.result, Raised | Absent | Opaque):
        return None
    leaves = _structure(expected.result, got.result)
    if isinstance(leaves, Difference):
        return leaves
    last = STAGES.index(until)
    for stage, compare in LEAF:
        for path, want, have in leaves:
            if STAGES.index(stage) <= last and (found := compare(want, have, tolerance)):
                return replace(found, path=path)
    if STAGES.index("gradients") <= last and (found := _gradients(expected, got, tolerance)):
        return found
    if STAGES.index("arguments") <= last and (found := altered(expected, got, tolerance)):
        return found
    return _again(expected, got) if STAGES.index("again") <= last else None


def _outcome(want: Data, have: Data) -> Difference | None:
    if isinstance(have, Absent):
        return Difference("outcome", "absent", want, have)
    if isinstance(want, Raised):
        same = isinstance(have, Raised) and want.kind in have.bases and want.message in have.message
        return None if same else Difference("outcome", "not raised", want, have)
    if isinstance(have, Raised):
        return Difference("outcome", "unfit" if have.kind in UNFIT else "raised", want, have)
    return Difference("outcome", "none", want, have) if have is None and want is not None else None


def _structure(want: Data, have: Data, path: Path = ()) -> Difference | list[Leaf]:
    """Return pairs of leaves, or the first place where the two sides have different structures."""
    want, have = _alike(want, have)
    wanted, got = kind_of(want), kind_of(have)
    # An object that is not data may belong to a class called "list" or "dict".
    disguised = isinstance(have, Opaque) != isinstance(want, Opaque)
    if disguised or (wanted != got and got not in NARROWER.get(wanted, ())):
        return Difference("structure", "kind", want, have, path)
    if wanted not in ("list", "tuple", "dict", "module") or (_plain(want) and _plain(have, "float")):
        return [(path, want, have)]
    if (len(want) != len(have)) or (isinstance(want, dict) and set(want) != set(have)):
        return Difference("structure", "parts", want, have, path)
    leaves: list[Leaf] = []
    for step, inner_want, inner_have in _members(want, have):
        found = _structure(inner_want, inner_have, (*path, step))
        if isinstance(found, Difference):
            return found
        leaves += found
    return leaves


def _alike(want: Data, have: Data) -> tuple[Data, Data]:
    """Return two values; of a number and an array without axes both as the reference has it, if that loses nothing.

    An answer's array without axes is no number, unless NumPy's number has no equal in Python.
    """
    if isinstance(want, np.ndarray) and not want.shape and isinstance(have, bool | int | float | complex):
        kind, own = kind_of(want.item()), kind_of(have)
        if kind == own or own in NARROWER.get(kind, ()):
            with suppress(OverflowError, FloatingPointError), np.errstate(over="raise"):
                return want, np.array(have).astype(want.dtype)
    if isinstance(have, np.ndarray) and not have.shape and have.dtype in NARROW and isinstance(want, float | complex):
        return want, have.item()
    return want, have


def _members(want: Data, have: Data) -> Iterator[tuple[PathStep, Data, Data]]:
    if is_module(want):
        yield PathStep("state", "what learns"), learning(want), learning(have)
        yield from (
            (PathStep("state", key), value, have[key]) for key, value in want.items() if key not in ("learning", "mode")
        )
    elif isinstance(want, dict):
        yield from ((PathStep("key", key), value, have[key]) for key, value in want.items())
    else:
        pairs = enumerate(zip(want, have, strict=True))
        yield from ((PathStep("item", number, len(want)), one, other) for number, (one, other) in pairs)


_KIND_NAMES: Final[dict[type, str]] = {
    **{torch.Tensor: "tensor", np.ndarray: "array", type(None): "None"},
    **{kind: kind.__name__ for kind in KINDS if kind is not dict},
}
"""Of values that are no more than their types, which most are. A dict may be a module."""


def kind_of(value: Data) -> str:
    """What a value is, in a word."""
    if known := _KIND_NAMES.get(type(value)):
        return known
    if is_module(value):
        return "module"
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, np.ndarray):
        return "array"
    if isinstance(value, Opaque):
        return value.type_name
    return next((kind.__name__ for kind in KINDS if isinstance(value, kind)), "None")


def is_module(value: Data) -> bool:
    """Whether this is what a module was seen as: its state, and which of it learns."""
    names = value.get("learning") if isinstance(value, dict) else None
    return isinstance(names, list) and all(isinstance(name, str) for name in names)


class Unquoted(str):
    """Words of ours: they are shown without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def learning(module: Data) -> Unquoted:
    """The names of the parameters that learn."""
    return Unquoted(", ".join(map(str, module["learning"])) or "nothing")


def _plain(value: Data, *more: str) -> bool:
    """Return whether this is a list or tuple of plain values, which is compared as one value."""
    kinds = ("str", "int", "bool", "None", *more)
    return isinstance(value, list | tuple) and all(
        kind_of(item) in kinds and not isinstance(item, Opaque) for item in value
    )


def _gradients(expected: Observation, got: Observation, tolerance: float | None) -> Difference | None:
    if expected.gradients is None or isinstance(expected.gradients, Raised):
        return None
    if isinstance(got.gradients, Raised) and "inplace operation" in got.gradients.message:
        return Difference("gradients", "overwritten", have=got.gradients)
    if isinstance(got.gradients, Raised) or got.gradients is None:
        return Difference("gradients", "no gradients", have=got.gradients)
    for place, want in expected.gradients.items():
        if found := gradient_apart(want, got.gradients.get(place), tolerance):
            return replace(found, stage="gradients", source=place)
    return None


def gradient_apart(want: torch.Tensor | None, have: torch.Tensor | None, tolerance: float | None) -> Difference | None:
    """Return how two gradients differ. A missing one counts as zero, on either side; rounding may leave a trace."""
    if have is None:
        missing = want is not None and not want.is_meta and bool((want.abs() > _limit(want, tolerance)).any())
        return Difference("gradients", "unreached", want) if missing else None
    want = torch.zeros((), dtype=have.dtype).expand(have.shape) if want is None else want
    found = (compare(want, have, _limit(want, tolerance)) for _, compare in LEAF)
    return next(filter(None, found), None)


def _limit(gradient: torch.Tensor, tolerance: float | None) -> float:
    return max(tolerance or 0.0, GRADIENT_TOLERANCE.get(gradient.dtype, 1e-2))


def altered(expected: Observation, got: Observation, tolerance: float | None = None) -> Difference | None:
    """Return what the call changed, if it should not have: an argument, or the object that was built."""
    for index, (want, have) in enumerate(zip(expected.arguments, got.arguments, strict=False)):
        place = f"argument {index}"
        if isinstance(want, dict) and isinstance(have, dict) and "mode" in want:
            if found := _left(want, have, tolerance):
                return replace(found, source=place)
            continue
        leaves = _structure(want, have)
        if isinstance(leaves, Difference) or any(compare(a, b, None) for _, a, b in leaves for _, compare in LEAF):
            return Difference("arguments", "argument", want, have, source=place)
    changed = sorted({*got.changed} ^ {*expected.changed}, key=lambda name: (" " in name, name))  # numbers first
    overwritten = re.fullmatch(r"argument (\d+)", changed[0]) if changed else None
    if overwritten:  # by too little for the comparison above
        number = int(overwritten[1])
        pair = expected.arguments[number], got.arguments[number]
        return Difference("arguments", "argument", *pair, source=changed[0])
    if not changed:
        return None
    return Difference("arguments", "changed", want=changed[0] in expected.changed, source=changed[0])


def overwritten(call: Call, seen: Observation) -> Difference | None:
    """Return which argument a call changed. Modules and other objects do not count: a call may exist to change them."""
    apart = Part, Opaque
    pairs = zip((*call.args, *call.kwargs.values()), seen.arguments, strict=False)
    given = tuple(after if isinstance(before, apart) or isinstance(after, apart) else before for before, after in pairs)
    return altered(Observation(None, arguments=given), replace(seen, changed=()))


def _left(want: dict[str, Data], have: dict[str, Data], tolerance: float | None) -> Difference | None:
    """Compare the states in which two calls left a module.

    A mode that the reference changes may differ: the answer may restore it.
    """
    if want["mode"] == "kept" and have.get("mode") != "kept":
        return Difference("arguments", "mode", have=have.get("mode"))
    inside = {**want, "mode": have.get("mode")}
    inner = apart(inside, have, tolerance)
    return Difference("arguments", "module", inner=inner) if inner else None


def _again(expected: Observation, got: Observation) -> Difference | None:
    if isinstance(got.gradients, Raised):
        return None
    steady = is_steady(expected)
    if steady and got.again is got.result:
        return None
    inner = apart(got.result if steady else expected.again, got.again)
    return Difference("again", "another" if steady else "unsteady", inner=inner) if inner else None


def is_steady(seen: Observation) -> bool:
    """Return whether both answers to the call are the same."""
    return seen.again is seen.result or apart(seen.result, seen.again) is None


def apart(want: Data, have: Data, tolerance: float | None = None) -> Difference | None:
    """Return how two results differ: in structure, shape, dtype or numbers."""
    return difference(Observation(want), Observation(have), until="values", tolerance=tolerance)
