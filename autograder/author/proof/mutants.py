"""Grade every mutant of the solutions and every known mistake, and report which of them the checks catch and name.

A name is wrong where other inputs tell the answer from the mistake that it is named after.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from autograder.author.proof.mutate import Mutant, mutants
from autograder.author.proof.proof_record import Named, Proof, digest
from autograder.author.proof.spoilers import OPERATOR, explained, promises_broken
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.errors import AttendError, UsageError
from autograder.core.progress_bar import steps
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.artefacts import of_course
from autograder.judging.coordinator import Coordinator
from autograder.judging.process import Hand, Orders
from autograder.judging.wall import Wall
from autograder.report.outputs import faults

NAMED, TRIED_AGAIN = 1, 2  # the seeds: names come from the first, and are tested with the second
EQUIVALENTS = Path("tests", "promises", "equivalent")
"""The folder of the lists of mutants that are right answers too: `chNN_name.toml`, each entry with a reason."""
ANY = "*"

Grade = Callable[[Mapping[str, str]], Mapping[str, ExerciseResult]]
"""A function that grades versions of a chapter and returns their results by name."""


@dataclass
class Tally:
    """The outcome of the wrong answers to one exercise."""

    exercise: Exercise
    killed: dict[str, ExerciseResult] = field(default_factory=dict)
    survived: list[Mutant] = field(default_factory=list)
    equivalent: list[Mutant] = field(default_factory=list)
    wrongly_listed: list[Mutant] = field(default_factory=list)
    wrongly_named: list[tuple[Mutant, Wrongly]] = field(default_factory=list)
    spoiled: dict[str, ExerciseResult] = field(default_factory=dict)
    unpromised: list[Mutant] = field(default_factory=list)
    proof: Proof | None = None

    @property
    def proven(self) -> bool:
        """Whether nothing needs a decision."""
        return not (self.survived or self.wrongly_listed or (self.proof and self.proof.idle))


@dataclass
class Examination:
    """Grades wrong answers to the exercises of a course in targets that `hire` provides; calls `on_step` after each."""

    course: Course
    hire: Callable[[], Hand]
    jobs: int
    on_step: Callable[[], None]

    def exercise(self, exercise: Exercise) -> Tally:
        """Return the outcome of one exercise: of its mutants and its known mistakes."""
        found = mutants_of(self.course, exercise)
        texts = {f"mutant {number}": mutant.text for number, mutant in enumerate(found)}
        known = known_mistakes(self.course, exercise)
        graded = self._grade(exercise, texts | known, NAMED)
        tally = Tally(exercise)
        listed = equivalents(self.course, exercise.chapter)
        for name, mutant in zip(texts, found, strict=True):
            _sort(tally, name, mutant, graded[name], listed)
        mistakes = {name: graded[name] for name in known}
        for spoiler, result in self._spoilers(exercise):
            _sort_spoiler(tally, spoiler, result, listed)
        by_name = dict(zip(texts, found, strict=True))
        tally.proof, wrongly = self._proof(tally, by_name, known, mistakes)
        tally.wrongly_named = [(by_name[each.answer], each) for each in wrongly]
        return tally

    def _proof(
        self,
        tally: Tally,
        mutants: Mapping[str, Mutant],
        known: Mapping[str, str],
        mistakes: Mapping[str, ExerciseResult],
    ) -> tuple[Proof, list[Wrongly]]:
        """Return what is proven, and which mutants are named after a mistake that they do not make."""
        exercise, texts = tally.exercise, {name: mutant.text for name, mutant in mutants.items()}

        def again(versions: Mapping[str, str]) -> Mapping[str, ExerciseResult]:
            return self._grade(exercise, versions, TRIED_AGAIN)

        mutants_named = {name: first_name(result) for name, result in tally.killed.items()}
        singles = {name: result for name, result in mistakes.items() if "+" not in name}
        by_change = {_change(mutant): tally.killed[name] for name, mutant in mutants.items() if name in tally.killed}
        others = {name: first_name(result, but=name) for name, result in singles.items()}
        of_mutants, wrongly = naming(mutants_named, texts, known, again)
        of_left_out, _ = naming(others, known, known, again)
        proof = Proof(
            digest(self.course, exercise),
            len(tally.killed),
            len(tally.survived),
            len(tally.equivalent),
            tuple(_idle([*tally.killed.values(), *tally.spoiled.values(), *mistakes.values()])),
            of_mutants,
            of_left_out,
            len(tally.spoiled) + len(tally.unpromised),
            len(tally.unpromised),
            _only_caught_by({**mistakes, **tally.spoiled, **by_change}),
        )
        return proof, wrongly

    def _spoilers(self, exercise: Exercise) -> Iterator[tuple[Mutant, ExerciseResult]]:
        """Yield the spoilers that can do harm, with their results."""
        pairs = promises_broken(self.course, exercise)
        graded = self._grade(exercise, {spoiler.now: spoiler.text for spoiler, _ in pairs}, NAMED)
        unnoticed = [pair for pair in pairs if graded[pair[0].now].status == "passed"]
        probed = self._grade(exercise, {probe.now: probe.text for _, probe in unnoticed}, TRIED_AGAIN)
        for spoiler, probe in pairs:
            if probe.now not in probed or probed[probe.now].status != "passed":
                yield spoiler, graded[spoiler.now]

    def _grade(self, exercise: Exercise, texts: Mapping[str, str], seed: int) -> dict[str, ExerciseResult]:
        on_result = self.on_step if seed == NAMED else lambda: None
        graded = grade_versions(
            self.course, self.hire, [exercise], texts, jobs=self.jobs, seed=seed, on_result=on_result
        )
        return {name: result.exercises[0] for name, result in graded.items()}


def _sort(tally: Tally, name: str, mutant: Mutant, graded: ExerciseResult, listed: Sequence[Equivalent]) -> None:
    entry = next((e for e in listed if e.covers(mutant.exercise, mutant.was, mutant.now, mutant.nth)), None)
    if graded.status != "passed":
        tally.killed[name] = graded
        tally.wrongly_listed += [mutant] * (entry is not None and entry.was != ANY)
    else:
        (tally.equivalent if entry else tally.survived).append(mutant)


def _sort_spoiler(tally: Tally, spoiler: Mutant, graded: ExerciseResult, listed: Sequence[Equivalent]) -> None:
    is_listed = any(entry.covers(spoiler.exercise, spoiler.was, spoiler.now, spoiler.nth) for entry in listed)
    if graded.status == "passed":
        (tally.unpromised if is_listed else tally.survived).append(spoiler)
    else:
        tally.spoiled[spoiler.now] = graded
        tally.wrongly_listed += [spoiler] * (is_listed and not any(entry.was == ANY for entry in listed))


def _change(mutant: Mutant) -> str:
    """Return one line on what a mutant changes."""
    return " ".join(mutant.now.split()) or "a line left out"


def _only_caught_by(results: Mapping[str, ExerciseResult]) -> dict[str, str]:
    """Return for each check the first wrong answer that fails no other check."""
    found: dict[str, str] = {}
    for name, result in results.items():
        lost = [check.name for check in result.checks if check.status != "passed"]
        if len(lost) == 1:
            found.setdefault(lost[0], name)
    return found


def _idle(results: Sequence[ExerciseResult]) -> Iterator[str]:
    """Yield the checks that all of these wrong answers pass."""
    for checks in zip(*(result.checks for result in results), strict=True):
        if all(check.status == "passed" for check in checks):
            yield checks[0].name


@dataclass(frozen=True)
class Equivalent:
    """A change that keeps a solution right: the `nth` occurrence of the lines `was` becomes `now`. `why` says why.

    "*" as `was` and `now` covers every change that survives, for an exercise with many right answers.
    """

    exercise: str
    was: str
    now: str
    why: str
    nth: int = 1

    def covers(self, exercise: str, was: str, now: str, nth: int) -> bool:
        """Return whether the entry covers this change."""
        return self.exercise == exercise and (self.was == ANY or (self.was, self.now, self.nth) == (was, now, nth))


def equivalents(course: Course, chapter: str) -> tuple[Equivalent, ...]:
    """Return the entries of a chapter, in the order of their file.

    Raises:
        UsageError: the file cannot be read, or an entry lacks something.
    """
    path = course.root / EQUIVALENTS / f"{chapter}.toml"
    if not path.is_file():
        return ()
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
        return tuple(Equivalent(**row) for row in rows)
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a list of [[equivalent]] with exercise, was, now and why ({error})") from error


def run(course: Course, names: Sequence[str], jobs: int, console: Console) -> Iterator[Tally]:
    """Examine the exercises that `names` select, one after the other, with a progress bar."""
    exercises = course.select(names)
    total = sum(wrong_answers(course, each) for each in exercises)
    with Wall(course, "auto") as wall, steps(console) as progress:
        task = progress.add_task("grading wrong answers", total=total)

        def step() -> None:
            progress.advance(task)
            progress.refresh()

        examination = Examination(course, wall.hand, jobs, step)
        for exercise in exercises:
            yield examination.exercise(exercise)


def wrong_answers(course: Course, exercise: Exercise) -> int:
    """Return how many wrong answers are graded, each of which is a step of the progress bar."""
    return sum(
        map(len, (mutants_of(course, exercise), known_mistakes(course, exercise), promises_broken(course, exercise)))
    )


@cache
def mutants_of(course: Course, exercise: Exercise) -> list[Mutant]:
    """Return all mutants of the solution's answer."""
    return list(mutants(course.solution(exercise.chapter).read_text(encoding="utf-8"), exercise.name))


def show(tallies: Sequence[Tally], console: Console) -> None:
    """Print the table, then everything that needs a decision or a look."""
    table = Table("exercise", "killed", "survived", "equivalent", "named", "wrongly")
    for tally in tallies:
        named = tally.proof.mutants if tally.proof else Named()
        counts = (len(tally.killed), len(tally.survived), len(tally.equivalent), named.named, named.wrongly)
        table.add_row(tally.exercise.name, *map(str, counts), style=None if tally.proven else "red")
    console.print(table)
    for tally in tallies:
        for mutant in tally.survived:
            _show(mutant, "survived: sharpen a check, or list it as equivalent with a reason", console)
            told = [explained(mutant.now)] if mutant.operator == OPERATOR else []
            console.print("\n".join([*told, mutant.entry]), markup=False, soft_wrap=True, highlight=False)
        for mutant in tally.wrongly_listed:
            _show(mutant, "is listed as equivalent and was killed: take it off the list", console)
        for mutant, each in tally.wrongly_named:
            _show(mutant, f"is named {each.name}, and on other inputs {each.check} distinguishes the two", console)
        for check in tally.proof.idle if tally.proof else ():
            console.print(f"\n{tally.exercise.name}: nothing fails {check}: sharpen it, or take it out", style="red")


def _show(mutant: Mutant, verdict: str, console: Console) -> None:
    nth = f" ({mutant.nth})" * (mutant.nth > 1)
    console.print(f"\n{mutant.exercise}{nth} {verdict}", style="red", markup=False)
    for sign, text in (("-", mutant.was), ("+", mutant.now)):
        for line in text.split("\n"):
            console.print(f"  {sign} {line}", markup=False, soft_wrap=True, highlight=False)


class Wrongly(NamedTuple):
    """An answer, the mistake it is wrongly named after, and the check that distinguishes the two on other inputs."""

    answer: str
    name: str
    check: str


def known_mistakes(course: Course, exercise: Exercise) -> dict[str, str]:
    """Return the chapter with each known mistake or pair of the exercise in place of the answer, by id."""
    right = course.solution(exercise.chapter).read_text(encoding="utf-8")
    both = (*course.misconceptions(exercise.chapter), *course.pairs(exercise.chapter))
    return {
        wrong.identifier: with_wrong_answer(
            right, misconception_source(course, exercise.chapter, wrong), wrong.exercise
        )
        for wrong in both
        if wrong.exercise == exercise.name
    }


def first_name(result: ExerciseResult, but: str = "") -> str:
    """Return the name that the first failed check would give if `but` and pairs with it were unknown; "" if none."""
    causes = next((check.misconceptions for check in result.checks if check.status != "passed"), ())
    return next((name for name in causes if but not in name.split("+")), "")


def naming(
    names: Mapping[str, str], texts: Mapping[str, str], known: Mapping[str, str], grade: Grade
) -> tuple[Named, list[Wrongly]]:
    """Compare each named answer with the mistake it is named after: both must show the same on other inputs.

    If a name has a condition, or is not that of a known mistake, the answer must get it on other inputs too.

    Args:
        names: the name of each wrong answer, or "".
        texts: the wrong answers.
        known: the known mistakes, as versions of the chapter.
        grade: grades with a different seed from the one that gave the names.

    Returns:
        The counts, and the answers that are wrongly named.
    """
    named = {answer: name for answer, name in names.items() if name}
    answers = grade({answer: texts[answer] for answer in named})
    mistakes = grade({name: known[name] for name in dict.fromkeys(named.values()) if name in known})
    found = [
        (answer, name, _distinguishing_check(name, answers[answer], mistakes.get(name)))
        for answer, name in named.items()
    ]
    wrongly = [Wrongly(*each) for each in found if each[2]]
    return Named(len(names), len(named), len(wrongly)), wrongly


def _distinguishing_check(name: str, answer: ExerciseResult, mistake: ExerciseResult | None) -> str:
    """Return the first check that distinguishes an answer from the mistake it is named after; "" if none does."""
    if mistake and not _is_conditional(answer, mistake):
        return _unlike(answer, mistake)
    lost = [check for check in answer.checks if check.status != "passed"]
    return "" if any(name in check.misconceptions for check in lost) else lost[0].name if lost else name


def _is_conditional(answer: ExerciseResult, mistake: ExerciseResult) -> bool:
    """Return whether the answer's name comes with a condition: "Where ...: " before the mistake's sentence."""
    named, known = ([c.message.headline for c in each.checks if c.misconceptions] for each in (answer, mistake))
    first = known[0].partition(". ")[0].lower() if known else ""
    return bool(named) and not named[0].lower().startswith(first) and f": {first}" in named[0].lower()


def _unlike(one: ExerciseResult, other: ExerciseResult) -> str:
    """Return the first check on which two answers differ, to the digits that a message shows; "" if there is none."""
    pairs = zip(one.checks, other.checks, strict=True)
    return next((check.name for check, same in pairs if not _shows_the_same(check, same)), "")


def _shows_the_same(one: CheckResult, other: CheckResult) -> bool:
    if one.status != other.status:
        return False
    return one.status != "failed" or one.message == other.message  # messages of exceptions differ in line numbers


def grade_versions(
    course: Course,
    hire: Callable[[], Hand],
    exercises: Sequence[Exercise],
    texts: Mapping[str, str],
    *,
    jobs: int,
    seed: int,
    on_result: Callable[[], None] = lambda: None,
) -> dict[str, SubmissionResult]:
    """Return the result of each version of a chapter on its `exercises`, by name. Otherwise as `grade_all`."""
    chapter = exercises[0].chapter
    versions = [one_chapter(name, chapter, text, of_course(course, chapter)) for name, text in texts.items()]
    return grade_all(course, hire, exercises, versions, jobs=jobs, seed=seed, on_result=on_result)


def grade_all(
    course: Course,
    hire: Callable[[], Hand],
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    *,
    jobs: int,
    seed: int,
    on_result: Callable[[], None] = lambda: None,
) -> dict[str, SubmissionResult]:
    """Return the result of each submission on `exercises`, by name.

    Args:
        hire: returns the function that makes a judge's targets.

    Raises:
        AttendError: the grader failed on one of them, so its result is unknown.
    """
    graded: dict[str, SubmissionResult] = {}

    def accept(result: SubmissionResult) -> None:
        graded[result.student] = result
        on_result()

    Coordinator(Orders(course, exercises, seed, repairs=False), hire, accept, lambda: None).grade(submissions, jobs)
    if why := faults(list(graded.values())):
        raise AttendError(why)
    return graded
