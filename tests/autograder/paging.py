"""Grades and results for pages, made without grading, and a reader of what a page says."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from autograder.classroom.grades import Grade
from autograder.classroom.person import Person
from autograder.classroom.register import Register
from autograder.classroom.similar import Pair
from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Patch, Status, SubmissionResult
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.course.titles import Titles
from autograder.report.known import KnownMistakes
from autograder.report.pages import students_page

COURSE = Course(Path(__file__).parent / "toy")
TITLE = Titles("Toy")
KNOWN = {
    "double-squared": ("You squared the numbers.", "Doubling is `2 * x`."),
    "double-inplace": ("You doubled the argument itself.", "Use <new> tensors."),
}
NAMES = ["Ada", "Müller-Lüdenscheidt, Zoë", "O'Brien", "x" * 70, *(f"student {n}" for n in range(26))]
HOSTILE = "<script>alert(1)</script> \"' & \x1b[31mred\x1b]8;;http://evil\x07 {{ 7 * 7 }} \u202egnp"
WIDE = Patch("result", *[(" ".join(["-0.123456"] * 8),) * 2] * 2, ("00000001",) * 2)
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;"


def check(status: Status, message: str = "", named: tuple[str, ...] = (), sentence: str = "2 · x", worth: float = 2.0):
    return CheckResult(
        "test_x",
        sentence,
        "values",
        worth if status == "passed" else 0.0,
        worth,
        status,
        of_first_version(message),
        named,
    )


def graded(student: str, *checks: CheckResult, chapter: str = "ch01_toy", notes: tuple[str, ...] = ()):
    return submission(student, ExerciseResult.of(chapter, "double", checks), notes=notes)


def submission(student: str, *exercises: ExerciseResult, notes: tuple[str, ...] = ()) -> Grade:
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    result = SubmissionResult(student, score, most, "walled", 4711, {"torch": "2.13"}, exercises, notes)
    points = {each.exercise: each.score for each in exercises if each.status != "grader_error"}
    return Grade(f"{student}-1", student, Person(student), result, f"{student}-1", score, most, points)


def nothing(student: str) -> Grade:
    """The grade of someone who handed in nothing."""
    return Grade("", student, Person(student), None, "", 0.0, 2.0, {})


def students(grades: list[Grade], register: Register | None = None, pairs: list[Pair] | None = None) -> str:
    return students_page(grades, register or Register("", ()), KNOWN, TITLE, pairs)


class Shape(HTMLParser):
    """Tags, attributes and text of a page."""

    VOID = frozenset({"meta", "br", "rect", "line"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)


def class_of_four() -> list[Grade]:
    return [
        graded("ann", check("passed")),
        graded("ben", check("failed", "no", ("double-squared", "double-inplace"))),
        graded("cem", check("failed", "no", ("double-squared",))),
        graded("dee", check("grader_error", "a judge ended")),
    ]


def realistic_class(course: Course, chapters: tuple[str, ...], size: int) -> list[Grade]:
    """Students who pass, fail with the course's own mistakes and messages, stumble, or have not begun."""
    known = list(KnownMistakes(course).items())
    exercises = [exercise for exercise in course.exercises if exercise.chapter in chapters]
    made = [submission(name, *_answers(number, exercises, known)) for number, name in enumerate(NAMES[:size])]
    late = "Handed in late: 2 days begun, so that 3.5 points are taken."
    made[0] = replace(made[0], score=max(0.0, made[0].score - 3.5), remarks=(late, "Why: ill on Friday"))
    made[1] = replace(made[1], open=("late; by how much is not known: give days_late in policy.toml",))
    return [*made, nothing("Nobody Nowhere")]


def _answers(number: int, exercises: list[Exercise], known: list[tuple[str, tuple[str, str]]]) -> list[ExerciseResult]:
    statuses: tuple[Status, ...] = ("passed", "failed", "passed", "failed", "missing", "crash", "syntax", "error")
    found = []
    for place, exercise in enumerate(exercises):
        status = statuses[(number * 7 + place * 3 + number * place) % len(statuses)]
        identifier, (says, advice) = known[(place * 17 + number % 3) % len(known)]
        said = f"{says} (values differ)\n  called    {exercise.name}(q (B=2, Tq=3, d=5) float64, {'k' * 90})"
        said += (
            f"\n  expected  weights[0, 1, 2] = 0.62831\n  got       weights[0, 1, 2] = 0.31415\n  try       {advice}"
        )
        named = (identifier,) if status == "failed" else ()
        lent = (exercises[place - 1].name, exercises[place - 2].name) if status == "failed" else ()
        wrong = check(status, said if named else "it says `why`\n  in line 3: return x", named)
        checks = [replace(check("passed"), lent=lent), replace(wrong, patch=WIDE if named else None), wrong]
        found.append(ExerciseResult.of(exercise.chapter, exercise.name, checks))
    return found
