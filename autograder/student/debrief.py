"""After a pass: what the piece is for, and the course's answer beside the student's."""

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
from autograder.course.titles import Titles
from autograder.intake.submissions import read_folder
from autograder.source.parsing import syntax_tree
from autograder.student.answers import definition, solution
from autograder.student.saved_progress import Progress

FEW = 3
WIDE = 120
CHANGED = "Your answer or the course has changed since it passed."


@dataclass(frozen=True)
class Debrief:
    """The debrief of a passed exercise in Markdown, and both answers as code ("" where there is none)."""

    exercise: str
    words: str
    course: str
    yours: str
    changed: bool = False

    @property
    def answers(self) -> list[tuple[str, str]]:
        """Both answers with their headings; none where one of them is missing."""
        return [("yours", self.yours), ("the course's", self.course)] if self.course and self.yours else []


def newly_passed(fresh: Iterable[ExerciseResult], before: Collection[str]) -> list[str]:
    """Return the exercises that passed now and are not among those that passed `before`."""
    return [each.exercise for each in fresh if each.status == "passed" and each.exercise not in before]


def first_words(course: Course, passed: Sequence[str]) -> list[str]:
    """Return the first sentence of the debrief of each exercise that has `passed`; for many, the command alone.

    There are none outside a working copy, as only that remembers a pass.
    """
    known = debriefs(course) if course.is_copy else {}
    described = [name for name in passed if name in known]
    if len(passed) <= FEW:
        return [f"{name}: {first_sentence(known[name])} more: attend explain {name}" for name in described]
    return [f"{len(passed)} exercises passed; what each of them is for: attend explain NAME"] if described else []


def finished(course: Course, before: Collection[str], passed: Collection[str]) -> list[str]:
    """Return a line on what one can do now for each chapter that is done with what has `passed`, and was not `before`.

    There are none outside a working copy.
    """
    done = chapters_done(course, passed) - chapters_done(course, before) if course.is_copy else set()
    known, titles = debriefs(course), Titles.of(course)
    said = ((titles.chapter(stem), known.get(stem, "")) for stem in sorted(done))
    return [f"✓ {title}: done. {first_sentence(words)}".rstrip() for title, words in said]


def chapters_done(course: Course, passed: Collection[str]) -> set[str]:
    """Return the chapters of which every exercise that is checked here has `passed`."""
    checked = [each for each in course.exercises if each.checks]
    return {each.chapter for each in checked} - {each.chapter for each in checked if each.name not in passed}


def debrief(course: Course, exercise: Exercise, yours: str | None = None) -> Debrief | None:
    """Return the debrief of an exercise that has passed.

    Args:
        yours: a module with the student's answer; by default, the file in the working copy.

    Returns:
        None if the course has neither a debrief of the exercise nor its solution.
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
    """Return the student's answer in a module; "" if there is none that can be read."""
    try:
        return without_docstrings(definition(text, exercise, Path(f"{exercise.chapter}.py"))[2])
    except UsageError:
        return ""


def without_docstrings(code: str) -> str:
    """Return the text of a definition without its docstrings, which both answers share; comments stay."""
    lines = code.split("\n")
    nodes = [node for node in ast.walk(syntax_tree(code)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in sorted(filter(_begins_with_a_docstring, nodes), key=lambda node: node.lineno, reverse=True):
        first, last = node.body[0].lineno - 1, node.body[0].end_lineno or node.body[0].lineno
        while not lines[last].strip():
            last += 1
        del lines[first:last]
    return "\n".join(lines)


def _begins_with_a_docstring(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Return whether a definition has a docstring on lines of its own, with code below."""
    if ast.get_docstring(node) is None or len(node.body) < 2:
        return False
    docstring, after = node.body[:2]
    return node.lineno < docstring.lineno and (docstring.end_lineno or docstring.lineno) < after.lineno


def print_debrief(passed: Debrief, console: Console) -> None:
    """Print a debrief, with the answers side by side where there is room."""
    console.print(Text(f"{passed.exercise} is passed", style="bold green"))
    if passed.words:
        console.print(Markdown(passed.words, hyperlinks=False))  # so that addresses stay readable
    if passed.answers:
        console.print()
        console.print(_side_by_side(passed) if console.width >= WIDE else _below_each_other(passed))
    if passed.changed:
        console.print(Text(CHANGED, style="yellow"))


def _side_by_side(passed: Debrief) -> Table:
    table = Table(box=None, pad_edge=False, expand=True, header_style="bold", padding=(0, 2, 0, 0))
    for heading, _ in passed.answers:
        table.add_column(heading, ratio=1)
    table.add_row(*(_code(code) for _, code in passed.answers))
    return table


def _below_each_other(passed: Debrief) -> Table:
    table = Table.grid()
    for heading, code in passed.answers:
        table.add_row(Text(heading, style="bold"))
        table.add_row(_code(code))
        table.add_row()
    return table


def _code(code: str) -> Syntax:
    return Syntax(code, "python", theme="ansi_dark", background_color="default", word_wrap=True)
