"""Where a student meets the smallest example: in `attend explain`, on the feedback page, in a notebook, and later."""

from __future__ import annotations

import io
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.core.encoded import as_json
from autograder.core.errors import UsageError
from autograder.core.message import LONGEST, Example, Message
from autograder.core.reading import decoded
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult, causes, upgraded
from autograder.course.course import Course
from autograder.grading.store import Store
from autograder.report.pages import feedback_page
from autograder.student.check import check
from autograder.student.explain import explain
from autograder.student.notebook.cell_check import CheckOutput, page
from autograder.student.saved_progress import PLACE, Progress
from tests.autograder.conftest import TOY, answer
from tests.autograder.paging import COURSE, ESCAPED, HOSTILE, KNOWN, TITLE, Shape, submission

RIGHT = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
SQUARED = RIGHT.replace("return 2 * x", "return x * x")
NEGATIVE = RIGHT.replace("return 2 * x", "return -2 * x")
STRANGE = RIGHT.replace("return 2 * x", "return 7 * x + x ** 3")
SAYS = "The smallest example of it that was found, with your answer:"
SMALL = Example((("x", "[[3]]"), ("rate", "0.5")), "[[6]]", "[[9]]")


def failing(name: str, headline: str, example: Example | None = None, named: tuple[str, ...] = ()) -> CheckResult:
    return CheckResult(name, f"{name} holds", "values", 0, 1, "failed", Message(headline, example=example), named)


RESULT = ExerciseResult.of("ch01_toy", "double", [failing("one", "no"), failing("two", "no", SMALL)])


def console() -> Console:
    return Console(file=io.StringIO(), width=100, color_system=None, highlight=False)


def said(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def checked(copy: Course, text: str) -> str:
    answer(copy, text)
    screen = console()
    check(copy, copy.select(["double"]), copy.exercises_dir, 1, screen, again=True)
    return said(screen)


def explained(copy: Course, name: str) -> str:
    screen = console()
    explain(copy, name, screen)
    return said(screen)


@pytest.mark.parametrize("name", ["double", "double-squared"])
def test_a_known_mistake_is_explained_with_the_students_own_example(mine: Course, name: str) -> None:
    checked(mine, SQUARED)
    text = explained(mine, name)
    assert SAYS in text
    rows = dict(line.split(maxsplit=1) for line in text.partition(SAYS)[2].splitlines() if "[" in line)
    x, expected, got = (float(rows[label].strip("[] ")) for label in ("x", "expected", "got"))
    assert (expected, got) == (2 * x, x * x)


def test_without_an_example_of_ones_own_a_mistake_is_explained_with_a_picture(mine: Course) -> None:
    text = explained(mine, "double-squared")
    assert SAYS not in text
    assert "with this mistake in the place of your answer" in text


@pytest.mark.parametrize("name", ["double", "negates-x", "NEGATES-x"])
def test_what_is_no_known_mistake_is_explained_in_the_words_of_the_check(mine: Course, name: str) -> None:
    assert "`attend explain negates-x`" in checked(mine, NEGATIVE)
    text = explained(mine, name)
    assert "Your answer is as if `x` had the opposite sign." in text
    assert SAYS in text


def test_a_name_with_capitals_is_found(mine: Course) -> None:
    checked(mine, NEGATIVE)
    _name_it(mine, "ignores-Q")
    assert "opposite sign" in explained(mine, "ignores-Q")


def _name_it(copy: Course, name: str) -> None:
    """Let the last check have named a change of this id."""
    path = copy.root / PLACE
    path.write_text(path.read_text(encoding="utf-8").replace('"negates-x"', f'"{name}"'), encoding="utf-8")


def test_an_answer_without_a_name_is_explained_by_its_first_failed_check(mine: Course) -> None:
    checked(mine, STRANGE)
    text = explained(mine, "double")
    assert "every number of x is doubled" in text
    assert SAYS in text
    assert "next: attend show double" in text
    checked(mine, RIGHT.replace("def double", "def triple"))
    with pytest.raises(UsageError, match="does not define double"):
        explained(mine, "double")


def test_the_example_of_a_cause_may_be_that_of_a_later_check() -> None:
    (cause,) = causes(RESULT.checks)
    assert cause.first.message.example is None
    assert cause.example == SMALL
    assert causes([failing("one", "no")])[0].example is None


def test_a_feedback_page_shows_the_example_row_by_row() -> None:
    shape = Shape(feedback_page(submission("ada", RESULT), KNOWN, TITLE))
    assert shape.open == []
    assert "The smallest example that was found x [[3]] rate 0.5 expected [[6]] got [[9]]" in shape.text
    without = ExerciseResult.of("ch01_toy", "double", [failing("one", "no")])
    assert "smallest example" not in feedback_page(submission("ada", without), KNOWN, TITLE)


def test_a_notebook_shows_the_example_of_each_cause_once() -> None:
    double = next(each for each in COURSE.exercises if each.name == "double")
    shown = page(CheckOutput(COURSE, [double], 1, (RESULT,)))
    assert "the smallest example" in shown
    assert Shape(shown).text.count("x [[3]] rate 0.5 expected [[6]] got [[9]]") == 1
    without = replace(RESULT, checks=RESULT.checks[:1])
    assert "smallest example" not in page(CheckOutput(COURSE, [double], 1, (without,)))


def test_an_example_cannot_harm_a_page_or_a_terminal() -> None:
    wild = Example((("x", HOSTILE + "y" * LONGEST),), HOSTILE, HOSTILE + "y" * LONGEST)
    assert not any("\x1b" in part for row in wild.rows for part in row)
    assert max(len(text) for _, text in wild.rows) <= LONGEST
    result = ExerciseResult.of("ch01_toy", "double", [failing("one", "no", wild)])
    shown = feedback_page(submission("ada", result), KNOWN, TITLE)
    assert "<script>" not in shown
    assert shown.count(ESCAPED) == 3


def test_an_example_is_stored_and_read(tmp_path: Path) -> None:
    assert decoded(as_json(RESULT), ExerciseResult, upgraded) == RESULT
    with closing(Store(tmp_path / "store.sqlite")) as store:
        store.keep(kept := SubmissionResult.of("k", [RESULT], seconds=0.5))
        assert store.result("k") == kept


def test_results_stored_before_examples_are_read_without_any(tmp_path: Path) -> None:
    plain = ExerciseResult.of("ch01_toy", "double", [failing("one", "no")])
    old = as_json(plain).replace(b',"example":null', b"")
    assert b"example" not in old
    assert decoded(old, ExerciseResult, upgraded) == plain
    with closing(Store(tmp_path / "store.sqlite")) as store:
        store.keep(kept := SubmissionResult.of("k", [plain], seconds=0.5))
        ((record,),) = store._all("SELECT record FROM verdict")
        store._base.execute("UPDATE verdict SET record = ?", (record.replace(b',"example":null', b""),))
        assert store.result("k") == kept


def test_a_copy_remembers_the_example_and_reads_what_it_remembered_before(mine: Course) -> None:
    checked(mine, SQUARED)
    (small,) = [
        each.message.example for each in Progress.load(mine).last["double"].result.checks if each.message.example
    ]
    assert small.given[0][0] == "x"
    path = mine.root / PLACE
    rows = json.loads(path.read_text(encoding="utf-8"))
    for each in rows["double"]["result"]["checks"]:
        del each["message"]["example"]
    path.write_text(json.dumps(rows), encoding="utf-8")
    checks = Progress.load(mine).last["double"].result.checks
    assert [each.message.example for each in checks] == [None] * 4
    assert "with this mistake in the place of your answer" in explained(mine, "double")
