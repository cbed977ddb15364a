"""`attend hint`: a nudge, then the idea, then nearly the code."""

import json
import os
import shutil
from pathlib import Path

import pytest

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.student.hints import hint
from autograder.student.start import start

TOY = Path(__file__).parent / "toy"
HINTS = json.loads((TOY / "exercises" / "hints.json").read_text(encoding="utf-8"))


@pytest.fixture
def copy(tmp_path: Path) -> Course:
    course = Course(Path(shutil.copytree(TOY, tmp_path / "toy")))
    return Course(start(course, tmp_path / "mine").root)


def test_each_call_gives_the_next_hint_and_then_the_last_again(copy: Course) -> None:
    given = [hint(copy, "double") for _ in range(5)]
    assert [(one.level, one.repeated) for one in given] == [(1, False), (2, False), (3, False), (3, True), (3, True)]
    assert [one.words for one in given[:3]] == HINTS["double"]


def test_exercises_count_apart(copy: Course) -> None:
    levels = [hint(copy, name).level for name in ("double", "Scale", "double", "mean_and_sum", "Scale")]
    assert levels == [1, 1, 2, 1, 2]


def test_a_part_of_the_name_will_do(copy: Course) -> None:
    assert hint(copy, "mean").exercise == "mean_and_sum"


def test_a_level_can_be_chosen_and_the_next_call_goes_on_from_there(copy: Course) -> None:
    assert hint(copy, "double", 2).words == HINTS["double"][1]
    assert hint(copy, "double").level == 3
    assert hint(copy, "double", 1).level == 1
    assert (hint(copy, "double").level, hint(copy, "double").repeated) == (3, True)
    assert not hint(copy, "double", 3).repeated


@pytest.mark.parametrize("level", [0, 4, -1])
def test_a_level_that_does_not_exist_is_refused(copy: Course, level: int) -> None:
    with pytest.raises(UsageError, match=f"there is no hint {level} for double; choose 1 to 3"):
        hint(copy, "double", level)


def test_the_course_itself_remembers_nothing(tmp_path: Path) -> None:
    course = Course(Path(shutil.copytree(TOY, tmp_path / "toy")))
    assert [hint(course, "double").level for _ in range(3)] == [1, 1, 1]
    assert not (course.root / ".attend").exists()


def test_a_chapter_is_too_much_and_its_exercises_are_offered(copy: Course) -> None:
    with pytest.raises(UsageError, match="has 3 exercises, this is about one; choose double, mean_and_sum or Scale"):
        hint(copy, "ch01")


def test_an_unknown_name_is_refused_with_the_nearest(copy: Course) -> None:
    with pytest.raises(UsageError, match="did you mean double"):
        hint(copy, "doubel")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"double": "2"}', "\xff"])
def test_a_spoilt_record_starts_anew(copy: Course, text: str) -> None:
    hint(copy, "double")
    (copy.root / ".attend" / "hints.json").write_text(text, encoding="latin-1")
    assert [hint(copy, "double").level for _ in range(2)] == [1, 2]


def test_a_record_that_cannot_be_written_costs_no_hint(copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    assert [hint(copy, "double").level for _ in range(2)] == [1, 1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "there is no .*hints.json; run `attend update`"),
        ("{", "hints.json cannot be read"),
        ("[]", "hints.json cannot be read"),
        ('{"Scale": ["a", "b", "c"]}', "has no hints for double; run `attend update"),
        ('{"double": []}', "has no list of hints for double"),
    ],
)
def test_missing_hints_come_with_a_remedy(copy: Course, text: str | None, says: str) -> None:
    path = copy.table("hints.json")
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(UsageError, match=says):
        hint(copy, "double")


def test_where_the_course_came_in_a_folder_the_remedy_is_to_unpack_that(copy: Course) -> None:
    (copy.root / "autograder").mkdir()
    copy.table("hints.json").unlink()
    with pytest.raises(UsageError, match="unpack what you were given once more"):
        hint(copy, "double")


def test_the_courses_own_remedy_is_to_build(tmp_path: Path) -> None:
    course = Course(Path(shutil.copytree(TOY, tmp_path / "toy")))
    (course.exercises_dir / "hints.json").unlink()
    with pytest.raises(UsageError, match="run `attend build`"):
        hint(course, "double")


def test_the_text_says_which_hint_it_is_and_how_to_get_more(copy: Course) -> None:
    first, _, third, last = [hint(copy, "double").text() for _ in range(4)]
    assert first == f"double, hint 1 of 3\n\n{HINTS['double'][0]}\n\nmore: attend hint double"
    assert third == f"double, hint 3 of 3\n\n{HINTS['double'][2]}"
    assert last.startswith("double, hint 3 of 3 (the last one, once more)\n")
