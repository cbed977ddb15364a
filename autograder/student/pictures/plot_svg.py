"""Plots as self-contained SVG, readable on a light and a dark background."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len

from autograder.compare.grid import Grid, span, written
from autograder.student.pictures.picture_svg import colour_of, hexadecimal
from autograder.student.pictures.scale import Scale, cut, cut_apart, from_zero, printable, short

if TYPE_CHECKING:
    from autograder.student.pictures.plot_data import BarsData, CurveData, HeatmapData, LinesData

# Okabe and Ito's colours, each a shade lighter or darker: at least 3 to 1 against white and against #14171c.
PALETTE = ("#2b83c6", "#d55e00", "#009e73", "#c0629a", "#a88400", "#7f7f7f")
LETTER, LINE, TITLE, MARGIN, LONGEST, LONGEST_LABEL = 7.2, 20, 24, 8, 16, 32
CELL, MOST_NUMBERS, MOST_CELLS, NARROWEST, MAP_WIDTH = 40, 12, 64, 9, 520
BARS_WIDTH, MOST_BARS = 300, 40
BETWEEN, MOST_LINES, FAINTEST = 220, 4000, 0.005
CURVE_WIDTH, CURVE_HEIGHT, LONGEST_NAME, MOST_POINTS = 480, 220, 60, 1000
DASHES = ("", "7 3", "2 3", "9 3 2 3")
GRID_LINE = 'stroke="currentColor" stroke-opacity=".15"'
AXIS_LINE = 'stroke="currentColor" stroke-opacity=".6" fill="none"'
STYLE = "max-width:100%;height:auto;font:12px system-ui,'Liberation Sans',Arial,sans-serif"


def frame(width: float, height: float, label: str, drawn: Sequence[str]) -> str:
    """Return an SVG of this size, with `label` for screen readers."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{clean(label)}" {size} style="{STYLE}">'
    return f'{head}<g fill="currentColor">{"".join(drawn)}</g></svg>'


def text(words: str, x: float, y: float, more: str = "") -> str:
    """Return text that starts at a point; `more` are further attributes."""
    return f'<text x="{x:.1f}" y="{y:.1f}"{more and " " + more}>{clean(words)}</text>'


def heading(title: str) -> list[str]:
    """Return the title, if there is one."""
    return [text(title, MARGIN, 16, 'font-weight="600"')] if title else []


def clean(words: str) -> str:
    """Return text for XML, on one line and with � for control characters."""
    return escape(printable(" ".join(words.split())))


def wide(words: Sequence[str], longest: int = LONGEST) -> float:
    """Return the width of the longest of `words`, each cut to `longest` letters."""
    return LETTER * max((cell_len(cut(word, longest)) for word in words), default=0)


def heatmap(plot: HeatmapData) -> str:
    """Draw a cell for each number, and the number where there is room."""
    if not plot.values.size:
        return _nothing(plot.title)
    values = plot.values[:MOST_CELLS, :MOST_CELLS]
    height, width = values.shape
    numbered = width <= MOST_NUMBERS and height <= 2 * MOST_NUMBERS
    step = CELL if numbered else max(NARROWEST, min(LINE, MAP_WIDTH // width))
    rows, columns = cut_apart(plot.rows[:height], LONGEST_LABEL), cut_apart(plot.columns[:width], LONGEST)
    turned = wide(columns) > step - 2
    tall = LINE if numbered else step
    left, top = (
        MARGIN + wide(rows, LONGEST_LABEL) + 6,
        (TITLE if plot.title else 6) + (wide(columns) if turned else 14) + 6,
    )
    across, down = left + step * np.arange(width), top + tall * np.arange(height)
    drawn = heading(plot.title)
    for name, y in zip(rows, down.tolist(), strict=True):
        drawn.append(text(name, left - 4, y + tall / 2 + 4, 'text-anchor="end"'))
    for name, x in zip(columns, (across + step / 2).tolist(), strict=True):
        drawn.append(_above(name, x, top - 4, turned))
    outline = f'x="{left:g}" y="{top:g}" width="{step * width:g}" height="{tall * height:g}"'
    drawn.append(f'<rect {outline} fill="#fff"/>')  # or a dark page would show between the cells
    for (row, column), value in np.ndenumerate(values):
        drawn.append(
            _cell(float(value), _limits(plot), (float(across[column]), float(down[row]), step, tall), numbered)
        )
    drawn.append(f'<rect {outline} fill="none" stroke="#888"/>')
    y = float(down[-1]) + tall + 18
    cut_off = (
        ""
        if values.shape == plot.values.shape
        else f"; {height} × {width} of {plot.values.shape[0]} × {plot.values.shape[1]}"
    )
    drawn.append(_key(*_limits(plot), left, y, cut_off))
    room = left + LETTER * (16 + len(cut_off))
    size = max(float(across[-1]) + step + MARGIN, room, MARGIN + LETTER * cell_len(plot.title))
    return frame(size, y + 8, _map_in_words(plot), drawn)


def _above(name: str, x: float, y: float, turned: bool) -> str:
    if turned:
        return f'<text transform="translate({x + 4:.1f} {y:.1f}) rotate(-90)">{clean(name)}</text>'
    return text(name, x, y, 'text-anchor="middle"')


def _limits(plot: HeatmapData) -> tuple[float, float]:
    """Return the numbers of the darkest colours; white is zero if there are negative numbers."""
    low, high = span([plot.values])
    low, high = (-max(-low, high), max(-low, high)) if low < 0 else (low, high)
    return (low, high) if high > low else (0.0, high or 1.0)


def _cell(value: float, limits: tuple[float, float], box: tuple[float, float, float, float], numbered: bool) -> str:
    colour, (x, y, width, height) = colour_of(value, *limits), box
    place = f'x="{x:g}" y="{y:g}" width="{width - 0.5:g}" height="{height - 0.5:g}"'
    drawn = f'<rect {place} fill="{hexadecimal(colour)}"/>'
    if not numbered:
        return drawn
    ink = 'fill="#fff"' if sum(colour) < 400 else 'fill="#111"'
    return drawn + text(written(value), x + width / 2, y + height / 2 + 4, f'text-anchor="middle" {ink}')


def _key(low: float, high: float, x: float, y: float, more: str) -> str:
    """Draw the colours from the lowest number to the highest."""
    shades = [hexadecimal(colour_of(low + (high - low) * share / 8, low, high)) for share in range(9)]
    start = x + LETTER * len(written(low)) + 4
    strip = "".join(
        f'<rect x="{start + 8 * place:g}" y="{y - 9:g}" width="8.5" height="10" fill="{shade}"/>'
        for place, shade in enumerate(shades)
    )
    return text(written(low), x, y) + strip + text(written(high) + more, start + 76, y)


def _map_in_words(plot: HeatmapData) -> str:
    height, width = plot.values.shape
    low, high = span([plot.values])
    return f"{plot.title or 'heat map'}: {height} rows, {width} columns, from {written(low)} to {written(high)}"


def curve(plot: CurveData) -> str:
    """Return the curves as SVG between their axes, with the legend above."""
    across, up = Scale.of(plot.points[:, 0]), Scale.of(plot.points[:, 1])
    legend = _curve_legend(plot) if len(plot.lines) > 1 else []
    left = MARGIN + LETTER * max((len(label) for _, label in up.ticks(5)), default=0) + 6
    top = TITLE * bool(plot.title) + 18 * len(legend) + (20 if _name_of_y(plot) else 8)
    bottom = top + CURVE_HEIGHT
    drawn = heading(plot.title)
    drawn += [
        f'<g transform="translate(0 {TITLE * bool(plot.title) + 18 * place})">{one}</g>'
        for place, one in enumerate(legend)
    ]
    drawn.append(text(_name_of_y(plot), MARGIN, top - 8, 'fill-opacity=".8"'))
    for value, label in up.ticks(5):
        y = bottom - CURVE_HEIGHT * up.share(value)
        drawn.append(f'<path d="M{left:.1f} {y:.1f}h{CURVE_WIDTH}" {GRID_LINE}/>')
        drawn.append(text(label, left - 5, y + 4, 'text-anchor="end"'))
    for value, label in across.ticks(6, whole=bool((plot.points[:, 0] % 1 == 0).all())):
        x = left + CURVE_WIDTH * across.share(value)
        drawn.append(f'<path d="M{x:.1f} {bottom}v4" {AXIS_LINE}/>')
        drawn.append(text(label, x, bottom + 17, 'text-anchor="middle"'))
    drawn.append(f'<path d="M{left:.1f} {top}V{bottom}h{CURVE_WIDTH}" {AXIS_LINE}/>')
    drawn.append(
        text(
            cut(plot.x, LONGEST_NAME),
            left + CURVE_WIDTH / 2,
            bottom + 34,
            'text-anchor="middle" fill-opacity=".8"',
        )
    )
    for place, points in enumerate(plot.lines.values()):
        placed = [left + CURVE_WIDTH * across.shares(points[:, 0]), bottom - CURVE_HEIGHT * up.shares(points[:, 1])]
        drawn.append(_curve_line(np.stack(placed, axis=1), place))
    drawn.append(text(plot.note, MARGIN, bottom + 52))
    width = max(left + CURVE_WIDTH + 24, *(MARGIN + LETTER * cell_len(words) for words in (plot.title, plot.note)))
    return frame(width, bottom + (60 if plot.note else 42), _curve_in_words(plot), [each for each in drawn if each])


def _name_of_y(plot: CurveData) -> str:
    """Return the text above the axis: its name, or the name of a single curve, which has no legend."""
    return cut(plot.y or (next(iter(plot.lines), "") if len(plot.lines) == 1 else ""), LONGEST_NAME)


def _curve_legend(plot: CurveData) -> list[str]:
    return [
        f'<path d="M{MARGIN} 9h26" {_line_look(place)}/>' + text(cut(name, LONGEST_NAME), MARGIN + 32, 13)
        for place, name in enumerate(plot.lines)
    ]


def _curve_line(points: Grid, place: int) -> str:
    """Return a line, or a dot for a single point; very many points are averaged in groups."""
    if not len(points):
        return ""
    if len(points) == 1:
        return f'<circle cx="{points[0, 0]:.1f}" cy="{points[0, 1]:.1f}" r="3" fill="{_line_colour(place)}"/>'
    some = np.stack([each.mean(0) for each in np.array_split(points, min(len(points), MOST_POINTS))])
    return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in some.tolist())}" {_line_look(place)}/>'


def _line_look(place: int) -> str:
    dash = DASHES[place % len(DASHES)]
    return f'fill="none" stroke="{_line_colour(place)}" stroke-width="1.8"' + (
        f' stroke-dasharray="{dash}"' if dash else ""
    )


def _line_colour(place: int) -> str:
    return PALETTE[place % len(PALETTE)]


def _curve_in_words(plot: CurveData) -> str:
    """Return the first and last value of each curve as text."""
    ranges = [
        f"{name} from {short(each[0, 1])} to {short(each[-1, 1])}" for name, each in plot.lines.items() if len(each)
    ]
    return f"{plot.title or plot.y or 'curve'}: {', '.join(ranges) or 'nothing to draw'}"


def bars(plot: BarsData) -> str:
    """Draw a bar for each label, from zero to the right or the left."""
    if not plot.values:
        return _nothing(plot.title)
    shown = [*plot.values.items()][:MOST_BARS]
    axis = from_zero(plot.values.values())
    left, top = MARGIN + wide([*plot.values], LONGEST_LABEL) + 6, TITLE if plot.title else 6
    zero = left + BARS_WIDTH * axis.share(0)
    drawn = heading(plot.title)
    for place, (label, value) in enumerate(shown):
        y = top + LINE * place
        drawn.append(text(cut(label, LONGEST_LABEL), left - 6, y + 14, 'text-anchor="end"'))
        end = left + BARS_WIDTH * axis.share(value) if np.isfinite(value) else zero
        bar = f'x="{min(zero, end):.1f}" y="{y + 3}" width="{abs(end - zero):.1f}" height="{LINE - 6}"'
        drawn.append(f'<rect {bar} fill="{PALETTE[0]}"><title>{clean(label)}: {value:.6g}</title></rect>')
        drawn.append(text(written(value, abs(value) >= 0.01), max(zero, end) + 5, y + 14))
    bottom = top + LINE * len(shown)
    drawn.append(f'<path d="M{zero:.1f} {top}V{bottom}" stroke="currentColor" stroke-opacity=".5"/>')
    hidden = len(plot.values) - len(shown)
    drawn += [text(f"and {hidden} more", left, bottom + 16)] if hidden else []
    numbers = ", ".join(f"{label} {written(value, abs(value) >= 0.01)}" for label, value in shown)
    width = max(left + BARS_WIDTH + 60, MARGIN + LETTER * cell_len(plot.title))
    return frame(width, bottom + (24 if hidden else 8), f"{plot.title or 'bars'}: {numbers}", drawn)


def lines(plot: LinesData) -> str:
    """Draw the words twice, and a line from each to each: opaque by its weight, in the colour of its head."""
    if not plot.words:
        return _nothing(plot.title)
    heads, left = len(plot.weights), MARGIN + wide(plot.words) + 6
    right = left + BETWEEN
    width = max(right + left, MARGIN + LETTER * cell_len(plot.title), heads * LETTER * 8)
    top = TITLE * bool(plot.title) + LINE * (heads > 1) + 6
    drawn = heading(plot.title)
    for place, word in enumerate(plot.words):
        y = top + LINE * place + 14
        drawn.append(text(cut(word, LONGEST), left - 6, y, 'text-anchor="end"'))
        drawn.append(text(cut(word, LONGEST), right + 6, y))
    weights = np.clip(np.nan_to_num(plot.weights, nan=0.0), 0, 1)
    faintest = max(FAINTEST, float(np.sort(weights, axis=None)[-MOST_LINES:][0]))
    for head, grid in enumerate(weights):
        colour, shift = PALETTE[head % len(PALETTE)], (head - (heads - 1) / 2) * min(3.0, 14 / heads)
        paths = "".join(
            f'<path d="M{left:.0f} {top + LINE * one + 10 + shift:.1f}L{right:.0f} '
            f'{top + LINE * other + 10 + shift:.1f}" opacity="{grid[one, other]:.2g}"/>'
            for one, other in np.argwhere(grid >= faintest).tolist()
        )
        drawn.append(f'<g stroke="{colour}" stroke-width="2">{paths}</g>')
        if heads > 1:
            drawn.append(_name_of_head(head, heads, width, top - 8))
    return frame(width, top + LINE * len(plot.words) + 8, _lines_in_words(plot), drawn)


def _name_of_head(head: int, heads: int, width: float, y: float) -> str:
    return text(
        f"head {head + 1}", MARGIN + head * (width - MARGIN) / heads, y, f'fill="{PALETTE[head % len(PALETTE)]}"'
    )


def _lines_in_words(plot: LinesData) -> str:
    """Return the strongest line of each word, in the first head, as text."""
    best = np.nan_to_num(plot.weights[0]).argmax(1).tolist()
    pairs = [f"{word} to {plot.words[place]}" for word, place in zip(plot.words, best, strict=True)]
    return f"{plot.title or 'attention'}: head 1 looks most from {', '.join(pairs[:LINE])}"


def _nothing(title: str) -> str:
    return frame(240, 48, f"{title}: nothing to draw", [*heading(title), text("(nothing to draw)", MARGIN, 38)])
