"""What the cells that run in a lesson draw, with the course's own answers in them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any
from unittest.mock import patch

from autograder.course.course import Course
from autograder.student.pictures.lesson_picture import CoursePieces, figure
from autograder.student.pictures.plots import Plot

QUICK = ("ch00", "ch01", "ch02", "ch03", "ch04", "ch05", "ch06", "ch14")
"""The chapters whose cells train nothing, and so run in a moment."""


def drawings(course: Course, chapter: str, cells: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the plots of each cell of a notebook as HTML, by the cell's id; none for a chapter that trains."""
    if not chapter.startswith(QUICK):
        return {}
    space: dict[str, Any] = {"__name__": "__main__"}
    found: dict[str, str] = {}
    with _caught(course) as plots:
        for cell in cells:
            if cell["cell_type"] == "code" and not cell["metadata"]:  # no exercise and no tool
                exec(compile("".join(cell["source"]), chapter, "exec"), space)
                if plots:
                    found[cell["id"]] = figure(*(plot.svg() for plot in plots))
                plots.clear()
    return found


@contextmanager
def _caught(course: Course) -> Iterator[list[Plot]]:
    """Collect what is shown, and hand out the course's own answers, while cells run."""
    course.lead()
    from reference import blocks

    own, plots = CoursePieces(course), list[Plot]()

    def hand_out(pieces: Any, names: Sequence[str]) -> str:
        pieces.own({name: getattr(own, name) for name in names if name not in vars(blocks)})
        return ""

    def show(plot: Plot) -> None:
        plots.append(plot)

    with (
        patch("autograder.student.lesson_pieces.hand_out", hand_out),
        patch.object(blocks.mine, "_own", {}),
        patch.object(Plot, "show", show),
        redirect_stdout(io.StringIO()),
    ):
        yield plots
