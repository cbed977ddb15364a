"""The capstone that may learn from the learner's own data does, with the learner's own pieces."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

from autograder.capstones.session import Wish, train
from autograder.course import Course
from autograder.errors import UsageError
from autograder.student.start import start
from tests.promises.world import COURSE

ROWS = [(label, f"{word} film number {number}") for number in range(20) for label, word in ((0, "dull"), (1, "lovely"))]


class Quiet:
    def begins(self, *_: Any) -> None: ...

    def stepped(self, _: Any) -> None: ...

    def compared(self, _: Any) -> None: ...


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy with the answers to chapter 15 and a table of reviews."""
    root = start(COURSE, tmp_path_factory.mktemp("other") / "copy").root
    course = Course(root)
    shutil.copy(COURSE.solution("ch15_capstones"), course.exercises_dir)
    with (course.root / "reviews.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("label", "review"), *ROWS])
    return course


def test_sentiment_learns_from_a_table_and_says_how_to_do_it_again(copy: Course) -> None:
    table = copy.root / "reviews.csv"
    report, page = train(copy, Wish("sentiment", place=table, seed=1), Quiet())
    assert {part.name for part in report.parts if part.yours} >= {"build_sentiment", "word_vocabulary", "encode_text"}
    assert (report.name, report.graded, report.steps) == ("sentiment-imdb", False, 80)
    assert f"attend train sentiment --data {table} --seed 1" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (Wish("digits", place=Path("imdb")), "digits has data of its own"),
        (Wish("sentiment", place=Path("nowhere")), "nowhere cannot be read as IMDB"),
        (Wish("poetry"), "there is no capstone 'poetry'; there is reverse, markov, sentiment, shakespeare and digits"),
    ],
)
def test_what_cannot_be_trained_is_told(copy: Course, wish: Wish, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        train(copy, wish, Quiet())
