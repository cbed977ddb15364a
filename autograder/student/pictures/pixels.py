"""A picture in block characters, as a terminal shows it, drawn as grey pixels."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.student.pictures.picture_text import SHADES

PIXEL, LETTERS = 9, 2
"""The width of a pixel, and how many characters stand for it."""


def pixels(drawing: str) -> str:
    """Return the SVG of a picture of which each pixel is two of the `SHADES`; "" if the text is none.

    A space is white and █ is black, on a light page and on a dark one.
    """
    rows = drawing.split("\n")
    width = len(rows[0]) // LETTERS
    if not width or len(rows) < 2 or not all(_is_row(row, width) for row in rows):
        return ""
    size = f'width="{PIXEL * width}" height="{PIXEL * len(rows)}"'
    box = f'viewBox="0 0 {PIXEL * width} {PIXEL * len(rows)}"'
    says = f'role="img" aria-label="a picture of {width} × {len(rows)} pixels"'
    ground = f'<rect {size} fill="#fff"/>'
    return f'<svg {says} {size} {box} shape-rendering="crispEdges">{ground}{"".join(_dark(rows))}</svg>'


def _is_row(row: str, width: int) -> bool:
    return len(row) == width * LETTERS and {*row} <= {*SHADES} and row[::LETTERS] == row[1::LETTERS]


def _dark(rows: list[str]) -> Iterator[str]:
    """Yield each pixel that is not white."""
    for down, row in enumerate(rows):
        for across, shade in enumerate(row[::LETTERS]):
            if shade != SHADES[0]:
                grey = f"{255 - 238 * SHADES.index(shade) // (len(SHADES) - 1):02x}"
                place = f'x="{PIXEL * across}" y="{PIXEL * down}" width="{PIXEL}" height="{PIXEL}"'
                yield f'<rect {place} fill="#{grey * 3}"/>'
