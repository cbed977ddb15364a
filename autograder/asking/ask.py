"""All questions that can be asked about one answer, and a choice among them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, zip_longest
from typing import Final

from autograder.asking.calls_to_ask import is_short, is_sound, others_like, planned_calls, smallest, told_by_shape
from autograder.asking.change_questions import PREFIX as CHANGE
from autograder.asking.change_questions import (
    TriedChange,
    change_questions,
    form_of,
    outcome_of,
    same_form,
    tried,
)
from autograder.asking.changed_copies import Trial, trial
from autograder.asking.line_changes import LineChange, changed_code, line_changes
from autograder.asking.number_questions import number_questions
from autograder.asking.own_code import OwnCode, Spot
from autograder.asking.question import KINDS, CodeQuestion
from autograder.asking.shape_questions import PREFIX as SPOT
from autograder.asking.shape_questions import definitions, shape_questions, values
from autograder.asking.worth_asking import (
    Page,
    helpers,
    is_change_worth_asking,
    is_number_worth_asking,
    is_shape_worth_asking,
)
from autograder.calls.quick_call import glance
from autograder.calls.records import Call, Data, Observation, Raised, matches
from autograder.calls.target import Variable
from autograder.compare.oracle import Oracle
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.course.model import Exercise, Misconception
from autograder.suite.plan import PlannedCall

THREE: Final = 3
LINE: Final = "line"
MOST_CHANGES: Final = 48
MOST_SPOTS: Final = 30
SMALL_CALLS: Final = 2
CONFIRMED: Final = 5
"""Calls on which a change must give what a known mistake gives, to be called one."""
PLANNED: Final = 6
"""Calls of the checks that are tried until one is small enough for a pencil."""


@dataclass
class Subject:
    """Calls of an exercise that questions are about, the same for every answer: those of the checks, and small ones.

    Args:
        exercises: the names of all exercises of the course, of which learners know what they give.
    """

    planned: Sequence[PlannedCall]
    exercises: Collection[str]
    small: Sequence[PlannedCall] | None = None


def subjects(course: Course, exercises: Sequence[Exercise], seed: int) -> dict[str, Subject]:
    """Return the calls for exercises, by their names.

    Raises:
        UsageError: the suites cannot be collected.
    """
    every = frozenset(each.name for each in course.exercises)
    return {name: Subject(planned, every) for name, planned in planned_calls(course, exercises, seed).items()}


def questions_about(
    submission: Submission,
    target: Variable,
    exercise: Exercise,
    subject: Subject,
    oracle: Oracle,
    seed: int | str,
) -> list[CodeQuestion]:
    """Return all questions about a right answer to an exercise, in a random order.

    Args:
        oracle: gives the reference, where there is one.
        seed: decides on the choices and their order.
    """
    planned = subject.planned
    source = submission.chapters.get(exercise.chapter)
    if source is None or source.problem or exercise.name in source.broken or not planned:
        return []
    call = planned[0].call
    own = OwnCode.of(source, exercise.name, call.build.method if call.build else "")
    if own is None:
        return []
    try:
        spots, changes = [*islice(own.spots(), MOST_SPOTS)], [*islice(line_changes(own), MOST_CHANGES)]
    except RecursionError:
        return []
    arrivals = [*own.arrivals({each.line for each in changes}).values()]
    more = {**definitions(own, spots, SPOT), **definitions(own, arrivals, LINE)}
    for number, change in enumerate(changes):
        name = f"{own.exercise}_{CHANGE}_{number}"
        more[name] = changed_code(change, name)
    with trial(target, submission, exercise.chapter, more) as run:
        hidden = helpers(own, subject.exercises)
        made = _Maker(
            own, subject, spots, arrivals, changes, hidden, run, oracle, random.Random(f"{seed} {exercise.name}")
        )
        return made.questions()


@dataclass
class _Maker:
    """Makes the questions about one answer, in which `run` makes calls."""

    own: OwnCode
    subject: Subject
    spots: Sequence[Spot]
    arrivals: Sequence[Spot]
    changes: Sequence[LineChange]
    hidden: Collection[str]
    run: Trial
    oracle: Oracle
    rng: random.Random

    def questions(self) -> list[CodeQuestion]:
        """Return the questions, in a random order."""
        planned, small = self.subject.planned, self._small()
        clear = next((each for each in planned if is_short(told_by_shape(each))), None) or next(iter(small), None)
        found = [*(self._of_forms(clear, planned) if clear else ()), *self._numbers(small)]
        self.rng.shuffle(found)
        return _in_turns(found, self.rng)

    def _of_forms(self, planned: PlannedCall, others: Sequence[PlannedCall]) -> Iterator[CodeQuestion]:
        """Yield the questions for which the sizes of the arguments are enough."""
        right = self.run.run(planned.call)
        if right is None or not is_sound(right.result):
            return
        yield from shape_questions(self.own, self.spots, self._steady(planned), planned, self.rng)
        if self._is_random(planned.call, right.result):
            return
        reached = values(self.run, self.own, self.arrivals, planned, LINE)
        lines = {self.arrivals[number].line for number in reached}
        page = Page(self.own, planned, form_of(right.result), self.hidden, self.subject.exercises)
        found = [
            each
            for each in tried(self.run, self.own, self.changes, planned.call, right.result, self.rng)
            if each.change.line in lines
            and is_change_worth_asking(page, each)
            and (page.form != "list" or self._is_no_accident(each, others))
        ]
        calls = [planned.call, *(each.call for each in others[:CONFIRMED])]
        mistakes = {each.number: self._mistake(calls, each) for each in found if each.outcome != "same"}
        yield from change_questions(self.own, found, planned, right.result, mistakes)

    def _steady(self, planned: PlannedCall) -> dict[int, Data]:
        """Return what the spots hold that are shown, where their shape does not hang on the numbers in the call."""
        held = values(self.run, self.own, self.spots, planned)
        other = replace(planned, call=others_like(planned.call, self.rng)[-1])
        again = values(self.run, self.own, self.spots, other)
        same = {number for number, each in again.items() if matches(held.get(number), each, same_form)}
        seen = {number for number in held if is_shape_worth_asking(self.spots[number], self.hidden)}
        return {number: held[number] for number in seen if number in same or not again}

    def _is_no_accident(self, change: TriedChange, others: Sequence[PlannedCall]) -> bool:
        """Return whether a change of something with a length has one outcome in calls of other lengths too."""
        name = f"{self.own.exercise}_{CHANGE}_{change.number}"
        for each in others[:CONFIRMED]:
            one, other = self.run.run(each.call), self.run.run(each.call, name)
            if one and other and is_sound(one.result) and outcome_of(one.result, other.result) != change.outcome:
                return False
        return True

    def _small(self) -> Sequence[PlannedCall]:
        """Return small calls: where the reference is here, the same for all answers."""
        if self.subject.small is not None:
            return self.subject.small
        chapter, name = self.run.chapter, self.own.exercise
        reference = self.oracle.reference(chapter, name)
        parity = self.oracle.declared(chapter, name, "").parity
        ask = partial(glance, reference) if reference else self._result
        small = [*islice(smallest(self.subject.planned[:PLANNED], ask, parity), SMALL_CALLS)]
        self.subject.small = small if reference else None
        return small

    def _result(self, call: Call) -> Data:
        seen = self.run.run(call)
        return seen.result if seen else None

    def _numbers(self, planned: Sequence[PlannedCall]) -> Iterator[CodeQuestion]:
        name = self.own.exercise
        for small in planned:
            if not is_number_worth_asking(self.own, small.call, self.hidden):
                continue
            right = self.run.run(small.call)
            if right and self._is_usual(small.call, right.result) and not self._is_random(small.call, right.result):
                held = values(self.run, self.own, self.spots, small)
                shown = (self.run.run(small.call, f"{name}_{CHANGE}_{number}") for number in range(len(self.changes)))
                results = right.result, [each.result for each in shown if each and is_sound(each.result)]
                others = [self._result(each) for each in others_like(small.call, self.rng)]
                yield from number_questions(self.own, self.spots, held, small, results, others, self.rng)

    def _is_usual(self, call: Call, result: Data) -> bool:
        """Return whether a result is as the course has it: a call with the smallest inputs may break a promise."""
        reference = self.oracle.reference(self.run.chapter, self.own.exercise)
        return is_sound(result) and (not reference or outcome_of(glance(reference, call), result) == "same")

    def _is_random(self, call: Call, result: Data) -> bool:
        """Return whether the result depends on random numbers."""
        again = self.run.run(replace(call, seed=call.seed + 1))
        return again is None or outcome_of(result, again.result) != "same"

    def _mistake(self, calls: Sequence[Call], change: TriedChange) -> str:
        """Return what the course says of a known mistake that gives what a change gives; "" if there is none."""
        chapter, name = self.run.chapter, self.own.exercise
        if isinstance(change.result, Raised) or self.oracle.reference(chapter, name) is None:
            return ""
        known = [each for each in self.oracle.mistakes(chapter) if each.exercise == name]
        near = self.oracle.candidates(known, calls[0], Observation(change.result), rounded=False)
        return next((each.says for each in near if all(self._gives(each, call, change) for call in calls)), "")

    def _gives(self, mistake: Misconception, call: Call, change: TriedChange) -> bool:
        """Return whether a known mistake gives on a call what a change gives."""
        seen = self.run.run(call, f"{self.own.exercise}_{CHANGE}_{change.number}")
        (shown,) = self.oracle.wrong([mistake], call)
        if seen is None or isinstance(seen.result, Raised) or isinstance(shown.result, Raised):
            return seen is not None and isinstance(seen.result, Raised) and isinstance(shown.result, Raised)
        return outcome_of(seen.result, shown.result) == "same"


def _in_turns(found: Sequence[CodeQuestion], rng: random.Random) -> list[CodeQuestion]:
    """Return the questions so that outcomes follow one another in a random order, however many there are of each."""
    groups: dict[str, list[CodeQuestion]] = {}
    for each in found:
        groups.setdefault(each.outcome, []).append(each)
    order = rng.sample([*groups.values()], len(groups))
    return [each for row in zip_longest(*order) for each in row if each]


def chosen(
    found: Sequence[CodeQuestion], most: int, asked: Sequence[str], outcomes: Mapping[str, int], last: Collection[str]
) -> list[CodeQuestion]:
    """Return at most so many of the questions, of as many kinds as there are.

    Args:
        asked: the topics that were asked about before, the latest last.
        outcomes: how often each outcome of a change was asked for.
        last: the keys of the questions that were asked last, which are not asked again.
    """
    left = [each for each in found if each.key not in last]
    seen, picked = Counter(outcomes), list[CodeQuestion]()
    while left and len(picked) < most:
        best = min(left, key=lambda each: _rank(each, picked, asked, seen))
        picked.append(best)
        seen[best.outcome] += 1
        left = [each for each in left if each.topic != best.topic and not _alike(each, best)]
    return sorted(picked, key=lambda each: KINDS.index(each.kind))


def _alike(one: CodeQuestion, other: CodeQuestion) -> bool:
    """Return whether one question gives the other one away, or asks the same in other words."""
    if (one.exercise, one.kind) != (other.exercise, other.kind):
        return False
    return one.asked.line == other.asked.line and (one.kind != "change" or one.outcome == other.outcome)


def _rank(
    each: CodeQuestion, picked: Sequence[CodeQuestion], asked: Sequence[str], outcomes: Mapping[str, int]
) -> tuple[int, ...]:
    kinds = Counter(question.kind for question in picked)
    before = asked.index(each.topic) + 1 if each.topic in asked else 0
    again = sum(question.outcome == each.outcome for question in picked) if each.outcome else 0
    same = sum(question.exercise == each.exercise for question in picked)
    return same, kinds[each.kind], again, before, outcomes.get(each.outcome, 0) if each.outcome else 0
