"""A picture as text: numbers where they fit, else shades; it needs no colour."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.compare.grid import Axis, Grid, Picture, span, window, written

SHADES = " ░▒▓█"
MOST_ROWS, FEW_ROWS, FEW_COLUMNS = 24, 10, 8
LETTERS = (14, 6, 0)  # letters shown of column names, the most that fit
FIRST, OTHER = "▶", "*"


@dataclass(frozen=True)
class _Cells:
    """The text of each value; `width` includes a mark in front."""

    texts: dict[float, str]
    width: int

    def __call__(self, value: float) -> str:
        return self.texts.get(value, "nan").rjust(self.width - 1)


def as_text(picture: Picture, width: int) -> RenderableType:
    """Return the picture for a terminal of `width` columns."""
    shown = panels_of(picture)
    cells, side_by_side = _fitting(picture, list(shown.values()), width)
    panels = [_panel(picture, title, grid, cells, width) for title, grid in shown.items()]
    lines: list[RenderableType] = [Text(picture.title, style="bold"), Text(picture.verdict)]
    lines.append(_beside(panels) if side_by_side else Group(*panels))
    if legend := _legend(picture, cells):
        lines.append(Text(legend, style="dim"))
    return Group(*lines)


def panels_of(picture: Picture) -> dict[str, Grid]:
    """Return the grids to show, by title; only the student's if it is right."""
    if picture.got is not None and not picture.says:
        return {"yours": picture.got}
    return {"expected": picture.expected} | ({} if picture.got is None else {"yours": picture.got})


def _fitting(picture: Picture, grids: list[Grid], width: int) -> tuple[_Cells, bool]:
    """Return the most detailed cells that fit, and whether the panels fit side by side."""
    choices = [_marks(grids)] if picture.boolean else [_numbers(grids), _shades(grids)]
    label = _label_width(picture.rows, grids[0])
    columns = sum(grid.shape[1] for grid in grids)
    longest = max((len(place) for place in picture.columns.places), default=0)
    wider = [min(longest, letters) + 1 for letters in LETTERS]
    choices = [replace(cells, width=max(cells.width, width)) for width in wider for cells in choices]
    beside = [cells for cells in choices if columns * cells.width + (label + 3) * len(grids) <= width]
    below = [cells for cells in choices if max(grid.shape[1] for grid in grids) * cells.width + label <= width]
    small = all(len(grid) <= FEW_ROWS and grid.shape[1] <= FEW_COLUMNS for grid in grids)
    if small and below and (not beside or choices.index(below[0]) < choices.index(beside[0])):
        return below[0], False
    if beside:
        return beside[0], True
    return (below[0] if below else choices[-1]), False


def _numbers(grids: list[Grid]) -> _Cells:
    low, high = span(grids)
    ordinary = 0.1 <= max(abs(low), abs(high)) < 1e4
    texts = {float(value): written(float(value), ordinary) for grid in grids for value in grid.ravel()}
    return _Cells(texts, max(map(len, texts.values())) + 2)


def _shades(grids: list[Grid]) -> _Cells:
    low, high = span(grids)
    steps = len(SHADES) - 1
    texts = {
        float(value): SHADES[round((np.clip(value, low, high) - low) / (high - low or 1) * steps)]
        for grid in grids
        for value in grid.ravel()
        if not np.isnan(value)
    }
    return _Cells(texts, 2)


def _marks(_: list[Grid]) -> _Cells:
    return _Cells({0.0: "·", 1.0: "■"}, 2)


def _label_width(rows: Axis, grid: Grid) -> int:
    return max(len(rows.name), *(len(rows.label(index)) for index in range(len(grid)))) + 1


def _panel(picture: Picture, title: str, grid: Grid, cells: _Cells, width: int) -> Text:
    down, across = picture.axes(grid)
    label = _label_width(down, grid)
    first = picture.first_wrong or (0, 0)
    rows = window(grid.shape[0], MOST_ROWS, first[0])
    columns = window(grid.shape[1], max(1, (width - label) // cells.width), first[1])
    hidden = len(rows) < grid.shape[0] or len(columns) < grid.shape[1]
    text = Text(f"{title}{_shown(rows, columns, grid) if hidden else ''}\n", style="")
    text.append(_heading(across, columns, cells, down.name.ljust(label)), style="dim")
    for row in rows:
        text.append("\n" + down.label(row).ljust(label), style="dim")
        for column in columns:
            mark, style = _mark(picture, row, column, title)
            text.append(mark + cells(float(grid[row, column])), style=style)
    return text


def _shown(rows: range, columns: range, grid: Grid) -> str:
    return (
        f" (rows {rows[0]} to {rows[-1]} of {grid.shape[0]}, columns {columns[0]} to {columns[-1]} of {grid.shape[1]})"
    )


def _heading(axis: Axis, columns: range, cells: _Cells, corner: str) -> str:
    """Return the axis' name, and a label over each column as far as it fits."""
    labels = [axis.label(column) for column in columns]
    short = [label[: cells.width - 1] if axis.places else label for label in labels]
    name = f"{' ' * len(corner)} {axis.name}\n" if axis.name else ""
    if max(map(len, short)) < cells.width:
        return name + corner + "".join(label.rjust(cells.width) for label in short)
    every_fifth = "".join(str(column).ljust(cells.width * 5) for column in columns[::5])
    return f"{name}{corner}{' ' * (cells.width - 1)}{every_fifth}".rstrip()


def _mark(picture: Picture, row: int, column: int, title: str) -> tuple[str, str]:
    wrong = picture.wrong
    if row >= wrong.shape[0] or column >= wrong.shape[1] or not wrong[row, column]:
        return " ", ""
    if (row, column) == picture.first_wrong:
        return FIRST, "bold red" if title == "yours" else "bold green"
    return (OTHER, "red") if title == "yours" and not picture.crowded else (" ", "")


def _beside(panels: list[Text]) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    for _ in panels:
        table.add_column(no_wrap=True)
    table.add_row(*panels)
    return table


def _legend(picture: Picture, cells: _Cells) -> str:
    parts = []
    if count := int(picture.wrong.sum()):
        others = "" if count == 1 or picture.crowded else f", {OTHER} the others"
        total = f" (of {picture.wrong.size})" if picture.crowded else ""
        parts.append(
            f"{FIRST} the first of {count} wrong cells{total}{others}" if count > 1 else f"{FIRST} the wrong cell"
        )
    if picture.boolean:
        parts.append("■ True, · False")
    elif cells.width == 2 and set(cells.texts.values()) <= set(SHADES):
        low, high = span([grid for grid in (picture.expected, picture.got) if grid is not None])
        parts.append(f"from blank = {written(low)} to █ = {written(high)}")
    return "; ".join(parts)
