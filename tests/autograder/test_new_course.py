"""`attend new --course`: a course of one's own, whole at once: built, checked, handed out, graded and proven."""

from __future__ import annotations

import csv
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.author.build import stale
from autograder.author.new_course import new_course
from autograder.author.proof import proof_record
from autograder.author.proof.drafts import drafts
from autograder.author.proof.promises import PROMISES
from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.core.errors import UsageError
from autograder.course.course import Course
from tests.autograder.conftest import in_place_of_the_real
from tests.autograder.editing import edit
from tests.autograder.run_cli import Done, attend

CHAPTER = "ch01_scales"
OTHERS = ("Transformer", "attend train", "capstone", "attention")
"""Words of the course that the engine comes with."""


def done(*words: object, cwd: Path, status: int = 0) -> str:
    """What a command printed, which ended as expected."""
    ran: Done = attend(*words, cwd=cwd)
    assert ran.returncode == status, ran.stdout + ran.stderr
    return " ".join(ran.stdout.split())


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A new course, built."""
    root = tmp_path_factory.mktemp("own") / "small-statistics"
    said = done("new", "--course", root, cwd=root.parent)
    assert f"next: cd {root}, then `attend build`" in said
    assert "8 files written" in done("build", cwd=root)
    return Course(root)


@pytest.fixture(autouse=True)
def modules_as_before(course: Course) -> Iterator[None]:
    """Leave this process the reference that it had, and where it looks for modules."""
    path = [*sys.path]
    with in_place_of_the_real(course):
        yield
    sys.path[:] = path


@pytest.fixture(scope="module")
def copy(course: Course) -> Course:
    done("start", "../mine", cwd=course.root)
    return Course(course.root.parent / "mine")


def answer(course: Course, copy: Course, old: str = "", new: str = "") -> None:
    """Hand the solution to a working copy, with one change."""
    text = course.solution(CHAPTER).read_text(encoding="utf-8")
    assert old in text
    (copy.exercises_dir / f"{CHAPTER}.py").write_text(text.replace(old, new), encoding="utf-8")


def test_it_is_called_after_its_folder_and_is_up_to_date_once_it_is_built(course: Course) -> None:
    assert course.settings == {"title": "Small statistics", "kind": "course"}
    assert stale(Course(course.root)) == []
    assert [(each.name, each.points) for each in course.exercises] == [("standard_scores", 4.0), ("directions", 4.0)]


def test_its_solution_earns_everything_and_each_known_mistake_is_named(course: Course, copy: Course) -> None:
    assert "8 of 8 points" in done("check", "--target", "solutions", cwd=course.root)
    for wrong in course.misconceptions(CHAPTER):
        right = course.solution(CHAPTER).read_text(encoding="utf-8")
        source = misconception_source(course, CHAPTER, wrong)
        text = with_wrong_answer(right, source, wrong.exercise)
        (copy.exercises_dir / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
        assert wrong.identifier in done("check", wrong.exercise, cwd=copy.root, status=1)


def test_its_author_reads_which_check_tells_two_right_answers_apart_and_no_students_advice(
    course: Course, copy: Course, tmp_path: Path
) -> None:
    answer(course, copy, "numbers - numbers.mean()", "numbers - 7")
    other = Path(shutil.copytree(copy.exercises_dir, tmp_path / "other"))
    said = done("check", "--target", other, cwd=course.root, status=1)
    assert f"check tests/exercises/test_{CHAPTER}.py: test_scores_" in said
    assert f"expected is what reference/ gives, got what {other} gives" in said
    assert "attend hint" not in said
    of_student = done("check", cwd=copy.root, status=1)
    assert "attend hint standard_scores" in of_student
    assert "test_scores_" not in of_student
    assert "reference/" not in of_student
    assert "expected is" not in done("check", "--target", "exercises", cwd=course.root, status=1)


def test_examples_of_files_have_the_names_of_its_own_chapters(course: Course, tmp_path: Path) -> None:
    (tmp_path / "nobody").mkdir()
    for place in ("solutions", tmp_path / "nobody"):
        ran = attend("grade", place, "--out", tmp_path / "grades", cwd=course.root)
        assert f"/alice/{CHAPTER}.py" in "".join(ran.stderr.split())
    assert "as in ch02_more" in attend("new", "ch02", cwd=course.root).stderr


def test_a_working_copy_of_it_meets_its_own_reference_and_mistakes_wherever_it_lies(
    course: Course, copy: Course
) -> None:
    answer(course, copy, "numbers.std()", "numbers.std(ddof=1)")
    said = done("check", cwd=copy.root, status=1)
    assert "standard deviation of a sample" in said
    assert "4 of 8 points" in said
    assert "standard_scores: scores-sample-deviation" in done("explain", "scores-sample-deviation", cwd=copy.root)
    assert "def directions" in done("solution", "directions", cwd=copy.root)
    assert "has the installed course already" in done("update", cwd=copy.root)
    assert "Small statistics 4 of 8 points" in done(cwd=copy.root)
    assert copy.home == course.root


def test_a_copy_whose_course_is_gone_says_so(course: Course, tmp_path: Path) -> None:
    moved = Course(Path(shutil.copytree(course.root, tmp_path / "moved")))
    done("start", "../mine", cwd=moved.root)
    moved.root.rename(tmp_path / "elsewhere")
    ran = attend("check", cwd=tmp_path / "mine")
    assert ran.returncode == 2
    assert f"made from the course {moved.root}, which is not there any more" in " ".join(ran.stderr.split())


def test_commands_for_what_it_does_not_have_are_not_listed(course: Course, copy: Course) -> None:
    for place in (course.root, copy.root):
        said = attend("--help", cwd=place).stdout
        assert " check " in said
        assert "Train a capstone" not in said
        assert "Prompt a model" not in said
    assert "Train a capstone" in attend("--help", cwd=Path(__file__).parent).stdout


def test_what_is_not_in_it_is_said_in_one_sentence(copy: Course) -> None:
    for command in ("train", "sample"):
        ran = attend(command, cwd=copy.root)
        assert (ran.returncode, ran.stderr) == (2, "attend: this course has no capstones to train\n")


@pytest.mark.parametrize("sealed", [False, True])
def test_what_it_hands_out_is_its_own(course: Course, tmp_path: Path, sealed: bool) -> None:
    done("release", tmp_path / "handout", *["--sealed"] * sealed, cwd=course.root)
    own = [path for path in (tmp_path / "handout").rglob("*") if path.is_file() and "autograder" not in path.parts]
    names = {path.relative_to(tmp_path / "handout").as_posix() for path in own}
    assert f"exercises/{CHAPTER}.ipynb" in names
    assert "reference/blocks/pieces.py" in names
    assert not any(name.startswith("docs/") for name in names)
    kinds = (".md", ".py", ".toml", ".ini", ".ipynb")
    texts = {path: path.read_text(encoding="utf-8") for path in own if path.suffix in kinds}
    found = {(path.name, word) for path, text in texts.items() for word in OTHERS if word in text}
    assert found == {("pyproject.toml", "capstone")}  # which a wheel leaves out, where there are any
    assert "course = " not in texts[tmp_path / "handout" / "attend.toml"]  # no path of this machine
    (project,) = (text for path, text in texts.items() if path.name == "pyproject.toml")
    assert 'description = "Small statistics"' in project


def test_a_class_is_graded_and_reported(course: Course, tmp_path: Path) -> None:
    right = course.solution(CHAPTER)
    for name, old, new in (("ada", "", ""), ("ben", "numbers.mean()", "0"), ("cem", "sum(-1", "sum(")):
        folder = tmp_path / "class" / name
        folder.mkdir(parents=True)
        (folder / right.name).write_text(right.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    said = done("grade", tmp_path / "class", "--out", tmp_path / "grades", "--sandbox", "off", cwd=course.root)
    assert "scores-not-centred" in said
    with (tmp_path / "grades" / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert {name: row["score"] for name, row in rows.items()} == {"ada": "8", "ben": "4", "cem": "4"}
    report = (tmp_path / "grades" / "report.html").read_text(encoding="utf-8")
    assert "Small statistics" in report
    assert "You do not subtract the mean" in report
    assert not any(word in report for word in OTHERS)


def test_it_grows_like_any_other(course: Course, tmp_path: Path) -> None:
    grown = Course(Path(shutil.copytree(course.root, tmp_path / "grown")))
    done("new", "ch02_more", cwd=grown.root)
    done("new", "halve", "--in", "ch01", cwd=grown.root)
    done("build", cwd=grown.root)
    assert "14 of 14 points" in done("check", "--target", "solutions", cwd=grown.root)


def test_a_check_that_fails_on_the_reference_names_its_own_file_and_line(course: Course, tmp_path: Path) -> None:
    broken = Course(Path(shutil.copytree(course.root, tmp_path / "broken")))
    edit(broken.suite(CHAPTER), "near(scores.mean(), 0.0)", "near(scores.mean(), 1.0)")
    line = 1 + broken.suite(CHAPTER).read_text(encoding="utf-8").split("\n").index("    agree.satisfies(")
    said = done("check", "--target", "solutions", cwd=broken.root, status=1)
    assert f"the check itself failed in tests/exercises/test_{CHAPTER}.py:{line}: the reference itself does not" in said


def test_a_reference_that_returns_numbers_of_numpy_is_graded_as_it_is_checked(course: Course, tmp_path: Path) -> None:
    other = Course(Path(shutil.copytree(course.root, tmp_path / "other")))
    edit(other.root / "reference" / f"{CHAPTER}.py", "return np.array([(", "return np.float64(spread), np.array([(")
    edit(other.solution(CHAPTER), "return apart / spread if spread else apart", "return spread, apart / spread")
    edit(other.suite(CHAPTER), "near(scores.mean(), 0.0) and near(scores.std(), 1.0)", "near(scores[1].mean(), 0.0)")
    checked = done("check", "standard_scores", "--target", "solutions", cwd=other.root, status=1)
    for name in ("ada", "ben"):
        (tmp_path / "class" / name).mkdir(parents=True)
        shutil.copy(other.solution(CHAPTER), tmp_path / "class" / name)
    graded = done("grade", tmp_path / "class", "--out", tmp_path / "grades", "--sandbox", "off", cwd=other.root)
    assert "standard_scores 3/4" in checked  # where all numbers are equal there is another form
    assert "ada 7/8" in graded
    assert "ben 7/8" in graded


@pytest.mark.parametrize("place", ["inside/the/course", "", "solutions"])
def test_it_begins_in_no_folder_of_another_course_and_writes_over_nothing(course: Course, place: str) -> None:
    with pytest.raises(UsageError, match="lies in the course"):
        new_course(course.root / place)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds something"):
        new_course(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_it_keeps_all_promises(course: Course) -> None:
    said = done("prove", cwd=course.root)
    assert said.count("✓") == len(PROMISES)


BROKEN: dict[str, tuple[str, str, str, str]] = {
    "solutions": ("solutions/{}.py", "numbers.mean()", "0", "seed 20: standard_scores: test_scores_have_mean_zero"),
    "exercises": ("tests/exercises/test_{}.py", '"edges"', '"values"', "standard_scores has no check of level edges"),
    "right": ("tests/promises/right/{}/by_hand.py", "- mean) / spread", "- mean) * spread", "by_hand: standard_scores"),
    "feedback": ("tests/exercises/test_{}.py", "float(draw.random.randrange(2, 4000))", "2.0", "standard_scores earns"),
    "cells": ("solutions/{}.py", "    print(mine.directions", "    print(mine.direction", "as it is answered, it ends"),
}
"""For each promise a file, a change in it, and what is said of that."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_promise_that_is_broken_is_told_with_its_place(course: Course, tmp_path: Path, name: str) -> None:
    broken = Course(Path(shutil.copytree(course.root, tmp_path / "broken")))
    place, old, new, says = BROKEN[name]
    edit(broken.root / place.format(CHAPTER), old, new)
    found = [*PROMISES[name].broken(broken, CHAPTER)]
    assert any(says in fault for fault in found), found


def test_too_few_right_answers_break_a_promise(course: Course, tmp_path: Path) -> None:
    broken = Course(Path(shutil.copytree(course.root, tmp_path / "broken")))
    (broken.root / "tests" / "promises" / "right" / CHAPTER / "by_hand.py").unlink()
    assert "standard_scores has 2 of 3 right answers: write more in tests/promises/right/ch01_scales" in [
        *PROMISES["right"].broken(broken, CHAPTER)
    ]


def test_a_check_of_which_students_read_nothing_breaks_a_promise(course: Course, tmp_path: Path) -> None:
    broken = Course(Path(shutil.copytree(course.root, tmp_path / "broken")))
    text = broken.suite(CHAPTER).read_text(encoding="utf-8")
    name, sentence = re.search(r'def (test_\w+)\(.*\n(    """.*"""\n)', text).groups()  # type: ignore[union-attr]
    edit(broken.suite(CHAPTER), sentence, "")
    (fault,) = PROMISES["exercises"].broken(broken, CHAPTER)
    assert fault.startswith(f"tests/exercises/test_{CHAPTER}.py:")
    assert f"{name} has no docstring" in fault


def test_a_mistake_that_no_check_notices_breaks_a_promise(course: Course, tmp_path: Path) -> None:
    broken = Course(Path(shutil.copytree(course.root, tmp_path / "broken")))
    edit(broken.root / "reference" / "misconceptions" / f"{CHAPTER}.py", "numbers.std(ddof=1)", "numbers.std()")
    (fault,) = PROMISES["mistakes"].broken(broken, CHAPTER)
    assert fault.startswith(f"reference/misconceptions/{CHAPTER}.py:")
    assert fault.endswith("no check of standard_scores notices this mistake")


def test_a_verdict_that_depends_on_the_seed_breaks_a_promise(course: Course, tmp_path: Path) -> None:
    broken = Course(Path(shutil.copytree(course.root, tmp_path / "broken")))
    for asked, when in (("5 + 2", "draw.random.random() < 0.5"), ("9 - draw", "False"), ("draw.integers", "False")):
        edit(broken.suite(CHAPTER), f"    agree({asked}", f"    if {when}:\n        agree({asked}")
    assert any(" earns " in fault for fault in PROMISES["seeds"].broken(broken, CHAPTER))


def test_a_sentence_without_a_check_breaks_a_promise(course: Course, tmp_path: Path) -> None:
    listed = Course(Path(shutil.copytree(course.root, tmp_path / "listed")))
    (listed.root / "tests" / "promises" / "sentences").mkdir()
    done("build", cwd=listed.root)
    found = [*PROMISES["sentences"].broken(listed, CHAPTER)]
    assert any("no check holds this sentence: A vector of zeros stays as it is." in fault for fault in found)
    assert any("no sentence asks for test_directions_have_length_one" in fault for fault in found)


def test_its_mutants_and_right_answers_are_proven_in_it(course: Course, tmp_path: Path) -> None:
    proven = Course(Path(shutil.copytree(course.root, tmp_path / "proven")))
    done("prove", "directions", "--mutants", "--gallery", "--seeds", "2", "--jobs", "1", cwd=proven.root)
    record = proof_record.read(proven)
    assert record.exercises["directions"].killed > 30
    assert record.galleries["directions"].lost == 0
    assert [each.exercise.name for each in drafts(proven)] == ["standard_scores"]


def test_outside_of_a_course_nothing_is_written_and_another_course_is_named(tmp_path: Path) -> None:
    for words in (("build",), ("prove",), ("new", "ch02_more")):
        ran = attend(*words, cwd=tmp_path)
        assert ran.returncode == 2
        assert "there is no course around this folder" in ran.stderr
    (tmp_path / "class" / "ada").mkdir(parents=True)
    ran = attend("grade", "class", "--out", "grades", cwd=tmp_path)
    assert 'no course is around this folder; this is about "Attend' in ran.stderr
