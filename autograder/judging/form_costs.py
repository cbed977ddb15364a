"""A fault of form costs once in an exercise: the other checks that show nothing else pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.core.form import in_words
from autograder.core.message import Message
from autograder.core.records import CheckResult
from autograder.core.text import join_names
from autograder.suite.plan import Plan


def asks_for_form(plan: Plan) -> bool:
    """Return whether a check asks for nothing but the form of an answer."""
    return bool(plan.steps) and all(step.form_alone for step in plan.steps)


def costing_once(results: Sequence[CheckResult], asks: Callable[[str], bool]) -> list[CheckResult]:
    """Return the results of an exercise's checks, with each fault of form that costs several of them costing one.

    That is one that asks for nothing else, or else the one worth the fewest points; among equals the first.

    Args:
        asks: whether the check of a name asks for nothing but the form of an answer.
    """
    formal = [each for each in results if each.status == "failed" and each.forms]
    if len(formal) < 2:
        return list(results)
    ranked = sorted(formal, key=lambda each: (not asks(each.name), each.max_points))
    paying: dict[str, CheckResult] = {}
    for form in dict.fromkeys(form for each in formal for form in each.forms):
        own = [each for each in ranked if form in each.forms]
        paying[form] = next((each for each in own if each not in paying.values()), own[0])
    spared = [each for each in formal if each not in paying.values()]
    return [_passed(each, paying) if each in spared else each for each in results]


def _passed(result: CheckResult, paying: dict[str, CheckResult]) -> CheckResult:
    where = dict.fromkeys(f"“{paying[form].sentence}”" for form in result.forms)
    says = f"right but for {join_names(map(in_words, result.forms))}, which costs once, at {join_names(where)}"
    return replace(
        result, status="passed", points=result.max_points, message=Message(says), misconceptions=(), patch=None
    )
