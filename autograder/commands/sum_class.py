"""Sum the grades of chapters that were graded in several folders, and show the sums."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom.grades import Grade
from autograder.classroom.roster import Roster
from autograder.core.decimals import half_up
from autograder.core.text import counted, join_names, rounded, shortened
from autograder.grading import sums
from autograder.grading.sums import Sums
from autograder.platforms.export import is_undecided
from autograder.report.analysis import percent
from autograder.report.outputs import NAME


def sum_and_show(folders: Sequence[Path], roster: Path, out: Path | None, console: Console) -> int:
    """Sum the grades in `folders`, write them into `out` if it is given, and return the command's exit status."""
    found = sums.add_up(folders, Roster.read(roster))
    for sentence in (*found.remarks, *found.strangers):
        console.print(sentence, style="yellow", soft_wrap=True, markup=False)
    if out:
        sums.write(out, found)
    console.print(_table(found))
    waiting = [grade.student for grade in found.grades if is_undecided(grade)]
    if waiting:
        who = f"no grade yet for {counted(len(waiting), 'student')}: {join_names(waiting)}"
        says = f"{who}; students.html in the folders says why, and how to decide. Then run the same `attend grades`"
        console.print(says, style="yellow", soft_wrap=True, markup=False)
    if out:
        console.print(f"grades   {out / sums.TABLE}", soft_wrap=True, markup=False)
    return 1 if waiting or found.strangers else 0


def _table(found: Sums) -> Table:
    """Return a table of the class: each chapter by its number, and the sum."""
    chapters = dict.fromkeys(found.chapters.values())
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("student", overflow="ellipsis", no_wrap=True)
    for title in (*(chapter.partition("_")[0] for chapter in chapters), "sum", "%"):
        table.add_column(title, justify="right", no_wrap=True)
    names = shortened([grade.student for grade in found.grades], NAME)
    for grade, name in zip(found.grades, names, strict=True):
        points = [_shown(found.points(chapter, grade)) for chapter in chapters]
        table.add_row(Text(name), *points, *_sum(grade))
    return table


def _shown(points: float | str) -> str:
    return points if isinstance(points, str) else rounded(points)


def _sum(grade: Grade) -> tuple[str, str]:
    """Return a student's sum and its percentage, as far as they are known."""
    open_ = "" if grade.is_final else "+?"
    share = f"{half_up(percent(grade.score, grade.max_score), 0)}" if grade.is_final else "?"
    return f"{rounded(grade.score)}{open_}/{rounded(grade.max_score)}", share
