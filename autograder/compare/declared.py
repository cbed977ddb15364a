"""The shapes that the docstring of an exercise declares: `(B, T, D)` for an argument, or for a part of the result."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import torch

from autograder.calls.records import Data
from autograder.source.parsing import shared_tree

Axes: TypeAlias = tuple[str, ...]
"""Letters, numbers, "" for a size that is computed, and "..." for any leading axes."""

Placed: TypeAlias = tuple[tuple[str, int], ...]
"""The letter and size of each axis of one array; "" for an axis without a letter."""

_BRACKETS: Final = re.compile(r"(?:(\w+)\s*,?\s*)?\(([^()]*)\)")
_AXIS: Final = re.compile(r"\w+(\s*[·+*/-]\s*\w+)*")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_LETTER: Final = re.compile(r"[A-Za-z]\w?")
_LIKE: Final = re.compile(r"\b[Ll]ike (\w+)")
_SECTION: Final = re.compile(r"^(Args|Returns|Raises|Source|Yields):", re.MULTILINE)
_ARGUMENT: Final = re.compile(r"^ {4}(\w+(?:, \w+)*):", re.MULTILINE)
_BROADCAST: Final = re.compile(r"broadcast\w*( \w+)*\s*$")


@dataclass(frozen=True)
class Declared:
    """The shapes of the arguments, by name, and those of the result in the order of their parts.

    `parity` has the words "odd" and "even", where it speaks of such sizes.
    """

    arguments: Mapping[str, Axes] = field(default_factory=dict)
    results: tuple[Axes, ...] = ()
    parity: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Letters:
    """The letters of the axes of one call: of each argument, of each part of the result, and by size."""

    arguments: Mapping[str, Placed]
    results: tuple[Placed, ...]
    by_size: Mapping[int, str]


def declared(source: str, exercise: str, method: str, arguments: Collection[str]) -> Declared:
    """Return what the docstring of a function, or of a class's `method`, declares in the text of a module.

    Args:
        arguments: the names of the parameters.
    """
    doc = _docstring(source, exercise, method)
    marks = [*_SECTION.finditer(doc)]
    ends = [*(mark.start() for mark in marks[1:]), len(doc)]
    sections = {mark[1]: doc[mark.end() : end] for mark, end in zip(marks, ends, strict=False)}
    about = doc[: marks[0].start()] if marks else doc
    loose = [(word, axes) for word, axes in _shapes(about) if axes]
    given = {word: axes for word, axes in loose if word in arguments}
    given.update(_of_arguments(sections.get("Args", "")))
    parity = frozenset(re.findall(r"\b(odd|even)\b", doc))
    if "Returns" not in sections:
        return Declared(given, tuple(axes for word, axes in loose if word not in arguments), parity)
    returned = tuple(axes for _, axes in _shapes(sections["Returns"]))
    like = _LIKE.search(sections["Returns"])
    if not returned and like and like[1] in given:
        returned = (given[like[1]],)
    return Declared(given, returned, parity)


def _docstring(source: str, exercise: str, method: str) -> str:
    tree = shared_tree(source)
    found = next((each for each in tree.body if getattr(each, "name", "") == exercise), None)
    if method and isinstance(found, ast.ClassDef):
        found = next((each for each in found.body if getattr(each, "name", "") == method), None)
    known = isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return (ast.get_docstring(found) or "") if known else ""  # type: ignore[arg-type]


def _of_arguments(section: str) -> Iterator[tuple[str, Axes]]:
    """Yield the first shape of each argument; where several share an entry, they share it or have one each."""
    marks = [*_ARGUMENT.finditer(section)]
    for mark, end in zip(marks, [*(each.start() for each in marks[1:]), len(section)], strict=False):
        names, shapes = mark[1].split(", "), [axes for _, axes in _shapes(section[mark.end() : end])]
        if len(shapes) in (1, len(names)):
            yield from zip(names, shapes * len(names) if len(shapes) == 1 else shapes, strict=False)
        elif shapes and len(names) == 1:
            yield names[0], shapes[0]


def _shapes(text: str) -> Iterator[tuple[str, Axes]]:
    """Yield each shape in a text, with the word before it; not those that something broadcasts to."""
    for found in _BRACKETS.finditer(text):
        axes = _axes(found[2])
        if axes and not _BROADCAST.search(text[: found.start(2) - 1]):
            yield found[1] or "", axes


def _axes(inside: str) -> Axes:
    """Return the axes that brackets list; () where they hold something else."""
    parts = [part.strip() for part in inside.split(",")]
    if len(parts) == 1 or not any(_LETTER.fullmatch(part) for part in parts):
        return ()
    parts = parts[:-1] if not parts[-1] else parts
    if not all(_AXIS.fullmatch(part) or (part == "..." and not place) for place, part in enumerate(parts)):
        return ()
    return tuple(part if part == "..." or part.isdigit() or _NAME.fullmatch(part) else "" for part in parts)


def letters(
    known: Declared, given: Mapping[str, Data], result: Data, drawn: Mapping[int, str], numbers: Collection[object]
) -> Letters:
    """Return the letters of a call's axes: from the docstring where it declares them, else from what was drawn.

    A letter with two sizes in one call says nothing, and neither does a size that has two letters.

    Args:
        given, result: the arguments by name, and the right result.
        drawn: the names of the sizes that were drawn.
        numbers: numbers in the call that may equal a size by accident.
    """
    parts = result if isinstance(result, tuple) else (result,)
    wanted: Sequence[Axes] = known.results[:1] if len(parts) == 1 else known.results
    wanted = wanted if len(wanted) == len(parts) else [()] * len(parts)
    arguments = {name: _placed(known.arguments.get(name, ()), value) for name, value in given.items()}
    results = [_placed(axes, part) for axes, part in zip(wanted, parts, strict=True)]
    sizes: dict[str, set[int]] = {}
    for letter, size in (pair for placed in (*arguments.values(), *results) for pair in placed if pair[0]):
        sizes.setdefault(letter, set()).add(size)
    sure = {letter: next(iter(found)) for letter, found in sizes.items() if len(found) == 1}
    return Letters(
        {name: _sure(placed, sure) for name, placed in arguments.items()},
        tuple(_sure(placed, sure) for placed in results),
        _by_size(sure, {name for axes in (*known.arguments.values(), *known.results) for name in axes}, drawn, numbers),
    )


def _placed(axes: Axes, value: Data) -> Placed:
    """Return the declared letters with the sizes of an array; () where they do not fit."""
    if not axes or not isinstance(value, torch.Tensor | np.ndarray):
        return ()
    shape = tuple(value.shape)
    if axes[0] == "...":
        axes = ("",) * (len(shape) - len(axes) + 1) + axes[1:]
    fits = len(axes) == len(shape) and all(
        not axis.isdigit() or int(axis) == size for axis, size in zip(axes, shape, strict=True)
    )
    return tuple(("" if axis.isdigit() else axis, size) for axis, size in zip(axes, shape, strict=True)) if fits else ()


def _sure(placed: Placed, sure: Mapping[str, int]) -> Placed:
    return tuple((letter if letter in sure else "", size) for letter, size in placed)


def _by_size(
    sure: Mapping[str, int], names: Collection[str], drawn: Mapping[int, str], numbers: Collection[object]
) -> dict[int, str]:
    """Return the letter of each size that has but one."""
    found = {}
    for size in {*sure.values(), *drawn}:
        own = {letter for letter, other in sure.items() if other == size}
        if size in drawn and (not own or drawn[size] in names):
            own.add(drawn[size])
        accident = size not in drawn and size in numbers
        moved = any(sure.get(letter, size) != size for letter in own)
        if len(own) == 1 and size > 1 and not accident and not moved:
            found[size] = next(iter(own))
    return found
