"""Write a chapter as a notebook and as a percent-format module; the same chapter always gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.author.chapter import LessonCell, plain_cells
from autograder.course.course import Course
from autograder.source.notebook import FORMAT, GENERATED, PICTURE, short

_KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def as_module(stem: str, cells: Sequence[LessonCell]) -> str:
    """Return the stub file: `cells` in percent format, below a comment that says where to work."""
    check = f"`attend check {short(stem)}` checks it"
    head = f"{GENERATED}\n# there this file is yours and stays as you leave it; {check}.\n\n"
    spaced = [_cell(cell, f"c{index}") for index, cell in enumerate(cells)]
    for cell, written in zip(cells, spaced, strict=True):
        if cell.gap is not None:
            written.metadata["lines_to_next_cell"] = cell.gap
    notebook = new_notebook(cells=spaced)
    return head + str(jupytext.writes(notebook, fmt=FORMAT)).rstrip("\n") + "\n"


def as_notebook_text(stem: str, cells: Sequence[LessonCell], *, trains: bool = False) -> str:
    """Return a notebook of `cells` (nbformat 4.5, no outputs), with a check below each exercise and help at the end.

    Args:
        stem: the chapter, such as "ch03_attention".
        cells: its cells.
        trains: whether the course has models to train.
    """
    pairs = zip(cells, _identifiers(stem, cells), strict=True)
    named = [new for cell, identifier in pairs for new in _with_tools(stem, cell, identifier)]
    named.insert(_first_code(named), _tool("%load_ext autograder", f"{short(stem)}-load"))
    named.append(new_markdown_cell(_how_to_check(stem, trains=trains), id=f"{short(stem)}-how-to-check"))
    notebook = new_notebook(cells=named, metadata=_KERNEL)
    notebook.nbformat_minor = 5
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook, version=4)).rstrip("\n") + "\n"


def as_notebook(course: Course, chapter: str, module_text: str) -> str:
    """Return a student's notebook with the answers of `module_text`, a filled-in percent-format module.

    Args:
        course: the course that the chapter belongs to.
        chapter: the stem of the chapter, such as "ch03_attention".
        module_text: the text of a student's chNN_name.py; hints in it are left out.

    Returns:
        The notebook's JSON; cells that the stub has too keep the stub's ids.

    Raises:
        UsageError: the course has no such chapter.
    """
    stem = course.select([chapter])[0].chapter
    return as_notebook_text(stem, plain_cells(_without_head(module_text)), trains=course.has_capstones)


def _without_head(text: str) -> str:
    """Return the module without the stub's first comment, which belongs to no cell of the notebook."""
    if not text.startswith(GENERATED):
        return text
    lines = text.split("\n")
    first = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[first:]).lstrip("\n")


def _cell(cell: LessonCell, identifier: str) -> Any:
    if cell.kind == "markdown":
        return new_markdown_cell(cell.stub, id=identifier)
    metadata = {"exercise": cell.exercise} if cell.exercise else {}
    return new_code_cell(cell.stub, id=identifier, metadata=metadata)


def _with_tools(stem: str, cell: LessonCell, identifier: str) -> list[Any]:
    """Return the cell, followed by a cell that checks it if it is an exercise, or one that shows its picture."""
    check = [_tool(f"%check {cell.exercise}", f"{identifier}-check")] if cell.exercise else []
    picture = [_tool(f"{PICTURE} {cell.picture}", f"{short(stem)}-picture-{cell.picture}")] if cell.picture else []
    return [_cell(cell, identifier), *check, *picture]


def _tool(source: str, identifier: str) -> Any:
    """Return a cell that is not part of the chapter's module."""
    return new_code_cell(source, id=identifier, metadata={"attend": "tool"})


_TRAIN = """\
| `%train NAME` | a model of your own pieces; `%train` alone lists which there are |
| `%sample NAME PROMPT` | what your trained model answers |
"""


def _first_code(cells: Sequence[Any]) -> int:
    """Return the position of the first code cell; neither an exercise nor a picture comes before it."""
    return next((index for index, cell in enumerate(cells) if cell.cell_type == "code"), len(cells))


def _identifiers(stem: str, cells: Sequence[LessonCell]) -> Iterator[str]:
    """Yield ids that stay the same when cells are added elsewhere: each counts from the exercise before it."""
    group, count = f"{short(stem)}-intro", 0
    for cell in cells:
        if cell.exercise:
            yield f"{short(stem)}-{cell.exercise}"
            group, count = f"{short(stem)}-{cell.exercise}-after", 0
        else:
            count += 1
            yield f"{group}-{count}"


def _how_to_check(stem: str, *, trains: bool) -> str:
    return f"""\
## How to go on
The cell below each answer checks it: run the answer, then the check (Shift+Enter). It judges what you have run, so
run a cell again after a change.

| | |
|---|---|
| `%check {short(stem)}` | the whole chapter; `%check` alone is all that you have run |
| `%hint NAME` | one hint at a time: a nudge, the idea, nearly the code |
| `%explain NAME` | the mistake that was named, in full; after a pass what the piece is for, and the course's answer |
| `%show NAME` | what your answer gives beside what is expected, as a picture |
| `%picture NAME` | a picture of the lesson again, drawn by your own answers once they have passed |
| `%ask NAME` | questions about your own answer that has passed; nothing is graded by it |
| `%solution NAME` | the course's own answer, once yours has passed |
| `%reset NAME` | the exercise as it was handed out; your answer is kept |
{_TRAIN if trains else ""}
Or save the notebook, and in a terminal in the folder of your working copy: `attend check {short(stem)}`."""
