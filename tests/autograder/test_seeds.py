"""What feedback has shown is worth nothing in the next round, and nothing unchanged is graded again for it."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from autograder.commands.grade_class import grade_and_show
from autograder.core.submission import one_chapter
from autograder.course.course import Course
from autograder.grading import run as command
from autograder.grading.run import GradingOptions
from autograder.platforms.nbgrader import kernel
from tests.autograder.class_of_two import Class as Two
from tests.autograder.class_of_two import refuse_code
from tests.autograder.conftest import CHAPTER
from tests.autograder.interrupted_class import RIGHT, Class, NoWall

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork"),
]
# Right on the inputs that it has seen, and on no others: what could be copied from a page of feedback.
NOTES = """
import json, pathlib
SEEN = pathlib.Path({path!r})

def double(x):
    known = json.loads(SEEN.read_text()) if SEEN.exists() else {{}}
    if {learns}:
        SEEN.write_text(json.dumps(known | {{str(x.tolist()): (2 * x).tolist()}}))
        return 0 * x
    return x.new_tensor(known.get(str(x.tolist()), (0 * x).tolist())).expand(x.shape)
"""


@pytest.fixture
def round_one(toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    """A class of Ann, who is right."""
    monkeypatch.setattr(command, "Wall", NoWall)
    made = Class(toy_copy, tmp_path / "in", tmp_path / "out")
    made.hand_in("ann")
    return made


@pytest.mark.parametrize("asked", [None, 7], ids=["drawn anew", "the same seed"])
def test_a_table_of_inputs_from_feedback_earns_nothing_in_the_next_round(
    round_one: Class, tmp_path: Path, asked: int | None
) -> None:
    def score(*, learns: bool) -> tuple[float, int]:
        round_one.hand_in("ben", RIGHT + NOTES.format(path=str(tmp_path / "seen.json"), learns=learns))
        round_one.grade(asked)
        row = round_one.results()["ben"]
        return sum(each["score"] for each in row["exercises"] if each["exercise"] == "double"), row["seed"]

    before, first = score(learns=True)
    after, second = score(learns=False)
    assert (second == first, after > before) == ((True, True) if asked else (False, False))


def test_a_changed_submission_gets_another_seed_and_the_others_keep_theirs(round_one: Class) -> None:
    round_one.hand_in("ben")
    round_one.grade(None)
    before = round_one.results()
    assert before["ann"]["seed"] == before["ben"]["seed"]
    round_one.hand_in("ben", RIGHT + "\n# mended\n")
    round_one.hand_in("cem", RIGHT + "\n# late\n")
    assert "1 of 3 are graded already" in round_one.grade(None)
    after = round_one.results()
    assert after["ann"] == before["ann"]
    assert after["ben"]["seed"] == after["cem"]["seed"] != before["ben"]["seed"]


def test_in_an_nbgrader_course_a_changed_answer_gets_other_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kernel.SEED, "7")
    first, same, changed = (one_chapter("", CHAPTER, text) for text in (RIGHT, RIGHT, RIGHT + "# mended"))
    assert kernel._seed(first) == kernel._seed(same) != kernel._seed(changed)
    monkeypatch.setenv(kernel.SEED, "8")
    assert kernel._seed(first) != kernel._seed(changed)


def test_regrading_submissions_of_several_rounds_runs_no_code(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    handed_in = two.out.parent / "in"
    (handed_in / "ben" / f"{CHAPTER}.py").write_text(RIGHT + "# mended\n", encoding="utf-8")
    grade_and_show(two.course, handed_in, two.out, GradingOptions(1), Console(file=io.StringIO()))
    assert two.results()["ann"].seed == 7 != two.results()["ben"].seed
    refuse_code(monkeypatch)
    two.change("points=2", "points=4")
    said = two.regrade()
    assert "ann double 5/5 becomes 7/7" in said
    assert "ben double 5/5 becomes 7/7" in said
    assert "code was run" not in said
