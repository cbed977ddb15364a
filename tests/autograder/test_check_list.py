"""The checks of a suite are those that pytest collects; what it would lose without a word is refused."""

from __future__ import annotations

import sys

import pytest

from autograder.author.build import build, stale
from autograder.core.errors import UsageError
from autograder.course import check_list
from autograder.course.course import Course
from tests.autograder.conftest import CHAPTER, TOY, exercise, grade_in

HEAD = "import pytest\nfrom autograder.suite import exercise, near\n\n"
CHECK = '@exercise("double", points=1, level="values")\n'
SUITE = f"tests/exercises/test_{CHAPTER}.py"
RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
THRICE = RIGHT + "\n\ndef double(x):\n    return 3 * x if len(x) == 3 else 2 * x\n"
TABLE = f'''{HEAD}
@pytest.mark.parametrize("rows", (1, 3, 5))
@exercise("double", points=2, level="values")
def test_rows(agree, draw, rows):
    """{{rows}} rows are doubled"""
    for columns in (2, 4):
        agree(draw(f"{{rows}} {{columns}}"))
    for times in (2, 3):
        x = draw("T")
        agree.satisfies(f"{{times}} times x", lambda r: near(times * r, 2 * times * x), x)
        x.zero_()
'''


def written(course: Course, text: str) -> Course:
    """The course with this suite."""
    course.suite(CHAPTER).write_text(text, encoding="utf-8")
    return Course(course.root)


def refused(course: Course, text: str) -> str:
    """What is said of a suite."""
    with pytest.raises(UsageError) as told:
        _ = written(course, text).exercises
    return str(told.value)


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ('exercise("double")', "missing 2 required keyword-only arguments: 'points' and 'level'"),
        ('exercise("double", points=)', "SyntaxError: "),
        ('exercise("double", points="x", level="values")', 'write @exercise("NAME", points=NUMBER, level="values")'),
        ('exercise("double", points=1, level="value")', "there is no level 'value'; write one of property, values,"),
        ('exercise("double", points=0, level="values")', "points=0 is worth nothing"),
        ('exercise("double", points=-2, level="values")', "points=-2 is worth nothing"),
    ],
)
def test_what_is_no_marker_is_told_by_its_line(toy_copy: Course, mark: str, says: str) -> None:
    said = refused(toy_copy, f"{HEAD}{CHECK}def test_a(agree): ...\n\n\n@{mark}\ndef test_b(agree): ...\n")
    assert f"{SUITE}:8: " in said
    assert says in said


def test_a_check_that_pytest_would_pass_over_is_told_with_its_name_corrected(toy_copy: Course) -> None:
    said = refused(toy_copy, f"{HEAD}{CHECK}# of all numbers\n\ndef every_number(agree): ...\n")
    assert "pytest runs no check that is called every_number; call it test_every_number" in said


def test_two_checks_of_one_name_are_told_with_the_line_of_the_first(toy_copy: Course) -> None:
    said = refused(toy_copy, f"{HEAD}{CHECK}def test_a(agree): ...\n\n{CHECK}def test_a(agree): ...\n")
    assert f"{SUITE}:7: test_a takes the place of the check of that name in line 4; rename one" in said


def test_each_row_of_a_table_is_a_check_with_its_points_and_words(toy_copy: Course) -> None:
    course = written(toy_copy, TABLE)
    assert [(each.name, each.points, each.checks) for each in course.exercises] == [("double", 6.0, 3)]
    right, wrong = (exercise(grade_in(course, text), "double") for text in (RIGHT, THRICE))
    assert (right.score, wrong.score) == (6, 4)
    assert [check.sentence for check in right.checks] == [f"{rows} rows are doubled" for rows in (1, 3, 5)]
    assert [check.name for check in wrong.checks if check.status != "passed"] == ["test_rows[3]"]


def test_a_suite_is_loaded_only_if_it_has_changed_since_the_build(
    toy_copy: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = toy_copy.suite(CHAPTER).read_text(encoding="utf-8")
    course = written(toy_copy, f"{text}# changed\n")
    assert stale(course) != []
    build(course)
    monkeypatch.setattr(check_list, "import_module", lambda name: pytest.fail(f"{name} is loaded"))
    assert Course(course.root).exercises == course.exercises
    course.suite(CHAPTER).write_text(text, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="is loaded"):
        _ = Course(course.root).exercises


def test_to_list_checks_writes_nothing(toy_copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    course = written(toy_copy, TABLE)
    before = sorted(course.root.rglob("*"))
    assert course.exercises
    assert sorted(course.root.rglob("*")) == before


def test_a_table_of_another_suite_or_a_damaged_one_does_not_count(toy_copy: Course) -> None:
    table = toy_copy.table(check_list.NAME)
    before = Course(toy_copy.root).exercises
    for text in ("", "[]", "{", table.read_text(encoding="utf-8").replace('"suite": "', '"suite": "0')):
        table.write_text(text, encoding="utf-8")
        assert Course(toy_copy.root).exercises == before
    assert f"test_{CHAPTER}" not in sys.modules
