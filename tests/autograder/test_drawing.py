"""Drawings of lessons: cells hold their numbers, arrows point, and words are words."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from autograder.student.pictures.drawing import Drawing

NAN = float("nan")


def drawn(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg())


def texts(drawing: Drawing) -> list[str]:
    return [each.text or "" for each in drawn(drawing).iter() if each.tag.endswith("}text")]


def fills(drawing: Drawing) -> list[str]:
    return re.findall(r'<path d="M[^"]*z" fill="(#\w+)"', drawing.svg())


def test_a_grid_writes_each_number_in_its_cell_below_and_beside_the_names() -> None:
    drawing = Drawing("a grid", 100, 80).grid([[0.25, 1], [-2, 0]], 20, 20, "ab", "cd", (30, 20))
    placed = {each.text: (each.get("x"), each.get("y")) for each in drawn(drawing).iter() if each.text}
    assert placed == {
        **{"c": ("35.0", "15.0"), "d": ("65.0", "15.0"), "a": ("15.0", "34.0"), "b": ("15.0", "54.0")},
        **{".25": ("35.0", "34.0"), "1": ("65.0", "34.0"), "-2": ("35.0", "54.0"), "0": ("65.0", "54.0")},
    }
    assert texts(Drawing("a grid", 100, 80).grid([[0.25]], 0, 0, numbered=False)) == []


def test_the_cells_of_a_grid_lie_on_white_and_let_no_dark_page_through() -> None:
    svg = Drawing("two cells", 200, 100).grid([[1.0, 2.0]], 10, 20, cell=(30, 20)).svg()
    assert svg.index('<rect x="10" y="20" width="59" height="19" fill="#fff"/>') < svg.index('<path d="M10 20h29v19')


def test_a_cell_is_white_at_zero_and_darker_the_further_its_number_is_from_it() -> None:
    assert fills(Drawing("", 9, 9).grid([[0, 1, 2]], 0, 0)) == ["#ffffff", "#90b0d2", "#2161a5"]
    assert fills(Drawing("", 9, 9).grid([[0, 1]], 0, 0, darkest=2)) == ["#ffffff", "#90b0d2"]
    assert fills(Drawing("", 9, 9).grid([[0, -2, 2, NAN]], 0, 0)) == ["#ffffff", "#be5c00", "#2161a5", "#bebebe"]


@pytest.mark.parametrize(
    ("end", "back"), [((50, 0), "45 0"), ((-50, 0), "-45 0"), ((0, 50), "0 45"), ((0, -50), "0 -45")]
)
def test_the_line_of_an_arrow_ends_at_its_head_whose_tip_is_the_last_point(end: tuple[int, int], back: str) -> None:
    line, head = (each.get("d", "") for each in drawn(Drawing("", 9, 9).arrow((0, 0), end)).iter() if each.get("d"))
    assert line == f"M0 0L{back}"
    assert head.startswith(f"M{end[0]} {end[1]}L")


def test_words_are_kept_whatever_they_are() -> None:
    drawing = Drawing("‹pad› & <b>", 100, 50, "<title>").box("<s>", 0, 0, 9, 9).tokens(["&", 7], 0, 0).badge("'", 0, 0)
    assert texts(drawing) == ["<title>", "<s>", "&", "7", "'"]
    assert drawn(drawing).get("aria-label") == "‹pad› & <b>"
