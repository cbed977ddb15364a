"""Feedback for each student and a report for the instructor, as pages that stand alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from jinja2 import Environment

from autograder import files
from autograder.course import Course
from autograder.grading import analysis
from autograder.grading.analysis import Known, percent
from autograder.grading.outputs import feedback_path
from autograder.markup import Message, environment
from autograder.records import CheckResult, ExerciseResult, SubmissionResult

MOST_OTHER_CAUSES = 2


@dataclass(frozen=True)
class CheckView:
    """One check; `repeats` says that an earlier check of the exercise had the same headline."""

    check: CheckResult
    message: Message
    repeats: bool


@dataclass(frozen=True)
class ExerciseView:
    """One exercise. `shared` is the message that all its checks have in common, where they do."""

    result: ExerciseResult
    shared: Message | None
    checks: tuple[CheckView, ...]
    others: tuple[tuple[str, str], ...]  # further mistakes that explain the answer and no message tells


@dataclass(frozen=True)
class ChapterView:
    """One chapter. `shared` is the message that all its exercises have in common, where they do."""

    name: str
    title: str
    score: float
    max_score: float
    shared: Message | None
    exercises: tuple[ExerciseView, ...]

    @property
    def is_faultless(self) -> bool:
        """Whether nothing is for the student to mend."""
        return all(view.result.status in ("passed", "grader_error") for view in self.exercises)

    @property
    def is_final(self) -> bool:
        return all(view.result.status != "grader_error" for view in self.exercises)

    @property
    def is_untouched(self) -> bool:
        return all(view.result.status == "missing" for view in self.exercises)


def write_feedback(out: Path, stem: str, result: SubmissionResult, course: Course) -> None:
    """Write feedback/<stem>.html, the page for one student.

    Raises:
        UsageError: the place cannot be written to.
    """
    page = feedback_page(result, _known(course), course.settings.get("title", ""))
    files.write(feedback_path(out, stem), page)


def write_report(out: Path, results: Sequence[SubmissionResult], course: Course, stems: Mapping[str, str]) -> None:
    """Write report.html, the page about the class.

    Args:
        stems: the stem of the feedback page, by student.

    Raises:
        UsageError: the place cannot be written to.
    """
    page = report_page(results, _known(course), course.settings.get("title", ""), stems)
    files.write(out / "report.html", page)


@lru_cache(maxsize=4)
def _known(course: Course) -> Known:
    return analysis.known_misconceptions(course)


def feedback_page(result: SubmissionResult, known: Known, title: str) -> str:
    """What one student reads."""
    by_chapter = groupby(result.exercises, key=lambda each: each.chapter)
    chapters = [_chapter(name, list(exercises), known) for name, exercises in by_chapter]
    return _environment().get_template("feedback.html").render(result=result, chapters=chapters, title=title)


def report_page(results: Sequence[SubmissionResult], known: Known, title: str, stems: Mapping[str, str]) -> str:
    """What the instructor reads."""
    final = [result for result in results if result.is_final]
    average, middle = analysis.mean_and_median(final)
    return (
        _environment()
        .get_template("report.html")
        .render(
            title=title,
            results=results,
            stems=stems,
            average=average,
            middle=middle,
            distribution=analysis.distribution(final),
            unfinished=len(results) - len(final),
            bands=[f"from {10 * band} to {10 * band + 10} %" for band in range(analysis.BINS)],
            exercises=analysis.exercises(results),
            misconceptions=analysis.misconceptions(results, known),
            incidents=analysis.incidents(results),
            sandboxes=sorted({result.sandbox for result in results}),
            seeds=sorted({result.seed for result in results}),
            versions=results[0].versions if results else {},
        )
    )


def _chapter(name: str, exercises: Sequence[ExerciseResult], known: Known) -> ChapterView:
    views = tuple(_exercise(each, known) for each in exercises)
    score = sum(each.score for each in exercises)
    shared = views[0].shared if len({view.shared for view in views}) == 1 else None
    return ChapterView(name, chapter_title(name), score, sum(each.max_score for each in exercises), shared, views)


def _exercise(result: ExerciseResult, known: Known) -> ExerciseView:
    lost = [check for check in result.checks if check.status != "passed"]
    texts = {check.message for check in lost}
    shared = Message.of(lost[0].message) if len(texts) == 1 and len(lost) == len(result.checks) else None
    told = "\n".join(texts)
    causes = [
        known[name] for name in analysis.singles(result.misconceptions) if name in known and known[name][0] not in told
    ]
    return ExerciseView(result, shared, tuple(_checks(result.checks)), tuple(causes[:MOST_OTHER_CAUSES]))


def _checks(checks: Sequence[CheckResult]) -> Iterator[CheckView]:
    seen: Counter[str] = Counter()
    for check in checks:
        message = Message.of(check.message)
        yield CheckView(check, message, repeats=seen[message.headline] > 0)
        seen[message.headline] += 1


def chapter_title(name: str) -> str:
    """ "3 · Attention" for "ch03_attention"."""
    number, _, topic = name.removeprefix("ch").partition("_")
    return f"{int(number)} · {topic.replace('_', ' ').capitalize()}" if number.isdigit() else name


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = environment(Path(__file__).parent / "templates")
    made.globals.update(chapter_title=chapter_title)
    made.filters.update(percent=percent, headline=_headline)
    return made


def _headline(text: str) -> str:
    return Message.of(text).headline
