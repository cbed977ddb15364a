"""`attend export` finds the column of a chapter and the row of a student, or says that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom.person import NOBODY, Person
from autograder.core.errors import UsageError
from autograder.platforms.export import export
from tests.autograder.conftest import TOY
from tests.autograder.exported import CANVAS, MOODLE, cells, column, edited
from tests.autograder.graded_class import PEOPLE, graded
from tests.autograder.run_cli import attend


@pytest.mark.parametrize(("wanted", "found"), [("Quiz on chapter 10 (4712)", "Quiz"), ("quiz", "Quiz"), ("toy", "Ch")])
def test_a_column_is_given_by_its_name_or_a_part_of_it(wanted: str, found: str, grades: Path) -> None:
    assert cells(export(grades, CANVAS, wanted, None).path)[0][-1].startswith(found)


def test_a_column_that_could_be_another_is_asked_for(grades: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"'chapter' is in the name of several columns; give --column one of Chapter 1"
    ):
        export(grades, CANVAS, "chapter", None)
    with pytest.raises(UsageError, match=r"'nothing' is in the name of no column; give --column one of .*Quiz"):
        export(grades, CANVAS, "nothing", None)
    table = edited(tmp_path, CANVAS, ("Chapter 1: Toy", "Homework"))
    with pytest.raises(UsageError, match=r"no column's name fits; give --column one of Homework"):
        export(grades, table, None, None)


@pytest.mark.parametrize("name", ["Ch01 Toy", "CH01_TOY part 1", "ch 1", "Homework (ch01)", "Toy", "Chapter 1"])
def test_a_chapter_is_known_by_its_words_however_they_are_written(name: str, grades: Path, tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("Chapter 1: Toy", name))
    assert f"'{name} (4711)'" in export(grades, table, None, None).sentences[0]


def test_who_handed_in_nothing_gets_what_a_person_gave(tmp_path: Path) -> None:
    done = export(graded(tmp_path, policy='[students."Doe, Jane"]\npoints = 4\n'), CANVAS, None, None)
    assert column(done.path, "Chapter 1", 0)["Doe, Jane"] == "50"


def test_a_name_on_the_roster_may_be_a_login_in_the_table(tmp_path: Path) -> None:
    done = export(graded(tmp_path, {"mueller": Person("zmueller")}, policy=""), CANVAS, None, None)
    assert done.unmatched == []
    assert column(done.path, "Chapter 1", 0)["Müller, Zoë"] == "68.75"


def test_what_an_encoding_lacks_is_written_in_letters_that_it_has(tmp_path: Path) -> None:
    policy = """[students."O'Brien, Siobhán"]\npoints = 1\nwhy = "√d ≤ 8, Zoë, 李"\n"""
    table = edited(tmp_path, MOODLE, ("\ufeff", ""), ("李莉", "Lei"), encoding="cp1252")
    done = export(graded(tmp_path, policy=policy), table, None, None)
    assert "Why: sqrt d <= 8, Zoë, ?" in done.path.read_bytes().decode("cp1252")


def test_the_number_of_a_chapter_goes_before_its_topic(grades: Path, tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("Quiz on chapter 10", "Toy models"))
    assert "'Chapter 1: Toy (4711)'" in export(grades, table, None, None).sentences[0]


def only(tmp_path: Path, person: Person) -> dict[str, str]:
    """What of one graded student arrives in Canvas, by ID."""
    out = graded(tmp_path, {"nia": person}, "")
    written = column(export(out, CANVAS, None, None).path, "Chapter 1", 1)
    before = column(CANVAS, "Chapter 1", 1)
    return {key: value for key, value in written.items() if value != before[key]}


@pytest.mark.parametrize(
    "person",
    [
        Person(id="107"),
        Person(id="S107"),
        Person(login="GGhost"),
        Person(email="gghost"),
        Person(name="Gus Ghost"),
        Person(name="ghost, gús"),
        Person(name="someone else", id="107", login="jdoe"),
    ],
)
def test_a_student_is_found_by_number_login_email_and_name(person: Person, tmp_path: Path) -> None:
    assert only(tmp_path, person) == {"107": "100"}


def test_where_numbers_agree_nobody_with_another_number_is_found_by_name(tmp_path: Path) -> None:
    people = {"nia": Person("Gus Ghost", "666"), "obrien": PEOPLE["obrien"]}
    done = export(graded(tmp_path, people, ""), CANVAS, None, None)
    assert done.unmatched == ["Gus Ghost"]


def test_two_of_one_name_are_both_left_out(tmp_path: Path) -> None:
    people = {"nia": Person("Gus Ghost"), "obrien": Person("Ghost, Gus"), "li": PEOPLE["li"]}
    done = export(graded(tmp_path, people, ""), CANVAS, None, None)
    assert sorted(done.unmatched) == ["Ghost, Gus", "Gus Ghost"]


def test_a_folder_that_is_called_like_a_login_is_found(tmp_path: Path) -> None:
    table = edited(tmp_path, CANVAS, ("sobrien", "obrien"))
    assert not export(graded(tmp_path, {"obrien": NOBODY}, ""), table, None, None).unmatched


@pytest.mark.parametrize(("table", "status"), [(CANVAS, 1), (TOY / "attend.toml", 2)])
def test_the_exit_status_tells_whether_everybody_was_found(table: Path, status: int, grades: Path) -> None:
    done = attend("export", grades, table, cwd=TOY)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert "Canvas: the gradebook" in done.stderr


def test_the_exit_status_is_zero_when_everybody_is_there(tmp_path: Path) -> None:
    out = graded(tmp_path, {"obrien": PEOPLE["obrien"]}, "")
    done = attend("export", out, CANVAS, "--column", "Chapter 1", cwd=TOY)
    assert (done.returncode, done.stderr) == (0, "")
