"""Hold one observation against another, stage by stage, and say the first difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from autograder.calls.records import Absent, Call, Data, Observation, Opaque, Part, Raised, tensors
from autograder.compare.describe import Names, a_or_an, describe, is_module, kind_of, learning, short
from autograder.compare.leaves import STAGES, Difference, Stage, dtype, nan, shape, values

UNFIT = {"StateMismatchError": "the parameters of the given __init__", "NoPairError": "a pair, such as (output, cache)"}
RETURN = {
    ("tensor", "array"): "return a tensor: compute with torch's functions, not with NumPy's",
    ("tensor", "list"): "return a tensor: torch.stack or torch.cat makes one of tensors, torch.tensor one of numbers",
    ("array", "tensor"): "return a NumPy array: compute with NumPy's functions, not with torch's",
    ("array", "list"): "return a NumPy array: np.array makes one of a list",
}
"""What to do where the first is expected and the second came."""

ANEW: tuple[tuple[type, str], ...] = (
    (
        torch.Tensor,
        "make new tensors (`x - m`, `masked_fill`, `where`, `x.clone()`) instead of `-=`, `x[...] =` or "
        "a method ending in `_`",
    ),
    (np.ndarray, "make new arrays (`x - m`, `np.where`, `x.copy()`) instead of `-=`, `x[...] =` or `x.sort()`"),
    (list, "make new lists (`[*x, 1]`, `sorted(x)`) instead of `x.append(1)`, `x.sort()`, `x.pop()` or `x[...] =`"),
    (dict, "make a new dict (`{**x, key: 1}`) instead of `x[key] =` or `x.pop(key)`"),
)
"""What to do instead of changing what was given, by its kind."""

GRADIENT_TOLERANCE = {torch.float64: 1e-7, torch.float32: 1e-3}


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
    for stage, check in (("shape", shape), ("dtype", dtype), ("nan", nan), ("values", values)):
        for place, want, have in leaves:
            if STAGES.index(stage) <= last and (found := check(place, want, have, names, tolerance)):
                return found
    if STAGES.index("gradients") <= last and (found := _gradients(expected, got, names, tolerance)):
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
        return Difference("outcome", have.message, UNFIT[have.kind], "")
    if isinstance(have, Raised):
        return Difference("outcome", f"it raised {describe(have, names)}", describe(want, names), _raised(have))
    if have is None and want is not None:
        return Difference("outcome", "it returned None", describe(want, names), "None (is a `return` missing?)")
    return None


def _both_raise(want: Raised, have: Data, names: Names) -> Difference | None:
    if isinstance(have, Raised) and want.kind in have.bases and want.message in have.message:
        return None
    headline = f"it should raise {want.kind}"
    headline += f", not {have.kind}" if isinstance(have, Raised) and have.kind != want.kind else ""
    return Difference("outcome", headline, describe(want, names), describe(have, names))


def _raised(raised: Raised) -> str:
    where = f", in line {raised.line}: {raised.source}" if raised.line and raised.source else ""
    return f"{raised.kind}: {raised.message.rstrip(' .')}{where}"


Leaf = tuple[str, Any, Any]


def _structure(want: Data, have: Data, names: Names, place: str) -> Difference | list[Leaf]:
    """Pairs of leaves, if both sides are built alike."""
    wanted, got = kind_of(want), kind_of(have)
    inner = names if not place else Names(names.axes)  # the names of parts are those of the whole result
    # The type of an object that is no data may bear the name of one that is.
    disguised = isinstance(have, Opaque) != isinstance(want, Opaque)
    if disguised or (wanted != got and not (wanted == "float" and got == "int")):
        where = f"{place} " if place else "it "
        headline = f"{where}should be {a_or_an(wanted)}, not {a_or_an(got)}"
        advice = "" if isinstance(have, Opaque) else RETURN.get((wanted, got), "")
        return Difference("structure", headline, describe(want, inner), describe(have, inner), advice)
    if wanted not in ("list", "tuple", "dict", "module") or (_plain(want) and _plain(have, "float")):
        return [(place or "the result", want, have)]
    if (len(want) != len(have)) or (isinstance(want, dict) and set(want) != set(have)):
        headline = f"{place or 'it'} {_parted(want, have)}"
        return Difference("structure", headline, describe(want, inner), describe(have, inner))
    leaves: list[Leaf] = []
    for part, inner_want, inner_have in _members(want, have, names, place):
        found = _structure(inner_want, inner_have, names, part)
        if isinstance(found, Difference):
            return found
        leaves += found
    return leaves


def _parted(want: Data, have: Data) -> str:
    """How two of a kind differ in what they consist of."""
    if is_module(want):
        return "is another module than the one that is expected"
    if isinstance(want, dict) and set(want) != set(have):
        return f"should have the keys {', '.join(map(repr, want))}, not {short(', '.join(map(repr, have)))}"
    return f"should have {len(want)} {'entries' if isinstance(want, list) else 'parts'}, not {len(have)}"


def _members(want: Data, have: Data, names: Names, place: str) -> Iterator[Leaf]:
    if is_module(want):
        yield "what learns", learning(want), learning(have)
        yield from ((key, value, have[key]) for key, value in want.items() if key not in ("learning", "mode"))
        return
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


def _gradients(expected: Observation, got: Observation, names: Names, tolerance: float | None) -> Difference | None:
    if expected.gradients is None or isinstance(expected.gradients, Raised):
        return None
    if isinstance(got.gradients, Raised) and "inplace operation" in got.gradients.message:
        headline = "a tensor that the gradient still needs is overwritten (`+=`, `x[...] =`, a method ending in _)"
        return Difference("gradients", headline, "a gradient for every input", "an error on the way back")
    if isinstance(got.gradients, Raised) or got.gradients is None:
        text = describe(got.gradients, names) if got.gradients else "no gradients"
        return Difference("gradients", f"asking for gradients raised {text}", "a gradient for every input", text)
    for place, want in expected.gradients.items():
        if found := _gradient(names.argument(place), want, got.gradients.get(place), names, tolerance):
            return found
    return None


def _gradient(
    name: str, want: torch.Tensor | None, have: torch.Tensor | None, names: Names, tolerance: float | None
) -> Difference | None:
    """A gradient that is missing counts as zero, on either side; rounding may leave a trace of it."""
    if have is None:
        missing = want is not None and not want.is_meta and bool((want.abs() > _limit(want, tolerance)).any())
        return (
            Difference("gradients", f"no gradient reaches {name}", f"a gradient of {name}", "none") if missing else None
        )
    want = torch.zeros((), dtype=have.dtype).expand(have.shape) if want is None else want
    for check in (shape, dtype, nan, values):
        if found := check(f"the gradient of {name}", want, have, names, _limit(want, tolerance)):
            return Difference("gradients", found.headline, found.expected, found.got)
    return None


def _limit(gradient: torch.Tensor, tolerance: float | None) -> float:
    return max(tolerance or 0.0, GRADIENT_TOLERANCE.get(gradient.dtype, 1e-2))


def altered(expected: Observation, got: Observation, names: Names, tolerance: float | None = None) -> Difference | None:
    """What the call changed besides its result: an argument, or the object that was built."""
    for index, (want, have) in enumerate(zip(expected.arguments, got.arguments, strict=False)):
        if isinstance(want, dict) and isinstance(have, dict) and "mode" in want:
            if found := _left(want, have, names, index, tolerance):
                return found
            continue
        leaves = _structure(want, have, names, f"argument {index}")
        trouble = isinstance(leaves, Difference) or any(
            check("", a, b, names, None) for _, a, b in leaves for check in (shape, dtype, nan, values)
        )
        if trouble:
            name = names.argument(f"argument {index}")
            headline, kept, lost = f"it changed its argument {name}", f"`{name}` unchanged", f"`{name}` was changed"
            return Difference("arguments", headline, kept, lost, _anew(want))
    return _changed(expected, got)


def overwritten(call: Call, seen: Observation, names: Names) -> Difference | None:
    """What a call changed of what it was given, but for modules and other objects: these may be there to be changed."""
    apart = Part, Opaque
    pairs = zip((*call.args, *call.kwargs.values()), seen.arguments, strict=False)
    given = tuple(after if isinstance(before, apart) or isinstance(after, apart) else before for before, after in pairs)
    return altered(Observation(None, arguments=given), replace(seen, changed=()), names)


def _anew(given: Data) -> str:
    """How to leave alone what was given."""
    inner = next(tensors(given), given)
    return next((advice for kind, advice in ANEW if isinstance(inner, kind)), "")


def _left(
    want: dict[str, Data], have: dict[str, Data], names: Names, index: int, tolerance: float | None
) -> Difference | None:
    """How the call left a module; whoever may change its mode may also put it back."""
    name = names.argument(f"argument {index}")
    if want["mode"] == "kept" and (mode := have.get("mode")) != "kept":
        mode = mode if mode in ("training", "evaluation") else "another"
        return Difference("arguments", f"it left {name} in {mode} mode", "the mode it was in", f"{mode} mode")
    inside = {**want, "mode": have.get("mode")}
    seen = difference(Observation(inside), Observation(have), Names(names.axes), until="values", tolerance=tolerance)
    if seen is None:
        return None
    headline = f"afterwards {name} is not as it should be: {seen.headline}"
    return Difference("arguments", headline, seen.expected, seen.got)


def _changed(expected: Observation, got: Observation) -> Difference | None:
    for name in sorted({*got.changed} ^ {*expected.changed}, key=lambda name: (" " in name, name)):  # numbers first
        return Difference("arguments", f"the call changed {name}", f"{name} unchanged", f"{name} was changed")
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
    if not steady:
        return Difference("again", f"called twice, it answers differently: {found.headline}", found.expected, found.got)
    both = f"first {found.expected}, then {found.got}"
    return Difference("again", f"called twice, it answers differently: {both}", "the same answer both times", both)
