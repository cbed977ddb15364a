"""Play a plan: make its calls of a student's exercise, and tell the first fault of the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, NoReturn

import pytest

from autograder.calls.records import Call, Data, Observation, tensors
from autograder.compare.describe import describe_calls
from autograder.compare.difference import Difference
from autograder.compare.evidence import Evidence
from autograder.compare.example import written
from autograder.compare.failure import Failure, Seen
from autograder.compare.patch import patch_of
from autograder.compare.sight import Sight
from autograder.compare.torch_errors import needs_data
from autograder.core.errors import CheckFailed, reason
from autograder.core.message import Example, Message
from autograder.core.records import CheckResult
from autograder.suite.ahead import calls_after
from autograder.suite.blame import name_the_slip
from autograder.suite.check import Check, Grading
from autograder.suite.live_calls import Student, room_for
from autograder.suite.plan import Plan, Step
from autograder.suite.weighing import Weighed, weigh

SHOWN: Final = ("outcome", "structure", "shape", "nan", "values")
"""Stages of differences that a small example shows."""

REMEMBERS: Final = "a new object gives the right answer, but not one that was called before"
FORGET: Final = (
    "Something of an earlier call is left in the object and used again. What belongs to one call, such as a mask or "
    "positions, goes into local variables; if you keep something on purpose, check that it still fits."
)

MOST_PARAMETERS: Final = 24
"""A model with more has no example that is small."""


def result_of(check: Check, grading: Grading, plan: Callable[[], Plan]) -> CheckResult:
    """Return the result of a check; its plan is asked for only if its failure is not known before a call is made."""
    try:
        grading.gate(check)
        play(plan(), check, grading)
    except CheckFailed as failed:
        if grading.tells:
            name_the_slip(grading, check, failed)
        return check.result(failed.status, failed.message, failed.misconceptions, failed.patch, failed.forms)
    except pytest.exit.Exception:
        raise
    except Exception as error:
        where = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
        return check.result("grader_error", Message(f"the check itself failed{where}: {reason(error)}"))
    return check.result("passed")


def play(plan: Plan, check: Check, grading: Grading) -> None:
    """Check that a submission passes. A fault of form is told if nothing else is wrong.

    Raises:
        CheckFailed: an answer is wrong, or there is none.
        Exception: the error that ended the plan.
    """
    grading.evidence(check).ahead = partial(calls_after, plan.steps, check, grading)
    held = [found for step in plan.steps for found in _played(step, check, grading)]
    if plan.error:
        raise plan.error.with_traceback(None)
    if held:
        forms = {form for _, weighed in held for form in weighed.forms}
        step, first = held[0]
        _fail(step, replace(first, forms=tuple(sorted(forms))), check, grading)


def _played(step: Step, check: Check, grading: Grading) -> list[tuple[Step, Weighed]]:
    """Return the faults of form of the answers to a step, if nothing else is wrong with them.

    Raises:
        CheckFailed: more is wrong, or there is no answer.
    """
    student, evidence = Student(grading, check), grading.evidence(check)
    got = [student.observe(each.call) for each in step.calls]
    if step.otherwise is not None and needs_data(got[0].result):
        return [found for other in step.otherwise for found in _played(other, check, grading)]
    same = tuple(each.digest for each in got)
    if same not in step.passed:
        if fault := step.fault(*got):
            found = step, weigh(step, got, fault, student.glimpse)
            return [found] if found[1].forms else _fail(*found, check, grading)
        if all(same):  # what was not read from bytes has no digest
            step.passed[same] = True
    if step.telling:
        evidence.agreed += _seen(step, got)
    return []


def _seen(step: Step, got: Sequence[Observation]) -> list[Seen]:
    return [Seen(planned.call, have, planned.names) for planned, have in zip(step.calls, got, strict=True)]


def _fail(step: Step, weighed: Weighed, check: Check, grading: Grading) -> NoReturn:
    if not grading.tells:
        raise CheckFailed("failed", Message(), forms=weighed.forms)
    fault, found = weighed.fault, weighed.fault.found
    evidence, planned, seen = grading.evidence(check), step.calls[fault.number], _seen(step, weighed.got)
    own = seen[fault.number]
    called = describe_calls(
        [(each.call, each.names) for each in (step.calls if fault.together else [planned])],
        defaults=(found.stage == "dtype" and _has_tensors(planned.right.result)) or bool(own.call.device),
    )
    called += of_what(own.call) if found.stage == "gradients" else ""
    beside = tuple(seen) if fault.together else ()
    failure = Failure(own, planned.right, found, called, check.hint, step.exact, beside, weighed.is_rounded)
    is_first = failure.is_drawable and not evidence.is_drawn
    verdict = evidence.failed(check.name, failure, _as_given(failure, weighed, step))
    if not verdict.misconceptions and _right_on_a_new_object(step, check, grading):
        verdict.message = replace(verdict.message, headline=REMEMBERS, advice=FORGET)
        evidence.remembers.add(check.name)
    verdict.patch = patch_of(Sight(own.call, planned.right, own.got, own.names)) if is_first else None
    verdict.forms = weighed.forms
    if step.exact and isinstance(found, Difference):
        with suppress(Exception):  # an answer may do anything on a small call; the verdict stands without one
            example = smallest(grading, check, evidence, own, planned.right, found)
            verdict.message = replace(verdict.message, example=example)
    raise verdict


def of_what(call: Call) -> str:
    """Return what the gradients of a call are gradients of, for the end of a line."""
    weights = [each for each in call.cotangents or () if each is not None]
    if len(weights) == 1 and weights[0].numel() == 1:
        return f", then the gradient of {weights[0].item():.4g} times its result"
    return ", then the gradient of its numbers, each times a weight, added up"


def _as_given(failure: Failure, weighed: Weighed, step: Step) -> Failure | None:
    """Return a failure with the answers as they were given, if it was told of them in another form."""
    if weighed.given is None:
        return None
    seen = _seen(step, weighed.given)
    return replace(failure, seen=seen[weighed.fault.number], beside=tuple(seen) if weighed.fault.together else ())


def _has_tensors(result: Data) -> bool:
    return next(tensors(result), None) is not None


def _right_on_a_new_object(step: Step, check: Check, grading: Grading) -> bool:
    """Return whether the answers of objects that nobody has called before have no fault."""
    if not any(each.call.build and each.call.build.earlier for each in step.calls):
        return False
    student = Student(grading, check)
    with suppress(CheckFailed):
        return step.fault(*(student.observe(_without_earlier(each.call)) for each in step.calls)) is None
    return False


def _without_earlier(call: Call) -> Call:
    return replace(call, build=call.build and replace(call.build, earlier=()))


def smallest(
    grading: Grading, check: Check, evidence: Evidence, seen: Seen, expected: Observation, found: Difference
) -> Example | None:
    """Return the smallest example of a failure.

    Returns:
        None where there is none, no reference to try smaller calls with, or one of the exercise's failures has it.
    """
    call, shows = seen.call, found.stage in SHOWN and found.rule != "absent"
    if not evidence.examples_left or evidence.reference is None or call.turns or call.device or not shows:
        return None
    if call.build and call.build.earlier:
        return None
    if call.build and len(call.build.state) > MOST_PARAMETERS:
        return None
    evidence.examples_left -= 1
    student = Student(grading, check)
    method = (call.build.method or "forward") if call.build else ""
    small = grading.examples.of(
        evidence.reference,
        call,
        grading.oracle.digest(call),
        found,
        evidence.cause,
        lambda each: student.glimpse(replace(each, room=room_for(expected), forbidden=(), once=True)),
        grading.oracle.declared(check.chapter, check.exercise, method).parity,
    )
    example = small and written(*small, seen.names)
    evidence.examples_left = 0 if example else evidence.examples_left
    return example
