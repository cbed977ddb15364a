"""What it costs to say why an answer is wrong: a class of wrong answers, with all searches for a name and without."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograder.author.proof.mutants import mutants_of
from autograder.calls.local import LocalTarget
from autograder.calls.target import Target
from autograder.compare.oracle import Oracle
from autograder.core.records import SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.intake.artefacts import of_course
from autograder.judging.judge import judge, warm_up
from benchmarks.bench import SEED, Bench
from benchmarks.record import Part
from benchmarks.spread import Ratio, ratios, spread, table

WITH, WITHOUT = "all searches", "known mistakes alone"
ABOUT = """\
A class in which every answer is wrong: for each exercise some mutants of the solution, from which no catalogue was
made, each handed in by itself. Without a wall, in one process. *Known mistakes alone* leaves out what needs new calls
of the reference: changes, pairs, and the smallest example. Both see the same inputs, and take turns."""


class PlainOracle(Oracle):
    """An oracle that answers the checks' own calls alone."""

    def reference(self, chapter: str, exercise: str) -> None:
        """Return None, so that nothing is searched for."""


def measure(bench: Bench, rounds: int = 3, each: int = 3) -> Part:
    """Grade the class in turns with both oracles."""
    submissions = list(_class(bench.course, each))
    bench.bar.begin("names", 2 * rounds)
    warm_up()
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for way, oracle in ((WITH, Oracle), (WITHOUT, PlainOracle)):
            seconds, failed, named = _graded(bench.course, submissions, oracle)
            found.setdefault(f"{way}: seconds", []).append(seconds)
            found.setdefault(f"{way}: a failed check", []).append(seconds / failed)
            found.setdefault(f"{way}: named", []).append(named / len(submissions))
            bench.bar.step()
    sizes = {"answers": float(len(submissions)), "rounds": float(rounds)}
    return Part(("make bench PARTS=naming",), sizes, {kind: tuple(values) for kind, values in found.items()})


def _class(course: Course, each: int) -> Iterator[Submission]:
    for exercise in course.exercises:
        chance = random.Random(f"{SEED}/{exercise.name}")
        found = mutants_of(course, exercise)
        for number, mutant in enumerate(chance.sample(found, min(each, len(found)))):
            name = f"{exercise.name} {number}"
            made = one_chapter(name, exercise.chapter, mutant.text, of_course(course, exercise.chapter))
            yield Submission(name, made.chapters, only=(exercise.name,))


def _graded(
    course: Course, submissions: Sequence[Submission], oracle: Callable[[Course], Any]
) -> tuple[float, int, int]:
    """Return the seconds, the number of failed checks, and the number of answers that got a name."""
    results: list[SubmissionResult] = []

    def jobs() -> Iterator[tuple[Submission, Target]]:
        yield from ((submission, LocalTarget(submission)) for submission in submissions)

    started = time.perf_counter()
    judge(course, course.exercises, jobs(), SEED, results.append, oracle=oracle(course))
    seconds = time.perf_counter() - started
    checks = [check for result in results for exercise in result.exercises for check in exercise.checks]
    named = [any(exercise.misconceptions for exercise in result.exercises) for result in results]
    return seconds, sum(check.status != "passed" for check in checks), sum(named)


def key_ratios(part: Part) -> list[Ratio]:
    times = ratios(part.series[f"{WITH}: seconds"], part.series[f"{WITHOUT}: seconds"])
    return [Ratio("grading wrong answers with all searches over known mistakes alone", times, "at most 1.3")]


def details(part: Part) -> str:
    rows = []
    for way in (WITH, WITHOUT):
        seconds, each, named = (part.series[f"{way}: {kind}"] for kind in ("seconds", "a failed check", "named"))
        milliseconds = spread([value * 1000 for value in each])
        rows.append([way, str(spread(seconds)), str(milliseconds), f"{100 * max(named):.0f} %"])
    return table(["searches", "seconds", "milliseconds a failed check", "answers with a name"], rows)
