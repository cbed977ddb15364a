"""The comparison at the heart of a check: reference and student, called on the same arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import torch

from autograder.errors import CheckFailed
from autograder.observe import Build, Call, Data, Observation, Raised, observe
from autograder.suite.compare import Difference, difference
from autograder.suite.describe import Names, argument_names, describe_call
from autograder.suite.diagnose import explaining
from autograder.suite.draw import Draw
from autograder.suite.grading import Check, Grading
from autograder.suite.messages import message
from autograder.suite.student import Student


class BrokenCheckError(Exception):
    """The check itself is wrong: the reference fails it. Never the student's fault."""


class Agree:
    """Compares the student's exercise with the reference; raises `CheckFailed` where they differ."""

    def __init__(self, grading: Grading, check: Check, draw: Draw, student: Student) -> None:
        self._grading = grading
        self._check = check
        self._draw = draw
        self._student = student
        self._reference = getattr(grading.course.reference(check.chapter), check.exercise)

    def __call__(
        self,
        *args: Data,
        build: Sequence[Data] | None = None,
        gradients: bool = False,
        tolerance: float | None = None,
        **kwargs: Data,
    ) -> None:
        """The student's answer equals the reference's.

        Args:
            args, kwargs: the call. For a class these go to the built object, and `build` to its
                constructor; its parameters are drawn at random and set by name in both.
            gradients: compare gradients of inputs and parameters as well.
            tolerance: absolute and relative; by dtype if not given.
        """
        call, expected = self._expect(args, kwargs, build, gradients=gradients)
        got = self._student.observe(call)
        names = self._names(call)
        if found := difference(expected, got, names, tolerance=tolerance):
            self._fail(call, expected, got, found)

    def satisfies(
        self,
        says: str,
        predicate: Callable[[Any], bool],
        *args: Data,
        build: Sequence[Data] | None = None,
        **kwargs: Data,
    ) -> None:
        """The student's answer has the reference's form and the property that `says` states."""
        call, expected = self._expect(args, kwargs, build)
        if not predicate(expected.result):
            raise BrokenCheckError(f"the reference itself does not satisfy: {says}")
        got = self._student.observe(call)
        found = difference(expected, got, self._names(call), until="dtype")
        if found is None and not predicate(got.result):
            values = difference(expected, got, self._names(call), until="values")
            seen = values.got if values else "it does not hold"
            found = Difference("values", f"this does not hold: {says}", says, seen)
        if found:
            self._fail(call, expected, got, found)

    def raises(
        self,
        kind: type[Exception],
        *args: Data,
        naming: Sequence[str] = (),
        build: Sequence[Data] | None = None,
        **kwargs: Data,
    ) -> None:
        """The student's function refuses these arguments with `kind`, its message containing each of `naming`."""
        call, expected = self._expect(args, kwargs, build, raising=True)
        if not (isinstance(expected.result, Raised) and kind.__name__ in expected.result.bases):
            raise BrokenCheckError(f"the reference does not raise {kind.__name__}")
        got = self._student.observe(call)
        wanted = replace(expected, result=Raised(kind.__name__, (kind.__name__,), ""))
        found = difference(wanted, got, self._names(call), until="outcome")
        said = got.result.message if isinstance(got.result, Raised) else ""
        silent = [part for part in naming if part not in said]
        if found is None and silent:
            text = " and ".join(silent)
            headline = f"the {kind.__name__} should name {text}"
            found = Difference("outcome", headline, f"a message with {text}", said or "no message")
        if found:
            self._fail(call, expected, got, found)

    def on_meta(self, *args: Data, build: Sequence[Data] | None = None, **kwargs: Data) -> None:
        """On tensors without data the shapes, dtypes and devices are right: nothing is hard-coded."""
        moved = tuple(_to_meta(arg) for arg in args)
        self(*moved, build=build, **{name: _to_meta(value) for name, value in kwargs.items()})

    def require(self, condition: bool, *, expected: str, got: str, advice: str = "") -> None:
        """For a check that compares nothing: `condition` must hold."""
        if not condition:
            headline = f"this does not hold: {self._check.sentence}"
            raise CheckFailed("failed", message(headline, expected=expected, got=got, advice=advice or self._hint()))

    def _expect(
        self,
        args: tuple[Data, ...],
        kwargs: dict[str, Data],
        build: Sequence[Data] | None,
        *,
        gradients: bool = False,
        raising: bool = False,
    ) -> tuple[Call, Observation]:
        call = Call(self._check.exercise, args, kwargs, self._build(build, args))
        expected = self._observe_reference(call)
        result: Data = expected.result
        if isinstance(result, Raised) and not raising:
            raise BrokenCheckError(f"the reference raised {result.kind}: {result.message}")
        if gradients:
            call = replace(call, cotangents=self._cotangents(expected.result))
            expected = self._observe_reference(call)
            if isinstance(expected.gradients, Raised):
                raise BrokenCheckError(f"the reference has no gradients: {expected.gradients.message}")
        return replace(call, forbidden=self._check.forbidden), expected

    def _observe_reference(self, call: Call) -> Observation:
        return observe({call.name: self._reference}, call)

    def _build(self, build: Sequence[Data] | None, args: tuple[Data, ...]) -> Build | None:
        if build is None:
            return None
        floats = [arg for arg in args if isinstance(arg, torch.Tensor) and arg.is_floating_point()]
        like = floats[0] if floats else torch.empty(0, dtype=torch.float64)
        module = self._reference(*build)
        state = {
            name: self._draw.like(value, dtype=like.dtype, device=like.device)
            for name, value in module.state_dict().items()
        }
        return Build(args=tuple(build), state=state)

    def _cotangents(self, result: Data) -> tuple[torch.Tensor | None, ...]:
        parts = result if isinstance(result, tuple | list) else (result,)
        tensors = [part for part in parts if isinstance(part, torch.Tensor)]
        return tuple(
            self._draw.like(part, dtype=part.dtype, device=part.device) if part.is_floating_point() else None
            for part in tensors
        )

    def _names(self, call: Call) -> Names:
        axes = {size: name for name, size in self._draw.sizes.items()}
        return Names(axes, self._check.parts, argument_names(self._reference, call.build is not None))

    def _hint(self) -> str:
        return f"`attend hint {self._check.exercise}`"

    def _fail(self, call: Call, expected: Observation, got: Observation, found: Difference) -> NoReturn:
        names = self._names(call)
        known = self._grading.misconceptions(self._check)
        causes = list(explaining(known, call, expected, got, names))
        headline, advice = found.headline, self._hint()
        if causes:
            headline, advice = f"{causes[0].says} ({found.headline})", causes[0].advice
        text = message(
            headline,
            called=describe_call(call, names),
            expected=found.expected,
            got=found.got,
            advice=advice,
        )
        raised = isinstance(got.result, Raised) and not isinstance(expected.result, Raised)
        raise CheckFailed("error" if raised else "failed", text, [cause.identifier for cause in causes])


def _to_meta(value: Data) -> Data:
    return value.to("meta") if isinstance(value, torch.Tensor) else value
