"""What a check asks of an exercise: each request becomes a step of the check's plan, with the reference's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import Any

import torch

from autograder.calls.as_data import unfit_result
from autograder.calls.records import Build, Call, Data, Observation, Raised, duplicate, mapped, tensors, to_meta
from autograder.compare.compare import overwritten
from autograder.compare.declared import letters
from autograder.compare.describe import Names, named
from autograder.compare.difference import unheld
from autograder.compare.draw import Draw
from autograder.compare.oracle import NOT_RECORDED, Oracle
from autograder.compare.words import words
from autograder.core.errors import BrokenCheckError, CheckFailed
from autograder.core.message import Message
from autograder.suite.building import Module, as_module, built, unbuilt
from autograder.suite.check import Check
from autograder.suite.faults import Differs, DoesNotHold, ExposesTooLittle, NotRefused
from autograder.suite.live_calls import room_for
from autograder.suite.plan import FaultOf, PlannedCall, Step, as_now
from autograder.suite.probes import ProbeGrader, ProbeTarget

COMPARABLE = "return numbers, texts, arrays or tensors, or lists, tuples, sets and dicts of them"
Wanted = Module | Sequence[Data] | None


class Agree:
    """Compares the student's exercise with the reference: what is asked here is a step, which every answer must pass.

    Args:
        oracle: gives the right answers.
        check: the check that asks.
        draw: its random inputs.
        keep: takes each step.
        recorded: its calls in their order, if they are not made here.
    """

    def __init__(
        self,
        oracle: Oracle,
        check: Check,
        draw: Draw,
        keep: Callable[[Step], object],
        recorded: Iterator[Call] | None = None,
    ) -> None:
        self._recorded = recorded
        self._oracle = oracle
        self._check = check
        self._draw = draw
        self._keep = keep
        self._dtype = torch.float64
        self._calls = 0

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
        planned = self._planned(lambda: self._call(args, kwargs, self._built(build, args)), gradients=gradients)
        self._compare(planned, tolerance)

    def chained_calls(
        self,
        *turns: tuple[Data, ...],
        after: Sequence[int] = (),
        gradients: bool = False,
        tolerance: float | None = None,
        unless_data_is_needed: bool = False,
    ) -> None:
        """Check several calls, each of which gets the second half of an earlier call's answer as an argument.

        Args:
            turns: the arguments of each call, without the one that an earlier call gives.
            after: for each call the number of the earlier one, -1 for none; by default the call before it.
            gradients: compare the gradients of all arguments as well.
            tolerance: absolute and relative, as where two answers are compared.
            unless_data_is_needed: as in `on_meta`, for tensors on meta.
        """
        handed = tuple(after) or tuple(range(-1, len(turns) - 1))
        planned = self._planned(lambda: replace(self._call(turns, {}, None), turns=handed), gradients=gradients)
        self._compare(planned, tolerance, () if unless_data_is_needed else None)

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
        planned = self._planned(lambda: self._call(args, kwargs, self._built(build, args)))
        self._hold(says, predicate, [planned], shows)

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
        made = cache(lambda: self._built(build, first))
        planned = [
            self._planned(partial(lambda args: self._call(args, kwargs, made()), args)) for args in (first, second)
        ]
        self._hold(says, relation, planned, shows)

    def raises(
        self, kind: type[Exception], *args: Data, naming: Sequence[str] = (), build: Wanted = None, **kwargs: Data
    ) -> None:
        """Check that the student's function raises `kind` on these arguments, with a message that names `naming`."""
        construction = None if build is None else unbuilt(as_module(build))
        planned = self._planned(lambda: self._call(args, kwargs, construction), raising=True)
        result = planned.right.result
        if not (isinstance(result, Raised) and kind.__name__ in result.bases):
            raise BrokenCheckError(f"the reference does not raise {kind.__name__}")
        wanted = replace(planned.right, result=Raised(kind.__name__, (kind.__name__,), ""))
        self._keep(Step((planned,), NotRefused(wanted, naming), telling=True))

    def exposes(self, target: ProbeTarget, *, share: float = 1.0, listed: bool = True) -> None:
        """Check that the student's answer, used as the arguments of a call, exposes known mistakes of `target`.

        Args:
            share: the share of the mistakes that it must expose.
            listed: whether these are the mistakes of the families, or the others.
        """
        grader = ProbeGrader(self._oracle, target)
        planned = self._planned(lambda: self._call((), {}, None))
        lacking = partial(grader.lacking, share=share, listed=listed)
        self._keep(Step((planned,), ExposesTooLittle(lacking, planned.right)))

    def on_meta(
        self,
        *args: Data,
        build: Wanted = None,
        unless_data_is_needed: bool = False,
        half_precision: bool = True,
        **kwargs: Data,
    ) -> None:
        """Check that shapes, dtypes and devices are right on tensors without data, so that nothing is hard-coded.

        The same is checked in half precision: what is given in bfloat16 stays so.

        Args:
            unless_data_is_needed: excuse an answer that looks at its numbers (`x[mask]`, a loop over rows).
            half_precision: whether this is checked too; complex numbers have none.
        """
        self._form_on_meta(args, kwargs, build, unless_data_is_needed)
        if not half_precision:
            return
        half_args, half_kwargs = mapped((args, kwargs), _half)
        if build is not None and as_module(build).dtype is None:
            build = replace(as_module(build), dtype=torch.bfloat16)
        elif not any(tensor.dtype == torch.bfloat16 for tensor in tensors((half_args, half_kwargs))):
            return
        self._form_on_meta(half_args, half_kwargs, build, unless_data_is_needed)

    def _form_on_meta(
        self, args: tuple[Data, ...], kwargs: dict[str, Data], build: Wanted, unless_data_is_needed: bool
    ) -> None:
        planned = self._planned(lambda: self._without_data(args, kwargs, build))
        otherwise: list[Step] = []
        if planned.call.device or unless_data_is_needed:
            # An answer that needs data must also work with data: raising that error is not enough.
            apart = copy(self)
            apart._draw, apart._keep = self._draw.fork(), otherwise.append
            apart.satisfies("it has the form of the expected answer", _anything, *args, build=build, **kwargs)
        self._compare(planned, None, tuple(otherwise) or None, exact=False)

    def keeps_dtype_and_device(self, *args: Data, build: Wanted = None, half_precision: bool = True) -> None:
        """Check that float32 stays float32, and what `on_meta` checks."""
        narrow = [arg.float() if isinstance(arg, torch.Tensor) and arg.is_floating_point() else arg for arg in args]
        self.satisfies("float32 stays float32", _anything, *narrow, build=build)
        self.on_meta(*args, build=build, half_precision=half_precision)

    in_turns = chained_calls
    keeps_its_place = keeps_dtype_and_device

    def require(self, condition: bool, *, expected: str, got: str, advice: str = "") -> None:
        """Check that `condition` holds, for a check that compares nothing.

        Raises:
            CheckFailed: it does not.
        """
        if not condition:
            raise CheckFailed(
                "failed",
                Message(unheld(self._check.sentence), expected=expected, got=got, advice=advice or self._check.hint),
            )

    def _compare(
        self,
        planned: PlannedCall,
        tolerance: float | None,
        otherwise: tuple[Step, ...] | None = None,
        *,
        exact: bool = True,
    ) -> None:
        fault = Differs(planned.right, tolerance)
        self._keep(Step((planned,), fault, exact=exact, telling=True, form_alone=not exact, otherwise=otherwise))

    def _hold(
        self, says: str, holds: Callable[..., bool], calls: Sequence[PlannedCall], shows: Callable[..., str] | None
    ) -> None:
        """Check that the answers to `calls` have the reference's form, and together the property that `says` states."""
        if not holds(*(each.right.result for each in calls)):
            raise BrokenCheckError(f"the reference itself does not satisfy: {says}")
        fault: FaultOf = DoesNotHold(says, as_now(holds), as_now(shows), calls)
        self._keep(Step(tuple(calls), fault, form_alone=_holds_always(holds)))

    def _without_data(self, args: tuple[Data, ...], kwargs: dict[str, Data], build: Wanted) -> Call:
        moved = tuple(to_meta(arg) for arg in args)
        named = {name: to_meta(value) for name, value in kwargs.items()}
        call = self._call(moved, named, self._built(build, moved))
        return replace(call, device="meta") if call.bare else call

    def _call(self, args: tuple[Data, ...], kwargs: dict[str, Data], build: Build | None) -> Call:
        call = self._check.call(args, kwargs, build, self._draw.seed())
        once, self._calls = self._calls > 0, self._calls + 1  # later calls come after others anyway
        return replace(call, dtype=self._dtype if call.bare else None, once=once)

    def _planned(self, make: Callable[[], Call], *, gradients: bool = False, raising: bool = False) -> PlannedCall:
        """Return a call as part of a plan: a copy, as a check may go on to change what it has drawn."""
        call = duplicate(make()) if self._recorded is None else self._next(self._recorded)
        right = self._right(call, raising=raising)
        if gradients and self._recorded is None:
            call = replace(call, cotangents=self._cotangents(right.result))
            right = self._right(call)
            if isinstance(right.gradients, Raised):
                raise BrokenCheckError(f"the reference has no gradients: {right.gradients.message}")
        return PlannedCall(replace(call, room=room_for(right)), right, self._names(call, right.result))

    def _next(self, recorded: Iterator[Call]) -> Call:
        found = next(recorded, None)
        if found is None:
            raise CheckFailed("grader_error", NOT_RECORDED)
        return found

    def _built(self, build: Wanted, args: tuple[Data, ...]) -> Build | None:
        if build is None:
            return None
        return built(
            self._oracle.function(self._check.chapter, self._check.exercise), as_module(build), args, self._draw
        )

    def _right(self, call: Call, *, raising: bool = False) -> Observation:
        right = self._oracle.right(self._check.chapter, call)
        result: Data = right.result
        if isinstance(result, Raised) and not raising:
            raise BrokenCheckError(f"the reference raised {result.kind}: {result.message}")
        if odd := unfit_result(result):
            raise BrokenCheckError(f"the reference returned {odd}, which no answer can be compared with; {COMPARABLE}")
        if found := overwritten(call, right):
            says = words(found, self._names(call, right.result)).headline
            raise BrokenCheckError(f"the reference is at fault: {says}; make it work on a copy")
        return right

    def _cotangents(self, result: Data) -> tuple[torch.Tensor | None, ...]:
        return tuple(
            self._draw.like(part, dtype=part.dtype, device=part.device) if part.is_floating_point() else None
            for part in tensors(result)
        )

    def _names(self, call: Call, result: Data) -> Names:
        """Return the names of a call; its axes are called as the docstring declares them, else as they were drawn."""
        numbers = [*call.build.args, *call.build.kwargs.values()] if call.build else []
        drawn = self._draw.names(but=numbers)
        if call.turns:
            return Names(drawn, (), tuple(f"what call {turn} was given" for turn in range(1, len(call.turns) + 1)))
        chapter, exercise = self._check.chapter, self._check.exercise
        method = (call.build.method or "forward") if call.build else ""
        arguments = self._oracle.parameters(chapter, exercise, method)
        built = self._oracle.parameters(chapter, exercise, "") if call.build else ()
        given = {name: value for name, value in named(arguments, call.args, call.kwargs) if name}
        found = letters(self._oracle.declared(chapter, exercise, method), given, result, drawn, numbers)
        return Names(found.by_size, self._check.parts, arguments, built, found.arguments, found.results)


def _half(leaf: Data) -> Data:
    """Return a tensor of floats in half precision, and anything else as it is."""
    return leaf.bfloat16() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf


def _holds_always(predicate: Callable[..., bool]) -> bool:
    """Return whether a predicate holds for every answer, as `lambda answer: True` does."""
    code = getattr(predicate, "__code__", None)
    return code is not None and (code.co_code, code.co_consts[-1:]) == (_anything.__code__.co_code, (True,))


def _anything(_: object) -> bool:
    """Hold for every answer."""
    return True
