"""Curves as SVG, with axes, ticks and a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len

from autograder.compare.grid import Grid
from autograder.student.pictures.plot_svg import LETTER, MARGIN, PALETTE, TITLE, frame, heading, text
from autograder.student.pictures.scale import Scale, cut, short

if TYPE_CHECKING:
    from autograder.student.pictures.plot_data import CurveData

WIDTH, HEIGHT, LONGEST, MOST_POINTS = 480, 220, 60, 1000
DASHES = ("", "7 3", "2 3", "9 3 2 3")
GRID = 'stroke="currentColor" stroke-opacity=".15"'
AXIS = 'stroke="currentColor" stroke-opacity=".6" fill="none"'


def curve(plot: CurveData) -> str:
    """Return the curves as SVG between their axes, with the legend above."""
    across, up = Scale.of(plot.points[:, 0]), Scale.of(plot.points[:, 1])
    legend = _legend(plot) if len(plot.lines) > 1 else []
    left = MARGIN + LETTER * max((len(label) for _, label in up.ticks(5)), default=0) + 6
    top = TITLE * bool(plot.title) + 18 * len(legend) + (20 if _name_of_y(plot) else 8)
    bottom = top + HEIGHT
    drawn = heading(plot.title)
    drawn += [
        f'<g transform="translate(0 {TITLE * bool(plot.title) + 18 * place})">{one}</g>'
        for place, one in enumerate(legend)
    ]
    drawn.append(text(_name_of_y(plot), MARGIN, top - 8, 'fill-opacity=".8"'))
    for value, label in up.ticks(5):
        y = bottom - HEIGHT * up.share(value)
        drawn.append(f'<path d="M{left:.1f} {y:.1f}h{WIDTH}" {GRID}/>')
        drawn.append(text(label, left - 5, y + 4, 'text-anchor="end"'))
    for value, label in across.ticks(6, whole=bool((plot.points[:, 0] % 1 == 0).all())):
        x = left + WIDTH * across.share(value)
        drawn.append(f'<path d="M{x:.1f} {bottom}v4" {AXIS}/>')
        drawn.append(text(label, x, bottom + 17, 'text-anchor="middle"'))
    drawn.append(f'<path d="M{left:.1f} {top}V{bottom}h{WIDTH}" {AXIS}/>')
    drawn.append(text(cut(plot.x, LONGEST), left + WIDTH / 2, bottom + 34, 'text-anchor="middle" fill-opacity=".8"'))
    for place, points in enumerate(plot.lines.values()):
        placed = [left + WIDTH * across.shares(points[:, 0]), bottom - HEIGHT * up.shares(points[:, 1])]
        drawn.append(_drawn(np.stack(placed, axis=1), place))
    drawn.append(text(plot.note, MARGIN, bottom + 52))
    width = max(left + WIDTH + 24, *(MARGIN + LETTER * cell_len(words) for words in (plot.title, plot.note)))
    return frame(width, bottom + (60 if plot.note else 42), _in_words(plot), [each for each in drawn if each])


def _name_of_y(plot: CurveData) -> str:
    """Return the text above the axis: its name, or the name of a single curve, which has no legend."""
    return cut(plot.y or (next(iter(plot.lines), "") if len(plot.lines) == 1 else ""), LONGEST)


def _legend(plot: CurveData) -> list[str]:
    return [
        f'<path d="M{MARGIN} 9h26" {_look(place)}/>' + text(cut(name, LONGEST), MARGIN + 32, 13)
        for place, name in enumerate(plot.lines)
    ]


def _drawn(points: Grid, place: int) -> str:
    """Return a line, or a dot for a single point; very many points are averaged in groups."""
    if not len(points):
        return ""
    if len(points) == 1:
        return f'<circle cx="{points[0, 0]:.1f}" cy="{points[0, 1]:.1f}" r="3" fill="{_colour(place)}"/>'
    some = np.stack([each.mean(0) for each in np.array_split(points, min(len(points), MOST_POINTS))])
    return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in some.tolist())}" {_look(place)}/>'


def _look(place: int) -> str:
    dash = DASHES[place % len(DASHES)]
    return f'fill="none" stroke="{_colour(place)}" stroke-width="1.8"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _colour(place: int) -> str:
    return PALETTE[place % len(PALETTE)]


def _in_words(plot: CurveData) -> str:
    """Return the first and last value of each curve as text."""
    ranges = [
        f"{name} from {short(each[0, 1])} to {short(each[-1, 1])}" for name, each in plot.lines.items() if len(each)
    ]
    return f"{plot.title or plot.y or 'curve'}: {', '.join(ranges) or 'nothing to draw'}"
