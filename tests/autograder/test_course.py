"""Finding a course and what a name means in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.author.splice import misconception_source
from autograder.core.errors import UsageError, blamed
from autograder.course.course import PACKED, Course
from autograder.report.known import KnownMistakes
from tests.autograder.conftest import TOY, in_place_of_the_real
from tests.autograder.forked import python

TOY_COURSE = Course(TOY)


def names(*asked: str) -> list[str]:
    return [exercise.name for exercise in TOY_COURSE.select(asked)]


def test_a_course_is_found_from_any_folder_inside_it() -> None:
    assert Course.find(TOY / "tests" / "exercises") == TOY_COURSE


def test_outside_of_any_course_the_installed_one_is_used(tmp_path: Path) -> None:
    assert Course.find(tmp_path) == Course.installed()


def test_the_part_of_a_clone_that_only_wheels_use_is_no_course_of_its_own() -> None:
    clone = Course.installed()
    assert Course(clone.root / PACKED).is_packed
    assert Course.find(clone.root / PACKED) == clone


def test_a_folder_outside_of_any_course_is_judged_by_the_course_one_stands_in(
    toy_copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    monkeypatch.chdir(toy_copy.exercises_dir)
    assert Course.find(answers) == toy_copy
    assert Course.find(TOY) == TOY_COURSE  # a course of its own is its own
    monkeypatch.chdir(answers)
    assert Course.find(answers) == Course.installed()


JUDGE = """
from autograder.course.course import Course
from autograder.judging.judge import judge

judge(Course.find(), Course.find().exercises, [], 1, print)
"""


@pytest.mark.parametrize(
    "how", [["-c", JUDGE], ["-m", "pytest", "-s", "-pautograder.suite.plugin", "-pno:cacheprovider"]]
)
def test_suites_take_the_reference_of_the_course_one_stands_in_and_not_the_installed_one(
    toy_copy: Course, how: list[str]
) -> None:
    suite = toy_copy.suite("ch01_toy")
    text = suite.read_text(encoding="utf-8")
    suite.write_text(f"from reference import ch01_toy\n{text}\nprint(ch01_toy.__file__)\n", encoding="utf-8")
    # With -P, like the command `attend`, which looks for nothing in the folder itself.
    done = python("-P", *how, cwd=toy_copy.root)
    assert str(toy_copy.root / "reference" / "ch01_toy.py") in done.stdout, done.stderr


def test_points_and_checks_are_read_without_importing_the_suite() -> None:
    assert [(e.name, e.points, e.checks) for e in TOY_COURSE.exercises] == [
        ("double", 5, 4),
        ("mean_and_sum", 4, 3),
        ("Scale", 4, 3),
    ]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("double", ["double"]),
        ("scale", ["Scale"]),
        ("mean", ["mean_and_sum"]),
        ("and_sum", ["mean_and_sum"]),
        ("ch01_toy", ["double", "mean_and_sum", "Scale"]),
        ("toy", ["double", "mean_and_sum", "Scale"]),
        ("ch01", ["double", "mean_and_sum", "Scale"]),
        ("ch1", ["double", "mean_and_sum", "Scale"]),
        ("Chapter 1", ["double", "mean_and_sum", "Scale"]),
        ("1", ["double", "mean_and_sum", "Scale"]),
        ("exercises/ch01_toy.py", ["double", "mean_and_sum", "Scale"]),
        ("test_ch01_toy.py", ["double", "mean_and_sum", "Scale"]),
        ("ch01/double", ["double"]),
        ("ch01.Scale", ["Scale"]),
        ("ch01_double", ["double"]),
        ("ch01-double", ["double"]),
        ("chapter 1 scale", ["Scale"]),
        ("ch1_toy", ["double", "mean_and_sum", "Scale"]),
        ("tests/exercises/test_ch01_toy.py::mean", ["mean_and_sum"]),
    ],
)
def test_a_name_may_be_a_chapter_an_exercise_or_a_part(asked: str, meant: list[str]) -> None:
    assert names(asked) == meant


def test_no_name_means_everything_and_two_names_their_union_in_order() -> None:
    assert names() == ["double", "mean_and_sum", "Scale"]
    assert names("Scale", "double") == ["double", "Scale"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("dobule", "did you mean double"),
        ("ch01_dobule", "did you mean double"),
        ("zzz", "attend list"),
        ("", "attend list"),
        ("e", "could be"),
    ],
)
def test_an_unknown_or_ambiguous_name_is_one_sentence_with_offers(asked: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        names(asked)


def test_misconceptions_come_with_one_sentence_and_advice(toy: Course) -> None:
    first = toy.misconceptions("ch01_toy")[0]
    assert (first.identifier, first.exercise) == ("double-squared", "double")
    assert first.says == "You squared the numbers."
    assert first.advice.startswith("Doubling multiplies")
    assert "\n" not in first.advice


def test_misconceptions_may_stand_in_one_file_for_each_exercise(toy_copy: Course) -> None:
    single = toy_copy.root / "reference" / "misconceptions" / "ch01_toy.py"
    before = [each.identifier for each in toy_copy.misconceptions("ch01_toy")]
    with in_place_of_the_real(toy_copy):
        folder = single.with_suffix("")
        folder.mkdir()
        (folder / "__init__.py").write_text('"""What goes wrong."""', encoding="utf-8")
        single.rename(folder / "double.py")
        assert [path.name for path in toy_copy.misconception_files("ch01_toy")] == ["double.py"]
        known = toy_copy.misconceptions("ch01_toy")
        assert [each.identifier for each in known] == before
        assert KnownMistakes(toy_copy)["double-squared"][0] == known[0].says
        assert "def " in misconception_source(toy_copy, "ch01_toy", known[0])


def test_a_chapter_without_known_mistakes_is_named(toy: Course) -> None:
    with pytest.raises(UsageError, match=r"no reference/misconceptions/ch09_none\.py"):
        toy.misconceptions("ch09_none")


def test_a_damaged_marker_is_named(tmp_path: Path) -> None:
    (tmp_path / "attend.toml").write_text("kind = [", encoding="utf-8")
    with pytest.raises(UsageError, match=r"attend\.toml cannot be read"):
        _ = Course.find(tmp_path).is_copy


@pytest.mark.parametrize("kind", ['"corse"', "1", "['copy']"])
def test_an_unknown_kind_of_course_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "attend.toml").write_text(f"kind = {kind}\n", encoding="utf-8")
    with pytest.raises(
        UsageError, match=r'attend\.toml has an unknown kind; write kind = "course", "copy" or "packed"'
    ):
        _ = Course(tmp_path).settings


def written(course: Course, name: str, text: str) -> str:
    """What is said of a file of the reference with this text, where known mistakes derive from it."""
    (course.root / "reference" / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as told:
        course.misconceptions("ch01_toy")
    return str(told.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\nx.y\n", ":2 cannot be loaded: AttributeError: 'int' object has no attribute 'y'; fix it first"),
        ("x = 1\n\nx = (\n", ":3 cannot be loaded: SyntaxError: '(' was never closed; fix it first"),
        ("\nimport nowhere\n", ":2 needs nowhere, which is not there"),
    ],
)
def test_a_reference_that_cannot_be_loaded_is_told_by_its_file_and_line(toy_copy: Course, text: str, says: str) -> None:
    assert written(toy_copy, "ch01_toy.py", text) == f"reference/ch01_toy.py{says}"
    with pytest.raises(UsageError) as told:
        toy_copy.reference("ch01_toy")
    assert str(told.value) == f"reference/ch01_toy.py{says}"


def test_a_reference_that_is_not_there_is_told_by_its_name(toy_copy: Course) -> None:
    (toy_copy.root / "reference" / "ch01_toy.py").unlink()
    with pytest.raises(UsageError, match="the course has no reference/ch01_toy"):
        toy_copy.reference("ch01_toy")


def test_an_error_is_blamed_on_the_authors_own_line_and_not_on_a_library_in_the_same_folder(tmp_path: Path) -> None:
    library = {"__name__": "library"}
    exec(compile("def f():\n    return nothing", str(tmp_path / ".venv" / "library.py"), "exec"), library)
    with pytest.raises(NameError) as caught:
        exec(compile("\n\nf()", str(tmp_path / "reference" / "x.py"), "exec"), library)
    assert blamed(caught.value, tmp_path)[0] == "reference/x.py:3"
    assert blamed(caught.value, tmp_path / "other") == ("", "NameError: name 'nothing' is not defined")


def test_a_pair_of_what_is_not_known_is_told(toy_copy: Course) -> None:
    (known,) = toy_copy.misconception_files("ch01_toy")
    text = known.read_text(encoding="utf-8")
    pair = '\n\n@misconception("double", "double-squared", "double-twice")\ndef both(x):\n    return x\n'
    said = written(toy_copy, "misconceptions/ch01_toy.py", text + pair)
    assert said == "reference/misconceptions/ch01_toy.py: both is a pair of 'double-twice', which is no known mistake"


def test_two_mistakes_of_one_id_are_refused(toy_copy: Course) -> None:
    (known,) = toy_copy.misconception_files("ch01_toy")
    text = known.read_text(encoding="utf-8")
    again = '\n\n@misconception("double", "double-squared")\ndef again(x):\n    """Again."""\n    return x\n'
    said = written(toy_copy, "misconceptions/ch01_toy.py", text + again)
    assert said == "ch01_toy has two known mistakes called 'double-squared'; give one of them another id"
