"""Plots: whatever the values, they fit, lie inside their axes, and say what they leave out."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from rich.cells import cell_len

from autograder.compare.grid import Axis, Picture
from autograder.compare.grid import cut as cut_to_picture
from autograder.core.text import PLAINLY
from autograder.student.pictures.picture_svg import as_html
from autograder.student.pictures.plots import Plot, bars, curve, heatmap, lines
from autograder.student.pictures.scale import Scale

NAN, INF = float("nan"), float("inf")
WORDS = [f"word{place}" for place in range(64)]
ODD: dict[str, Plot] = {
    "a map of nan": heatmap(np.full((2, 2), NAN), "ab", "cd"),
    "a map with infinities": heatmap([[INF, 1], [2, -INF]], "ab", "cd"),
    "an empty map": heatmap(np.zeros((0, 3)), [], "abc"),
    "a map of one cell": heatmap([[1.0]], ["日本語" * 9], ["x" * 80], title="t" * 90),
    "a constant map": heatmap(torch.full((3, 3), -2.0), [], []),
    "a map of truths": heatmap(torch.eye(3) > 0, "abc", "abc"),
    "a map of 64 words": heatmap(np.eye(64), WORDS, WORDS),
    "a large map": heatmap(np.eye(200, 100), [], []),
    "no curves": curve({}),
    "an empty curve": curve({"loss": []}),
    "one point": curve({"loss": [1.0]}),
    "a constant curve": curve({"loss": [0, 0, 0]}),
    "a curve of nan": curve({"loss": [NAN, INF]}),
    "huge numbers": curve({"loss": [1e99, -1e99, 1e300]}),
    "tiny numbers": curve({"loss": [1e-300, 2e-300]}),
    "near numbers": curve({"loss": [1e16, 1e16 + 2]}),
    "three curves": curve({"日本": [1, 2], "b": [(1, 2), (5, NAN)], "c": [3]}, "x" * 99, "y" * 99, "<&\x00>"),
    "a long curve": curve({"loss": np.sin(np.arange(5000))}),
    "no bars": bars({}),
    "bars of no numbers": bars({"a": NAN, "b": INF, "c": -INF, "d": 2}),
    "a bar of nothing": bars({"a": 0}),
    "bars to the left": bars({"x" * 70: -3, "日本": -1}),
    "a hundred bars": bars({str(number): number for number in range(100)}),
    "no words": lines(np.zeros((0, 0)), []),
    "one word": lines([[1.0]], ["x"]),
    "eight heads of 64 words": lines(np.full((8, 64, 64), 1 / 64), WORDS),
    "weights of no numbers": lines([[NAN, INF], [0, 1]], ["日本語" * 9, "b"]),
}
odd = pytest.mark.parametrize("plot", ODD.values(), ids=ODD)


@odd
@pytest.mark.parametrize("width", [40, 80, 200])
def test_text_fits_the_terminal(plot: Plot, width: int) -> None:
    drawn = plot.text(width).split("\n")
    assert max(map(cell_len, drawn)) <= width
    assert len(drawn) <= 27
    assert all(line.isprintable() for line in drawn)


@odd
def test_svg_is_xml_with_words_for_those_who_do_not_see_it_and_without_impossible_numbers(plot: Plot) -> None:
    root = ElementTree.fromstring(plot.svg())
    assert root.get("role") == "img"
    assert root.get("aria-label")
    for element in root.iter():
        said = [value for name, value in element.items() if name != "aria-label"]
        assert not any(re.search(r"\b(nan|inf)\b", value) for value in said)


def test_the_rows_and_columns_of_a_map_can_be_told_apart() -> None:
    long = [f"a sentence that is too long to stand beside a map of {word}" for word in ("dogs", "persons", "日本語")]
    plot = heatmap(np.eye(3), long, long)
    labels = [each.text or "" for each in ElementTree.fromstring(plot.svg()).iter() if each.tag.endswith("text")][:6]
    assert len({*labels[:3]}) == len({*labels[3:]}) == 3
    assert max(map(cell_len, labels)) <= 32
    assert all(word in plot.text(60) for word in ("dogs", "sons", "日本"))


def test_no_dark_page_shows_between_the_cells_of_a_map() -> None:
    panel = as_html(Picture("f(x)", "", "", *cut_to_picture(torch.eye(3), torch.ones(3, 3), 1e-9), Axis(""), Axis("")))
    for drawn in (heatmap(np.eye(3), "abc", "abc").svg(), panel[panel.index("<svg") : panel.index("</svg>") + 6]):
        ground, *cells = [each for each in ElementTree.fromstring(drawn).iter() if each.tag.endswith("rect")][:10]
        assert ground.get("fill") == "#fff"
        assert all(each.get("fill") != "none" for each in cells)
        assert all(_left_top(ground) <= _left_top(each) for each in cells)
        assert _end(ground, "x", "width") >= max(_end(each, "x", "width") for each in cells)
        assert _end(ground, "y", "height") >= max(_end(each, "y", "height") for each in cells)


def _left_top(rect: ElementTree.Element) -> tuple[float, float]:
    return float(rect.get("x", "")), float(rect.get("y", ""))


def _end(rect: ElementTree.Element, start: str, size: str) -> float:
    return float(rect.get(start, "")) + float(rect.get(size, ""))


@pytest.mark.parametrize("name", ["one point", "a constant curve", "huge numbers", "near numbers", "three curves"])
def test_every_point_of_a_curve_lies_inside_the_axes(name: str) -> None:
    root = ElementTree.fromstring(ODD[name].svg())
    frame = next(each for each in root.iter() if re.fullmatch(r"M\S+ \S+V\S+h\S+", each.get("d", "")))
    left, top, bottom, width = map(float, re.findall(r"[\d.]+", frame.get("d", "")))
    points = [pair.split(",") for each in root.iter() for pair in each.get("points", "").split()]
    points += [[each.get("cx", ""), each.get("cy", "")] for each in root.iter() if each.get("cx")]
    assert points
    for x, y in points:
        assert left - 0.1 <= float(x) <= left + width + 0.1
        assert top - 0.1 <= float(y) <= bottom + 0.1


def test_tensors_arrays_and_lists_draw_the_same() -> None:
    values = [[0.25, 0.75], [1.0, 0.0]]
    tensor = torch.tensor(values, requires_grad=True)
    drawn = {
        heatmap(each, "ab", "cd").svg() for each in (values, np.array(values), tensor, [*tensor], tensor.bfloat16())
    }
    assert len(drawn) == 1


def test_what_is_no_number_is_left_out_of_a_curve_and_said() -> None:
    plot = curve({"loss": [3, NAN, 1]})
    assert "1 of loss" in plot.text(80)
    assert "1 of loss" in plot.svg()


def test_pairs_are_drawn_in_the_order_of_x() -> None:
    assert curve({"loss": [(2, 0), (1, 5)]}).svg() == curve({"loss": [(1, 5), (2, 0)]}).svg()


def test_lines_in_words_name_the_strongest_target_first() -> None:
    drawn = lines([[0.1, 0.7, 0.2], [1.0, 0.0, 0.0], [0.3, 0.3, 0.4]], ["Ann", "reads", "maps"]).text(80).split("\n")
    assert drawn[0].split() == "Ann → reads .70 maps .20 Ann .10".split()
    assert drawn[1].split() == "reads → Ann 1".split()


def test_a_line_is_as_opaque_as_its_weight() -> None:
    root = ElementTree.fromstring(lines([[0.25, 0.75], [1.0, 0.0]], ["a", "b"]).svg())
    assert [each.get("opacity") for each in root.iter() if each.get("opacity")] == ["0.25", "0.75", "1"]


def test_heads_differ_in_colour() -> None:
    strokes = set(re.findall(r'<g stroke="(#\w+)"', lines(np.full((6, 2, 2), 0.5), "ab").svg()))
    assert len(strokes) == 6


def test_the_longest_bar_is_the_largest_number() -> None:
    drawn = bars({"few": 1, "many": 4}).text(60).split("\n")
    assert 0 < drawn[0].count("█") < drawn[1].count("█")


def test_ticks_are_round_and_on_the_axis() -> None:
    assert [said for _, said in Scale(0.03, 4.2).ticks(5)] == ["1", "2", "3", "4"]
    for low, high in ((-3e-7, 2e-7), (5.01, 5.02), (-1e9, 3e9)):
        values = [value for value, _ in Scale(low, high).ticks(5)]
        assert values
        assert low <= values[0] <= values[-1] <= high


def test_blocks_and_epochs_are_counted_in_whole_numbers() -> None:
    assert [said for _, said in Scale(1, 2).ticks(6, whole=True)] == ["1", "2"]
    drawn = curve({"mean": [(1, 3.2), (2, 3.9)]}, x="block").svg()
    assert ">1<" in drawn
    assert ">1.2<" not in drawn
    assert ">0.2<" in curve({"mean": [(0, 1), (0.75, 2)]}).svg()


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: heatmap(np.zeros((2, 3)), "ab", "ab"), "3 columns of values have 2 names"),
        (lambda: heatmap(np.zeros((1, 2, 3)), "ab", "abc"), "give one grid"),
        (lambda: lines(np.zeros((2, 3)), "ab"), "for 2 words give"),
        (lambda: curve({"loss": [[1, 2, 3]]}), "pairs"),
    ],
)
def test_shapes_that_do_not_fit_are_told_with_the_remedy(draw, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=says):
        draw()


@pytest.mark.parametrize("name", ["a map of truths", "three curves", "a long curve", "a hundred bars"])
def test_a_terminal_without_these_letters_gets_the_same_drawing_in_others(name: str) -> None:
    plainly = ODD[name].text(80).encode("ascii", PLAINLY).decode()
    assert plainly.count("?") == 3 * (name == "three curves")  # its title's control character, a name in Japanese


def test_show_prints_to_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    curve({"loss": [3, 2, 1]}, title="learning").show()
    assert capsys.readouterr().out.startswith("learning\nloss\n")
