"""The page of a trained model: what it says, and in which order; what a model wrote is text and never HTML."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import cast

import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.student.capstones import train_command
from autograder.student.capstones.page import NotebookReport, page, points, summary
from autograder.student.capstones.recipe import CaptionedPlot, DesignBudget, Figure
from autograder.student.capstones.report import Goal, ModelSample, Report
from autograder.student.capstones.training_run import Wish
from autograder.student.lesson_pieces import LessonPiece
from autograder.student.pictures.pixels import pixels
from autograder.student.pictures.plots import curve, heatmap

HOSTILE = '<script>alert(1)</script>\x1b[31m & "quoted"'
REPORT = Report(
    name="reverse",
    graded=True,
    waits_for="",
    title="Reverse a string",
    says="A Transformer writes digits backwards.",
    higher_is_better=True,
    score=Figure("texts reversed", 0.97, "97.0%"),
    goals=(Goal("90.0%", 0.9, True, True), Goal("98.0%", 0.98, False, False)),
    baselines=(Figure("copying", 0.12, "12.0%"), Figure("guessing", 0.01, "1.0%")),
    pieces=(
        LessonPiece(Exercise("ch08_decoder", "Transformer", 8, 4), yours=True),
        LessonPiece(Exercise("ch08_decoder", "greedy_decode", 5, 3), yours=False, why="not passed yet"),
    ),
    parameters=26_573,
    budget=DesignBudget(100_000, 30),
    seconds=13.2,
    device="cpu",
    steps=900,
    trained_by="Trained by your own fit.",
    curve=curve({"loss": [2.4, 1.1, 0.3], "held out": [(0, 0.0), (2, 0.97)]}, x="step", title="learning"),
    progress=curve({"reversed": [(0, 0.0), (2, 0.97)]}, x="step", title="reversed"),
    samples=(
        ModelSample("123", "321", "321", True),
        ModelSample("45", "54", HOSTILE, False),
        ModelSample("Once", "", HOSTILE, None),
    ),
    pictures=(CaptionedPlot("A diagonal.", heatmap([[0.0, 1.0], [1.0, 0.0]], "ab", "cd")),),
    ablations=(Figure("without positions", 0.08, "8.0%"),),
    notes=("reverse.safetensors holds the trained model",),
)
VOID = {"meta", "br", "img", "link", "input"}


class _Tags(HTMLParser):
    """What is open, and what was there."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(html: str) -> _Tags:
    parser = _Tags()
    parser.feed(html)
    assert not parser.open
    return parser


def test_a_page_escapes_what_a_model_wrote() -> None:
    html = page(replace(REPORT, title=HOSTILE, notes=(HOSTILE,), says=HOSTILE))
    assert "script" not in tags(html).seen
    assert "&lt;script&gt;" in html
    assert "\x1b" not in html


def test_a_picture_in_block_characters_becomes_grey_pixels_on_a_page() -> None:
    asked = "  ░░██\n▒▒  ▓▓"
    html = page(replace(REPORT, samples=(ModelSample(asked, "7", "1", False),)))
    drawn = html[html.index('<svg role="img" aria-label="a picture of 3 × 2 pixels"') :].partition("</svg>")[0]
    assert re.findall(r'fill="(#\w+)"', drawn) == ["#fff", "#c4c4c4", "#111111", "#888888", "#4d4d4d"]
    assert not {*asked.replace(" ", "").replace("\n", "")} & {*html}
    assert "██" in summary(replace(REPORT, samples=(ModelSample(asked, "7", "1", False),)), 80)


@pytest.mark.parametrize("text", ["a\nb", "░░\n░", "░▒\n░▒", "\n", "░░", "<>\n<>"])
def test_other_texts_of_several_lines_are_no_picture(text: str) -> None:
    assert pixels(text) == ""


def test_a_page_loads_nothing_from_anywhere() -> None:
    html = page(REPORT)
    assert not tags(html).addresses
    assert "url(" not in html
    assert "@import" not in html


def test_a_page_goes_from_the_result_to_handing_it_in() -> None:
    html = page(REPORT)
    told = [
        "Reverse a string</h1>", "better than copying (12.0%)", "yours", "not passed yet", "learning", "321",
        "A diagonal.", "without positions", "capstones/reverse.safetensors",
    ]  # fmt: skip
    places = [html.index(each) for each in told]
    assert places == sorted(places)


def test_the_size_of_a_model_has_its_budget_beside_it_and_whose_loop_trained_it() -> None:
    for told in (page(REPORT), summary(REPORT, 80)):
        size = "26,573 parameters, 900 steps, 13 s on cpu; the budget is 100,000 parameters and 30 s on two idle cores"
        assert f"{size}. Trained by your own fit." in " ".join(told.split())


def test_the_baseline_to_beat_is_the_best_one() -> None:
    assert REPORT.hardest == REPORT.baselines[0]
    low = [Figure("", value, "") for value in (2.5, 2.1, 2.3)]
    assert replace(REPORT, higher_is_better=False, baselines=tuple(low)).hardest == low[1]


def test_a_model_that_is_not_graded_is_not_to_be_handed_in() -> None:
    own = replace(REPORT, graded=False)
    assert "what to hand in: nothing" in summary(own, 80)
    assert "capstones/reverse.safetensors" not in page(own)


def test_a_model_without_a_part_of_ones_own_waits_for_it_and_is_not_called_for_nothing() -> None:
    waiting = replace(REPORT, graded=False, waits_for="build_reverse")
    for told in (page(waiting), summary(waiting, 200)):
        assert "nothing yet: build_reverse is the course's own; write yours, and train again" in told
        assert "for you" not in told
    own = page(replace(REPORT, graded=False))
    assert "How to hand it in" not in own
    assert "write yours" not in own


def test_after_a_training_the_check_that_gives_the_points_is_named() -> None:
    assert points(REPORT) == "attend check Transformer gives the points"
    assert points(REPORT) in page(REPORT)
    assert "%check Transformer gives the points" in NotebookReport(REPORT)._repr_html_()
    for without in (replace(REPORT, graded=False), replace(REPORT, pieces=())):
        assert points(without) == ""
        assert "gives the points" not in page(without)


def test_the_last_line_in_a_terminal_says_what_to_type_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_command, "train", lambda *_: (REPORT, Path("reverse.html")))
    screen = Console(file=io.StringIO(), width=80)
    train_command.run(cast(Course, None), Wish("reverse"), screen)
    assert isinstance(screen.file, io.StringIO)
    assert screen.file.getvalue().splitlines()[-1] == "attend check Transformer gives the points"


def test_a_model_worse_than_counting_is_not_called_better() -> None:
    loss, counting = Figure("loss", 2.6, "2.600"), Figure("counting", 2.4, "2.400")
    weak = replace(REPORT, higher_is_better=False, score=loss, baselines=(counting,))
    assert "not yet better than counting (2.400)" in weak.result
    even = replace(weak, score=Figure("loss", 2.4001, "2.400"))
    assert "as good as counting (2.400)" in even.result


def test_a_goal_that_only_the_model_kept_reaches_says_both() -> None:
    worse = replace(REPORT, goals=(Goal("98.0%", 0.98, reached=False, kept_reaches=True),))
    for told in (page(worse), summary(worse, 80)):
        assert "✓ reached by the model that is kept, not by this training" in told


@pytest.mark.parametrize("width", [40, 80])
def test_the_summary_fits_its_width_and_controls_no_terminal(width: int) -> None:
    told = summary(REPORT, width)
    assert all(cell_len(line) <= width for line in told.splitlines())
    assert "\x1b" not in told
    assert "given: greedy_decode (not passed" in " ".join(told.split())


def test_a_model_without_samples_pictures_and_baselines_has_a_page() -> None:
    bare = replace(
        REPORT,
        goals=(),
        baselines=(),
        pieces=(),
        samples=(),
        pictures=(),
        ablations=(),
        notes=(),
        curve=curve({}),
        progress=None,
    )
    tags(page(bare))
    assert "What it says" not in page(bare)
    assert summary(bare, 80)


def test_each_place_is_told_its_own_commands() -> None:
    report = replace(REPORT, notes=("the same again: attend train reverse --seed 3",))
    for told in (page(report), summary(report, 80)):
        assert "again: attend train reverse --seed 3" in told
    for told in (NotebookReport(report)._repr_html_(), repr(NotebookReport(report))):
        assert "again: %train reverse --seed 3" in told
        assert "attend train" not in told


def test_a_notebook_shows_the_same_and_keeps_its_own_look() -> None:
    shown = NotebookReport(REPORT)
    html = shown._repr_html_()
    style = html.partition("</style>")[0]
    rules = [line for line in style.splitlines() if line.endswith("{") and not line.startswith(" ")]
    assert all(rule.startswith((".attend-report", "@media")) for rule in rules)
    assert REPORT.result in html
    assert repr(shown) == summary(REPORT, 80)
