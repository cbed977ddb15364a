"""A library that is not installed here costs nobody a point, unless the answers need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.source.missing_imports import without_absent
from tests.autograder.test_intake import ANSWER, hand_in

LEFT_OUT = ["import nowhere", "import nowhere.plots as plots", "from nowhere import plot", "import nowhere, elsewhere"]
KEPT = [
    "import math",
    "import nowhere\nnowhere.use()",
    "from nowhere import plot\n\ndef f(x):\n    return plot(x)",
    "import nowhere\ndef f(x: 'nowhere.Array'): ...",
    "import nowhere; x = 1",
    "import math, nowhere",
    "from nowhere import *",
    "from . import nowhere",
    "try:\n    import nowhere\nexcept ImportError:\n    pass",
]


@pytest.mark.parametrize("line", LEFT_OUT)
def test_an_import_that_nothing_needs_is_left_out_and_lines_stay_where_they_were(line: str) -> None:
    text, names = without_absent(f"x = 1\n{line}\ny = 2\n")
    assert text == "x = 1\n\ny = 2\n"
    assert names[0] == "nowhere"


@pytest.mark.parametrize("text", KEPT)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert without_absent(text) == (text, ())


def test_it_is_said_and_the_answers_count(tmp_path: Path) -> None:
    read = hand_in(tmp_path, {"ch01_toy.py": f"import nowhere  # for plots\n{ANSWER}"})
    chapter = read.chapters["ch01_toy"]
    assert chapter.problem is None
    assert "nowhere" not in chapter.text
    assert read.notes == ("ch01_toy.py: nowhere is not installed here, and nothing uses it; its import was left out",)
