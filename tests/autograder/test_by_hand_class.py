"""by_hand.csv of a graded class: written by a run, read by the next, and kept whatever is graded again."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom import by_hand, policy
from autograder.commands.grade_class import grade_and_show
from autograder.core.errors import UsageError
from autograder.grading import book
from autograder.grading.admit import ClassOptions
from autograder.grading.run import GradingOptions
from autograder.platforms.export import comment
from tests.autograder.class_of_two import Class
from tests.autograder.conftest import CHAPTER
from tests.autograder.test_decided import page, score

pytestmark = pytest.mark.usefixtures("no_code")


def rows(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((out / by_hand.NAME).read_bytes().decode("utf-8-sig"), newline="")))


def fill(out: Path, student: str, exercise: str, **cells: str) -> None:
    """Write into the table as a person does, and save it with semicolons."""
    found = rows(out)
    (row,) = [row for row in found if (row["student"], row["exercise"]) == (student, exercise)]
    row.update(cells)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(found[0]), delimiter=";")
    writer.writeheader()
    writer.writerows(found)
    (out / by_hand.NAME).write_text(stream.getvalue(), encoding="utf-8")


def again(two: Class) -> str:
    """Grade the same download again; what the run says."""
    said = io.StringIO()
    console = Console(file=said, width=500)
    two.status = grade_and_show(two.course, two.out.parent / "in", two.out, GradingOptions(1, seed=7), console)
    return said.getvalue()


def test_a_run_writes_a_row_for_each_student_and_exercise(two: Class) -> None:
    points = {each.name: f"{each.points:g}" for each in two.course.exercises}
    assert [(row["student"], row["exercise"]) for row in rows(two.out)] == [
        (student, exercise) for student in ("ann", "ben") for exercise in points
    ]
    results = two.results()
    for row in rows(two.out):
        (found,) = [each for each in results[row["student"]].exercises if each.exercise == row["exercise"]]
        assert (row["earned"], row["most"]) == (f"{found.score:g}", points[row["exercise"]])


def test_what_is_filled_in_changes_the_grade_the_page_and_the_platform_s_comment(two: Class) -> None:
    before = float(score(two.out, "ben"))
    earned = next(
        float(row["earned"]) for row in rows(two.out) if (row["student"], row["exercise"]) == ("ben", "double")
    )
    fill(two.out, "ben", "double", points="4,5", comment="<b>nearly</b>")
    assert f"ben grade {before:g} becomes {before - earned + 4.5:g}, by policy.toml or by_hand.csv" in two.regrade()
    with pytest.raises(UsageError, match=r"policy\.toml or by_hand\.csv in .* has changed .* run `attend regrade"):
        book.read(two.out)
    two.regrade(yes=True)
    assert float(score(two.out, "ben")) == before - earned + 4.5
    assert "double counts 4.5 points instead of" in page(two.out, "ben")
    assert "double: &lt;b&gt;nearly&lt;/b&gt;" in page(two.out, "ben")
    (ben,) = [grade for grade in book.read(two.out).grades if grade.student == "ben"]
    assert comment(ben).endswith("graded by a person. double: <b>nearly</b>")
    assert "nothing would change" in two.regrade()


def test_a_comment_alone_is_shown_as_a_change_and_changes_no_points(two: Class) -> None:
    before = score(two.out, "ben")
    fill(two.out, "ben", "double", comment="nearly")
    assert "ben grade another text, the same points, by policy.toml or by_hand.csv" in two.regrade(yes=True)
    assert (score(two.out, "ben"), "double: nearly" in page(two.out, "ben")) == (before, True)


def test_what_is_filled_in_stays_when_the_same_class_is_graded_again(two: Class) -> None:
    fill(two.out, "ben", "double", points="4,5", comment="nearly")
    data = (two.out / by_hand.NAME).read_bytes()
    again(two)
    first = score(two.out, "ben")
    assert sorted((two.out / by_hand.NAME).read_bytes().split()) == sorted(data.split())
    again(two)
    assert score(two.out, "ben") == first
    assert [row["points"] for row in csv.DictReader(io.StringIO(data.decode()), delimiter=";") if row["points"]] == [
        "4,5"
    ]


def test_what_could_not_be_read_waits_until_the_table_decides(two: Class) -> None:
    (two.out.parent / "in" / "cem").mkdir()
    (two.out.parent / "in" / "cem" / f"{CHAPTER}.py").write_bytes(b"%PDF-1.4")
    assert "or you decide, in" in again(two)
    waiting = [row for row in rows(two.out) if row["waits"]]
    assert {row["student"] for row in waiting} == {"cem"}
    assert "PDF" in waiting[0]["waits"]
    assert score(two.out, "cem") == ""
    fill(two.out, "cem", "double", decision="decided")
    two.regrade(yes=True)
    assert score(two.out, "cem") == "0"
    assert "A person looked at double, and it stands." in page(two.out, "cem")


def test_the_table_takes_precedence_over_policy_toml_and_the_run_says_so(two: Class) -> None:
    (two.out / policy.NAME).write_text("[students.ben.exercises]\ndouble = 1\n")
    fill(two.out, "ben", "double", points="4")
    says = "by_hand.csv gives 4 points for double of ben, which count, and policy.toml 1"
    assert says in two.regrade()
    assert says in again(two)
    (ben,) = [grade for grade in book.read(two.out).grades if grade.student == "ben"]
    assert ben.exercises["double"] == 4


def test_what_is_wrong_in_the_table_stops_a_run_before_anything_is_written(two: Class) -> None:
    fill(two.out, "ben", "double", points="four")
    before = {path: path.read_bytes() for path in two.out.glob("*.*") if path.suffix != ".sqlite"}
    for run in (lambda: again(two), lambda: two.regrade(yes=True), lambda: str(book.read(two.out))):
        with pytest.raises(UsageError, match=r"row \d+, column points: 'four' is no number of points"):
            run()
    assert {path: path.read_bytes() for path in before} == before


def test_what_a_person_writes_while_the_class_is_graded_is_kept_and_counts_the_next_time(
    two: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autograder.report import by_hand_table

    write = by_hand_table.write

    def meanwhile(out: Path, class_: by_hand_table.ClassInHand) -> None:
        fill(out, "ben", "double", points="3")
        write(out, class_)

    monkeypatch.setattr(by_hand_table, "write", meanwhile)
    before = score(two.out, "ben")
    again(two)
    monkeypatch.undo()
    assert score(two.out, "ben") == before
    with pytest.raises(UsageError, match="has changed since"):
        book.read(two.out)


def test_what_is_written_about_an_exercise_stays_while_others_are_graded(two: Class) -> None:
    fill(two.out, "ben", "double", points="4,5")
    again(two)
    before = score(two.out, "ben")
    names = ClassOptions(["Scale"])
    status = grade_and_show(
        two.course, two.out.parent / "in", two.out, GradingOptions(1, seed=7), Console(file=io.StringIO()), names
    )
    assert (status, [each.remarks for each in book.read(two.out).grades]) == (0, [(), ()])
    grade_and_show(
        two.course,
        two.out.parent / "in",
        two.out,
        GradingOptions(1, seed=7),
        Console(file=io.StringIO()),
        ClassOptions([CHAPTER]),
    )
    assert score(two.out, "ben") == before
