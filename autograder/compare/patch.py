"""The piece of a wrong answer that is kept with its result, so that a page can draw it without running any code."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.compare.grid import Grid, Picture, window
from autograder.compare.sight import Sight, picture_of
from autograder.core.records import Patch

MOST = 8  # rows, and columns


def patch_of(sight: Sight) -> Patch | None:
    """Return the piece around the first wrong number; None if there is none, or if it is the only number."""
    picture = picture_of(sight)
    if isinstance(picture, str) or picture.got is None or picture.first_wrong is None or picture.expected.size == 1:
        return None
    places = [window(size, MOST, first) for size, first in zip(picture.got.shape, picture.first_wrong, strict=True)]
    wrong = picture.wrong[places[0].start : places[0].stop, places[1].start : places[1].stop]
    return Patch(
        _title(picture, places),
        _rows(picture.expected, places),
        _rows(picture.got, places),
        tuple("".join("1" if cell else "0" for cell in row) for row in wrong),
    )


def _title(picture: Picture, places: Sequence[range]) -> str:
    """Return which part this is, and which slice, rows and columns of it if it is not the whole."""
    cut = [
        f"{name} {shown.start} to {shown.stop - 1} of {size}"
        for name, shown, size in zip(("rows", "columns"), places, picture.expected.shape, strict=True)
        if len(shown) < size
    ]
    piece = [f"slice {picture.place}"] if picture.place else []
    return ", ".join([picture.part or "result", *piece, *cut])


def _rows(grid: Grid, places: Sequence[range]) -> tuple[str, ...]:
    return tuple(" ".join(f"{grid[row, column]:.3g}" for column in places[1]) for row in places[0])
