"""What the reference and the known mistakes show on a call.

All submissions get the same calls, so each answer is computed once and kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

import numpy as np
import torch

from autograder.calls.observe import observe
from autograder.calls.quick_call import glance, glances
from autograder.calls.records import Call, Data, Observation, raw
from autograder.calls.values import SINGLE, written
from autograder.compare.alike import is_random
from autograder.compare.changes import changed
from autograder.compare.declared import Declared, declared
from autograder.compare.describe import argument_names
from autograder.compare.draw import Draw
from autograder.compare.sketch import NEAR, Sketch, near, sketch
from autograder.core import reading
from autograder.core.errors import UsageError
from autograder.core.lru import Latest
from autograder.course.course import Course
from autograder.course.model import Misconception

Found = Sequence[Misconception]
KEPT = 8192
SKETCHES = 1 << 16
ROUNDED = 1e-3
"""A sketch may differ by this share where float32 has rounded."""

NOT_RECORDED = "what comes next in this check was not recorded, so that it cannot go on here; your instructor runs it"


class Oracle:
    """Calls the functions that the course itself provides."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._seen: Latest[tuple[str, bytes], Observation] = Latest(KEPT)
        self._sketches: Latest[tuple[str, str, bytes], Sketch] = Latest(SKETCHES)
        self._random: Latest[tuple[str, bytes], bool] = Latest(KEPT)
        self._declared: dict[tuple[str, str, str], Declared] = {}

    def draw(self, seed: int, check: str) -> Draw:
        """Return the random inputs of a check."""
        return Draw(seed, check)

    def recorded(self, check: str, seed: int) -> Iterator[Call] | None:  # noqa: ARG002 - a sealed course needs both
        """Return the calls of a check in their order, where they were recorded; None where the check makes them."""
        return None

    def function(self, chapter: str, exercise: str) -> Callable[..., Any]:
        """Return the reference's function or class. Raises: UsageError: it has none of that name."""
        module = self._course.reference(chapter)
        if not hasattr(module, exercise):
            why = f"reference/{chapter}.py does not define {exercise}, which tests/exercises/test_{chapter}.py checks"
            raise UsageError(f"{why}; define it there, or correct the name")
        return getattr(module, exercise)  # type: ignore[no-any-return]

    def parameters(self, chapter: str, exercise: str, method: str) -> tuple[str, ...]:
        """Return the names of the parameters of the exercise, or of a class's `method`."""
        return argument_names(self.function(chapter, exercise), method)

    def declared(self, chapter: str, exercise: str, method: str) -> Declared:
        """Return the shapes that the docstring of an exercise, or of a class's `method`, declares."""
        key = chapter, exercise, method
        if key not in self._declared:
            stub, names = self._course.stub(chapter), self.parameters(chapter, exercise, method)
            text = reading.text(stub) if stub.is_file() else ""
            self._declared[key] = declared(text, exercise, method, names)
        return self._declared[key]

    def mistakes(self, chapter: str) -> Sequence[Misconception]:
        """Return the known mistakes of a chapter."""
        return self._course.misconceptions(chapter)

    def reference(self, chapter: str, exercise: str) -> Callable[..., Any] | None:
        """Return the reference's function for calls that no check makes; None where only recorded calls are known."""
        return self.function(chapter, exercise)

    def right(self, chapter: str, call: Call) -> Observation:
        """Return what the reference shows."""
        function = self.function(chapter, call.name)
        return self._show(f"{chapter}/{call.name}", function, replace(call, forbidden=()), self.digest(call))

    def wrong(self, known: Sequence[Misconception], call: Call) -> list[Observation]:
        """Return what each of the known mistakes shows."""
        plain, same = replace(call, forbidden=()), self.digest(call)
        return [self._show(each.identifier, each.function, plain, same) for each in known]

    def candidates(self, known: Found, call: Call, seen: Observation, *, rounded: bool) -> Found:
        """Return those of `known` that may have given `seen`, or what it was before it was `rounded`."""
        return self.like("known", known, call, seen, rounded=rounded)

    def shown(
        self,
        known: Sequence[Misconception],
        call: Call,
        seen: Observation,  # noqa: ARG002 - a sealed course has no answers of mistakes, but recognises this one
        *,
        rounded: bool,  # noqa: ARG002
    ) -> list[Observation]:
        """Return what each of the known mistakes shows, for a comparison with `seen`, exact or up to rounding."""
        return self.wrong(known, call)

    def changes(self, reference: Callable[..., Any], call: Call, parts: Sequence[str]) -> Found:
        """Return the changes of the reference that a call allows.

        Args:
            parts: the names of the parts of the result.
        """
        return [*changed(reference, call, glance(reference, replace(call, forbidden=())), parts)]

    def is_random(self, reference: Callable[..., Any], call: Call) -> bool:
        """Return whether the right result of a call depends on its seed."""
        key = (call.name, self.digest(call))
        if key not in self._random:
            self._random[key] = is_random(reference, call)
        return self._random[key]

    def like(self, kind: str, known: Found, call: Call, seen: Observation, *, rounded: bool = False) -> Found:
        """Return what may have given `seen`, by a sketch of each result, which is quicker and smaller than that.

        Args:
            kind: within it, the identifiers of `known` are unique.
        """
        limit = ROUNDED if rounded else NEAR
        same, plain = self.digest(call), replace(call, forbidden=())
        keys = [(kind, each.identifier, same) for each in known]
        found = {key: self._sketches[key] for key in keys if key in self._sketches}
        new = {key: each.function for key, each in zip(keys, known, strict=True) if key not in found}
        made = glances([*new.values()], plain)
        fresh = {key: sketch(result) for key, result in zip(new, made, strict=True)}
        self._sketches |= fresh
        found |= fresh
        got = sketch(seen.result)
        return [each for each, key in zip(known, keys, strict=True) if near(found[key], got, limit)]

    def digest(self, call: Call) -> bytes:
        """Return the digest of a call, which must not change meanwhile."""
        if "digest" not in call.kept:
            call.kept["digest"] = digest(call)
        return cast(bytes, call.kept["digest"])

    def _show(self, name: str, function: Callable[..., Any], call: Call, same: bytes) -> Observation:
        key = (name, same)
        if key not in self._seen:
            self._seen[key] = observe({call.name: function}, call)
        return self._seen[key]


def digest(value: Data) -> bytes:
    """Return a digest that is the same for equal values, and for no others."""
    found = hashlib.blake2b(digest_size=16)
    for piece in _pieces(value, {}):
        found.update(len(piece).to_bytes(8, "little"))
        found.update(piece)
    return found.digest()


def _pieces(value: Data, seen: dict[int, int]) -> Iterator[bytes]:
    if isinstance(value, (*SINGLE, set, frozenset, torch.dtype)):
        yield f"{type(value).__name__} {written(value)}".encode(errors="surrogatepass")
        return
    if id(value) in seen:
        yield f"again {seen[id(value)]}".encode()
        return
    seen[id(value)] = len(seen)
    if isinstance(value, torch.Tensor | np.ndarray):
        yield from _array_pieces(value)
    else:
        yield from _inner_pieces(value, seen)


def _array_pieces(value: torch.Tensor | np.ndarray) -> Iterator[bytes]:
    strides = value.stride() if isinstance(value, torch.Tensor) else value.strides
    yield f"{type(value).__name__} {value.dtype} {tuple(value.shape)} {strides}".encode()
    if isinstance(value, np.ndarray):
        yield value.tobytes()
    elif not value.is_meta:
        yield raw(value).numpy().tobytes()


def _inner_pieces(value: Data, seen: dict[int, int]) -> Iterator[bytes]:
    items: Mapping[Any, Any]
    if is_dataclass(value):
        items = {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    else:
        items = value if isinstance(value, Mapping) else dict(enumerate(value))
    yield f"{type(value).__name__} {len(items)}".encode()
    for key, item in items.items():
        yield key.encode() if isinstance(key, str) else f"{type(key).__name__} {written(key)}".encode()
        yield from _pieces(item, seen)
