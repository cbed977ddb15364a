"""What every chapter of every course promises; `attend prove` tries it, and so do this course's tests."""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from rich.console import Console

from autograder.author import sentences
from autograder.author.parsed import definitions, parsed
from autograder.author.proof.mistake_faults import faults, faults_of_words
from autograder.author.proof.remembered import NEXT, earned
from autograder.author.proof.right_answers import ENOUGH, answers
from autograder.author.proof.right_answers import FOLDER as ANSWERS
from autograder.author.proof.trial import Tried, solution, tried, version, with_mistake
from autograder.calls.local import LocalTarget
from autograder.compare.grid import Picture
from autograder.core import files
from autograder.core.progress_bar import steps
from autograder.core.records import CheckResult, SubmissionResult
from autograder.core.submission import Submission
from autograder.course.check_list import LEVELS
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.artefacts import FOLDER, SUFFIX, of_course
from autograder.student.pictures.look import look
from autograder.student.pictures.picture_text import as_text
from autograder.student.start import start

SEED: Final = 1
SEEDS: Final = (1, 20, 300)
"""The seeds with which a verdict must be the same."""
FEWEST_MISTAKES: Final = 2
"""The known mistakes that an exercise has at least."""
WIDTH: Final = 80
PATIENCE: Final = 600
"""The seconds that the cells of a chapter may take."""

Faults: TypeAlias = Iterator[str]


class Promise(NamedTuple):
    """A promise in words, and what of a chapter breaks it."""

    says: str
    broken: Callable[[Course, str], Faults]


class PromiseResult(NamedTuple):
    """Whether a chapter keeps a promise: what breaks it."""

    chapter: str
    promise: Promise
    faults: tuple[str, ...]


def untouched_stub(course: Course, chapter: str) -> Faults:
    """Yield what an untouched stub earns, or is told that does not help."""
    text = course.stub(chapter).read_text(encoding="utf-8")
    result = tried(course, [version(course, chapter, "stub", text)], course.of(chapter), SEED)["stub"].result
    for check in (check for exercise in result.exercises for check in exercise.checks):
        if check.status != "missing":
            yield f"{check.name} says of the untouched stub: {check.status}"
        elif "attend hint" not in check.message.text:
            yield f"{check.name} does not name `attend hint`: {check.message.text}"


def solution_earns_everything(course: Course, chapter: str) -> Faults:
    """Yield the checks that the solution loses with some seed."""
    handed = version(course, chapter, "solution", solution(course, chapter))
    for seed in SEEDS:
        result = tried(course, [handed], course.of(chapter), seed)["solution"].result
        yield from (f"seed {seed}: {fault}" for fault in lost(result))


def lost(result: SubmissionResult) -> list[str]:
    """Return what each failed check says, after its exercise."""
    checks = [(exercise.exercise, check) for exercise in result.exercises for check in exercise.checks]
    return [f"{name}: {check.name}: {check.message.text}" for name, check in checks if check.status != "passed"]


def complete_exercises(course: Course, chapter: str) -> Faults:
    """Yield the exercises that lack a check of a level, or known mistakes, and the checks that lack a docstring."""
    known = [wrong.exercise for wrong in course.misconceptions(chapter)]
    for exercise in course.of(chapter):
        levels = {check.level for check in course.checks[chapter] if check.exercise == exercise.name}
        if lacking := [level for level in LEVELS if level not in levels]:
            yield f"{exercise.name} has no check of level {' and '.join(lacking)}"
        if (few := known.count(exercise.name)) < FEWEST_MISTAKES:
            yield f"{exercise.name} has {few} known mistakes; it wants {FEWEST_MISTAKES} at least"
    yield from _wordless_checks(course, chapter)


def _wordless_checks(course: Course, chapter: str) -> Faults:
    """Yield the checks of which a student would read nothing but the name."""
    path, asked = course.suite(chapter), {check.function for check in course.checks[chapter]}
    place = path.relative_to(course.root).as_posix()
    for test in definitions(parsed(path, place)):
        if test.name in asked and not ast.get_docstring(test):
            yield f"{place}:{test.lineno}: {test.name} has no docstring: say in it what students read of this check"


def mistakes_are_named(course: Course, chapter: str) -> Faults:
    """Yield what is wrong with the known mistakes of a chapter, and with what is said of them."""
    known = course.misconceptions(chapter)
    for wrong in known:
        yield from faults_of_words(course, chapter, wrong)
    found = tried(course, [with_mistake(course, chapter, wrong) for wrong in known], course.of(chapter), SEED)
    for wrong in known:
        yield from faults(course, wrong, found[wrong.identifier])


def right_answers_keep_everything(course: Course, chapter: str) -> Faults:
    """Yield the exercises that have too few right answers, and the checks that right answers lose."""
    found = answers(course, chapter)
    right = Counter(name for answer in found for name in answer.exercises)
    for exercise in course.of(chapter):
        if (few := right[exercise.name]) < ENOUGH:
            yield f"{exercise.name} has {few} of {ENOUGH} right answers: write more in {(ANSWERS / chapter).as_posix()}"
    handed = [answer.submission(course) for answer in found]
    for style, each in tried(course, handed, course.of(chapter), SEED).items():
        yield from (f"{style}: {fault}" for fault in lost(each.result))


def verdicts_are_steady(course: Course, chapter: str) -> Faults:
    """Yield the known mistakes whose points depend on the seed."""
    known = [with_mistake(course, chapter, wrong) for wrong in course.misconceptions(chapter)]
    for name, points in unsteady(partial(tried, course), known, course.of(chapter), SEEDS).items():
        yield f"{name} earns {' or '.join(f'{score:g} (seed {seed})' for score, seed in points.items())}"


def unsteady(
    grade: Callable[[Sequence[Submission], Sequence[Exercise], int], Mapping[str, Tried]],
    submissions: Sequence[Submission],
    exercises: Sequence[Exercise],
    seeds: Sequence[int],
) -> dict[str, dict[float, int]]:
    """Return those whose points depend on the seed: the points, and the first seed that gives them.

    What never ends is tried with one seed alone: each call of it takes as long as its limit.
    """
    scores: dict[str, dict[float, int]] = {}
    left = list(submissions)
    for seed in seeds:
        found = {name: each.result for name, each in grade(left, exercises, seed).items()}
        for name, result in found.items():
            scores.setdefault(name, {}).setdefault(result.score, seed)
        left = [each for each in left if not _took_too_long(found[each.student])]
    return {name: points for name, points in scores.items() if len(points) > 1}


def _took_too_long(result: SubmissionResult) -> bool:
    return any(check.status == "timeout" for exercise in result.exercises for check in exercise.checks)


def pictures(course: Course, chapter: str) -> Faults:
    """Yield the exercises whose right answer has a picture that shows a fault, or is too wide."""
    for exercise in course.of(chapter):
        picture, failed = pictured(course, exercise)
        if failed:
            yield f"{exercise.name}: {failed.message.text}"
        elif isinstance(picture, Picture):
            yield from (f"{exercise.name}: {fault}" for fault in unfit_picture(picture))


def pictured(course: Course, exercise: Exercise) -> tuple[Picture | str, CheckResult | None]:
    """Return the picture of the solution, or words, and how it fails, if it does."""
    handed = version(course, exercise.chapter, "you", solution(course, exercise.chapter))
    return look(course, exercise, handed, LocalTarget(handed), SEED)


def unfit_picture(picture: Picture) -> Faults:
    """Yield what is wrong with the picture of a right answer."""
    if picture.first_wrong is not None:
        yield f"its picture shows a fault: {picture.says}"
    console = Console(width=WIDTH, no_color=True)
    with console.capture() as caught:
        console.print(as_text(picture, WIDTH))
    if (widest := max(map(len, caught.get().splitlines()))) > WIDTH:
        yield f"its picture has {widest} columns"


def cells_run(course: Course, chapter: str) -> Faults:
    """Yield how a chapter breaks off as a program: as it is handed out, and with every answer."""
    with tempfile.TemporaryDirectory() as place:
        copy = Course(start(course, Path(place, "mine")).root)
        for name, model in of_course(course, chapter).items():
            files.write(copy.exercises_dir / FOLDER / f"{name}{SUFFIX}", model)
        for what, text in (("handed out", None), ("answered", solution(course, chapter))):
            path = copy.exercises_dir / f"{chapter}.py"
            if text is not None:
                files.write(path, text)
            yield from (f"as it is {what}, {fault}" for fault in _run(path))


def _run(path: Path) -> Faults:
    try:
        done = subprocess.run(
            [sys.executable, path.name], cwd=path.parent, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        yield f"it runs for more than {PATIENCE} s"
        return
    if done.returncode:
        yield f"it ends with: {(done.stderr.strip().splitlines() or ['nothing said'])[-1]}"


def feedback_gives_nothing_away(course: Course, chapter: str) -> Faults:
    """Yield the exercises that earn points for who knows what feedback of earlier rounds has shown, and no more."""
    for name, score in earned(course, chapter, NEXT).items():
        yield f"{name} earns {score:g} for remembered answers: draw a call of each check from thousands"


def sentences_are_held(course: Course, chapter: str) -> Faults:
    """Yield the sentences of docstrings without a check, and checks without a sentence, where the course lists both."""
    if not (course.root / sentences.FOLDER).is_dir():
        return
    for exercise in course.of(chapter):
        written = sentences.held(course, chapter)[exercise.name]
        known = [*sentences.sentences_of(solution(course, chapter), exercise.name), sentences.CONVENTIONS]
        if [*written] != known:
            yield f"{exercise.name} has other sentences than {sentences.FOLDER.as_posix()} says: run `attend build`"
        for sentence, checks in written.items():
            if not checks and sentence != sentences.CONVENTIONS:
                yield f"{exercise.name}: no check holds this sentence: {sentence}"
        asked = {each.function for each in course.checks[chapter] if each.exercise == exercise.name}
        for check in sorted(asked ^ {check for checks in written.values() for check in checks}):
            yield f"{exercise.name}: no sentence asks for {check}, or there is no such check"


PROMISES: Final[Mapping[str, Promise]] = {
    "stubs": Promise("an untouched stub earns nothing, and says how to begin", untouched_stub),
    "solutions": Promise("the solution earns everything, with any seed", solution_earns_everything),
    "exercises": Promise("every exercise has checks of three levels and known mistakes", complete_exercises),
    "mistakes": Promise("every known mistake loses points and is named first", mistakes_are_named),
    "right": Promise(f"{ENOUGH} right answers to each exercise keep every point", right_answers_keep_everything),
    "seeds": Promise("no verdict depends on the seed", verdicts_are_steady),
    "feedback": Promise("what feedback has shown earns nothing in the next round", feedback_gives_nothing_away),
    "sentences": Promise("every sentence that is listed has a check", sentences_are_held),
    "pictures": Promise("right answers have pictures that fit", pictures),
    "cells": Promise("the chapter runs as a program", cells_run),
}


def kept(course: Course, chapters: Sequence[str], console: Console) -> Iterator[PromiseResult]:
    """Try all promises for some chapters, with a progress bar; yield what came of each."""
    with steps(console) as progress:
        task = progress.add_task("trying promises", total=len(chapters) * len(PROMISES))
        for chapter in chapters:
            for promise in PROMISES.values():
                yield PromiseResult(chapter, promise, tuple(promise.broken(course, chapter)))
                progress.update(task, advance=1, refresh=True)
