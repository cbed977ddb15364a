"""Training in a working copy: with own data, with a model of one's own, and what is told where it breaks off."""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.core.errors import UsageError
from autograder.core.records import ExerciseResult
from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from autograder.student.capstones.training_run import Wish, train
from autograder.student.saved_progress import Progress
from autograder.student.start import start
from tests.promises.world import COURSE

ROWS = [(label, f"{word} film number {number}") for number in range(20) for label, word in ((0, "dull"), (1, "lovely"))]

LOOP = [chapter for chapter in COURSE.chapters if any(each.name == "fit" for each in COURSE.of(chapter))]


class Quiet:
    def begins(self, *_: Any) -> None: ...

    def stepped(self, _: Any) -> None: ...

    def compared(self, _: Any) -> None: ...


@pytest.fixture(autouse=True)
def suites_of_its_own() -> Iterator[None]:
    """The copy's suites have the names of the course's, which other tests have loaded or will load."""
    ours = {name: sys.modules.pop(name) for name in [*sys.modules] if name.startswith("test_ch")}
    yield
    for name in [name for name in sys.modules if name.startswith("test_ch")]:
        del sys.modules[name]
    sys.modules.update(ours)


@pytest.fixture
def copy(tmp_path: Path) -> Course:
    """A copy with the answers to chapter 15 and a table of reviews."""
    root = start(COURSE, tmp_path / "copy").root
    course = Course(root)
    shutil.copy(COURSE.solution("ch15_capstones"), course.exercises_dir)
    with (course.root / "reviews.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("label", "review"), *ROWS])
    return course


def test_sentiment_learns_from_a_table_and_says_how_to_do_it_again(copy: Course) -> None:
    table, folder = copy.root / "reviews.csv", copy.exercises_dir / "capstones"
    folder.mkdir(exist_ok=True)
    handed_in = folder / "sentiment.safetensors"
    handed_in.write_bytes(b"the model that is handed in")
    report, page = train(copy, Wish("sentiment", place=table, seed=1), Quiet())
    assert handed_in.read_bytes() == b"the model that is handed in"
    assert (page, (folder / "sentiment-imdb.safetensors").is_file()) == (folder / "sentiment-imdb.html", True)
    assert {piece.exercise.name for piece in report.pieces if piece.yours} >= {
        "build_sentiment",
        "word_vocabulary",
        "encode_text",
    }
    assert (report.name, report.graded, report.steps) == ("sentiment-imdb", False, 80)
    assert f"attend train sentiment --data {table} --seed 1" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (Wish("digits", place=Path("imdb")), "digits has data of its own"),
        (Wish("sentiment", place=Path("nowhere")), "nowhere cannot be read as IMDB"),
        (
            Wish("poetry"),
            "no capstone 'poetry'; there is reverse, french, markov, sentiment, meaning, shakespeare and digits",
        ),
    ],
)
def test_what_cannot_be_trained_is_told(copy: Course, wish: Wish, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        train(copy, wish, Quiet())


OWN = """
from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))

    def forward(self, images):
        return self.layers(images)HOW


def build_digits():
    return Reader()
"""


def own(copy: Course, how: str) -> Path:
    path = copy.exercises_dir / "ch15_capstones.py"
    path.write_text(OWN.replace("HOW", how), encoding="utf-8")
    return path


def test_a_model_of_which_some_checks_fail_is_trained_and_can_be_handed_in(copy: Course) -> None:
    own(copy, ".float() + 0 * images.mean()")  # a picture's logits depend on the others of the batch
    report, _ = train(copy, Wish("digits", seed=1), Quiet())
    assert report.pieces[0].yours
    assert report.graded
    assert report.parameters == 650


def test_a_model_that_breaks_the_training_is_told_with_its_line(copy: Course) -> None:
    own(copy, " if not self.training else 1 / 0")
    with pytest.raises(UsageError, match=r"broke off: ZeroDivisionError.*in line 11 of ch15_capstones.py: return"):
        train(copy, Wish("digits", seed=1), Quiet())


@pytest.mark.skipif(not LOOP, reason="this course has no exercise fit yet")
def test_ones_own_loop_trains_once_it_has_passed(copy: Course) -> None:
    for chapter in LOOP:
        shutil.copy(COURSE.solution(chapter), copy.exercises_dir)
    report, page = train(copy, Wish("markov", seed=1), Quiet())
    says = "Trained by your own fit and your own adamw_step."
    assert report.trained_by == says
    assert says in page.read_text(encoding="utf-8")
    assert {"fit", "adamw_step"} <= {piece.exercise.name for piece in report.pieces if piece.yours}
    assert report.score.value > 0.9


def test_a_model_above_its_budget_is_not_trained(copy: Course) -> None:
    path = copy.exercises_dir / "ch15_capstones.py"
    wide = OWN.replace("HOW", "").replace("nn.Linear(64, 10)", "nn.Linear(64, 4000), nn.Linear(4000, 10)")
    path.write_text(wide, encoding="utf-8")
    with pytest.raises(UsageError, match="your model has 300,010 parameters, and digits may have 250,000"):
        train(copy, Wish("digits", seed=1), Quiet())


def test_without_a_model_of_ones_own_the_given_one_is_not_to_be_handed_in(copy: Course) -> None:
    (copy.exercises_dir / "ch15_capstones.py").write_text("", encoding="utf-8")
    report, page = train(copy, Wish("markov", seed=1), Quiet())
    assert not report.graded
    assert "nothing yet: build_markov is the course's own; write yours, and train again" in page.read_text(
        encoding="utf-8"
    )


def test_a_verdict_is_out_of_date_once_a_model_was_trained(copy: Course) -> None:
    exercise = copy.one("build_digits")
    before = read_folder(copy.exercises_dir, copy)
    progress = Progress.load(copy)
    progress.add(before, [ExerciseResult("ch15_capstones", "build_digits", 2, 6, "failed", ())], 1)
    assert [*progress.still(before, [exercise])] == ["build_digits"]
    (copy.exercises_dir / "capstones").mkdir()
    shutil.copy(COURSE.solutions_dir / "capstones" / "digits.safetensors", copy.exercises_dir / "capstones")
    assert not progress.still(read_folder(copy.exercises_dir, copy), [exercise])
