"""Plots as text for a terminal: about 24 lines at most, and never wider than the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len, set_cell_size

from autograder.compare.grid import Grid, span, written
from autograder.student.pictures.picture_text import SHADES
from autograder.student.pictures.scale import Scale, cut, cut_apart, from_zero, printable, short

if TYPE_CHECKING:
    from autograder.student.pictures.plot_data import BarsData, CurveData, HeatmapData, LinesData

NOTHING = "(nothing to draw)"
TALLEST, LONGEST_NAME, MOST_NUMBERS, UPRIGHT = 20, 12, 12, 6
CURVE_HEIGHT, MARKS = 14, "●○×+◆□"
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # the bits of a braille letter, by row and column
EIGHTHS = " ▏▎▍▌▋▊▉"


def heatmap(plot: HeatmapData, width: int) -> str:
    """Draw shades, with numbers where there is room."""
    if not plot.values.size:
        return _page(plot.title, [NOTHING], width)
    label = min(max(map(cell_len, plot.rows)), LONGEST_NAME, width // 3)
    rows, count = plot.values[:TALLEST], plot.values.shape[1]
    numbers = max(len(written(value)) for value in rows.ravel().tolist()) + 4
    numbered = count <= MOST_NUMBERS and count * numbers <= width - label
    step = numbers if numbered else max(2, min((width - label) // count, 1 + max(map(cell_len, plot.columns))))
    columns = plot.columns[: (width - label) // step]
    low, high = span([plot.values])
    drawn = [_heading(columns, step, label)] if step > max(map(cell_len, columns)) or numbered else []
    drawn = drawn or _upright(columns, step, label)
    for name, values in zip(cut_apart(plot.rows, label), rows, strict=False):
        cells = [_cell(value, low, high, step, numbered) for value in values[: len(columns)].tolist()]
        drawn.append(_fitted(name, label) + "".join(cells))
    return _page(plot.title, [*drawn, *_key(plot, low, high, len(columns))], width)


def _cell(value: float, low: float, high: float, step: int, numbered: bool) -> str:
    """Return a shade as wide as the column, or two letters of it and the number."""
    share = (value - low) / (high - low) if high > low else float(value != 0)
    shade = SHADES[round(share * (len(SHADES) - 1))] if np.isfinite(value) else "?"
    return f" {shade * 2}{written(value).rjust(step - 3)}" if numbered else " " + shade * (step - 1)


def _heading(columns: Sequence[str], step: int, label: int) -> str:
    return " " * label + "".join(" " + _fitted(name, step - 1) for name in columns)


def _upright(columns: Sequence[str], step: int, label: int) -> list[str]:
    """Return the names written from top to bottom, for narrow columns."""
    names = [cut(name, UPRIGHT) for name in columns]
    tallest = max(map(len, names))
    lines = (
        " ".join(_fitted(letter, step - 1) for letter in line)
        for line in zip(*(name.rjust(tallest) for name in names), strict=True)
    )
    return [f"{' ' * label} {line}" for line in lines]


def _key(plot: HeatmapData, low: float, high: float, columns: int) -> list[str]:
    """Return what the shades mean, and what is not shown."""
    parts = [f"blank {written(low)}, █ {written(high)}" if high > low else f"all {written(high)}"]
    parts += ["? not a finite number"] if not np.isfinite(plot.values).all() else []
    height, width = plot.values.shape
    parts += [f"the first {TALLEST} of {height} rows"] if height > TALLEST else []
    parts += [f"the first {columns} of {width} columns"] if width > columns else []
    return ["; ".join(parts)]


def curve(plot: CurveData, width: int) -> str:
    """Draw one curve in dots, or several with a mark each, below their legend."""
    across, up = Scale.of(plot.points[:, 0]), Scale.of(plot.points[:, 1])
    ticks = {round((1 - up.share(value)) * (CURVE_HEIGHT - 1)): label for value, label in up.ticks(4)}
    margin = max(map(len, ticks.values()), default=0)
    names = dict(zip(plot.lines, MARKS * len(plot.lines), strict=False))
    shown = {name: points for name, points in plot.lines.items() if len(points)}
    if not shown:
        return _page(plot.title, [NOTHING, plot.note], width)
    wide = width - margin - 2
    field = _dotted(shown, across, up, wide) if len(names) == 1 else _marked(shown, names, across, up, wide)
    drawn = [
        f"{ticks.get(row, '').rjust(margin)} {'┤' if row in ticks else '│'}{line}" for row, line in enumerate(field)
    ]
    drawn += [f"{' ' * margin} └{'─' * wide}", " " * (margin + 2) + _ends(across, plot.x, wide)]
    legend = "  ".join(f"{mark} {name}" for name, mark in names.items() if name in shown)
    legend = legend if len(names) > 1 or plot.y else next(iter(names))
    heading = f"{cut(plot.y, width // 3)}:  {legend}" if plot.y and len(names) > 1 else plot.y or legend
    return _page(plot.title, [heading, *drawn, plot.note], width)


def _dotted(shown: dict[str, Grid], across: Scale, up: Scale, width: int) -> list[str]:
    (points,) = shown.values()
    letters = np.zeros((CURVE_HEIGHT, width), dtype=int)
    for column, row in _traced(points, across, up, 2 * width, 4 * CURVE_HEIGHT):
        letters[row // 4, column // 2] |= DOTS[row % 4][column % 2]
    return ["".join(chr(0x2800 + letter) if letter else " " for letter in line) for line in letters.tolist()]


def _marked(shown: dict[str, Grid], marks: dict[str, str], across: Scale, up: Scale, width: int) -> list[str]:
    letters = [[" "] * width for _ in range(CURVE_HEIGHT)]
    for name, points in shown.items():
        for column, row in _traced(points, across, up, width, CURVE_HEIGHT):
            letters[row][column] = marks[name]
    return ["".join(line) for line in letters]


def _traced(points: Grid, across: Scale, up: Scale, width: int, height: int) -> list[tuple[int, int]]:
    """Return the places (column, row) of a curve: the mean of each column, joined by straight lines."""
    columns = np.rint(across.shares(points[:, 0]) * (width - 1)).astype(int)
    met, of = np.unique(columns, return_inverse=True)
    means = np.bincount(of, points[:, 1] / 2) / np.bincount(of) * 2
    every = np.arange(met[0], met[-1] + 1)
    rows = np.rint((1 - up.shares(np.interp(every, met, means))) * (height - 1)).astype(int).clip(0, height - 1)
    places = []
    for column, row, before in zip(every.tolist(), rows.tolist(), [rows[0], *rows[:-1]], strict=True):
        way = range(int(before) + (1 if row > before else -1), row, 1 if row > before else -1) if row != before else ()
        places += [(column, between) for between in way] + [(column, row)]
    return places


def _ends(across: Scale, name: str, width: int) -> str:
    left, right = (short(value, 0 if float(value).is_integer() else 2) for value in (across.low, across.high))
    return (
        left
        + cut(name, max(1, width - len(left) - len(right) - 2)).center(max(0, width - len(left) - len(right)))
        + right
    )


def bars(plot: BarsData, width: int) -> str:
    """Draw a line for each bar, from zero to the right or the left."""
    if not plot.values:
        return _page(plot.title, [NOTHING], width)
    numbers = [written(value, abs(value) >= 0.01) for value in plot.values.values()][:TALLEST]
    label = min(max(map(cell_len, plot.values)), max(LONGEST_NAME, width // 2 - 8))
    room = max(1, width - label - max(map(len, numbers)) - 2)
    scale = from_zero(plot.values.values())
    drawn = [
        f"{_fitted(name, label)} {_bar(value, scale, room)} {number}"
        for (name, value), number in zip(plot.values.items(), numbers, strict=False)
    ]
    hidden = len(plot.values) - len(numbers)
    return _page(plot.title, [*drawn, f"and {hidden} more" if hidden else ""], width)


def _bar(value: float, scale: Scale, room: int) -> str:
    """Return a bar from zero to `value` in `room` columns; to the right of zero, exact to an eighth."""
    zero = round(scale.share(0) * room)
    if not np.isfinite(value):
        return " " * room
    if value < 0:
        start = round(scale.share(value) * room)
        return (" " * start + "█" * (zero - start)).ljust(room)
    whole, rest = divmod(round(value / (scale.high - scale.low) * room * 8), 8)
    return (" " * zero + "█" * whole + EIGHTHS[rest].strip())[:room].ljust(room)


def lines(plot: LinesData, width: int) -> str:
    """List the words with the most weight for each word and head, as text cannot draw lines."""
    if not plot.words:
        return _page(plot.title, [NOTHING], width)
    heads = len(plot.weights)
    label = min(max(map(cell_len, plot.words)), LONGEST_NAME)
    each = min(LONGEST_NAME, max(map(cell_len, plot.words))) + 4
    shown = max(1, min(heads, (width - label - 3) // (each + 2)))
    most = max(1, min(3, (width - label - 3) // shown // (each + 2)))
    column = (width - label - 3) // shown - 2
    drawn = (
        [" " * (label + 3) + "  ".join(_fitted(f"head {head}", column) for head in range(1, shown + 1))]
        if heads > 1
        else []
    )
    for place, word in [*enumerate(plot.words)][:TALLEST]:
        cells = (_fitted(_strongest(row, plot.words, most), column) for row in plot.weights[:shown, place])
        drawn.append(f"{_fitted(word, label)} → {'  '.join(cells)}")
    notes = [f"the first {TALLEST} of {len(plot.words)} words"] if len(plot.words) > TALLEST else []
    notes += [f"the first {shown} of {heads} heads"] if heads > shown else []
    return _page(plot.title, [*drawn, "; ".join(notes)], width)


def _strongest(weights: Grid, words: Sequence[str], most: int) -> str:
    """Return the highest weights above zero, such as "cat .62  the .21"."""
    finite = np.where(np.isfinite(weights), weights, -np.inf)
    best = np.argsort(-finite, kind="stable")[:most].tolist()
    return "  ".join(
        f"{cut(words[place], LONGEST_NAME)} {written(weights[place])}" for place in best if finite[place] >= 0.005
    )


def _fitted(word: str, width: int) -> str:
    return set_cell_size(cut(word, width), width)


def _page(title: str, lines: Sequence[str], width: int) -> str:
    """Return the title and the lines that are not blank, with � for control characters."""
    shown = map(printable, (title, *lines))
    return "\n".join(cut(line.rstrip(), width) for line in shown if line.strip())
