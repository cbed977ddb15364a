"""Weigh a fault: whether it is one of form alone, which costs once in an exercise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.calls.records import Observation
from autograder.compare.forms import in_right_form
from autograder.compare.rounding import Glimpse, can_move, is_close, noise, unrounded
from autograder.suite.faults import Differs, DoesNotHold
from autograder.suite.plan import Step, StepFault


@dataclass(frozen=True)
class Weighed:
    """The fault of the answers to a step, and how far it is one of form.

    Args:
        fault: what to tell. Where more is wrong than the form and a few digits, that is the rest, in `got` of the right
            form.
        got: the answers that have this fault.
        forms: the faults of form that are all that is wrong; empty where more is.
        is_rounded: whether the numbers were seen to jump as float32 does; None where nobody looked.
        given: the answers in the form in which they were given, where `got` has another.
    """

    fault: StepFault
    got: Sequence[Observation]
    forms: tuple[str, ...] = ()
    is_rounded: bool | None = None
    given: Sequence[Observation] | None = None


def weigh(step: Step, got: Sequence[Observation], fault: StepFault, glimpse: Glimpse) -> Weighed:
    """Weigh the fault of the answers `got` to a step.

    Args:
        glimpse: makes a call of the same answer, which costs nothing.
    """
    if not isinstance(step.fault, Differs | DoesNotHold):  # others compare no form
        return Weighed(fault, got)
    rights = [each.right for each in step.calls]
    formed = [in_right_form(right, have) for right, have in zip(rights, got, strict=True)]
    forms = {form for _, found in formed for form in found}
    answers = [have for have, _ in formed]
    rest = step.fault(*answers) if forms else fault
    if rest is None:
        return Weighed(fault, got, tuple(sorted(forms)))
    if not any(map(is_close, [each.call for each in step.calls], rights, answers)):
        rest = _of_gradients(step, rights, answers, got, glimpse) or rest
        if forms <= {"argument"}:  # a known mistake may change it too
            return Weighed(rest, got)
        return Weighed(rest, answers, given=got)
    allowed = [noise(each.call, have, glimpse) for each, have in zip(step.calls, got, strict=True)]
    is_rounded = any(map(any, (each.values() for each in allowed)))
    if is_rounded and step.fault(*map(unrounded, rights, answers, allowed)) is None:
        return Weighed(fault, got, tuple(sorted(forms | {"float32"})), is_rounded=True)
    return Weighed(fault, got, is_rounded=False if any(can_move(each.call) for each in step.calls) else None)


def _of_gradients(
    step: Step,
    rights: Sequence[Observation],
    answers: Sequence[Observation],
    got: Sequence[Observation],
    glimpse: Glimpse,
) -> StepFault | None:
    """Return the fault of the gradients where float32 is all that is wrong with the numbers; None if it is not."""
    calls, (wanted, shown, given) = [each.call for each in step.calls], map(_numbers, (rights, answers, got))
    if not any(map(is_close, calls, wanted, shown)):
        return None
    allowed = [noise(call, have, glimpse) for call, have in zip(calls, given, strict=True)]
    numbers = map(unrounded, wanted, shown, allowed)
    return step.fault(*(replace(each, gradients=own.gradients) for each, own in zip(numbers, answers, strict=True)))


def _numbers(seen: Sequence[Observation]) -> list[Observation]:
    return [replace(each, gradients=None) for each in seen]
