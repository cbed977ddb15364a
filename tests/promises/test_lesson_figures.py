"""What a lesson says of its runs, they print: each output that it shows, and each figure in the prose beside a run."""

from __future__ import annotations

import ast
import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from typing import Any, NamedTuple

import pytest
import torch

from autograder.author.chapter import LessonCell, read
from reference import blocks
from tests.promises.world import COURSE

TRAINING = ("ch07", "ch08", "ch09", "ch10", "ch11", "ch13", "ch15", "ch16")
"""They take seconds each, and so `make prove` runs them."""
each_chapter = pytest.mark.parametrize(
    "chapter",
    [pytest.param(each, marks=[pytest.mark.exhaustive] * each.startswith(TRAINING)) for each in COURSE.chapters],
)

ELSEWHERE: dict[str, dict[str, str]] = {
    "ch00": {
        "Set `gain` to 0.3 and to 1": "for the learner to try",
        "Then set it to 3": "for the learner to try",
    },
    "ch07": {
        "In 360 steps of 1e-4 that is 0.036": "arithmetic",
        "between −0.05 and 0.05, and 3,910 steps reach 0.39": "Keras's default; arithmetic",
        "4,000 to learn from and 1,000 held out": "trainings of minutes, in the table below",
        "a vocabulary of 20,000 words and the last 200 words": "the same",
        "| tables, Adam | accuracy, epoch by epoch |": "the same",
    },
    "ch08": {"a probability of 1 in 10,000": "arithmetic", "ln 13 = 2.56": "arithmetic"},
    "ch09": {
        "a perplexity of 2^(1/7) = 1.104": "arithmetic",
        "ln 65 = 4.17": "arithmetic",
        "| | blocks | width | heads | tokens in view | parameters |": "the papers' sizes",
    },
    "ch10": {"3.3 billion words": "Devlin et al. 2019, section 3.1"},
    "ch13": {
        "(two blocks, two heads each, width 32)": "how the printed heads were trained",
        ".62 of its weight": "a sum of the weights in the cell",
        "from position 2 to position 0": "the positions' names",
    },
    "ch15": {
        "18 of 20 seeds end like this, and two stay near .35": "the cell with other seeds",
        "it is 6 of 12 seeds": "the cell with other seeds and smaller batches",
    },
    "ch16": {"Kaplan et al. measured 0.076": "their equation 1.1"},
}
"""By chapter, what is said beside a run and not printed by it, and where it is from; "| ..." is the head of a table."""

RUNS = 'if __name__ == "__main__":'
NO_FIGURES = (r"```.*?```", r"\$\$.*?\$\$", r"\$[^$\n]+\$", r"`[^`]+`", r"\]\([^)]*\)", r"<[^>]+>")
NO_FIGURES_EITHER = (
    r"\b(?:[Cc]hapter|[Ff]igure|[Tt]able|[Ss]ection)s? \d+(?:(?:, \d+)* (?:and|to) \d+)?",
    r"\b(?:19|20)\d\d\b",
    r"N\(0, [\d.]+\)",
)
FIGURE = re.compile(r"(?<![\w.^])(?:10\^-?\d+|(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:e-?\d+)?(?: ?%)?)")
HEDGE = re.compile(r"\b(?:about|near|nearly) $")
"""Before a figure it allows a tenth more or less, as training differs between processors."""


class Run(NamedTuple):
    """Cells that run in one section of a lesson: the prose around them, their code, and what they printed."""

    prose: str
    code: str
    printed: str


def runs(cells: Sequence[LessonCell], printed: Sequence[str]) -> Iterator[Run]:
    """Return the sections with cells that run; a section begins at a heading and after any other code."""
    prose, code, said = list[str](), list[str](), list[str]()
    for cell, text in zip((*cells, LessonCell("code", "")), (*printed, ""), strict=True):
        if cell.kind == "code" and cell.text.startswith(RUNS):
            code.append(cell.text)
            said.append(text)
            continue
        parts = re.split(r"(?m)^(?=##+ )", cell.text) if cell.kind == "markdown" else ["##", ""]
        for part in parts:
            if part.startswith("##"):
                if code:
                    yield Run("\n\n".join(prose), "\n".join(code), "".join(said))
                prose, code, said = [], [], []
            prose.append(part)


def shown(prose: str) -> list[str]:
    """Return the outputs that a lesson shows."""
    return re.findall(r"```text\n(.*?)```", prose, re.DOTALL)


def unshown(run: Run) -> list[str]:
    """Return the outputs that a lesson shows and its cells do not print."""
    return [text for text in shown(run.prose) if not _goes_through(text, iter(run.printed.splitlines()))]


def _goes_through(text: str, printed: Iterator[str]) -> bool:
    """Return whether these lines were printed in this order; a picture may have come between."""
    return all(any(line.rstrip() == said.rstrip() for said in printed) for line in text.splitlines())


def unprinted(run: Run, elsewhere: Sequence[str] = ()) -> list[str]:
    """Return the figures of the prose that are neither printed nor in the code, without those said `elsewhere`."""
    prose = _without(run.prose, NO_FIGURES[:1])
    for phrase in elsewhere:
        prose = _without_table(prose, phrase) if phrase.startswith("|") else prose
    prose = " ".join(prose.split())
    for phrase in elsewhere:
        prose = prose.replace(phrase, "")
    prose = _without(prose, (*NO_FIGURES, *NO_FIGURES_EITHER))
    numbers = [_value(match[0]) for match in FIGURE.finditer(run.printed)] + list(_constants(run.code))
    return [
        match[0]
        for match in FIGURE.finditer(prose)
        if not _is_among(match[0], numbers, bool(HEDGE.search(prose[: match.start()])))
    ]


def _without(text: str, patterns: Sequence[str]) -> str:
    return re.sub("|".join(patterns), " ", text, flags=re.DOTALL)


def _without_table(prose: str, head: str) -> str:
    return re.sub(rf"(?m)^{re.escape(head)}.*\n(?:\|.*\n?)*", "", prose)


def _value(figure: str) -> float:
    number = float(figure.rstrip(" %").replace(",", "").replace("10^", "1e"))
    return number / 100 if figure.endswith("%") else number


def _constants(code: str) -> Iterator[float]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield float(node.value)


def _is_among(figure: str, numbers: Sequence[float], hedged: bool) -> bool:
    """Return whether one of the numbers is this figure once it is rounded to as many digits."""
    value = _value(figure)
    if "^" in figure:
        return any(number > 0 and round(math.log10(number)) == round(math.log10(value)) for number in numbers)
    digits, _, exponent = figure.rstrip(" %").partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]) - 2 * figure.endswith("%"))
    slack = max(0.5000001 * unit, value / 10 * hedged)
    return any(abs(number - value) <= slack for number in numbers)


def _hand_out(pieces: Any, names: Sequence[str]) -> str:
    """Hand out the course's own pieces, without a check of answers."""
    asked = [COURSE.one(name) for name in names if name not in vars(blocks)]
    pieces.own({each.name: getattr(COURSE.reference(each.chapter), each.name) for each in asked})
    return ""


def ran(chapter: str, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """Run a chapter's source from top to bottom, as a program."""
    monkeypatch.setattr("autograder.student.lesson_pieces.hand_out", _hand_out)
    monkeypatch.setattr(blocks.mine, "_own", {})
    cells, printed = read(COURSE, chapter).cells, list[str]()
    space: dict[str, Any] = {"__name__": "__main__"}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for cell in cells:
            with redirect_stdout(io.StringIO()) as said:
                if cell.kind == "code":
                    exec(compile(cell.text, chapter, "exec"), space)
            printed.append(said.getvalue())
    finally:
        torch.set_num_threads(threads)
    return list(runs(cells, printed))


@each_chapter
def test_what_a_lesson_says_of_its_runs_they_print(chapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ran(chapter, monkeypatch)
    elsewhere = [*ELSEWHERE.get(chapter[:4], {})]
    assert found
    assert [each for run in found for each in unshown(run)] == []
    assert [each for run in found for each in unprinted(run, elsewhere)] == []
    prose = " ".join(" ".join(run.prose.split()) for run in found)
    assert [phrase for phrase in elsewhere if phrase not in prose] == []  # of no use any more


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("It ends at .83, after 200 steps.", []),
        ("It ends at .84.", [".84"]),
        ("It ends at .8, about .9 or about .7.", ["about .7"[6:]]),
        ("83 % of 1,000, with a gradient of 10^-14.", []),
        ("82 % of 1,001, with a gradient of 10^-13.", ["82 %", "1,001", "10^-13"]),
        ("In chapter 7 of 2025, `x[3]`, $x_5$ and N(0, 0.02).", []),
        ("| a | b |\n|---|---|\n| 5 | 6 |\n\nThe lecture has 77.", []),
    ],
)
def test_a_figure_that_no_cell_prints_is_found(prose: str, found: list[str]) -> None:
    run = Run(prose, f"{RUNS}\n    for _ in range(200):\n        pass", "right: 83%, of 1000\ngradient: 2e-14\n")
    assert unprinted(run, ["| a |", "The lecture has 77"]) == found


def test_an_output_that_no_cell_prints_is_found() -> None:
    run = Run("```text\na  1\n```\n```text\na  2\n```\n", "", "given: x\na  1\n")
    assert unshown(run) == ["a  2\n"]


def test_a_section_is_the_prose_from_heading_to_heading_around_what_runs() -> None:
    texts = [("markdown", "## A\n1\n## B\n2"), ("code", f"{RUNS} pass"), ("markdown", "3\n## C\n4"), ("code", "x = 5")]
    (run,) = runs([LessonCell(*each) for each in texts], ["", "said", "", ""])
    assert run == Run("## B\n2\n\n3\n", f"{RUNS} pass", "said")
