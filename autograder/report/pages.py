"""Feedback for each student and reports for the instructor, as self-contained pages."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from autograder.classroom import similar
from autograder.classroom.grades import Grade
from autograder.classroom.lost_files import NEWER, headline, lost_in_chapter
from autograder.classroom.register import Register
from autograder.classroom.similar import Pair
from autograder.core import files
from autograder.core.decimals import half_up
from autograder.core.markup import environment
from autograder.core.message import Message
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult
from autograder.course.course import Course
from autograder.course.effort import Effort, efforts
from autograder.course.titles import Titles
from autograder.report import analysis
from autograder.report.analysis import MistakeWords, percent
from autograder.report.filters import heat_of, is_crowded, rows
from autograder.report.known import KnownMistakes
from autograder.report.outputs import feedback_path
from autograder.report.unread import decided, readable, shares_of, undecided, unread

MOST_OTHER_CAUSES = 2
# The most entries that the pages about a class show; they count the rest.
MOST_MISTAKES, MOST_RARER, MOST_UNNAMED, MOST_NAMES, MOST_PAIRS = 10, 50, 10, 20, 40
TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class ExerciseView:
    """What a student's page shows of an exercise.

    Args:
        counted: the points that count, from the checks or from a person; None if there are none yet.
        shared: the message that all its checks have in common, if any.
        others: further mistakes that explain the answer and that no message names.
    """

    result: ExerciseResult
    counted: float | None
    shared: Message | None
    others: tuple[tuple[str, str], ...]

    @property
    def points(self) -> float:
        return self.result.score if self.counted is None else self.counted

    @property
    def is_by_hand(self) -> bool:
        """Whether a person graded it instead of the checks."""
        failed = self.result.status == "grader_error"
        return self.counted is not None and (failed or self.counted != self.result.score)

    @property
    def headline(self) -> str:
        """The headline of the first check that was not passed."""
        return headline(self.result)

    @property
    def is_open(self) -> bool:
        """Whether the student has something to do in it."""
        return self.result.status not in ("passed", "grader_error")

    @property
    def is_begun(self) -> bool:
        return self.result.status != "missing"

    def repeats(self, check: CheckResult) -> bool:
        """Whether an earlier check of the exercise had the same headline or the same mistake."""
        before = {name for each in takewhile(lambda each: each is not check, self.result.checks) for name in _own(each)}
        return not before.isdisjoint(_own(check))


@dataclass(frozen=True)
class ChapterView:
    """What a student's page shows of a chapter.

    Args:
        shared: the message of its file, or what all its exercises have in common, if any.
        told: the exercises of which that message says all.
    """

    name: str
    exercises: tuple[ExerciseView, ...]
    shared: Message | None
    told: Collection[str]

    @property
    def points(self) -> float:
        return sum(view.points for view in self.exercises)

    @property
    def max_score(self) -> float:
        return sum(view.result.max_score for view in self.exercises)

    @property
    def is_faultless(self) -> bool:
        """Whether the student has nothing to fix in it."""
        return not any(view.is_open for view in self.exercises)

    @property
    def is_final(self) -> bool:
        return all(view.counted is not None for view in self.exercises)

    @property
    def is_untouched(self) -> bool:
        return not any(view.is_begun for view in self.exercises)


def write_feedback(out: Path, grade: Grade, course: Course) -> None:
    """Write feedback/<page>.html, the page for one student, unless the student handed in nothing.

    Raises:
        UsageError: the place cannot be written to.
    """
    if grade.result:
        page = feedback_page(grade, _known(course), _titles(course))
        files.write(feedback_path(out, grade.page), page)


def write_report(
    out: Path, grades: Sequence[Grade], register: Register, course: Course, pairs: Sequence[Pair] | None = None
) -> None:
    """Write report.html, which names no student, and students.html, which is for the teacher alone.

    Args:
        pairs: students whose answers are similar; None if they were not compared.

    Raises:
        UsageError: the place cannot be written to.
    """
    known, titles = _known(course), _titles(course)
    files.write(out / "report.html", report_page(grades, known, titles, efforts(course)))
    files.write(out / "students.html", students_page(grades, register, known, titles, pairs))


@lru_cache(maxsize=4)
def _known(course: Course) -> MistakeWords:
    return KnownMistakes(course)


@lru_cache(maxsize=4)
def _titles(course: Course) -> Titles:
    return Titles.of(course)


def feedback_page(grade: Grade, known: MistakeWords, titles: Titles) -> str:
    """Return the page for one student."""
    results = grade.result.exercises if grade.result else ()
    by_chapter = groupby(results, key=lambda each: each.chapter)
    chapters = [_chapter(name, list(exercises), grade, known) for name, exercises in by_chapter]
    exercises = [view for chapter in chapters for view in chapter.exercises]
    return render(
        "feedback.html",
        grade=grade,
        result=grade.result,
        chapters=chapters,
        titles=titles,
        earned_before=sum(view.points for view in exercises),
        passed=sum(view.result.status == "passed" for view in exercises),
        exercises=len(exercises),
        first=_next_step(exercises),
    )


def _next_step(exercises: Sequence[ExerciseView]) -> ExerciseView | None:
    """Return the exercise to go on with: the first answer with something to fix, else the first missing one."""
    return min((view for view in exercises if view.is_open), key=lambda view: not view.is_begun, default=None)


def report_page(
    grades: Sequence[Grade], known: MistakeWords, titles: Titles, estimates: Mapping[str, Effort] | None = None
) -> str:
    """Return the page that an instructor may show to colleagues: it names no student."""
    results = _results(grades)
    exercises = analysis.exercises(results)
    unnamed = sorted((each for each in exercises if each.unnamed), key=lambda each: -each.unnamed)
    mistakes = analysis.misconceptions(results, known)
    return render(
        "report.html",
        **_figures(grades, results),
        titles=titles,
        distribution=analysis.distribution(shares_of(grades)),
        bands=[f"from {10 * band} to {10 * band + 10} %" for band in range(analysis.BINS)],
        chapters=analysis.chapters(exercises, results),
        drafts=[each for each in exercises if (effort := (estimates or {}).get(each.exercise)) and effort.draft],
        contrary=[each for each in exercises if each.is_contrary],
        unnamed=unnamed[:MOST_UNNAMED],
        misconceptions=mistakes[:MOST_MISTAKES],
        rarer=mistakes[MOST_MISTAKES:MOST_RARER],
        more_mistakes=max(0, len(mistakes) - MOST_RARER),
        says={(each.identifier, each.exercise): each.says for each in mistakes},
        fewest=analysis.FEWEST,
        reasons=Counter(each.reason for each in unread(results)).most_common(),
        statuses=Counter(each.status for each in analysis.incidents(list(map(readable, results)))),
    )


def students_page(
    grades: Sequence[Grade],
    register: Register,
    known: MistakeWords,
    titles: Titles,
    pairs: Sequence[Pair] | None = None,
) -> str:
    """Return the page for the instructor alone, with names and what to look at."""
    results = _results(grades)
    stuck = groupby(analysis.stuck(results, known), key=lambda each: each.chapter)
    return render(
        "students.html",
        **_figures(grades, results),
        titles=titles,
        grades=grades,
        stems={grade.student: grade.page for grade in grades if grade.page},
        rows={row.stem: row for row in register.rows},
        register=register,
        unread=decided(grades),
        incidents=analysis.by_headline(analysis.incidents(list(map(readable, results)))),
        taken_as=analysis.taken_as(results),
        needless=analysis.needless(results),
        undecided=undecided(grades),
        stuck=[(name, list(each)) for name, each in stuck],
        pairs=None if pairs is None else [pair for pair in pairs if not pair.own],
        taken=[pair for pair in pairs or () if pair.own],
        most_pairs=MOST_PAIRS,
        independent=similar.INDEPENDENT,
        most_names=MOST_NAMES,
        **_script(),
    )


def _results(grades: Sequence[Grade]) -> list[SubmissionResult]:
    return [grade.result for grade in grades if grade.result]


def _figures(grades: Sequence[Grade], results: Sequence[SubmissionResult]) -> dict[str, Any]:
    """Return the figures at the head and foot of both pages about the class."""
    shares = shares_of(grades)
    average, middle = analysis.mean_and_median(shares)
    unfinished = sum(grade.is_failed for grade in grades)
    waiting = sum(not grade.is_final for grade in grades) - unfinished
    return {
        "handed_in": len(results),
        "absent": len(grades) - len(results),
        "unfinished": unfinished,
        "waiting": waiting,
        "scored": len(shares),
        "lost": len(results) - len(shares) - unfinished - waiting,
        "average": average,
        "middle": middle,
        "sandboxes": sorted({result.sandbox for result in results}),
        "seeds": sorted({result.seed for result in results}),
        "versions": results[0].versions if results else {},
    }


def _chapter(name: str, exercises: Sequence[ExerciseResult], grade: Grade, known: MistakeWords) -> ChapterView:
    views = tuple(_exercise(each, grade, known) for each in exercises)
    return ChapterView(name, views, *_shared(views))


def _shared(views: Sequence[ExerciseView]) -> tuple[Message | None, Collection[str]]:
    """Return the message that a chapter's exercises have in common, and the exercises that it says all of."""
    names = [view.result.exercise for view in views]
    if len({view.shared for view in views}) == 1:
        return views[0].shared, names if views[0].shared else ()
    lost = lost_in_chapter([view.result for view in views])
    taken = [view for view in views if lost and view.result.exercise in lost[0].exercises]
    if len(lost) != 1 or len({view.headline for view in taken}) != 1 or lost[0].reason == NEWER:
        return None, ()
    return next(check.message for check in taken[0].result.checks if check.status != "passed"), lost[0].exercises


def _exercise(result: ExerciseResult, grade: Grade, known: MistakeWords) -> ExerciseView:
    lost = [check for check in result.checks if check.status != "passed"]
    is_one = len({check.message for check in lost}) == 1
    shared = lost[0].message if is_one and len(lost) == len(result.checks) else None
    headlines = [check.message.headline for check in lost]  # an order of parameters may stand in place of a mistake
    named = [known[name] for name in analysis.singles(result.misconceptions) if name in known]
    causes = [
        (says, advice) for says, advice in named if not any(says.lower() in headline.lower() for headline in headlines)
    ]
    points = grade.exercises.get(result.exercise)
    return ExerciseView(result, points, shared, tuple(causes[:MOST_OTHER_CAUSES]))


def _own(check: CheckResult) -> tuple[str, ...]:
    """Return what makes a check's message a repetition: its headline, and its first mistake."""
    return check.message.headline, *check.misconceptions[:1]


def render(name: str, **values: Any) -> str:
    """Return the page that a template makes of these values."""
    return _environment().get_template(name).render(values)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = environment(TEMPLATES)
    made.filters.update(percent=percent, half_up=half_up, rows=rows, heat_of=heat_of)
    made.tests.update(crowded=is_crowded)
    return made


@lru_cache(maxsize=1)
def _script() -> dict[str, str]:
    """Return the pages' one script, for the list of students, and its digest, which lets a page run nothing else."""
    text = (TEMPLATES / "students.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"script": Markup(text), "digest": digest}
