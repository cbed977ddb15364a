"""Summaries of the results of a class: pure functions of records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, mean, median

from autograder.core.decimals import scaled
from autograder.core.markup import BADGES
from autograder.core.records import ExerciseResult, Status, SubmissionResult
from autograder.intake.misnamed import is_taken
from autograder.intake.unusual import is_on_needless
from autograder.report.unread import readable, tried

# Statuses that a person should look at, gravest first: our own faults, then possible attacks and accidents.
ATTENTION: tuple[Status, ...] = (
    "grader_error",
    "blocked",
    "forbidden",
    "crash",
    "protocol",
    "timeout",
    "memory",
    "syntax",
)
# Statuses with a mistake to name: the answer was compared, or it raised an error.
UNNAMED: tuple[Status, ...] = ("failed", "error")
BINS = 10
FEWEST = 10  # students for a meaningful correlation

MistakeWords = Mapping[str, tuple[str, str]]  # misconception id -> its sentence, its advice


@dataclass(frozen=True)
class ExerciseSummary:
    """How a class did on one exercise.

    Args:
        tried: how many students began it, in a file that could be read; `mean` is over them, None if there are none or
            its weight is 0.
        failed: how many of these did not pass, `unnamed` of them without a known mistake.
        missing: how many did not begin it, though what they handed in could be read.
        discrimination: item-rest correlation, from -1 to 1; None if there are too few students, or all score the same.
        paired: how many students it is over, those who tried another exercise too.
        mistake: the commonest mistake, "" if none was recognised.
    """

    chapter: str
    exercise: str
    tried: int
    mean: float | None
    failed: int
    unnamed: int
    missing: int
    discrimination: float | None
    paired: int
    mistake: str

    @property
    def is_contrary(self) -> bool:
        """Whether students who do well elsewhere do worse here, by two standard errors, which is seldom chance."""
        return self.discrimination is not None and self.discrimination < -2 / math.sqrt(self.paired)


@dataclass(frozen=True)
class ChapterSummary:
    """How a class did on one chapter, and its exercises in their order.

    Args:
        tried: how many students tried an exercise of it; `mean` is over what they tried, None if that is worth nothing.
    """

    chapter: str
    mean: float | None
    tried: int
    exercises: tuple[ExerciseSummary, ...]


@dataclass(frozen=True)
class MisconceptionSummary:
    """A mistake, its sentence and advice, and which of the students who `tried` the exercise made it."""

    identifier: str
    exercise: str
    says: str
    advice: str
    tried: int
    students: tuple[str, ...]


@dataclass(frozen=True)
class Stuck:
    """The students who tried an exercise and did not pass, by their mistake, "" where none is known."""

    chapter: str
    exercise: str
    causes: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Incident:
    """One student's exercises that ended in one of the statuses of `ATTENTION`, and the first message."""

    status: Status
    student: str
    exercises: tuple[str, ...]
    headline: str


def percent(part: float, whole: float) -> float:
    return float(scaled(part, whole, 100)) if whole else 0.0


def mean_and_median(shares: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the median of percentages; zeros if there are none."""
    return (mean(shares), median(shares)) if shares else (0.0, 0.0)


def distribution(shares: Sequence[float]) -> list[int]:
    """Return the numbers of students in 0 to 10 %, 10 to 20 %, ...; the first and last bin take what lies outside."""
    counts = Counter(min(max(int(share * BINS / 100), 0), BINS - 1) for share in shares)
    return [counts[number] for number in range(BINS)]


def exercises(results: Sequence[SubmissionResult]) -> list[ExerciseSummary]:
    """Summarise every exercise, in the order of the course, over the students who tried it."""
    found: dict[tuple[str, str], list[tuple[ExerciseResult, float | None]]] = {}
    missing = Counter[tuple[str, str]]()
    for result in results:
        answers = tried(result)
        score, most = sum(each.score for each in answers), sum(each.max_score for each in answers)
        for each in answers:
            rest = (score - each.score) / (most - each.max_score) if most > each.max_score else None
            found.setdefault((each.chapter, each.exercise), []).append((each, rest))
        missing.update(_key(each) for each in readable(result).exercises if each.status == "missing")
    return [_exercise(*key, found.get(key, []), missing[key]) for key in _order(results)]


def _key(each: ExerciseResult) -> tuple[str, str]:
    return each.chapter, each.exercise


def _order(results: Sequence[SubmissionResult]) -> list[tuple[str, str]]:
    """Return each chapter and exercise that the grader did not fail on everywhere, in the order of the course."""
    found = [each for result in results for each in result.exercises]
    graded = {_key(each) for each in found if each.status != "grader_error"}
    return [key for key in dict.fromkeys(map(_key, found)) if key in graded]


def _exercise(
    chapter: str, exercise: str, rows: Sequence[tuple[ExerciseResult, float | None]], missing: int
) -> ExerciseSummary:
    answers = [each for each, _ in rows]
    shares = [(percent(each.score, each.max_score), rest) for each, rest in rows if each.max_score]
    failed = [each for each in answers if each.status != "passed"]
    mistakes = Counter(name for each in failed for name in singles(each.misconceptions[:1]))
    paired = [(share, rest) for share, rest in shares if rest is not None]
    return ExerciseSummary(
        chapter,
        exercise,
        tried=len(answers),
        mean=mean(share for share, _ in shares) if shares else None,
        failed=len(failed),
        unnamed=sum(each.status in UNNAMED and not each.misconceptions for each in failed),
        missing=missing,
        discrimination=_discrimination(paired),
        paired=len(paired),
        mistake=next((name for name, _ in mistakes.most_common(1)), ""),
    )


def _discrimination(paired: Sequence[tuple[float, float]]) -> float | None:
    """Return the item-rest correlation: Pearson's, between the exercise and all others that were tried together."""
    if len(paired) < FEWEST:
        return None
    try:
        return correlation(*zip(*paired, strict=True))
    except StatisticsError:  # all students have the same share, here or in the rest
        return None


def chapters(summaries: Sequence[ExerciseSummary], results: Sequence[SubmissionResult]) -> list[ChapterSummary]:
    """Summarise every chapter in the order of the course, its mean weighted by points."""
    scores: dict[str, list[tuple[float, float]]] = {summary.chapter: [] for summary in summaries}
    begun = Counter[str]()
    for answers in map(tried, results):
        begun.update({each.chapter for each in answers})
        for each in answers:
            scores[each.chapter].append((each.score, each.max_score))
    sums = {name: (sum(score for score, _ in pairs), sum(most for _, most in pairs)) for name, pairs in scores.items()}
    means = {name: percent(score, most) if most else None for name, (score, most) in sums.items()}
    by_chapter = {name: tuple(each for each in summaries if each.chapter == name) for name in scores}
    return [ChapterSummary(name, means[name], begun[name], own) for name, own in by_chapter.items()]


def misconceptions(results: Sequence[SubmissionResult], known: MistakeWords) -> list[MisconceptionSummary]:
    """Count the likeliest mistake of each failed answer, and return the mistakes, commonest first."""
    who: dict[tuple[str, str], list[str]] = {}
    words: dict[tuple[str, str], tuple[str, str]] = {}
    begun = Counter[str]()
    for result in results:
        for each in tried(result):
            begun[each.exercise] += 1
            for identifier in singles(each.misconceptions[:1]):
                who.setdefault((identifier, each.exercise), []).append(result.student)
                words.setdefault((identifier, each.exercise), _words(each, identifier, known))
    summaries = [
        MisconceptionSummary(identifier, exercise, *words[identifier, exercise], begun[exercise], tuple(students))
        for (identifier, exercise), students in who.items()
    ]
    return sorted(summaries, key=lambda summary: -len(summary.students))


def stuck(results: Sequence[SubmissionResult], known: MistakeWords) -> list[Stuck]:
    """Return the students who did not pass each exercise, in the order of the course, commonest mistakes first."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for result in results:
        for each in (each for each in tried(result) if each.status != "passed"):
            found.setdefault(_key(each), {}).setdefault(_cause(each, known), []).append(result.student)
    return [Stuck(*key, _commonest_first(found[key])) for key in _order(results) if key in found]


def _cause(exercise: ExerciseResult, known: MistakeWords) -> str:
    if exercise.status not in UNNAMED:
        return f"({BADGES[exercise.status][1]})"
    return " ".join(_words(exercise, name, known)[0] for name in singles(exercise.misconceptions[:1]))


def _words(exercise: ExerciseResult, identifier: str, known: MistakeWords) -> tuple[str, str]:
    """Return a mistake's sentence and advice; where it is not in the catalogue, those that a student read."""
    named = (check.message for check in exercise.checks if identifier in check.misconceptions)
    read = next(((message.sentence, message.advice) for message in named), (identifier, ""))
    return known.get(identifier, read)


def _commonest_first(causes: Mapping[str, Sequence[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    ranked = sorted(causes.items(), key=lambda cause: (not cause[0], -len(cause[1])))
    return tuple((says, tuple(students)) for says, students in ranked)


def singles(identifiers: Sequence[str]) -> list[str]:
    """Return each mistake once, with pairs split into their two mistakes."""
    return list(dict.fromkeys(single for identifier in identifiers for single in identifier.split("+")))


def taken_as(results: Sequence[SubmissionResult]) -> list[tuple[str, list[str]]]:
    """Return what was taken as what, for each student whose files had other names."""
    return _with_notes(is_taken, results)


def needless(results: Sequence[SubmissionResult]) -> list[tuple[str, list[str]]]:
    """Return what files use that no exercise needs, for each student whose files do."""
    return _with_notes(is_on_needless, results)


def _with_notes(wanted: Callable[[str], bool], results: Sequence[SubmissionResult]) -> list[tuple[str, list[str]]]:
    found = [(result.student, list(filter(wanted, result.notes))) for result in results]
    return [(student, notes) for student, notes in found if notes]


def incidents(results: Sequence[SubmissionResult]) -> list[Incident]:
    """Return what a person should look at, gravest first."""
    return [
        incident for status in ATTENTION for result in results if (incident := _incident(status, result)) is not None
    ]


def _incident(status: Status, result: SubmissionResult) -> Incident | None:
    hit = [each for each in result.exercises if each.status == status]
    if not hit:
        return None
    headline = next((check.message.headline for each in hit for check in each.checks if check.status == status), "")
    return Incident(status, result.student, tuple(each.exercise for each in hit), headline)


def by_headline(incidents: Sequence[Incident]) -> dict[tuple[str, str], list[Incident]]:
    """Return incidents by status and headline, so that each is listed once for all its students."""
    found: dict[tuple[str, str], list[Incident]] = {}
    for incident in incidents:
        found.setdefault((incident.status, incident.headline), []).append(incident)
    return found
