"""Turn a difference into words: a headline, both sides, and advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import torch

from autograder.calls.as_data import SHRUNK
from autograder.calls.observe import GRADIENTS_LEFT_OFF
from autograder.calls.records import Data, Opaque, Raised, leaves, tensors
from autograder.calls.side_effects import (
    EARLIER_ANSWER,
    GRADIENT_OF_ARGUMENT,
    GRADIENT_OF_PARAMETER,
    KEPT_FOR_AN_OBJECT,
    MODES_LEFT_ON,
)
from autograder.compare.compare import UNFIT, device, differing, is_module, kind_of, unexpected_nan
from autograder.compare.describe import (
    Names,
    a_or_an,
    bare,
    describe,
    look_alike,
    number,
    numbers,
    short,
    told_apart,
    with_codes,
)
from autograder.compare.difference import Difference, PathStep, Rule, Stated, Words
from autograder.compare.extent import extent
from autograder.compare.torch_errors import ANEW, RETURN

LEFT: Final = {
    EARLIER_ANSWER: "A caller may hold two answers at once. Return a new object from each call.",
    GRADIENT_OF_ARGUMENT: "`.backward()` adds to each `.grad` it reaches; `torch.autograd.grad` leaves nothing behind.",
    GRADIENT_OF_PARAMETER: "Training the object will add to it. `torch.autograd.grad` leaves nothing behind.",
    GRADIENTS_LEFT_OFF: "Write `with torch.no_grad():` around the lines that need it: after them, recording goes on.",
    KEPT_FOR_AN_OBJECT: "Is something kept by `id(...)`, by an address, or in a cache? An optimizer changes a tensor, "
    "`append` a list, and both stay the same object. Compute it anew, or keep what it held, to compare with.",
    MODES_LEFT_ON: "Enter a mode with `with`, which switches it off again.",
}
"""What to do about what a call leaves behind."""

CUT_OFF: Final = (
    "`.item()`, `.tolist()`, `.detach()`, `torch.tensor(...)`, `nn.Parameter(...)`, `state_dict()` and `no_grad`"
)
STALE: Final = "given an object that held something else in an earlier call, it gives a wrong answer"
IN_ONE_FORM: Final = "both look alike: Unicode writes such letters in two ways; `unicodedata.normalize` in one"
FEW, MOST_KEYS = 6, 3  # entries of a list, and keys, that are shown all

NO_RETURN = "None (is a `return` missing? methods that change a list in place, such as `sort`, return None too)"


def words(found: Difference | Stated, names: Names) -> Words:
    """Return the words for what was found; `names` are those of the call."""
    return found.words if isinstance(found, Stated) else _spelled_out(_WORDS[found.rule](found, names))


def _spelled_out(made: Words) -> Words:
    """Return the words with the codes of letters, where both sides look alike."""
    if not look_alike(made.expected, made.got):
        return made
    headline, expected, got = map(with_codes, made[:3])
    return made._replace(headline=headline, expected=expected, got=got, advice=IN_ONE_FORM)


def _absent(found: Difference, names: Names) -> Words:
    return Words(
        f"there is {found.have.found} under this name", describe(found.want, names.of_result()), found.have.found
    )


def _not_raised(found: Difference, names: Names) -> Words:
    want, have = found.want, found.have
    headline = f"it should raise {want.kind}"
    headline += f", not {have.kind}" if isinstance(have, Raised) and have.kind != want.kind else ""
    return Words(headline, describe(want, names), describe(have, names))


def _unfit(found: Difference, _: Names) -> Words:
    return Words(found.have.message, UNFIT[found.have.kind], "")


def _raised(found: Difference, names: Names) -> Words:
    raised = found.have
    got = f"{raised.kind}: {bare(raised)}"
    return Words(f"it raised {describe(raised, names)}", describe(found.want, names.of_result()), got)


def _none(found: Difference, names: Names) -> Words:
    return Words(
        "it returned None",
        describe(found.want, names.of_result()),
        NO_RETURN,
    )


def place_of(found: Difference, names: Names, whole: str) -> str:
    """Return the place of a difference, or `whole` if it concerns the whole result."""
    if found.source:
        return f"the gradient of {names.argument(found.source)}"
    place = ""
    for step in found.path:
        place = _stepped(place, step, names)
    return place or whole


def _stepped(place: str, step: PathStep, names: Names) -> str:
    if step.kind == "state":
        return str(step.key)
    if step.kind == "key":
        return f"{place}[{step.key!r}]"
    named = not place and len(names.parts) == step.size
    return names.parts[step.key] if named else f"{place or 'result'}[{step.key}]"


def _inner(found: Difference, names: Names) -> Names:
    """Return the names for a value; the names of parts apply to the whole result only."""
    if found.source:
        return Names(names.axes) if found.path else names.of_argument(names.argument(found.source))
    if not found.path:
        return names.of_result()
    step = found.path[0]
    whole = len(found.path) == 1 and step.kind == "item" and step.size == len(names.results)
    return Names(names.axes, here=names.of_result(step.key).here if whole else ())


def _kind(found: Difference, names: Names) -> Words:
    want, have, inner = found.want, found.have, _inner(found, names)
    wanted, got = kind_of(want), kind_of(have)
    other = f"an object of another class called {got}" if wanted == got else a_or_an(got)
    odd = wanted == "tensor" and isinstance(have, Opaque) and "tensor" in got
    right = "an ordinary tensor" if odd else a_or_an(wanted)
    headline = f"{place_of(found, names, 'it')} should be {right}, not {other}"
    advice = "" if isinstance(have, Opaque) else RETURN.get((wanted, got), "")
    return Words(headline, *told_apart(want, have, inner), advice)


def _parts(found: Difference, names: Names) -> Words:
    inner = _inner(found, names)
    place = place_of(found, names, "it")
    if is_module(found.want):
        return _other_module(place, found.want, found.have)
    return Words(f"{place} {_parted(found.want, found.have)}", *told_apart(found.want, found.have, inner))


def _other_module(place: str, want: dict[str, Data], have: dict[str, Data]) -> Words:
    """Name a parameter or buffer that only one of two modules has."""
    headline = f"{place} is not the module that is expected: "
    if lacking := [name for name in want if name not in have]:
        return Words(f"{headline}it has no `{lacking[0]}`", f"a module with `{lacking[0]}`", "a module without it")
    extra = next(name for name in have if name not in want)
    return Words(f"{headline}it also has `{extra}`", f"a module without `{extra}`", "a module with it")


def _parted(want: Data, have: Data) -> str:
    """Return how the parts of two values of one kind differ."""
    if isinstance(want, dict) and set(want) != set(have):
        lacking, extra = (
            _keys([key for key in want if key not in have]),
            _keys([key for key in have if key not in want]),
        )
        if not (lacking and extra):
            return f"should also have {lacking}" if lacking else f"should not have {extra}"
        return f"should have {lacking}, not {extra}"
    return f"should have {len(want)} {'entries' if isinstance(want, list) else 'parts'}, not {len(have)}"


def _keys(names: Sequence[object]) -> str:
    """Return some keys as words: all of three, the first of more; "" for none."""
    if len(names) > MOST_KEYS:
        return f"the key {short(repr(names[0]))} and {len(names) - 1} more"
    return f"the key{'s' * (len(names) > 1)} {', '.join(short(repr(name)) for name in names)}" if names else ""


def _shape(found: Difference, names: Names) -> Words:
    inner = _inner(found, names)
    wanted, got = inner.shape(found.want.shape), inner.shape(found.have.shape)
    headline = f"{place_of(found, names, 'the result')} has shape {got} instead of {wanted}"
    return Words(headline, f"shape {wanted}", f"shape {got}")


def _dtype(found: Difference, names: Names) -> Words:
    a, b = (str(value.dtype).removeprefix("torch.") for value in (found.want, found.have))
    advice = f'make it with this dtype: np.zeros(3, dtype="{a}")' if isinstance(found.want, np.ndarray) else ""
    return Words(f"{place_of(found, names, 'the result')} is {b} instead of {a}", a, b, advice)


def _device(found: Difference, names: Names) -> Words:
    wanted, got = device(found.want), device(found.have)
    headline = f"{place_of(found, names, 'the result')} is on device {got} instead of {wanted}"
    return Words(headline, _meaning(wanted), _meaning(got))


def _meaning(place: str) -> str:
    return "device meta (tensors without data, in the place of a GPU's)" if place == "meta" else f"device {place}"


def _nan(found: Difference, names: Names) -> Words:
    want, have, place = found.want, found.have, place_of(found, names, "the result")
    if isinstance(want, float | complex):
        return Words(f"{place} is NaN", number(want), "NaN")
    bad = unexpected_nan(want, have)
    index = bad.nonzero()[0].tolist()
    where = f"{place}{_inner(found, names).index(index, bad.shape)}"
    are = _count(bad, "is", "are", _inner(found, names))
    right = number(want[tuple(index)].item())
    return Words(f"{where} is NaN{are}", f"{where} = {right}", f"{where} = NaN", wrong=_share(bad))


def _numbers(found: Difference, names: Names) -> Words:
    want, have = found.want, found.have
    bad = differing(want, have, found.tolerance)
    index = _worst(want, have, bad)
    a, b = numbers(want[tuple(index)].item(), have[tuple(index)].item())
    where = f"{place_of(found, names, 'the result')}{_inner(found, names).index(index, bad.shape)}"
    headline = f"{where} is {b} instead of {a}{_count(bad, 'differs', 'differ', _inner(found, names))}"
    return Words(headline, f"{where} = {a}", f"{where} = {b}", wrong=_share(bad))


def _worst(want: torch.Tensor, have: torch.Tensor, bad: torch.Tensor) -> list[int]:
    """Return where two numbers are farthest apart; for ids and booleans, the first place where they differ."""
    if not (want.is_floating_point() or want.is_complex()):
        first: list[int] = bad.nonzero()[0].tolist()
        return first
    wide = torch.complex128 if want.is_complex() else torch.float64
    gap = (want.to(wide) - have.to(wide)).abs().nan_to_num(nan=torch.inf).masked_fill(~bad, -1)
    return [int(part) for part in np.unravel_index(int(gap.argmax()), gap.shape)]


def _count(bad: torch.Tensor, one: str, many: str, names: Names) -> str:
    """Return how many of several entries are wrong, and where, as in "; 2 of 6 entries differ, all of them at T=1"."""
    count, total = int(bad.sum()), bad.numel()
    if total == 1:
        return ""
    entries = "all entries" if count == total else f"{count} of {total} entries"
    where = extent(bad, names.letters(bad.shape))
    return f"; {entries} {one if count == 1 else many}{f', {where}' if where else ''}"


def _share(bad: torch.Tensor) -> float:
    return int(bad.sum()) / bad.numel() if bad.numel() > 1 else 0.0


def _plain(found: Difference, names: Names) -> Words:
    want, have, place = found.want, found.have, place_of(found, names, "the result")
    if isinstance(want, float | complex) and isinstance(have, float | complex):
        a, b = numbers(want, have)
        return Words(f"{place} is {b} instead of {a}", a, b)
    if isinstance(want, list | tuple) and isinstance(have, list | tuple) and max(len(want), len(have)) > FEW:
        return _list(place, want, have)
    if isinstance(want, np.ndarray):
        return _texts(place, want, have, _inner(found, names))
    a, b = told_apart(want, have, Names(names.axes))  # the names of parts are those of the whole result
    return Words(f"{place} is {b} instead of {a}", a, b)


def _texts(place: str, want: np.ndarray, have: np.ndarray, names: Names) -> Words:
    """Describe the first difference between two arrays of texts."""
    bad = torch.from_numpy(want != have)
    index = bad.nonzero()[0].tolist()
    a, b = told_apart(want[tuple(index)].item(), have[tuple(index)].item(), names)
    where = f"{place}{names.index(index, bad.shape)}"
    headline = f"{where} is {b} instead of {a}{_count(bad, 'differs', 'differ', names)}"
    return Words(headline, f"{where} = {a}", f"{where} = {b}", wrong=_share(bad))


def _list(place: str, want: Sequence[Data], have: Sequence[Data]) -> Words:
    """Describe the first difference between two long lists of plain values, with the entries around it."""
    pairs = enumerate(zip(want, have, strict=False))
    at = next((number for number, (one, other) in pairs if one != other), None)
    if at is None:
        headline = f"{place} has {len(have)} entries instead of {len(want)}"
        end = min(len(want), len(have))
        return Words(headline, _around(want, end, show_length=True), _around(have, end, show_length=True))
    one, other = told_apart(want[at], have[at], Names())
    differs = len(want) != len(have)
    a, b = _around(want, at, one, show_length=differs), _around(have, at, other, show_length=differs)
    return Words(f"{place}[{at}] is {other} instead of {one}", a, b)


def _around(items: Sequence[Data], at: int, told: str = "", *, show_length: bool) -> str:
    """Return the entries around one, for which there may be a text already."""
    first, last = max(0, at - 2), min(len(items), at + 3)
    texts = [told if told and place == at else short(repr(items[place])) for place in range(first, last)]
    length = f" ({len(items)} entries)" if show_length else ""
    return f"[{'…, ' if first else ''}{', '.join(texts)}{', …' if last < len(items) else ''}]{length}"


def _overwritten(_found: Difference, _names: Names) -> Words:
    headline = "a tensor that the gradient still needs is overwritten (`+=`, `x[...] =`, a method ending in _)"
    return Words(headline, "a gradient for every input", "an error on the way back")


def _no_gradients(found: Difference, names: Names) -> Words:
    text = describe(found.have, names) if found.have else "no gradients"
    return Words(f"asking for gradients raised {text}", "a gradient for every input", text)


def _unreached(found: Difference, names: Names) -> Words:
    name = names.argument(found.source)
    advice = f"Is it used at all? {CUT_OFF} cut it off."
    return Words(f"no gradient reaches {name}", f"a gradient of {name}", "none", advice)


def _argument(found: Difference, names: Names) -> Words:
    name, inner = names.argument(found.source), next(tensors(found.want), found.want)
    advice = next((advice for kind, advice in ANEW if isinstance(inner, kind)), "")
    shrunk = any(isinstance(leaf, Opaque) and leaf.type_name == SHRUNK for leaf in leaves(found.have))
    did = "resized the memory of" if shrunk else "changed"
    return Words(f"it {did} its argument {name}", f"`{name}` unchanged", f"`{name}` was changed", advice)


def _ticked(name: str) -> str:
    """Return the name of an argument as code; "argument 1" is none."""
    return f"`{name}`" if " " not in name else name


def _mode(found: Difference, names: Names) -> Words:
    mode = found.have if found.have in ("training", "evaluation") else "another"
    headline = f"it left {names.argument(found.source)} in {mode} mode"
    return Words(headline, "the mode it was in", f"{mode} mode")


def _module(found: Difference, names: Names) -> Words:
    seen = _inside(found, Names(names.axes))
    headline = f"the call leaves {_ticked(names.argument(found.source))} in the wrong state: {seen.headline}"
    return Words(headline, seen.expected, seen.got)


def _changed(found: Difference, _: Names) -> Words:
    name = found.source
    if name == KEPT_FOR_AN_OBJECT:
        return Words(STALE, "an answer from what it holds now", "another one", LEFT[name])
    if found.want:  # the right answer changes it
        return Words(f"the call should change {name}, and does not", f"changed: {name}", f"unchanged: {name}")
    return Words(f"the call changed {name}", f"unchanged: {name}", f"changed: {name}", LEFT.get(name, ""))


def _unsteady(found: Difference, names: Names) -> Words:
    seen = _inside(found, names)
    return Words(f"called a second time, it gives a wrong answer: {seen.headline}", seen.expected, seen.got)


def _another(found: Difference, names: Names) -> Words:
    seen = _inside(found, names)
    both = f"first {seen.expected}, then {seen.got}"
    return Words(f"called twice, it answers differently: {both}", "the same answer both times", both)


def _inside(found: Difference, names: Names) -> Words:
    assert found.inner is not None
    return words(found.inner, names)


_WORDS: Final[dict[Rule, Callable[[Difference, Names], Words]]] = {
    "absent": _absent,
    "not raised": _not_raised,
    "unfit": _unfit,
    "raised": _raised,
    "none": _none,
    "kind": _kind,
    "parts": _parts,
    "shape": _shape,
    "dtype": _dtype,
    "device": _device,
    "nan": _nan,
    "numbers": _numbers,
    "plain": _plain,
    "overwritten": _overwritten,
    "no gradients": _no_gradients,
    "unreached": _unreached,
    "argument": _argument,
    "mode": _mode,
    "module": _module,
    "changed": _changed,
    "unsteady": _unsteady,
    "another": _another,
}
