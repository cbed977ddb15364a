"""The answer of `%check`: HTML where it can be shown, else the text of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from autograder.compare.grid import Picture
from autograder.core.message import Line, Message
from autograder.core.records import ExerciseResult, causes
from autograder.core.submission import ChapterSource
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.cell_lines import as_magics, line_in_cells
from autograder.student.check import Printer, print_notes, total
from autograder.student.debrief import first_words, newly_passed
from autograder.student.hints import Hint
from autograder.student.pictures.notebook_picture import plain_text

if TYPE_CHECKING:  # it comes with Jupyter; without it, the answer is text
    from jinja2 import Environment

LEVELS = ("a nudge", "the idea", "nearly the code")


@dataclass(frozen=True)
class CheckOutput:
    """The verdict so far; `pictures` and `hints` are by exercise, `stopped` says where the run was stopped.

    `notes` say where the judged definition is not the last one that was written.
    """

    course: Course
    exercises: Sequence[Exercise]
    seed: int
    results: tuple[ExerciseResult, ...] = ()
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    hints: Mapping[str, Hint] = field(default_factory=dict)
    stopped: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return plain_text(self._print).replace("`attend explain ", "`%explain ")

    def _print(self, console: Console) -> None:
        print_notes(console, self.notes)
        printer = Printer(console, self.exercises)
        for result in self.results:
            printer.add(result)
        if self.stopped:
            console.print(Text(self.stopped))
        elif not self.waiting:
            total(console, self.results, self.seed)
            for line in (*filter(None, [self.apart]), *self.debriefs):
                console.print(Text(line))

    def _repr_html_(self) -> str | None:
        try:
            return page(self)
        except ModuleNotFoundError:
            return None

    @property
    def waiting(self) -> int:
        """The number of exercises that were not checked yet."""
        return len(self.exercises) - len(self.results)

    @property
    def apart(self) -> str:
        """A sentence on the checks that only the instructor runs; "" if there are none."""
        return self.course.elsewhere(self.exercises)

    @property
    def debriefs(self) -> list[str]:
        """The first sentences of the debriefs of what has passed."""
        return [*map(as_magics, first_words(self.course, newly_passed(self.results, ())))]

    @property
    def score(self) -> float:
        return sum(result.score for result in self.results)

    @property
    def max_score(self) -> float:
        return sum(result.max_score for result in self.results)


def in_notebook(result: ExerciseResult, source: ChapterSource) -> ExerciseResult:
    """Return the result in a notebook's terms: `%hint NAME`, and cells instead of lines of the module."""
    checks = tuple(replace(check, message=_in_notebook(check.message, source)) for check in result.checks)
    return replace(result, checks=checks)


def _in_notebook(message: Message, source: ChapterSource) -> Message:
    headline, advice = as_magics(message.headline), as_magics(message.advice)
    return replace(message, headline=headline, advice=advice, line=line_in_session(message.line, source))


def line_in_session(line: Line | None, source: ChapterSource) -> Line | None:
    """Return the line with the number of its cell, as the notebook shows it."""
    return line_in_cells(line, source.text, lambda number, _: f"cell [{number}]")


def page(answer: CheckOutput) -> str:
    """Return the answer as self-contained HTML.

    Raises:
        ModuleNotFoundError: jinja2 is not installed.
    """
    from autograder.student.pictures import picture_svg

    environment = _environment()
    pictures = {name: picture_svg.as_html(picture) for name, picture in answer.pictures.items()}
    return environment.get_template("answer.html").render(answer=answer, pictures=pictures, map_style=picture_svg.STYLE)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from autograder.core.markup import environment

    made = environment(Path(__file__).parent / "templates")
    made.globals.update(levels=LEVELS, causes=causes)
    return made
