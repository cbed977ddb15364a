"""Check the cells that the kernel has run, and what is displayed of it: HTML where it can be shown, else text.

Their text is run again, apart from the live objects.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from autograder.calls.local import LocalTarget
from autograder.compare.grid import Picture
from autograder.compare.sight import picture_of
from autograder.core.errors import CheckFailed, UsageError
from autograder.core.message import Line, Message
from autograder.core.records import ExerciseResult, SubmissionResult, causes
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.cell_lines import as_magics, line_in_cells
from autograder.student.check import Printer, load, print_notes, stopped, total
from autograder.student.debrief import finished, first_words, newly_passed
from autograder.student.hints import Hint, hint
from autograder.student.notebook.history import kernel_here, submission
from autograder.student.notebook.stale import notes
from autograder.student.pictures.look import Recorder, sight_of
from autograder.student.pictures.notebook_picture import plain_text
from autograder.student.prints import Prints
from autograder.student.saved_progress import Progress

if TYPE_CHECKING:  # it comes with Jupyter; without it, the output is text
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
        return as_magics(plain_text(self._print))

    def _print(self, console: Console) -> None:
        print_notes(console, self.notes)
        printer = Printer(console, self.exercises)
        for result in self.results:
            printer.add(result)
        if self.stopped:
            console.print(Text(self.stopped))
        elif not self.waiting:
            total(console, self.results, self.seed)
            for line in (*filter(None, [self.elsewhere]), *self.debriefs):
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
    def elsewhere(self) -> str:
        """A sentence on the checks that only the instructor runs; "" if there are none."""
        return self.course.elsewhere(self.exercises)

    @property
    def debriefs(self) -> list[str]:
        """The first sentences of the debriefs of what has passed, and of the chapters that are done with it."""
        now = newly_passed(self.results, ())
        passed = Progress.load(self.course).passed.union(now)
        return [*map(as_magics, first_words(self.course, now)), *finished(self.course, passed.difference(now), passed)]

    @property
    def score(self) -> float:
        return sum(result.score for result in self.results)

    @property
    def max_score(self) -> float:
        return sum(result.max_score for result in self.results)


def _told(result: ExerciseResult, tell: Callable[[Message], Message]) -> ExerciseResult:
    """Return the result with its messages as `tell` returns them."""
    return replace(result, checks=tuple(replace(check, message=tell(check.message)) for check in result.checks))


def _with_magics(message: Message) -> Message:
    return replace(message, headline=as_magics(message.headline), advice=as_magics(message.advice))


def line_in_session(line: Line | None, source: ChapterSource) -> Line | None:
    """Return the line with the number of its cell, as the notebook shows it."""
    return line_in_cells(line, source.text, lambda number, _: f"cell [{number}]")


def page(output: CheckOutput) -> str:
    """Return the output as self-contained HTML.

    Raises:
        ModuleNotFoundError: jinja2 is not installed.
    """
    from autograder.student.pictures import picture_svg

    environment = _environment()
    pictures = {name: picture_svg.as_html(picture) for name, picture in output.pictures.items()}
    return environment.get_template("check_output.html").render(
        output=output, pictures=pictures, map_style=picture_svg.STYLE
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from autograder.core.markup import environment

    made = environment(Path(__file__).parent / "templates")
    made.globals.update(levels=LEVELS, causes=causes)
    return made


def check(
    course: Course, exercises: Sequence[Exercise], seed: int | None, on_output: Callable[[CheckOutput], None]
) -> CheckOutput:
    """Check `exercises` as the cells that were run define them.

    Args:
        seed: seed of the drawn inputs; None for a random one.
        on_output: called with the output so far, after each exercise.

    Returns:
        The whole output; if the run was interrupted, the part that is known.
    """
    load()
    from autograder.judging.judge import judge

    growing = _GrowingOutput(course, exercises, seed, on_output)
    try:
        jobs, seed = [(growing.submission, growing.recorder)], growing.output.seed
        judge(course, exercises, jobs, seed, growing.finish, growing.recorder.keep, growing.add)
    except KeyboardInterrupt as stop:
        place = stopped(stop, growing.submission.chapters.values(), line_in_session)
        return replace(growing.output, stopped=f"{place}; exercises that are not listed were not checked")
    finally:
        growing.prints.end()
        Progress.load(course).add(growing.submission, growing.results, growing.output.seed)
    return growing.output


class _GrowingOutput:
    """Collects results, pictures and hints into the output, and `results` to remember, which a terminal may show."""

    def __init__(
        self, course: Course, exercises: Sequence[Exercise], seed: int | None, on_output: Callable[[CheckOutput], None]
    ) -> None:
        self.submission = _of_chapters(course, exercises)
        chosen = secrets.randbits(32) if seed is None else seed
        self.output = CheckOutput(course, exercises, chosen, notes=self.submission.notes)
        self.results = list[ExerciseResult]()
        self.prints = Prints()
        self.recorder = Recorder(LocalTarget(self.submission, self.prints))
        self._on_answer = on_output

    def add(self, result: ExerciseResult) -> None:
        """Add one more exercise, and if it did not pass, its picture and the next hint."""
        self.prints.end()
        source = self.submission.chapters[result.chapter]
        self.results.append(_told(result, lambda message: replace(message, line=line_in_session(message.line, source))))
        grown = replace(self.output, results=(*self.output.results, _told(self.results[-1], _with_magics)))
        if result.status != "passed":
            picture, advice = self._picture(result), _hint(grown.course, result.exercise)
            grown = replace(
                grown,
                pictures={**grown.pictures, **({result.exercise: picture} if picture else {})},
                hints={**grown.hints, **({result.exercise: advice} if advice else {})},
            )
        self.output = grown
        self.recorder.forget()
        self._on_answer(grown)

    def finish(self, result: SubmissionResult) -> None:
        """Add notes on what was passed over when the cells were run again."""
        self.output = replace(self.output, notes=result.notes)

    def _picture(self, result: ExerciseResult) -> Picture | None:
        """Return the picture of a wrong answer; None if no difference can be drawn."""
        if result.status != "failed":
            return None
        exercise = next(each for each in self.output.exercises if each.name == result.exercise)
        try:
            sight = sight_of(self.output.course, exercise, self.recorder)
        except CheckFailed:
            return None
        picture = picture_of(sight) if sight else ""
        return picture if isinstance(picture, Picture) and picture.says else None


def _of_chapters(course: Course, exercises: Sequence[Exercise]) -> Submission:
    """Return the chapters of `exercises`, with notes on those whose judged definition is not the last one written."""
    asked: dict[str, list[str]] = {}
    for exercise in exercises:
        asked.setdefault(exercise.chapter, []).append(exercise.name)
    chapters = {chapter: submission(course, chapter).chapters[chapter] for chapter in asked}
    kernel = kernel_here()
    said = [note for chapter, names in asked.items() for note in notes(course, chapters[chapter], kernel, names)]
    return Submission("you", chapters, notes=tuple(said))


def _hint(course: Course, exercise: str) -> Hint | None:
    try:
        return hint(course, exercise, remember=False)
    except UsageError:  # a verdict needs no hint
        return None
