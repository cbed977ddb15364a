"""What `attend build` refuses, and that it names file, line and remedy."""

import shutil
from pathlib import Path

import pytest

from autograder.author.build import build
from autograder.core.errors import AttendError
from autograder.course.course import Course

TOY = Path(__file__).parent / "toy"
BEGIN, END = "    ### BEGIN SOLUTION\n", "    ### END SOLUTION\n"
DOUBLE = "    return 2 * x\n"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(Path(shutil.copytree(TOY, tmp_path / "toy")))


def line_of(course: Course, text: str) -> int:
    return line_in(course.solution("ch01_toy"), text)


def line_in(path: Path, text: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        (DOUBLE + END, DOUBLE, "### BEGIN SOLUTION", "this solution has no end"),
        (BEGIN + DOUBLE, DOUBLE, "### END SOLUTION", "a solution ends that never began"),
        (BEGIN + DOUBLE + END, DOUBLE, "def double", "exercise 'double' has no solution region"),
        (DOUBLE, "    ### BEGIN SOLUTION \n" + DOUBLE, "BEGIN SOLUTION ", "a solution begins inside another"),
        (BEGIN, "    # Begin solution\n", "# Begin solution", "write this marker as ### BEGIN SOLUTION"),
        (DOUBLE + END, DOUBLE + "    ### END_SOLUTION\n", "END_SOLUTION", "write this marker as ### END SOLUTION"),
        ("def double(", "def twice(", "def twice", "the cell of exercise 'double' defines 'twice'"),
        ("def double(", "y = 1\n\ndef double(", "y = 1", "the cell of exercise 'double' has another statement"),
        ("def double(", "def f(): ...\n\n\ndef double(", "def f()", "the cell of exercise 'double' defines 'f'"),
        ("return 2 * x", "return 2 *", "return 2 *", "this cell is no Python as it stands"),
        ('%% exercise="double"', '%% exercise="mean_and_sum"', "def double", "defines 'double'"),
        ('%% exercise="double"', "%% exercise=double", "def double", "with the quotes"),
        ('%% exercise="double"', '%% exercise="dou ble"', "def double", "is no name of a function or class"),
        ('%% exercise="double"', f'%% exercise="{"d" * 41}"', "def double", "longer than 40 characters"),
        ('%% exercise="double"', '%% exercise="list"', "def double", "the name 'list' is Python's own"),
        ('%% exercise="double"', '%% [markdown] exercise="double"', "def double", "stands in markdown"),
        ("# 3. Return", "# Return", "1. Every number", "must be a markdown list of three items"),
        ("# 3. Return", "# 4. Return", "1. Every number", "must be a markdown list of three items"),
        ("# 3. Return `x`", "# 4. Four.\n# 3. Return `x`", "1. Every number", "must be a markdown list of three items"),
        ("# 1. Every number", "# First,\n# 1. Every number", "First,", "must be a markdown list of three items"),
        ('[markdown] hints="double"', 'hints="double"', "1. Every number", "must be a markdown list of three items"),
        ('hints="Scale"', 'hints="double"', "one weight for each", "there are hints for 'double' already"),
        ('"Scale" difficulty=2', '"Scale" difficulty=4', "one weight for each", "lack difficulty (1 to 3) or minutes"),
        (" minutes=10", "", "one weight for each", "lack difficulty (1 to 3) or minutes"),
        ('[markdown] hints="Scale"', "[markdown]", "class Scale", "exercise 'Scale' has no hints"),
        ('hints="Scale"', 'hints="Scael"', "one weight for each", "no exercise here; did you mean 'Scale'?"),
        ("# %% [markdown]\n# # Chapter", '# %% [markdown] picture="twos"\n# # Chapter', "# Chapter", 'picture "twos"'),
        ('debrief="Scale"', 'debrief="Scael"', "A layer norm", "a debrief of 'Scael', which is no exercise here; did"),
        ('debrief="Scale"', 'debrief="double"', "A layer norm", "there is a debrief of 'double' already; keep one"),
        ('debrief="Scale"', 'debrief=Scale', "A layer norm", "with the quotes"),
        ('[markdown] debrief="Scale"', 'debrief="Scale"', "A layer norm", "of 'Scale' must be markdown"),
        ("from torch import nn", "import nowhere.at_all", "nowhere", "this imports nowhere, which is not installed"),
        ("    return 2 * x", "    from nowhere import f", "nowhere", "this imports nowhere, which is not installed"),
        ("# # Chapter 1", "# Chapter 1", "# %% [markdown]", "the chapter has no title"),
    ],
)  # fmt: skip
def test_a_wrong_source_is_refused_with_its_line(course: Course, old: str, new: str, at: str, says: str) -> None:
    source = course.solution("ch01_toy")
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new, 1), encoding="utf-8")
    before = {path: path.read_bytes() for path in course.exercises_dir.iterdir()}
    with pytest.raises(AttendError) as caught:
        build(course)
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"solutions/ch01_toy.py:{line_of(course, at)}: ")
    assert {path: path.read_bytes() for path in course.exercises_dir.iterdir()} == before


def test_an_answer_outside_an_exercise_is_refused(course: Course) -> None:
    source = course.solution("ch01_toy")
    helper = "# %%\ndef helper(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION\n\n\n"
    source.write_text(
        source.read_text(encoding="utf-8").replace("# %% [markdown]\n# ## Mean", helper + "# %% [markdown]\n# ## Mean"),
        encoding="utf-8",
    )
    with pytest.raises(AttendError, match=rf"ch01_toy.py:{line_of(course, 'def helper') + 1}: .* outside an exercise"):
        build(course)


def test_two_exercises_of_one_name_are_refused(course: Course) -> None:
    source = course.solution("ch01_toy")
    text = source.read_text(encoding="utf-8")
    cell = text[text.index('# %% exercise="double"') : text.index('# %% [markdown] hints="double"')]
    source.write_text(text + "\n" + cell, encoding="utf-8")
    with pytest.raises(AttendError, match="there is an exercise 'double' already"):
        build(course)


def test_an_answer_that_leaves_no_python_behind_is_refused(course: Course) -> None:
    source = course.solution("ch01_toy")
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace(BEGIN + DOUBLE + END, "    if True:\n" + BEGIN + "        return 2 * x\n" + END))
    with pytest.raises(AttendError, match="no Python once its answer is taken out"):
        build(course)


def test_hints_for_no_exercise_are_refused(course: Course) -> None:
    source = course.solution("ch01_toy")
    source.write_text(
        source.read_text() + '\n# %% [markdown] hints="halve" difficulty=1 minutes=5\n# 1. a\n# 2. b\n# 3. c\n'
    )
    with pytest.raises(AttendError, match="hints for 'halve', which is no exercise"):
        build(course)


def test_an_exercise_without_a_check_is_refused(course: Course) -> None:
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text().replace('@exercise("Scale"', '@exercise("double"'))
    with pytest.raises(AttendError) as told:
        build(course)
    where = f"solutions/ch01_toy.py:{line_of(course, 'class Scale')}"
    assert str(told.value) == f"{where}: exercise 'Scale' has no check; add one to tests/exercises/test_ch01_toy.py"


def test_a_check_without_an_exercise_is_refused(course: Course) -> None:
    suite = course.suite("ch01_toy")
    suite.write_text(
        suite.read_text() + '\n\n@exercise("halve", points=1, level="values")\ndef test_halves(agree): ...\n'
    )
    with pytest.raises(AttendError) as told:
        build(course)
    what = "checks 'halve', which is no exercise of solutions/ch01_toy.py; give its cell the header"
    assert str(told.value).startswith(f"tests/exercises/test_ch01_toy.py:{line_in(suite, 'halve')} {what}")


def test_a_misspelt_exercise_is_not_to_be_made_one(course: Course) -> None:
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text().replace('@exercise("Scale"', '@exercise("Scael"'))
    with pytest.raises(AttendError, match=rf"py:{line_in(suite, 'Scael')} checks 'Scael', .*; did you mean 'Scale'\?"):
        build(course)


def test_a_test_that_lost_its_marker_is_refused(course: Course) -> None:
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text() + "\n\ndef test_halves(agree): ...\n")
    with pytest.raises(AttendError, match=rf"py:{line_in(suite, 'test_halves')}: test_halves is no check, so nobody"):
        build(course)


def test_a_helper_of_a_suite_is_none(course: Course) -> None:
    suite = course.suite("ch01_toy")
    suite.write_text(suite.read_text() + "\n\ndef halves(agree): ...\n")
    build(course)


def test_a_source_without_a_suite_is_refused(course: Course) -> None:
    shutil.copy(course.solution("ch01_toy"), course.solution("ch02_more"))
    with pytest.raises(AttendError, match=r"solutions/ch02_more\.py has no suite"):
        build(course)


def test_a_suite_without_a_source_is_refused(course: Course) -> None:
    shutil.copy(course.suite("ch01_toy"), course.suite("ch02_more"))
    with pytest.raises(AttendError, match=r"test_ch02_more\.py has no source; write solutions/ch02_more\.py"):
        build(course)


def test_two_chapters_may_not_share_a_name(course: Course) -> None:
    for path in (course.solution, course.suite):
        text = path("ch01_toy").read_text(encoding="utf-8")
        path("ch02_more").write_text(text.replace('debrief="ch01_toy"', 'debrief="ch02_more"'), encoding="utf-8")
    with pytest.raises(AttendError, match=r"ch02_more\.py:\d+: exercise 'double' has the name of one in ch01_toy"):
        build(course)


def test_a_source_in_another_encoding_is_refused(course: Course) -> None:
    course.solution("ch01_toy").write_bytes("# Lösung".encode("latin-1"))
    with pytest.raises(AttendError, match="must be a UTF-8 text"):
        build(course)
