"""Whether the definition that is judged is the one the student sees: a later cell may have failed, or was not run."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.core.message import Line
from autograder.core.reading import contents
from autograder.core.submission import ChapterSource, Problem
from autograder.course.course import Course
from autograder.source.misplaced import Misplaced, magic_of, misplaced
from autograder.source.notebook import raw_cells, source_of
from autograder.source.parsing import DEFINITIONS, shared_tree
from autograder.student.cell_lines import line_in_cells
from autograder.student.notebook.kernel_session import Ended, as_cell_once

HEAD = re.compile(r"^(?:async def|def|class)[ \t]+(\w+)", re.MULTILINE)
CHECK = "then %check"
AGAIN = f"run it again, {CHECK}"


@dataclass(frozen=True)
class Kernel:
    """The texts of the cells that were run and how they ended, by number, and the names that are defined."""

    texts: Mapping[int, str]
    ended: Mapping[int, Ended]
    names: Mapping[str, Any]


@dataclass(frozen=True)
class LostRun:
    """A cell that was run to define an exercise and did not: why, and the remedy."""

    number: int
    why: str
    remedy: str

    def __str__(self) -> str:
        return f"cell [{self.number}] {self.why}; {self.remedy}"


def attempts(kernel: Kernel, exercises: Collection[str]) -> dict[str, LostRun]:
    """Return the last attempt at each exercise that failed, if one did."""
    found: dict[str, LostRun] = {}
    for number, text in kernel.texts.items():
        for name, why, remedy in _failed(number, text, kernel.ended.get(number)):
            if name in exercises:
                found[name] = LostRun(number, why, remedy)
    return found


def _failed(number: int, text: str, ended: Ended | None) -> Iterator[tuple[str, str, str]]:
    """Yield each name that a cell should have defined, why it did not, and the remedy."""
    if magic := magic_of(text):
        for name in HEAD.findall(text):
            yield name, f"begins with {magic}, which keeps Python from it", f"delete that line, {AGAIN}"
    elif as_cell_once(number, text).error:
        for name in HEAD.findall(text):
            yield name, "does not compile", f"fix it, {AGAIN}"
    elif ended:
        for name in ended.unmade:
            yield name, f"stopped with {ended.error} before it defined {name}", f"fix it, {AGAIN}"


def undefined(course: Course, chapter: str, kernel: Kernel, exercises: Collection[str]) -> dict[str, Problem]:
    """Return a problem for each of `exercises`, none of which is defined in the kernel, where more is known of it."""
    tried = {name: str(attempt) for name, attempt in attempts(kernel, exercises).items()}
    saved = {each.exercise: _in_text(each) for each in misplaced(_saved(course, chapter, kernel)[0], exercises)}
    return {name: Problem("missing", f"{name} is not defined yet: {says}") for name, says in {**saved, **tried}.items()}


def _in_text(found: Misplaced) -> str:
    return f"in the saved notebook {found.says()}, run it, {CHECK}"


def notes(course: Course, source: ChapterSource, kernel: Kernel, exercises: Sequence[str]) -> Iterator[str]:
    """Yield a note for each exercise whose judged definition is not the last that the student wrote."""
    tried = attempts(kernel, exercises)
    cells, saved = _saved(course, source.chapter, kernel)
    elsewhere = {each.exercise: each for each in misplaced(cells, exercises)}
    for name in exercises:
        number = _judged(source, name)
        judged = f"{name} is judged as cell [{number}] defined it"
        if not number:
            continue
        if name in tried and tried[name].number > number:
            yield f"{judged}: {tried[name]}"
        elif number in kernel.ended and saved > kernel.ended[number].when:
            if name in elsewhere:
                yield f"{judged}: {_in_text(elsewhere[name])}"
            elif _is_edited(name, kernel.texts[number], cells):
                yield f"{judged}, but the saved notebook has another {name}: run its cell again, {CHECK}"


def _judged(source: ChapterSource, name: str) -> int:
    """Return the number of the cell whose definition of an exercise is judged; 0 if there is none."""
    if source.problem or name in source.broken:
        return 0
    lines = [
        node.lineno for node in shared_tree(source.text).body if isinstance(node, DEFINITIONS) and node.name == name
    ]
    found = line_in_cells(Line(lines[-1]), source.text, lambda cell, _: cell) if lines else None
    return int(found.place or 0) if found else 0


def _is_edited(name: str, ran: str, cells: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether cells of a notebook define an exercise, and none as the cell that was run."""
    texts = [source_of(cell) for cell in cells if cell.get("cell_type") == "code"]
    return any(name in HEAD.findall(text) for text in texts) and _bare(ran) not in map(_bare, texts)


def _bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _saved(course: Course, chapter: str, kernel: Kernel) -> tuple[list[dict[str, Any]], float]:
    """Return the cells of the notebook as it was saved, and when; none if it cannot be found or read."""
    for place in _places(course, chapter, kernel):
        try:
            data, when = contents(place), place.stat().st_mtime
        except OSError:
            continue
        cells = raw_cells(data, place.name)
        return ([], 0.0) if isinstance(cells, Problem) else (cells, when)
    return [], 0.0


def _places(course: Course, chapter: str, kernel: Kernel) -> Iterator[Path]:
    """Yield where the notebook may be: where Jupyter or VS Code say, else where the course has it."""
    for said in (os.environ.get("JPY_SESSION_NAME"), kernel.names.get("__vsc_ipynb_file__")):
        if isinstance(said, str) and said.endswith(".ipynb"):
            yield Path(said)
    yield course.exercises_dir / f"{chapter}.ipynb"
