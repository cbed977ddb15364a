"""After a pass: what the piece is for, and the course's answer beside the learner's own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from autograder.core.errors import UsageError
from autograder.core.records import ExerciseResult
from autograder.course.course import Course
from autograder.course.debriefs import debriefs, first_sentence
from autograder.course.model import Exercise
from autograder.intake.submissions import read_folder
from autograder.student.answers import definition, solution
from autograder.student.progress import Progress

FEW = 3
WIDE = 120
CHANGED = "Your answer has changed since it passed."


@dataclass(frozen=True)
class Debrief:
    """What there is to say of a passed exercise, in Markdown; `course` and `yours` are code, "" where there is none."""

    exercise: str
    words: str
    course: str
    yours: str
    changed: bool = False

    @property
    def answers(self) -> list[tuple[str, str]]:
        """Both answers under their headings; none where the course's is not at hand."""
        return [("yours", self.yours), ("the course's", self.course)] if self.course and self.yours else []


def newly_passed(fresh: Iterable[ExerciseResult], before: Collection[str]) -> list[str]:
    """Exercises that passed now and not when they were checked `before`."""
    return [each.exercise for each in fresh if each.status == "passed" and each.exercise not in before]


def first_words(course: Course, passed: Sequence[str]) -> list[str]:
    """A line for each of a few exercises that have `passed`: how its debrief begins; for many the command alone.

    Only a working copy remembers a pass, so elsewhere there is nothing to ask for.
    """
    known = debriefs(course) if course.is_copy else {}
    told = [name for name in passed if name in known]
    if len(passed) <= FEW:
        return [f"{name}: {first_sentence(known[name])} more: attend explain {name}" for name in told]
    return [f"{len(passed)} exercises passed; what each of them is for: attend explain NAME"] if told else []


def debrief(course: Course, exercise: Exercise, yours: str | None = None) -> Debrief | None:
    """What there is to say of an exercise that has passed.

    Args:
        yours: a module with the learner's answer; if not given, the file in the working copy.

    Returns:
        None where there is nothing to say: a release holds no solutions, and an old copy no debriefs.
    """
    words = debriefs(course).get(exercise.name, "")
    try:
        ours = without_docstrings(solution(course, exercise.name, anyway=False))
    except UsageError:
        ours = ""
    if not words and not ours:
        return None
    submission = read_folder(course.exercises_dir, course)
    source = submission.chapters.get(exercise.chapter)
    changed = yours is None and exercise.name not in Progress.load(course).still(submission, [exercise])
    text = yours if yours is not None else source.text if source else ""
    return Debrief(exercise.name, words, ours, _answer(text, exercise), changed)


def _answer(text: str, exercise: Exercise) -> str:
    """The learner's answer in a module; "" if it has none that can be read."""
    try:
        return without_docstrings(definition(text, exercise, Path(f"{exercise.chapter}.py"))[2])
    except UsageError:
        return ""


def without_docstrings(code: str) -> str:
    """One definition as its author wrote it, comments and all, without what both answers say alike."""
    lines = code.split("\n")
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in sorted(filter(_begins_with_a_docstring, nodes), key=lambda node: node.lineno, reverse=True):
        first, last = node.body[0].lineno - 1, node.body[0].end_lineno or node.body[0].lineno
        while not lines[last].strip():
            last += 1
        del lines[first:last]
    return "\n".join(lines)


def _begins_with_a_docstring(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """On lines of its own, with code below."""
    if ast.get_docstring(node) is None or len(node.body) < 2:
        return False
    told, after = node.body[:2]
    return node.lineno < told.lineno and (told.end_lineno or told.lineno) < after.lineno


def print_debrief(told: Debrief, console: Console) -> None:
    """All of it; the answers side by side where there is room."""
    console.print(Text(f"{told.exercise} is passed", style="bold green"))
    if told.words:
        console.print(Markdown(told.words, hyperlinks=False))  # so that addresses can be read, and copied
    if told.answers:
        console.print()
        console.print(_side_by_side(told) if console.width >= WIDE else _below_each_other(told))
    if told.changed:
        console.print(Text(CHANGED, style="yellow"))


def _side_by_side(told: Debrief) -> Table:
    table = Table(box=None, pad_edge=False, expand=True, header_style="bold", padding=(0, 2, 0, 0))
    for heading, _ in told.answers:
        table.add_column(heading, ratio=1)
    table.add_row(*(_code(code) for _, code in told.answers))
    return table


def _below_each_other(told: Debrief) -> Table:
    table = Table.grid()
    for heading, code in told.answers:
        table.add_row(Text(heading, style="bold"))
        table.add_row(_code(code))
        table.add_row()
    return table


def _code(code: str) -> Syntax:
    return Syntax(code, "python", theme="ansi_dark", background_color="default", word_wrap=True)
