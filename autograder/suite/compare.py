"""Hold one observation against another, stage by stage, and say the first difference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from autograder.calls import Absent, Data, Observation, Opaque, Raised
from autograder.suite.describe import Names, a_or_an, describe, kind_of, number, numbers, short

Stage = Literal["outcome", "structure", "shape", "dtype", "nan", "values", "gradients", "arguments", "again"]
STAGES: tuple[Stage, ...] = (
    "outcome", "structure", "shape", "dtype", "nan", "values", "gradients", "arguments", "again"
)  # fmt: skip
TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4}
UNFIT = {"StateMismatchError": "the parameters that __init__ gives", "NoPairError": "a pair, such as (output, cache)"}
GRADIENT_TOLERANCE = {torch.float64: 1e-7, torch.float32: 1e-3}


@dataclass(frozen=True)
class Difference:
    """Where two observations part: the stage, one line on it, and both sides in words."""

    stage: Stage
    headline: str
    expected: str
    got: str


def difference(
    expected: Observation, got: Observation, names: Names, *, until: Stage = "again", tolerance: float | None = None
) -> Difference | None:
    """The first difference in the order of `STAGES`, up to and with `until`; None if there is none."""
    if special := _outcome(expected.result, got.result, names):
        return special
    if isinstance(expected.result, Raised | Absent | Opaque):
        return None
    leaves = _structure(expected.result, got.result, names, "")
    if isinstance(leaves, Difference):
        return leaves
    last = STAGES.index(until)
    for stage, check in (("shape", _shape), ("dtype", _dtype), ("nan", _nan), ("values", _values)):
        for place, want, have in leaves:
            if STAGES.index(stage) <= last and (found := check(place, want, have, names, tolerance)):
                return found
    if STAGES.index("gradients") <= last and (found := _gradients(expected, got, names)):
        return found
    if STAGES.index("arguments") <= last and (found := altered(expected, got, names, tolerance)):
        return found
    return _again(expected, got, names) if STAGES.index("again") <= last else None


def _outcome(want: Data, have: Data, names: Names) -> Difference | None:
    if isinstance(have, Absent):
        return Difference("outcome", f"there is {have.found} under this name", describe(want, names), have.found)
    if isinstance(want, Raised):
        return _both_raise(want, have, names)
    if isinstance(have, Raised) and have.kind in UNFIT:
        return Difference("outcome", have.message, UNFIT[have.kind], have.message)
    if isinstance(have, Raised):
        return Difference("outcome", f"it raised {short(describe(have, names))}", describe(want, names), _raised(have))
    if have is None and want is not None:
        return Difference("outcome", "it returned None: is a `return` missing?", describe(want, names), "None")
    return None


def _both_raise(want: Raised, have: Data, names: Names) -> Difference | None:
    if isinstance(have, Raised) and want.kind in have.bases and want.message in have.message:
        return None
    headline = f"it should raise {want.kind}"
    headline += f", not {have.kind}" if isinstance(have, Raised) and have.kind != want.kind else ""
    return Difference("outcome", headline, describe(want, names), describe(have, names))


def _raised(raised: Raised) -> str:
    where = f" in line {raised.line}: {raised.source}" if raised.line and raised.source else ""
    return f"{raised.kind}: {raised.message}{where}"


Leaf = tuple[str, Any, Any]


def _structure(want: Data, have: Data, names: Names, place: str) -> Difference | list[Leaf]:
    """Pairs of leaves, if both sides are built alike."""
    wanted, got = kind_of(want), kind_of(have)
    # The type of an object that is no data may bear the name of one that is.
    disguised = isinstance(have, Opaque) != isinstance(want, Opaque)
    if disguised or (wanted != got and not (wanted == "float" and got == "int")):
        where = f"{place} " if place else "it "
        headline = f"{where}should be {a_or_an(wanted)}, not {a_or_an(got)}"
        return Difference("structure", headline, describe(want, names), describe(have, names))
    if wanted not in ("list", "tuple", "dict") or (_plain(want) and _plain(have, "float")):
        return [(place or "the result", want, have)]
    if (len(want) != len(have)) or (wanted == "dict" and set(want) != set(have)):
        headline = f"{place or 'it'} should have {len(want)} parts, not {len(have)}"
        return Difference("structure", headline, describe(want, names), describe(have, names))
    leaves: list[Leaf] = []
    for part, inner_want, inner_have in _members(want, have, names, place):
        inner = _structure(inner_want, inner_have, names, part)
        if isinstance(inner, Difference):
            return inner
        leaves += inner
    return leaves


def _members(want: Data, have: Data, names: Names, place: str) -> Iterator[Leaf]:
    if isinstance(want, dict):
        yield from ((f"{place}[{key!r}]", value, have[key]) for key, value in want.items())
        return
    named = names.parts if not place and len(names.parts) == len(want) else ()
    for index, (inner_want, inner_have) in enumerate(zip(want, have, strict=True)):
        yield (named[index] if named else f"{place or 'result'}[{index}]"), inner_want, inner_have


def _plain(value: Data, *more: str) -> bool:
    """A list or tuple of plain values is compared as one value."""
    kinds = ("str", "int", "bool", "None", *more)
    return isinstance(value, list | tuple) and all(
        kind_of(item) in kinds and not isinstance(item, Opaque) for item in value
    )


def _tensor(value: Data) -> torch.Tensor | None:
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.array(value)) if value.dtype.kind in "biuf" else None
    return value if isinstance(value, torch.Tensor) else None


def _shape(place: str, want: Data, have: Data, names: Names, _: float | None) -> Difference | None:
    if not hasattr(want, "shape") or tuple(want.shape) == tuple(have.shape):
        return None
    wanted, got = names.shape(want.shape), names.shape(have.shape)
    return Difference("shape", f"{place} has shape {got} instead of {wanted}", f"shape {wanted}", f"shape {got}")


def _dtype(place: str, want: Data, have: Data, _names: Names, _: float | None) -> Difference | None:
    if not hasattr(want, "dtype"):
        return None
    for wanted, got in ((want.dtype, have.dtype), (_device(want), _device(have))):
        if wanted != got:
            a, b = str(wanted).removeprefix("torch."), str(got).removeprefix("torch.")
            return Difference("dtype", f"{place} is {b} instead of {a}", a, b)
    return None


def _device(value: Data) -> str:
    return value.device.type if isinstance(value, torch.Tensor) else "cpu"


def _nan(place: str, want: Data, have: Data, names: Names, _: float | None) -> Difference | None:
    wanted, got = _tensor(want), _tensor(have)
    if isinstance(want, float) and want == want and have != have:
        return Difference("nan", f"{place} is NaN", number(want), "NaN")
    if wanted is None or got is None or got.is_meta or not got.is_floating_point():
        return None
    bad = got.isnan()
    if not bool(bad.any()):
        return None
    bad &= ~wanted.isnan()
    if not bool(bad.any()):
        return None
    index = bad.nonzero()[0].tolist()
    where = f"{place}{names.index(index, bad.shape)}"
    headline = f"{where} is NaN" + (f", as {_count(int(bad.sum()), bad.numel())}" if bad.numel() > 1 else "")
    return Difference("nan", headline, number(wanted[tuple(index)].item()), "NaN")


def _values(place: str, want: Data, have: Data, names: Names, tolerance: float | None) -> Difference | None:
    wanted, got = _tensor(want), _tensor(have)
    if wanted is None or got is None:
        return None if _same(want, have, tolerance) else _plain_difference(place, want, have, names)
    if got.is_meta or torch.equal(wanted, got):
        return None
    bad = ~_close(wanted, got, tolerance)
    if not bool(bad.any()):
        return None
    gap = (wanted.double() - got.double()).abs().nan_to_num(nan=torch.inf).masked_fill(~bad, -1)
    index = [int(part) for part in np.unravel_index(int(gap.argmax()), gap.shape)]
    a, b = numbers(wanted[tuple(index)].item(), got[tuple(index)].item())
    where = f"{place}{names.index(index, bad.shape)}"
    others = f"; {_count(int(bad.sum()), bad.numel())} differ" if bad.numel() > 1 else ""
    headline = f"{where} is {b} instead of {a}{others}"
    return Difference("values", headline, f"{where} = {a}", f"{where} = {b}")


def _count(bad: int, total: int) -> str:
    return "all entries" if bad == total else f"{bad} of {total} entries"


def _close(want: torch.Tensor, have: torch.Tensor, tolerance: float | None) -> torch.Tensor:
    if not want.is_floating_point():
        return want == have
    limit = tolerance or TOLERANCE.get(want.dtype, 1e-2)
    return torch.isclose(have, want, rtol=limit, atol=limit, equal_nan=True)


def _same(want: Data, have: Data, tolerance: float | None) -> bool:
    if isinstance(want, float):
        limit = tolerance or TOLERANCE[torch.float64]
        near = math.isfinite(want) and abs(want - have) <= limit * (1 + abs(want))
        return want == have or near or (want != want and have != have)
    if isinstance(want, np.ndarray):
        return bool(np.array_equal(want, have))
    return bool(want == have)


def _plain_difference(place: str, want: Data, have: Data, names: Names) -> Difference:
    inner = Names(names.axes)  # the names of parts are those of the whole result
    a, b = describe(want, inner), describe(have, inner)
    return Difference("values", f"{place} is {b} instead of {a}", a, b)


def _gradients(expected: Observation, got: Observation, names: Names) -> Difference | None:
    if expected.gradients is None or isinstance(expected.gradients, Raised):
        return None
    if isinstance(got.gradients, Raised) and "inplace operation" in got.gradients.message:
        headline = "a tensor that the gradient still needs is overwritten (`+=`, `x[...] =`, a method ending in _)"
        return Difference("gradients", headline, "a gradient for every input", "an error on the way back")
    if isinstance(got.gradients, Raised) or got.gradients is None:
        text = short(describe(got.gradients, names)) if got.gradients else "no gradients"
        return Difference("gradients", f"asking for gradients raised {text}", "a gradient for every input", text)
    for place, want in expected.gradients.items():
        if found := _gradient(names.argument(place), want, got.gradients.get(place), names):
            return found
    return None


def _gradient(name: str, want: torch.Tensor | None, have: torch.Tensor | None, names: Names) -> Difference | None:
    """A gradient that is missing counts as zero, on either side; rounding may leave a trace of it."""
    if have is None:
        limit = GRADIENT_TOLERANCE.get(want.dtype, 1e-2) if want is not None else 0.0
        missing = want is not None and not want.is_meta and bool((want.abs() > limit).any())
        return (
            Difference("gradients", f"no gradient reaches {name}", f"a gradient of {name}", "none") if missing else None
        )
    want = torch.zeros((), dtype=have.dtype).expand(have.shape) if want is None else want
    for check in (_shape, _dtype, _nan, _values):
        if found := check(f"the gradient of {name}", want, have, names, GRADIENT_TOLERANCE.get(want.dtype)):
            return Difference("gradients", found.headline, found.expected, found.got)
    return None


def altered(expected: Observation, got: Observation, names: Names, tolerance: float | None = None) -> Difference | None:
    """What the call changed besides its result: an argument, or the object that was built."""
    for index, (want, have) in enumerate(zip(expected.arguments, got.arguments, strict=False)):
        if isinstance(want, dict) and isinstance(have, dict) and "mode" in want:
            if found := _left(want, have, names, index, tolerance):
                return found
            continue
        leaves = _structure(want, have, names, f"argument {index}")
        trouble = isinstance(leaves, Difference) or any(
            check("", a, b, names, None) for _, a, b in leaves for check in (_shape, _dtype, _nan, _values)
        )
        if trouble:
            name = names.argument(f"argument {index}")
            return Difference(
                "arguments", f"it changed its argument {name}", f"{name} as it was", f"{name} was overwritten"
            )
    return _changed(expected, got)


def _left(
    want: dict[str, Data], have: dict[str, Data], names: Names, index: int, tolerance: float | None
) -> Difference | None:
    """How the call left a module; whoever may change its mode may also put it back."""
    name = names.argument(f"argument {index}")
    if want["mode"] == "kept" and have.get("mode") != "kept":
        return Difference(
            "arguments", f"it left {name} in another mode", "the mode it was in", "training or evaluation"
        )
    inside = {**want, "mode": have.get("mode")}
    seen = difference(Observation(inside), Observation(have), Names(names.axes), until="values", tolerance=tolerance)
    if seen is None:
        return None
    headline = f"it left {name} otherwise than it should: {seen.headline.removeprefix('result')}"
    return Difference("arguments", headline, seen.expected, seen.got)


def _changed(expected: Observation, got: Observation) -> Difference | None:
    for name in sorted({*got.changed} ^ {*expected.changed}):
        return Difference("arguments", f"the call changed {name}", f"{name} as it was", f"{name} is another")
    return None


def _again(expected: Observation, got: Observation, names: Names) -> Difference | None:
    if isinstance(got.gradients, Raised):
        return None
    first, second = Observation(result=expected.result), Observation(result=expected.again)
    steady = expected.again is expected.result or difference(first, second, names, until="values") is None
    if steady and got.again is got.result:
        return None
    before = got.result if steady else expected.again
    found = difference(Observation(result=before), Observation(result=got.again), names, until="values")
    if found is None:
        return None
    return Difference("again", f"called twice, it answers differently: {found.headline}", found.expected, found.got)
