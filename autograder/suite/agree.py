"""The comparison at the heart of a check: the reference and the student's answer, called on the same arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import torch

from autograder.calls.records import Build, Call, Data, Observation, Raised, duplicate, tensors, to_meta
from autograder.compare.compare import altered, difference, overwritten
from autograder.compare.describe import Names, argument_names, crowd, describe_calls
from autograder.compare.difference import Difference, Stated
from autograder.compare.draw import Draw
from autograder.compare.evidence import Failure, Seen
from autograder.compare.patch import patch_of
from autograder.compare.sight import Sight
from autograder.compare.torch_errors import needs_data
from autograder.compare.words import words
from autograder.core.errors import BrokenCheckError, CheckFailed
from autograder.core.message import Message
from autograder.internals.compiler import without_compiler
from autograder.suite.building import Module, as_module, built, unbuilt
from autograder.suite.check import Check, Grading
from autograder.suite.example import smallest
from autograder.suite.hunt import Hunt, Prey
from autograder.suite.near import describe_apart, listening
from autograder.suite.steps import Passes, other_refusal, property_of
from autograder.suite.student import Student, room_for

Wanted = Module | Sequence[Data] | None


class Agree:
    """Compares the student's exercise with the reference; raises `CheckFailed` where they differ."""

    def __init__(self, grading: Grading, check: Check, draw: Draw, student: Student) -> None:
        self._grading = grading
        self._check = check
        self._draw = draw
        self._student = student
        self._reference = grading.oracle.function(check.chapter, check.exercise)
        self._evidence = grading.evidence(check)
        self._dtype = torch.float64
        self._calls = 0
        self._hint = f"`attend hint {check.exercise}`"

    def __call__(
        self,
        *args: Data,
        build: Wanted = None,
        gradients: bool = False,
        tolerance: float | None = None,
        **kwargs: Data,
    ) -> None:
        """Check that the student's answer equals the reference's.

        Args:
            args: the arguments of the call; for a class, of the call of the built object.
            kwargs: those with a name.
            build: the constructor's arguments, or a `module`; parameters are drawn and set by name on both sides.
            gradients: compare the gradients of inputs and parameters as well.
            tolerance: absolute and relative, for gradients too if it exceeds theirs; the default depends on the dtype.
        """
        self._same(self._call(args, kwargs, self._built(build, args)), gradients, tolerance)

    def in_turns(
        self,
        *turns: tuple[Data, ...],
        after: Sequence[int] = (),
        gradients: bool = False,
        unless_data_is_needed: bool = False,
    ) -> None:
        """Check several calls, each of which gets the second half of an earlier call's answer as an argument.

        Args:
            turns: the arguments of each call, without the one that an earlier call gives.
            after: for each call the number of the earlier one, -1 for none; by default the call before it.
            gradients: compare the gradients of all arguments as well.
            unless_data_is_needed: as in `on_meta`, for tensors on meta.
        """
        handed = tuple(after) or tuple(range(-1, len(turns) - 1))
        self._same(replace(self._call(turns, {}, None), turns=handed), gradients, None, unless_data_is_needed)

    def _same(self, call: Call, gradients: bool, tolerance: float | None, excused: bool = False) -> None:
        call = self._asked(call)
        expected = self._expect(call)
        if gradients:
            call = self._asked(replace(call, cotangents=self._cotangents(expected.result)))
            expected = self._expect(call)
            if isinstance(expected.gradients, Raised):
                raise BrokenCheckError(f"the reference has no gradients: {expected.gradients.message}")
        got = self._student.observe(call, expected)
        if excused and needs_data(got.result):
            self._grading.trace.whole = False
            return
        if found := difference(expected, got, tolerance=tolerance):
            self._fail(call, expected, got, found, exact=True)
        self._agreed(call, expected, got, lambda seen: difference(expected, seen, tolerance=tolerance) is None)

    def under(self, dtype: torch.dtype) -> Agree:
        """Return a comparison with another default dtype than float64, for functions without a tensor argument."""
        other = copy(self)
        other._dtype = dtype
        return other

    def satisfies(
        self,
        says: str,
        predicate: Callable[[Any], bool],
        *args: Data,
        build: Wanted = None,
        shows: Callable[[Any], str] | None = None,
        **kwargs: Data,
    ) -> None:
        """Check that the student's answer has the reference's form and the property that `says` states.

        Args:
            shows: describes an answer without the property; by default, what `near` found or a wrong number is shown.
        """
        call = self._call(args, kwargs, self._built(build, args))
        self._hold(says, predicate, [call], shows)

    def relates(
        self,
        says: str,
        relation: Callable[[Any, Any], bool],
        first: tuple[Data, ...],
        second: tuple[Data, ...],
        *,
        build: Wanted = None,
        shows: Callable[[Any, Any], str] | None = None,
        **kwargs: Data,
    ) -> None:
        """Check that two answers, with the same parameters and `kwargs`, have the relation that `says` states.

        Args:
            shows: as in `satisfies`, for both answers.
        """
        made = self._built(build, first)
        calls = [self._call(args, kwargs, made) for args in (first, second)]
        self._hold(says, relation, calls, shows)

    def raises(
        self, kind: type[Exception], *args: Data, naming: Sequence[str] = (), build: Wanted = None, **kwargs: Data
    ) -> None:
        """Check that the student's function raises `kind` on these arguments, with a message that names `naming`."""
        call = self._asked(self._call(args, kwargs, None if build is None else unbuilt(as_module(build))))
        expected = self._expect(call, raising=True)
        if not (isinstance(expected.result, Raised) and kind.__name__ in expected.result.bases):
            raise BrokenCheckError(f"the reference does not raise {kind.__name__}")
        got = self._student.observe(call, expected)
        wanted = replace(expected, result=Raised(kind.__name__, (kind.__name__,), ""))
        if found := other_refusal(wanted, got, naming):
            self._fail(call, expected, got, found)
        self._agreed(call, expected, got, lambda seen: other_refusal(wanted, seen, naming) is None)

    def exposes(self, prey: Prey, *, share: float = 1.0, listed: bool = True) -> None:
        """Check that the student's answer, used as the arguments of a call, exposes known mistakes of `prey`.

        Args:
            share: the share of the mistakes that it must expose.
            listed: whether these are the mistakes of the families, or the others.
        """
        known = self._grading.course.misconceptions(prey.chapter)
        hunt = Hunt(self._grading.oracle, prey, known)
        call = self._call((), {}, None)
        expected, got = self._expect(call), self._student.observe(call)
        if found := hunt.lacking(expected, got, share, listed=listed):
            self._fail(call, expected, got, found)
        lacking = partial(hunt.lacking, expected, share=share, listed=listed)
        self._keep([duplicate(call)], [expected], lambda seen: lacking(seen) is None)

    def on_meta(self, *args: Data, build: Wanted = None, unless_data_is_needed: bool = False, **kwargs: Data) -> None:
        """Check that shapes, dtypes and devices are right on tensors without data, so that nothing is hard-coded.

        Args:
            unless_data_is_needed: excuse an answer that looks at its numbers (`x[mask]`, a loop over rows).
        """
        moved = tuple(to_meta(arg) for arg in args)
        named = {name: to_meta(value) for name, value in kwargs.items()}
        call = self._call(moved, named, self._built(build, moved))
        if call.bare:
            call = replace(call, device="meta")
        call = self._asked(call)
        with without_compiler():
            expected = self._expect(call)
            got = self._student.observe(call, expected)
            if needs_data(got.result) and (call.device or unless_data_is_needed):
                # An answer that needs data must also work with data: raising that error is not enough.
                self._grading.trace.whole = False
                self.satisfies("it has the form of the expected answer", lambda _: True, *args, build=build, **kwargs)
                return
            if found := difference(expected, got):
                self._fail(call, expected, got, found)
            self._agreed(call, expected, got, lambda seen: difference(expected, seen) is None)

    def keeps_its_place(self, *args: Data, build: Wanted = None) -> None:
        """Check that float32 stays float32, and what `on_meta` checks."""
        narrow = [arg.float() if isinstance(arg, torch.Tensor) and arg.is_floating_point() else arg for arg in args]
        self.satisfies("float32 stays float32", lambda _: True, *narrow, build=build)
        self.on_meta(*args, build=build)

    def require(self, condition: bool, *, expected: str, got: str, advice: str = "") -> None:
        """Check that `condition` holds, for a check that compares nothing."""
        self._grading.trace.whole = False
        if not condition:
            headline = f"this does not hold: {self._check.sentence}"
            raise CheckFailed("failed", Message(headline, expected=expected, got=got, advice=advice or self._hint))

    def _hold(self, says: str, holds: Callable[..., bool], calls: list[Call], shows: Callable[..., str] | None) -> None:
        """Check that the answers to `calls` have the reference's form, and together the property that `says` states."""
        calls = [self._asked(call) for call in calls]
        expected = [self._expect(call) for call in calls]
        if not holds(*(seen.result for seen in expected)):
            raise BrokenCheckError(f"the reference itself does not satisfy: {says}")
        got = [self._student.observe(call, want) for call, want in zip(calls, expected, strict=True)]
        rows = list(zip(calls, expected, got, strict=True))
        for call, want, have in rows:
            if found := difference(want, have, until="dtype") or altered(want, have):
                self._fail(call, want, have, found)
        results = [seen.result for seen in got]
        with listening() as apart:
            if holds(*results):
                self._keep([duplicate(call) for call in calls], expected, property_of(expected, holds))
                return
        seen = "" if shows else describe_apart(apart, results, self._names(calls[0]))
        all_seen = [self._seen(call, have) for call, _, have in rows]
        with suppress(Exception):  # `shows` may fail on an unexpected answer, which is wrong all the same
            seen = shows(*results) if shows else seen
        for number, (call, want, have) in enumerate(rows, 1):
            if values := difference(want, have, until="values"):
                which = f"in call {number} of {len(rows)}, " if len(rows) > 1 else ""
                seen = seen or crowd(have.result) or which + words(values, self._names(call)).headline
                self._fail(call, want, have, Stated.unheld(says, seen), calls=calls, beside=all_seen)
        self._fail(*rows[-1], Stated.unheld(says, seen or "it does not hold"), calls=calls, beside=all_seen)

    def _call(self, args: tuple[Data, ...], kwargs: dict[str, Data], build: Build | None) -> Call:
        call = self._check.call(args, kwargs, build, self._draw.seed())
        once, self._calls = self._calls > 0, self._calls + 1  # later calls come after others anyway
        return replace(call, dtype=self._dtype if call.bare else None, once=once)

    def _asked(self, call: Call) -> Call:
        return self._grading.oracle.asked(f"{self._check.chapter}/{self._check.name}", call)

    def _built(self, build: Wanted, args: tuple[Data, ...]) -> Build | None:
        return None if build is None else built(self._reference, as_module(build), args, self._draw)

    def _expect(self, call: Call, *, raising: bool = False) -> Observation:
        expected = self._grading.oracle.right(self._check.chapter, call)
        result: Data = expected.result
        if isinstance(result, Raised) and not raising:
            raise BrokenCheckError(f"the reference raised {result.kind}: {result.message}")
        if found := overwritten(call, expected):
            says = words(found, self._names(call)).headline
            raise BrokenCheckError(f"the reference is at fault: {says}; make it work on a copy")
        return expected

    def _cotangents(self, result: Data) -> tuple[torch.Tensor | None, ...]:
        return tuple(
            self._draw.like(part, dtype=part.dtype, device=part.device) if part.is_floating_point() else None
            for part in tensors(result)
        )

    def _names(self, call: Call) -> Names:
        axes = self._draw.names(but=[*call.build.args, *call.build.kwargs.values()] if call.build else ())
        method = (call.build.method or "forward") if call.build else ""
        named = argument_names(self._reference, method)
        built = argument_names(self._reference, "") if call.build else ()
        if call.turns:
            return Names(axes, (), tuple(f"what call {turn} was given" for turn in range(1, len(call.turns) + 1)))
        return Names(axes, self._check.parts, named, built)

    def _agreed(self, call: Call, expected: Observation, got: Observation, passes: Passes) -> None:
        seen = self._seen(call, got)
        self._evidence.agreed.append(seen)
        self._keep([seen.call], [expected], passes, seen.names)

    def _keep(
        self, calls: list[Call], expected: list[Observation], passes: Passes | None, names: Names | None = None
    ) -> None:
        """Keep a comparison that was passed, for later submissions; `calls` are copies."""
        digests = tuple(map(self._grading.oracle.digest, calls))
        asked = tuple(replace(call, room=room_for(want)) for call, want in zip(calls, expected, strict=True))
        self._grading.trace.add(asked, digests, passes, names)

    def _fail(
        self,
        call: Call,
        expected: Observation,
        got: Observation,
        found: Difference | Stated,
        *,
        exact: bool = False,
        calls: Sequence[Call] = (),
        beside: Sequence[Seen] = (),
    ) -> NoReturn:
        all_calls = [(each, self._names(each)) for each in calls or [call]]
        called = describe_calls(all_calls, defaults=found.stage == "dtype" or bool(call.device))
        failure = Failure(self._seen(call, got), expected, found, called, self._hint, exact, tuple(beside))
        is_first = failure.is_drawable and not self._evidence.is_drawn
        verdict = self._evidence.failed(self._check.name, failure)
        verdict.patch = patch_of(Sight(call, expected, got, self._names(call))) if is_first else None
        if exact and isinstance(found, Difference):
            with suppress(Exception):  # an answer may do anything on a small call; the verdict stands without one
                example = smallest(self._grading, self._student, self._evidence, failure.seen, expected, found)
                verdict.message = replace(verdict.message, example=example)
        raise verdict

    def _seen(self, call: Call, got: Observation) -> Seen:
        return Seen(duplicate(call), got, self._names(call))  # a check may go on to change what it has drawn
