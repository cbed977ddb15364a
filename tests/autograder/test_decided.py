"""What a person or the clock decided: applied without running code, shown first, kept when checks change."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom import policy, register
from autograder.classroom.person import Person
from autograder.classroom.register import Register
from autograder.commands.grade_class import grade_and_show
from autograder.core.errors import UsageError
from autograder.grading import book
from autograder.grading.regrade import decided
from autograder.grading.run import GradingOptions
from tests.autograder.class_of_two import Class
from tests.autograder.conftest import CHAPTER
from tests.autograder.test_outputs import result

GIVEN = '[students.ben]\npoints = 1\nwhy = "seen in class"\n\n[students.ben.exercises]\ndouble = 5\n'


def score(out: Path, student: str) -> str:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return next(row["score"] for row in csv.DictReader(file) if row["student"] == student)


def page(out: Path, student: str) -> str:
    return (out / "feedback" / f"{student}.html").read_text(encoding="utf-8")


def test_grading_offers_a_policy_that_changes_nothing_and_names_what_is_graded(two: Class) -> None:
    assert policy.read(two.out) == policy.NEUTRAL
    assert (two.out / policy.NAME).read_text() == policy.example(two.course.exercises[0])


@pytest.mark.usefixtures("no_code")
def test_what_a_person_gave_is_shown_then_written_and_the_student_reads_why(two: Class) -> None:
    before = score(two.out, "ben")
    (two.out / policy.NAME).write_text(GIVEN)
    said = two.regrade()
    assert f"ben grade {before} becomes 14, by policy.toml" in said
    assert "1 of 2 students would change" in said
    assert (score(two.out, "ben"), "seen in class" in page(two.out, "ben")) == (before, False)
    two.regrade(yes=True)
    assert (two.status, score(two.out, "ben"), score(two.out, "ann")) == (0, "14", "13")
    assert "seen in class" in page(two.out, "ben")
    assert "seen in class" not in page(two.out, "ann")
    assert "nothing would change" in two.regrade()


@pytest.mark.usefixtures("no_code")
def test_what_a_person_gave_stays_when_points_change(two: Class) -> None:
    (two.out / policy.NAME).write_text(GIVEN)
    two.regrade(yes=True)
    two.change("points=2", "points=4")
    two.regrade(yes=True)
    assert score(two.out, "ann") == "19"
    assert "double counts 5 points instead of 2" in page(two.out, "ben")


@pytest.mark.usefixtures("no_code")
def test_a_decision_that_is_taken_back_leaves_no_trace(two: Class) -> None:
    before = score(two.out, "ben"), page(two.out, "ben")
    (two.out / policy.NAME).write_text(GIVEN)
    two.regrade(yes=True)
    (two.out / policy.NAME).unlink()
    two.regrade(yes=True)
    assert (score(two.out, "ben"), page(two.out, "ben")) == before


@pytest.mark.usefixtures("no_code")
@pytest.mark.parametrize("command", ["grade", "regrade"])
def test_pages_are_written_anew_when_what_makes_them_has_changed(
    two: Class, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def again() -> str:
        if command == "regrade":
            two.regrade()
        else:
            options = GradingOptions(1, seed=7)
            grade_and_show(two.course, two.out.parent / "in", two.out, options, Console(file=io.StringIO()))
        return page(two.out, "ann")

    before = page(two.out, "ann")
    (two.out / "feedback" / "ann.html").write_text("an old look", encoding="utf-8")
    assert again() == "an old look"
    monkeypatch.setattr("autograder.grading.run.look", lambda: "new")
    monkeypatch.setattr("autograder.grading.regrade.look", lambda: "new")
    assert again() == before


@pytest.mark.usefixtures("no_code")
def test_what_could_not_be_read_waits_until_the_lines_that_the_run_shows_are_in_the_policy(two: Class) -> None:
    handed_in, said = two.out.parent / "in", io.StringIO()
    (handed_in / "cem").mkdir()
    (handed_in / "cem" / f"{CHAPTER}.py").write_bytes(b"%PDF-1.4")
    options = GradingOptions(1, seed=7)
    assert grade_and_show(two.course, handed_in, two.out, options, Console(file=said, width=500)) == 0
    assert "no grade yet for 1 student: cem;" in said.getvalue()
    assert score(two.out, "cem") == ""
    assert "This is no grade yet." in page(two.out, "cem")
    lines = [line for line in said.getvalue().splitlines() if line.startswith(("  [", "  decided"))]
    (two.out / policy.NAME).write_text("\n".join(lines))
    assert "cem grade no grade yet becomes 0, by policy.toml" in two.regrade()
    assert score(two.out, "cem") == ""
    two.regrade(yes=True)
    assert score(two.out, "cem") == "0"
    assert "A person looked at it, and it stands." in page(two.out, "cem")
    assert "This is no grade yet." not in page(two.out, "cem")


def test_a_policy_about_somebody_else_changes_nothing(two: Class) -> None:
    (two.out / policy.NAME).write_text("[students.benn]\npoints = 1\n")
    before = score(two.out, "ben")
    with pytest.raises(UsageError, match="did you mean 'ben'"):
        two.regrade(yes=True)
    assert score(two.out, "ben") == before


@pytest.mark.parametrize("rule", ['attempt = "best"', 'file = "a*.py"', '[students.ann]\nfile = "a.py"'])
def test_what_only_the_submissions_can_decide_is_sent_to_attend_grade_by_all(two: Class, rule: str) -> None:
    (two.out / policy.NAME).write_text(rule)
    with pytest.raises(UsageError, match="use `attend grade`"):
        two.regrade(yes=True)
    with pytest.raises(UsageError, match="run the same `attend grade` first"):
        book.read(two.out)


@pytest.fixture
def two_and_an_absent(two: Class) -> Class:
    known = register.read(two.out)
    assert known
    register.write(two.out, replace(known, absent=(Person("Cy Doe", login="cy"),)))
    return two


@pytest.mark.usefixtures("no_code")
def test_students_who_handed_in_nothing_count_among_those_whose_grade_changes(two_and_an_absent: Class) -> None:
    (two_and_an_absent.out / policy.NAME).write_text("[weights]\ndouble = 2\n")
    assert "3 of 3 students would change" in two_and_an_absent.regrade()


@pytest.mark.usefixtures("no_code")
@pytest.mark.parametrize(
    "rule", ["[late]\npercent_per_day = 10", "[students.cy]\nwhy = 'ill'", "[students.cy]\npoints = 1"]
)
def test_after_a_regrade_the_grades_can_be_read_even_if_the_policy_changes_none(
    two_and_an_absent: Class, rule: str
) -> None:
    out = two_and_an_absent.out
    (out / policy.NAME).write_text(rule)
    with pytest.raises(UsageError, match="run `attend regrade"):
        book.read(out)
    two_and_an_absent.regrade(yes=True)
    assert len(book.read(out).grades) == 3


def test_weights_are_shown_first_where_they_change_the_maximum_alone() -> None:
    before = Register.of({"alice": "alice"})
    after = replace(before, policy=policy.Policy(weights={"double": 2}))
    nothing = {"alice": result(status="missing")}
    assert list(decided(before, after, nothing)) == [
        ("alice", "grade", "0/2 becomes 0/4, by policy.toml or by_hand.csv")
    ]


def test_a_share_for_few_digits_is_shown_first() -> None:
    before = Register.of({"alice": "alice"})
    after = replace(before, policy=policy.Policy(few_digits=0.5))
    nearly = {"alice": result(status="failed", named=("few-digits",))}
    assert list(decided(before, after, nearly)) == [("alice", "grade", "0 becomes 1, by policy.toml or by_hand.csv")]
