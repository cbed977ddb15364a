"""Describe values, shapes and calls in words that a student can read."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final
from unicodedata import combining, normalize

import numpy as np
import torch

from autograder.calls.records import Absent, Call, Data, Opaque, Part, Raised, identical, leaves
from autograder.calls.values import in_order, written
from autograder.compare.compare import is_module, learning
from autograder.compare.declared import Placed

LONGEST = 160
AROUND = LONGEST // 4
"""So much of two long texts is shown on each side of their first difference."""
BRACKETS: Final = {
    list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}"), set: ("{", "}"), frozenset: ("frozenset({", "})")
}  # fmt: skip
PARTED: Final = (list, tuple, dict, set, frozenset)
LIBRARY_ADVICE: Final = re.compile(
    r" (Use tensor\.detach\(\)\.numpy|Use Tensor\.cpu\(\)|If you are trying to invert a mask|"
    r"Please use torch\.nn\.Module|This could be because|Consider using tensor\.detach).*",
    re.DOTALL,
)
BESIDE = 1e-13, 1e-3
"""Off a whole number by less, a number is rounded; if it is small, six digits show that it is off by more."""
CROWD = 1000
"""A tensor with at least this many numbers is described by its mean and variance."""


@dataclass(frozen=True)
class Names:
    """The names of what is compared.

    `axes` maps a size to the axis that has it in this check. `parts` names the members of a tuple result,
    `arguments` the arguments of the call, `built` those of the constructor. `placed` has the axes of each argument, and
    `results` those of each part of the result, as their docstring declares them; `here` are those of one value.
    """

    axes: Mapping[int, str] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    placed: Mapping[str, Placed] = field(default_factory=dict)
    results: tuple[Placed, ...] = ()
    here: Placed = ()

    def of_argument(self, name: str) -> Names:
        """Return the names for the argument `name`, or for its gradient."""
        return replace(self, here=self.placed.get(name, ()))

    def of_result(self, part: int | None = None) -> Names:
        """Return the names for the result, or for one part of it."""
        if part is None:
            return replace(self, here=self.results[0] if len(self.results) == 1 else ())
        return replace(self, here=self.results[part] if part < len(self.results) > 1 else ())

    def shape(self, shape: Sequence[int]) -> str:
        """Return (2, 3, 5) as "(B=2, T=3, D=5)"; of two axes that share a size only declared ones get a name."""
        named = zip(self.letters(shape), shape, strict=True)
        sizes = [f"{letter}={size}" if letter else str(size) for letter, size in named]
        return "(" + ", ".join(sizes) + ("," if len(sizes) == 1 else "") + ")"

    def index(self, index: Sequence[int], shape: Sequence[int]) -> str:
        """Return an index as "[B=0, T=2]", or "[B=0, axis 1=2, axis 2=4]" where two axes share a size."""
        known = self.letters(shape)
        named = [
            f"{letter}={place}" if letter else f"axis {axis}={place}" if any(known) else str(place)
            for axis, (place, letter) in enumerate(zip(index, known, strict=True))
        ]
        return "[" + ", ".join(named) + "]" if named else ""

    def letters(self, shape: Sequence[int]) -> list[str]:
        """Return the letter of each axis: the declared one where its size is right, else one by its size, or "".

        Declared axes are the last ones, as in (..., T, D); what stands in front, or is declared without a letter, has
        none of the letters that are declared for others.
        """
        in_front = max(0, len(shape) - len(self.here))
        placed = [*(("", size) for size in shape[:in_front]), *self.here][: len(shape)]
        found = [letter if wanted == size else "" for (letter, wanted), size in zip(placed, shape, strict=True)]
        alone = {size: name for size, name in self.axes.items() if [*shape].count(size) == 1 and name not in found}
        letters = [letter or alone.get(size, "") for letter, size in zip(found, shape, strict=True)]
        if not self.here:
            return letters
        declared = {letter for axes in (*self.placed.values(), *self.results) for letter, _ in axes}
        return ["" if not own and each in declared else each for (own, _), each in zip(placed, letters, strict=True)]

    def argument(self, place: str) -> str:
        """Return the name that "argument 1" has in the signature."""
        words = place.split()
        if words[0] != "argument":
            return place
        number, last = int(words[1].split(".")[0]), len(self.arguments) - 1
        if last >= 0 and number >= last and self.arguments[last].startswith("*"):
            return f"{self.arguments[last][1:]}[{number - last}]"
        return self.arguments[number] if number <= last else place


@cache
def argument_names(function: Callable[..., Any], method: str) -> tuple[str, ...]:
    """Return the names of the parameters of a function, or of a class's `method`.

    A parameter that takes all further arguments is "*name".
    """
    target = getattr(function, method, function) if method else function
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return ()
    names = [f"*{each.name}" if each.kind is each.VAR_POSITIONAL else each.name for each in parameters]
    return tuple(names[1:] if method else names)


def describe(value: Data, names: Names) -> str:
    """Describe a value in a few words: tensors by dtype and shape (small ones in full), other values by repr."""
    if isinstance(value, torch.Tensor):
        return _tensor(value, names, _numbers(value))
    if isinstance(value, np.ndarray):
        return _array(f"array {value.dtype}", value.shape, names, _numbers(value))
    if isinstance(value, Raised):
        return f"{value.kind}: {short(bare(value))}" if value.message else value.kind
    if isinstance(value, Absent):
        return value.found
    if isinstance(value, Part):
        return _short_form(value)
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    return _float(value) if isinstance(value, float) else _several(value, names)


def _float(value: float) -> str:
    """Return a number; one just beside a whole number with the digits that show it."""
    is_beside = math.isfinite(value) and BESIDE[0] < abs(value - round(value)) < BESIDE[1]
    return repr(value) if is_beside and float(number(value)).is_integer() else number(value)


def told_apart(one: Data, other: Data, names: Names) -> tuple[str, str]:
    """Describe two values that differ, with as many digits, or as much of a long text, as it takes to see that."""
    pair = describe(one, names), describe(other, names)
    if pair[0] != pair[1]:
        return pair
    long = written(one), written(other)
    if any(isinstance(leaf, torch.Tensor | np.ndarray | Part) for leaf in leaves([one, other])) or long[0] == long[1]:
        return f"{pair[0]}{_length(one)}", f"{pair[1]}{_length(other)}"
    return (short(long[0]), short(long[1])) if short(long[0]) != short(long[1]) else _parting(*long)


def look_alike(one: str, other: str) -> bool:
    """Return whether two texts differ only in how Unicode writes their letters: é, or e with an accent after it."""
    return one != other and normalize("NFC", one) == normalize("NFC", other)


def with_codes(text: str) -> str:
    """Return the text with such letters by their codes: caf\\xe9, or cafe\\u0301."""
    odd = (letter for letter in text if combining(letter) or normalize("NFD", letter) != letter)
    return text.translate({ord(letter): letter.encode("ascii", "backslashreplace").decode() for letter in odd})


def spelled_apart(one: str, other: str) -> tuple[str, str]:
    """Return two texts, with the codes of letters where they look alike."""
    return (with_codes(one), with_codes(other)) if look_alike(one, other) else (one, other)


def _length(value: Data) -> str:
    return f" ({len(value)} entries)" if isinstance(value, PARTED) else ""


def _parting(one: str, other: str) -> tuple[str, str]:
    """Return both texts from shortly before their first difference to shortly after it."""
    pairs = enumerate(zip(one, other, strict=False))
    at = next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))
    first, last = max(0, at - AROUND), at + AROUND
    a, b = (f"{'…' * (first > 0)}{text[first:last]}{'…' * (len(text) > last)}" for text in (one, other))
    return a, b


def _several(value: Data, names: Names) -> str:
    """Describe the parts of a value in a few words; return the repr of a value without parts."""
    if is_module(value):
        return f"a module in which {learning(value)} learn"
    if isinstance(value, tuple) and len(value) == len(names.parts):
        shown = zip(names.parts, value, strict=True)
        inner = replace(names, parts=())
        told = (f"{part}: {describe(item, inner.of_result(at))}" for at, (part, item) in enumerate(shown))
        return "(" + ", ".join(told) + ")"
    if isinstance(value, set | frozenset) and not value:
        return written(value)
    return _row(value, names, LONGEST, describe) if isinstance(value, PARTED) else short(written(value))


def _row(value: Data, names: Names, room: int, describe_item: Callable[[Data, Names], str]) -> str:
    """Write out a list, tuple or dict, with as many whole items from both ends as there is room for."""
    opening, closing = next(pair for kind, pair in BRACKETS.items() if isinstance(value, kind))
    if isinstance(value, set | frozenset):
        value = in_order(value)
    items = [*value.items()] if isinstance(value, dict) else [(None, item) for item in value]
    ends: tuple[list[str], list[str]] = [], []
    for number in range(len(items)):
        key, item = items[-(number // 2) - 1 if number % 2 else number // 2]
        text = _item(item, Names(names.axes), room // 2 - 6, describe_item)  # without the names of the parts
        text = text if key is None else f"{short(repr(key))}: {text}"
        if number and sum(len(each) + 2 for end in ends for each in end) + len(text) > room:
            ends[0].append("…")
            break
        ends[number % 2].append(text)
    comma = "," if isinstance(value, tuple) and len(items) == 1 else ""
    return opening + ", ".join([*ends[0], *reversed(ends[1])]) + comma + closing


def _item(value: Data, names: Names, room: int, describe_item: Callable[[Data, Names], str]) -> str:
    """Describe an item of a row. Nested tensors are shown without numbers: what counts there is the structure."""
    if isinstance(value, PARTED) and not is_module(value):
        return _row(value, names, room, _form)
    return describe_item(value, names)


def _form(value: Data, names: Names) -> str:
    return _tensor(value, names, "") if isinstance(value, torch.Tensor) else describe(value, names)


def bare(raised: Raised) -> str:
    """Return the text of an error without the library's own advice, which knows nothing of the task."""
    return LIBRARY_ADVICE.sub("", raised.message).rstrip(" .")


def a_or_an(kind: str) -> str:
    """Return a kind with its article."""
    words = {"tensor": "a torch tensor", "array": "a NumPy array", "int": "an int", "str": "a string", "None": "None"}
    return words.get(kind, f"{'an' if kind[:1].lower() in ('a', 'e', 'i', 'o') or kind[:2] == 'nd' else 'a'} {kind}")


def short(text: str) -> str:
    """Return `text` on one line, without its middle if it is long. No word is cut, unless it fills a half."""
    text = re.sub(r"\s*\n\s*", " ", text.strip())  # spaces stay: they may be what is wrong
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2 - 2
    front = text[: half + 1].rpartition(" ")[0] or text[:half]
    back = text[-half - 1 :].partition(" ")[2] or text[-half:]
    return f"{front} … {back}"


def number(value: complex) -> str:
    """Return a number with six significant digits."""
    if value != value:
        return "NaN"
    return str(value) if isinstance(value, bool | int) else f"{value + 0.0:.6g}"  # no zero has a minus


def numbers(one: complex, other: complex) -> tuple[str, str]:
    """Return two numbers with as many digits as it takes to see that they differ."""
    if number(one) != number(other):
        return number(one), number(other)
    pairs = ((f"{one:.{digits}g}", f"{other:.{digits}g}") for digits in range(7, 17))
    return next((pair for pair in pairs if pair[0] != pair[1]), (repr(one), repr(other)))


def crowd(value: Data) -> str:
    """Describe a large float tensor by its mean and variance; return "" for anything else."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or value.numel() < CROWD or value.is_meta:
        return ""
    flat = value.detach().double()
    zero = float((flat == 0).double().mean())
    among = f", {zero:.0%} of them 0" if zero else ""
    return f"{value.numel()} numbers of mean {flat.mean():.2g} and variance {flat.var():.2g}{among}"


def describe_call(call: Call, names: Names, *, defaults: bool = False) -> str:
    """Return the call as code, with tensors by shape; with `defaults`, name torch's default dtype or device too."""
    if defaults and (call.dtype or call.device):
        what = f"device {call.device}" if call.device else f"dtype {str(call.dtype).removeprefix('torch.')}"
        return f"{describe_call(call, names)}, with {what} as torch's default"
    if call.turns:
        own = [", ".join(describe(value, Names(names.axes)) for value in turn) for turn in call.args]
        before = [f", and what call {number + 1} gave" if number >= 0 else "" for number in call.turns]
        return "; ".join(f"{call.name}({turn}){text}" for turn, text in zip(own, before, strict=True))
    given = named(names.arguments, call.args, call.kwargs)
    inner = ", ".join(
        f"{name}={describe(value, names.of_argument(name))}" if name else describe(value, names)
        for name, value in given
    )
    if call.build is None:
        return f"{call.name}({inner})"
    built = _arguments(call.build.args, call.build.kwargs, names.built)
    here = f"{call.name}({built}){_dotted(call.build.method)}({inner})"
    calls = " and ".join(
        f"{_dotted(method)}({_arguments(args, kwargs)}){f' in {dtype}' if dtype else ''}"
        for method, _, args, kwargs, dtype in call.build.earlier
    )
    return f"{here}, after {calls} on the same object" if calls else here


def _dotted(method: str) -> str:
    return f".{method}" if method else ""


def describe_calls(calls: Sequence[tuple[Call, Names]], *, defaults: bool) -> str:
    """Describe all calls of a check. Two that read alike are written once."""
    texts = [describe_call(call, names, defaults=defaults) for call, names in calls]
    if len(texts) < 2 or texts[0] != texts[1]:
        return " and ".join(texts)
    one, other = ((call.args, dict(call.kwargs)) for call, _ in calls)
    return f"{texts[0]}, {'twice' if identical(one, other) else 'and again with other numbers'}"


def _arguments(args: Sequence[Data], kwargs: Mapping[str, Data], names: tuple[str, ...] = ()) -> str:
    given = named(names, args, kwargs)
    return ", ".join(f"{name}={_short_form(value)}" if name else _short_form(value) for name, value in given)


def _short_form(value: Data) -> str:
    if isinstance(value, Part):
        return f"{value.name}({_arguments(value.args, value.kwargs)})"
    return "…" if any(isinstance(leaf, torch.Tensor | np.ndarray) for leaf in leaves(value)) else repr(value)


def named(names: Sequence[str], args: Sequence[Data], kwargs: Mapping[str, Data]) -> Iterator[tuple[str, Data]]:
    """Yield the arguments of a call with their names; a name is "" where `names` has none for one value alone."""
    known = ["" if name.startswith("*") else name for name in names]
    yield from zip([*known, *[""] * len(args)], args, strict=False)
    yield from kwargs.items()


def _tensor(value: torch.Tensor, names: Names, numbers: str) -> str:
    kind = str(value.dtype).removeprefix("torch.")
    return _array(kind, value.shape, names, " on meta" if value.is_meta else numbers)


def _array(kind: str, shape: Sequence[int], names: Names, numbers: str) -> str:
    return f"{kind} {names.shape(shape)}{numbers}"


def _numbers(value: torch.Tensor | np.ndarray) -> str:
    """Return the entries of a small array in brackets, or "" for a large one."""
    without = isinstance(value, torch.Tensor) and value.is_meta
    if without or math.prod(value.shape) > 8 or value.ndim > 2:
        return ""
    return " " + _nested(value.tolist())


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_nested(item) for item in value) + "]"
    return repr(value) if isinstance(value, str) else number(value)
