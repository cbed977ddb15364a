"""What an author writes of exercises and mistakes that are none: `attend build` names file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.author.build import build
from autograder.core.errors import AttendError
from autograder.course.course import Course
from tests.autograder.editing import edit, toy_in

SUITE, SCENES = "tests/exercises/test_ch01_toy.py", "reference/scenes.py"
KNOWN = "reference/misconceptions/ch01_toy.py"
TABLE = 'RETURNS = {"mean_and_sum": ("mean", "sum")}'
MARK = '@misconception("double", "double-squared")'


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return toy_in(tmp_path)


def refused(course: Course) -> str:
    with pytest.raises(AttendError) as told:
        build(course)
    return str(told.value)


@pytest.mark.parametrize("name", ["RETURNS", "FORBIDDEN", "WELCOME", "RETURNS: dict"])
def test_a_rule_of_a_suite_for_no_exercise_is_refused(course: Course, name: str) -> None:
    edit(course.root / SUITE, "FORBIDDEN = ", "_ = ")
    edit(course.root / SUITE, TABLE, f'{name} = {{\n    "double": ("x",),\n    "mean_and_smu": (),\n}}')
    what = f"{name.split(':')[0]} has 'mean_and_smu', which is no exercise of solutions/ch01_toy.py"
    assert refused(course) == f"{SUITE}:9: {what}; did you mean 'mean_and_sum'?"


@pytest.mark.parametrize(
    "table",
    [
        'dict.fromkeys(("double", "mean_and_smu"), ("mean", "sum"))',
        '{**{"mean_and_smu": ("mean", "sum")}}',
        '{} | dict.fromkeys(["mean_and_smu"], ())',
        'LAYERS = ("mean_and_smu",); dict.fromkeys((*LAYERS, "double"), ())',
        'OTHER = {"mean_and_smu": ()}; OTHER',
    ],
)
def test_it_is_found_however_the_rule_is_put_together(course: Course, table: str) -> None:
    before, _, rule = table.rpartition("; ")
    edit(course.root / SUITE, TABLE, f"{before}{before and '; '}RETURNS = {rule}")
    assert refused(course).startswith(f"{SUITE}:7: RETURNS has 'mean_and_smu', which is no exercise")


def test_rules_that_cannot_be_read_without_running_the_suite_are_left_alone(course: Course) -> None:
    edit(course.root / SUITE, TABLE, f"RETURNS = dict(a=())\nWELCOME = {{}}\nWELCOME = WELCOME\n{TABLE}")
    build(course)


def test_a_scene_of_no_exercise_is_refused(course: Course) -> None:
    (course.root / SCENES).write_text('SCENES = {\n    "double": 1,\n    "halve": 2,\n}\n', encoding="utf-8")
    what = "SCENES has 'halve', which is no exercise of the course; correct the name, or take it out"
    assert refused(course) == f"{SCENES}:3: {what}"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("return x * x", "return x *", 15, "this is no Python (invalid syntax); fix its syntax"),
        (MARK, MARK.replace("double\"", "doubel\""), 9, "'doubel' is no exercise of ch01_toy; did you mean 'double'?"),
        (MARK, MARK.replace("double\"", "halve\""), 9, "'halve' is no exercise of ch01_toy; correct the name"),
        (MARK, '@misconception("double")', 9, 'write @misconception("EXERCISE", "id") instead of @misc'),
        (MARK, '@misconception("double", NAME)', 9, 'write @misconception("EXERCISE", "id") instead of @misc'),
        ("double-inplace", "double-squared", 18, f"{KNOWN}:9 has the id 'double-squared' already; rename one"),
        ('"double-one', '"double-inplac", "double-one', 27, "pair is of 'double-inplac', which is no known mistake; d"),
        ('"double-one', '"other", "double-one', 27, "which is no known mistake; write that mistake by itself too"),
        ("def in_place", "def squared", 19, "squared takes the place of that name in line 10; rename one of the two"),
        (MARK, f'{MARK}\n@misconception("double")', 10, 'write @misconception("EXERCISE", "id") instead of @misc'),
        ('    """You squared', '    f"""You squared', 9, "squared has no docstring; name the mistake to the student"),
    ],
)  # fmt: skip
def test_a_slip_in_a_known_mistake_is_refused_with_its_line(
    course: Course, old: str, new: str, line: int, says: str
) -> None:
    edit(course.root / KNOWN, old, new)
    said = refused(course)
    assert said.startswith(f"{KNOWN}:{line}: ")
    assert says in said


def test_a_twin_whose_words_name_the_exercise_that_it_is_not_about_is_refused(course: Course) -> None:
    edit(course.root / KNOWN, MARK, f'{MARK}\n@misconception("Scale", "scale-squared")')
    edit(course.root / KNOWN, "You squared the numbers.", "Your `double` squares the numbers.")
    what = "squared tells students of 'Scale' about 'double'; leave that name out of its docstring, or write the two"
    assert refused(course).startswith(f"{KNOWN}:10: {what}")


@pytest.mark.parametrize("text", ["def double(x:\n", "x = '\0'\n"])
def test_a_right_answer_that_is_no_python_is_refused(course: Course, text: str) -> None:
    answer = course.root / "tests" / "promises" / "right" / "ch01_toy" / "loops.py"
    answer.parent.mkdir(parents=True, exist_ok=True)
    answer.write_text(text, encoding="utf-8")
    assert refused(course).startswith("tests/promises/right/ch01_toy/loops.py")


def test_a_suite_that_is_no_python_is_refused_with_its_line(course: Course) -> None:
    path = course.root / SUITE
    lines = len(path.read_text(encoding="utf-8").splitlines())
    path.write_text(path.read_text(encoding="utf-8") + "def f(:\n", encoding="utf-8")
    assert f"{SUITE}:{lines + 1}: SyntaxError: invalid syntax" in refused(course)
