"""Names in an author's files that are defined nowhere are refused before a check runs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.author.build import build
from autograder.author.misconceptions import known
from autograder.compare.oracles import oracle_of
from autograder.core.errors import AttendError, UsageError
from autograder.course.course import Course
from autograder.course.undefined_names import module_names
from tests.autograder.conftest import CHAPTER
from tests.autograder.editing import edit
from tests.autograder.run_cli import attend

REFERENCE = f"reference/{CHAPTER}.py"
MISTAKES = f"reference/misconceptions/{CHAPTER}.py"
HEAD = '\n\n@misconception("double", "double-slip")\n'


def slipped(course: Course, definition: str, above: str = "") -> str:
    """Add a known mistake to a copy of the toy course, and return why `known` refuses it; "" if it does not."""
    path = course.root / MISTAKES
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}{above}{HEAD}{definition}\n", encoding="utf-8")
    try:
        known(course, CHAPTER)
    except AttendError as error:
        return str(error)
    return ""


def line_of(course: Course, text: str) -> int:
    lines = (course.root / MISTAKES).read_text(encoding="utf-8").splitlines()
    return max(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("definition", "name"),
    [
        ("def slip(x):\n    return double(x)[:-1]", "double"),
        ("def slip(x):\n    return Fraction(1, 2) * x", "Fraction"),
        ("def slip(x):\n    return [y for z in x]", "y"),
        ("def slip(x):\n    def inner():\n        return missing\n    return inner()", "missing"),
        ("class slip(Missing):\n    pass", "Missing"),
        ("def slip(x):\n    return slip_of(x)", "slip_of"),
    ],
)
def test_a_known_mistake_that_would_raise_a_name_error_is_refused(toy_copy: Course, definition: str, name: str) -> None:
    said = slipped(toy_copy, definition)
    assert said.startswith(f"{MISTAKES}:{line_of(toy_copy, name)}: the mistake slip uses '{name}', which this file")


@pytest.mark.parametrize(
    ("definition", "above"),
    [
        ("def slip(x):\n    total = sum(y for y in x)\n    return total", ""),
        ("def slip(x):\n    return double(x)", f"from reference.{CHAPTER} import double\n"),
        ("def slip(x):\n    return double(x)", f"from reference.{CHAPTER} import *\n"),
        ("def slip(x):\n    return slip(x[1:]) if len(x) else x", ""),
        ("def slip(x):\n    return half(x)", "\n\nif True:\n    def half(x):\n        return x / 2\n"),
        ("def slip(x):\n    import math as m\n    with open(x) as f, f as (a, *b):\n        return m, a, b", ""),
        ("def slip(x):\n    match x:\n        case [a, *b] | {'k': a, **b}:\n            return a, b", ""),
        ("def slip(x):\n    try:\n        return (y := x) + y\n    except ValueError as why:\n        return why", ""),
        ("class slip:\n    size = 3\n    def forward(self, x):\n        return super().forward(x), __class__", ""),
        ("def slip(x, *xs, **kinds):\n    return [lambda z: (z, xs, kinds)]", ""),
    ],
)
def test_names_that_python_finds_are_left_alone(toy_copy: Course, definition: str, above: str) -> None:
    assert slipped(toy_copy, definition, above) == ""


def test_build_and_check_refuse_such_a_mistake(toy_copy: Course) -> None:
    slipped(toy_copy, "def slip(x):\n    return nowhere(x)")
    for words in (("build",), ("check", "--target", "solutions")):
        done = attend(*words, cwd=toy_copy.root)
        assert (done.returncode, "the mistake slip uses 'nowhere'" in done.stderr) == (2, True), done


def test_a_course_without_known_mistakes_is_checked(toy_copy: Course) -> None:
    (toy_copy.root / MISTAKES).unlink()
    toy_copy.refuse_undefined_names(toy_copy.exercises)
    done = attend("check", "--target", "solutions", cwd=toy_copy.root)
    assert "13 of 13 points" in done.stdout, done


def test_a_reference_without_an_exercise_is_refused_by_build(toy_copy: Course) -> None:
    edit(toy_copy.root / REFERENCE, "def double(", "def duoble(")
    with pytest.raises(AttendError, match=rf"{REFERENCE} does not define 'double'; did you mean 'duoble'\?"):
        build(toy_copy)


def test_a_check_of_it_says_so_instead_of_a_traceback(toy_copy: Course) -> None:
    edit(toy_copy.root / REFERENCE, "def double(", "def duoble(")
    done = attend("check", "--target", "solutions", cwd=toy_copy.root)
    assert done.returncode == 2
    assert f"{REFERENCE} does not define double" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_prove_says_of_what_does_not_build_what_build_says(toy_copy: Course) -> None:
    edit(toy_copy.solution(CHAPTER), "def double(", "def double((")
    built, proven = (attend(word, cwd=toy_copy.root) for word in ("build", "prove"))
    assert "this cell is no Python" in built.stderr
    assert (proven.returncode, proven.stderr) == (2, built.stderr)


def test_what_a_reference_binds_otherwise_is_no_fault(toy_copy: Course) -> None:
    edit(toy_copy.root / REFERENCE, "def double(", "def duoble(")
    path = toy_copy.root / REFERENCE
    path.write_text(path.read_text(encoding="utf-8") + "\n\ndouble = duoble\n", encoding="utf-8")
    build(toy_copy)
    assert callable(oracle_of(toy_copy).function(CHAPTER, "double"))
    with pytest.raises(UsageError, match="does not define triple"):
        oracle_of(toy_copy).function(CHAPTER, "triple")


def test_a_module_that_makes_names_as_it_runs_shows_none() -> None:
    assert module_names(ast.parse("globals()['double'] = 1")) is None
    assert module_names(ast.parse("import a.b, c as d\ne: int = 1\nfor f in g: pass")) == {"a", "d", "e", "f"}


def test_every_mistake_of_the_course_is_left_alone() -> None:
    course = Course(Path(__file__).parents[2])
    assert all(known(course, stem) for stem in course.chapters)
