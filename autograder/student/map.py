"""`attend` alone: what is done, and what is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.course.course import Course
from autograder.course.debriefs import debriefs, first_sentence
from autograder.course.effort import draft_line, duration, efforts, minutes
from autograder.course.model import Exercise
from autograder.course.titles import Titles
from autograder.intake.submissions import read_folder
from autograder.source.notebook import short
from autograder.student.asked_before import AskedBefore
from autograder.student.check import print_notes
from autograder.student.core_path import ahead, core_line, next_steps
from autograder.student.debrief import chapters_done
from autograder.student.misnamed_files import misnamed_files
from autograder.student.saved_progress import Progress, Remembered

CHANGED = "changed: since the last check, so the points may be others now; `attend check` looks again"
BAR, WIDE, NARROW = 12, 64, 48


@dataclass(frozen=True)
class ChapterRow:
    """A row of the map, from the last checks; `changed` counts exercises that have changed since."""

    stem: str
    title: str
    points: float
    most: float
    passed: int
    changed: int
    exercises: int

    @property
    def state(self) -> Text:
        """How far the chapter is, in words and colour."""
        if not self.exercises:
            return Text("your instructor checks it", style="dim")
        left = self.exercises - self.passed
        words, style = (f"{left} to do", "yellow" if self.passed else "") if left else ("✓ done", "green")
        return Text(words, style=style).append(f", {self.changed} changed" if self.changed else "", style="dim")


def show_map(course: Course, console: Console) -> None:
    """Print the chapters and points of a working copy, and the next exercise."""
    progress = Progress.load(course)
    submission = read_folder(course.exercises_dir, course)
    changed = progress.changed(submission, course.exercises)
    titles = Titles.of(course)
    rows = [_chapter(course, stem, titles, progress.last, changed) for stem in course.chapters]
    done, most = sum(row.points for row in rows), sum(row.most for row in rows)
    console.print(Text(titles.course or "Attend", style="bold"))
    total = Text(f"{done:g} of {most:g} points", style="bold green" if done == most else "bold")
    known = efforts(course)
    time = minutes((each for each in course.exercises if each.name not in progress.passed), known)
    console.print(total.append(f", about {duration(time)} to go" if time else "", style="dim"))
    if core := core_line(course.exercises, progress.passed, known):
        console.print(Text(core, style="dim"))
    if asked := AskedBefore.load(course).line():
        console.print(Text(asked, style="dim"))
    if unproven := draft_line(course.exercises, known):
        console.print(Text(unproven, style="yellow"))
    if elsewhere := course.elsewhere(course.exercises):
        console.print(Text(elsewhere, style="dim"))
    console.print(_table(rows, console.width))
    if any(row.changed for row in rows):
        console.print(Text(CHANGED, style="dim"))
    words = debriefs(course)
    for stem in sorted(chapters_done(course, progress.passed) & words.keys()):
        console.print(Text(f"{short(stem)} done: {first_sentence(words[stem])}", style="green"))
    print_notes(console, misnamed_files(course))
    proposed = ahead(course.exercises, progress.passed, known)
    if proposed is None:
        console.print(_all_done(course.exercises, changed))
    else:
        console.print(Text(next_steps(course, proposed, known, submission)))


def _chapter(
    course: Course, stem: str, titles: Titles, last: Mapping[str, Remembered], changed: Set[str]
) -> ChapterRow:
    own = [exercise for exercise in course.of(stem) if exercise.checks]
    known = [last[each.name].result for each in own if each.name in last]
    return ChapterRow(
        stem=stem,
        title=titles.topic(stem),
        points=sum(result.score for result in known),
        most=sum(exercise.points for exercise in own),
        passed=sum(result.status == "passed" for result in known),
        changed=sum(exercise.name in changed for exercise in own),
        exercises=len(own),
    )


def _table(rows: Sequence[ChapterRow], width: int) -> Table:
    """Lay out a row for each chapter; a narrow terminal loses the bars first, then the titles."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    if width >= NARROW:
        table.add_column()
    if width >= WIDE:
        table.add_column(no_wrap=True, width=BAR)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for row in rows:
        filled = int(BAR * row.points / row.most) if row.most else BAR
        bar = Text("█" * filled, style="green").append("░" * (BAR - filled), style="dim")
        more: list[str | Text] = [*([row.title] if width >= NARROW else []), *([bar] if width >= WIDE else [])]
        table.add_row(row.stem.partition("_")[0], *more, f"{row.points:g}/{row.most:g}", row.state)
    return table


def _all_done(exercises: Sequence[Exercise], changed: Set[str]) -> Text:
    done = "Everything is done. " if any(each.checks for each in exercises) else "Your instructor checks all of it. "
    again = "attend check looks at what has changed since." if changed else ""
    return Text(done + again, style="bold green")
