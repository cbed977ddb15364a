"""What every part uses: the course, temporary folders, a progress bar, and `attend` itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import TaskID

from autograder.core.progress_bar import steps
from autograder.course.course import Course
from benchmarks.machine import Timed, program, timed
from benchmarks.record import Part
from benchmarks.spread import Ratio

SEED = 20
"""The seed of the made-up classes, and of the inputs that every grader draws."""


class Bar:
    """A progress bar for one part after another."""

    def __init__(self, console: Console) -> None:
        self._steps = steps(console)
        self._task: TaskID | None = None

    def begin(self, title: str, total: int) -> None:
        self.end()
        self._steps.start()
        self._task = self._steps.add_task(title, total=total)
        self._steps.refresh()

    def step(self) -> None:
        if self._task is not None:
            self._steps.update(self._task, advance=1, refresh=True)

    def end(self) -> None:
        self._steps.stop()
        self._task = None


@dataclass
class Bench:
    """The tools of a part; `folder` is temporary, and the caller removes it after the part."""

    course: Course
    folder: Path
    bar: Bar
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def new_folder(self) -> Path:
        """Make a new folder."""
        folder = self.folder / f"{next(self._numbers)}"
        folder.mkdir(parents=True)
        return folder

    def grade_command(self, submissions: Path, *options: str) -> list[str]:
        """Return the command that grades a class into a new folder."""
        given = ["--out", str(self.new_folder()), "--seed", str(SEED), *options]
        return [program("attend"), "grade", str(submissions), *given]

    def grade(self, submissions: Path, *options: str) -> Timed:
        """Grade a class, and advance the bar."""
        done = timed(self.grade_command(submissions, *options), self.course.root)
        self.bar.step()
        return done


class Kind(NamedTuple):
    """A part: how to measure it, and how to present its figures.

    `about` says what is compared and what cannot be; `ratios` and `details` present a part that was measured.
    """

    name: str
    title: str
    about: str
    measure: Callable[[Bench], Part]
    ratios: Callable[[Part], Sequence[Ratio]]
    details: Callable[[Part], str]
