"""Group work: what one handed in counts for all of a group, where it is clear what that is."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, permutations
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom.enrol import enrol
from autograder.classroom.person import NOBODY, Attempt, Download, Person
from autograder.classroom.register import Register
from autograder.classroom.roster import Roster
from autograder.commands.grade_class import grade_and_show
from autograder.course.course import Course
from autograder.grading.admit import ClassOptions
from autograder.grading.run import GradingOptions
from autograder.report.outputs import read_result
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, ZOE
from tests.autograder.class_of_two import RIGHT
from tests.autograder.conftest import CHAPTER

pytestmark = pytest.mark.usefixtures("warm")

PAIR = Roster((ADA, BEN, ZOE), groups={ADA: "Group 1", BEN: "Group 1", ZOE: "Group 2"})


def attempt(key: str, person: Person = NOBODY, notes: tuple[str, ...] = ()) -> Attempt:
    return Attempt(key, lambda: pytest.fail("nothing is opened to know whose it is"), person, None, None, notes)


def enrolled(*attempts: Attempt, roster: Roster = PAIR) -> Register:
    register, entries = enrol(Download("made", attempts), roster, in_groups=True)
    assert [entry.student for entry in entries] == [row.student for row in register.rows]
    return register


def owners(register: Register) -> list[Person]:
    return sorted((row.person for row in register.rows), key=lambda person: person.name)


def test_what_one_handed_in_is_everybody_s_in_the_group() -> None:
    register = enrolled(attempt("ada", ADA, ("two files",)))
    assert owners(register) == [ADA, BEN]
    assert register.absent == (ZOE,)
    assert len({row.stem for row in register.rows}) == 2
    assert {row.shared for row in register.rows} == {"ada"}


def test_a_member_s_own_submission_stays_that_member_s() -> None:
    register = enrolled(attempt("ada", ADA), attempt("ben", BEN))
    assert owners(register) == [ADA, BEN]
    assert {row.shared for row in register.rows} == {""}


def test_where_all_of_a_group_handed_in_each_counts_for_itself_and_that_is_said() -> None:
    assert enrolled(attempt("ada", ADA), attempt("ben", BEN)).problems == (
        "group Group 1 handed in 2 times, and each counts for itself",
    )


def test_of_two_submissions_of_a_group_none_is_chosen_for_the_third_and_that_is_said() -> None:
    three = replace(PAIR, groups=dict.fromkeys(PAIR.people, "all"))
    register = enrolled(attempt("ada", ADA), attempt("ben", BEN), roster=three)
    assert register.absent == (ZOE,)
    assert register.problems == (f"group all handed in 2 times, so none of it counts for {ZOE.name}",)


@pytest.mark.parametrize("one", [attempt("group1_77", Person("group1", "77")), attempt("Group 1")])
def test_a_submission_that_has_the_name_of_a_group_is_its_members_alone(one: Attempt) -> None:
    register = enrolled(one)
    assert owners(register) == [ADA, BEN]
    assert register.unmatched == ()


def test_the_name_of_a_group_takes_nothing_from_a_person() -> None:
    named = Roster((ADA, BEN), groups={ADA: BEN.name, BEN: "Group 2"})
    assert owners(enrolled(attempt("ben", BEN), roster=named)) == [BEN]


def test_a_group_that_handed_in_nothing_is_absent() -> None:
    assert enrolled(attempt("zoe", ZOE)).absent == (ADA, BEN)


def test_a_copy_never_takes_the_place_of_another_submission() -> None:
    register = enrolled(attempt("ada", ADA), attempt(f"ada for {BEN.name}", ZOE))
    assert owners(register) == [ADA, BEN, ZOE]


def test_all_of_a_group_get_the_same_grade_and_are_not_called_alike(toy: Course, tmp_path: Path) -> None:
    arrived = tmp_path / "in" / "ada"
    arrived.mkdir(parents=True)
    lines = [f"    x = x {a} 1 {b} x {c} 2 {d} x" for a, b, c, d in islice(permutations("+-*/%", 4), 20)]
    (arrived / f"{CHAPTER}.py").write_text("\n".join([RIGHT, "def own(x):", *lines, "    return x", ""]))
    table = arriving.roster(tmp_path, "name,group\nada,one\nben,one\n")
    quiet = Console(file=io.StringIO())
    groups = ClassOptions(roster=table, layout="{name}", in_groups=True)
    grade_and_show(toy, arrived.parent, tmp_path / "out", GradingOptions(1, seed=7), quiet, groups)
    results = {each.student: each for each in map(read_result, (tmp_path / "out" / "results").iterdir())}
    assert results["ada"].score == results["ben"].score > 0
    assert results["ben"].notes == ("handed in for group one",)
    assert '"pairs":[]' in (tmp_path / "out" / "similar.json").read_text()


# mod/assign/classes/downloader.php names a team's folder after the group and the group's number, which may also be that
# of a participant; the worksheet has a column "Group" then (submissionteam, mod/assign/gradingtable.php).
TEAM = Download(
    "Moodle", (attempt("Group 1_13", Person("Group 1", "13")), attempt("Group 2_99", Person("Group 2", "99")))
)


def test_a_team_of_moodle_is_known_by_its_name_and_not_taken_for_the_student_with_its_number() -> None:
    register, _ = enrol(TEAM, PAIR, in_groups=True)
    assert owners(register) == [ADA, BEN, ZOE]
    assert {row.shared for row in register.rows if row.person in (ADA, BEN)} == {"Group 1_13"}
    assert register.unmatched == ()


@pytest.mark.parametrize(
    ("roster", "in_groups", "mend"),
    [
        (Roster(PAIR.people), False, "give the assignment's grading worksheet as --roster, .* and add --groups"),
        (replace(PAIR, groups={ADA: "Another"}), True, "give the assignment's grading worksheet as --roster"),
        (PAIR, False, "^the folders are named after groups; add --groups"),
    ],
)
def test_a_team_of_moodle_without_its_members_says_what_is_missing(roster: Roster, in_groups: bool, mend: str) -> None:
    register, _ = enrol(TEAM, roster, in_groups=in_groups)
    (problem,) = register.problems
    assert re.search(mend, problem)
    assert (register.unmatched, register.absent) == ((), ())
    assert [row.student for row in register.rows] == ["Group 1", "Group 2"]


WHEN = datetime(2026, 11, 22, 10, tzinfo=UTC)
TIMED = replace(PAIR, submitted={ADA: WHEN}, late=frozenset({ADA}))


@pytest.mark.parametrize("one", [attempt("Ada Lovelace_11", ADA), attempt("Group 1_13", Person("Group 1", "13"))])
def test_all_of_a_group_handed_in_when_the_roster_says_that_one_did(one: Attempt) -> None:
    register, _ = enrol(Download("Moodle", (one, attempt("Zoe_13", ZOE))), TIMED, in_groups=True)
    found = {row.person: (row.submitted, row.is_late) for row in register.rows}
    assert found == {ADA: (WHEN, True), BEN: (WHEN, True), ZOE: (None, None)}


def test_a_team_s_time_is_the_last_of_its_members(tmp_path: Path) -> None:
    both = replace(TIMED, submitted={ADA: WHEN, BEN: WHEN - timedelta(hours=1)})
    register, _ = enrol(TEAM, both, in_groups=True)
    assert {row.submitted for row in register.rows if row.person in (ADA, BEN)} == {WHEN}


def test_a_group_s_time_in_canvas_s_report_is_that_of_the_one_who_handed_in() -> None:
    one = replace(attempt("lovelaceada_11", ADA), is_late=True)
    register, _ = enrol(Download("Canvas", (one,)), PAIR, in_groups=True, late={"11": WHEN})
    assert [(row.submitted, row.is_late) for row in register.rows] == [(WHEN, True)] * 2


WORKSHEET = """\
Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,Grade can be changed,Last modified (submission)
Participant 11,Ada Lovelace,ada@uni.edu,Submitted for grading - 1 day 10 hours late,Group 1,,8,Yes,"{}"
Participant 12,Ben O'Brien,ben@uni.edu,No submission,Group 1,,8,Yes,-
"""
LATE_RULES = "deadline = 2026-11-20T23:59:00+01:00\n[late]\npercent_per_day = 15\n"


def test_a_mate_loses_for_lateness_what_the_one_who_uploaded_loses(toy: Course, tmp_path: Path) -> None:
    files = {f"Ada Lovelace_11_assignsubmission_file_/{CHAPTER}.py": RIGHT}
    arrived = arriving.zipped(tmp_path / "class", files)
    table = arriving.roster(tmp_path, WORKSHEET.format("Sunday, 22 November 2026, 10:00 AM"))
    out = tmp_path / "out"
    out.mkdir()
    (out / "policy.toml").write_text(LATE_RULES)
    quiet = Console(file=io.StringIO())
    groups = ClassOptions(roster=table, in_groups=True)
    assert grade_and_show(toy, arrived, out, GradingOptions(1, seed=7), quiet, groups) == 0
    earned = sum(each.points for each in toy.exercises)
    late_by = datetime(2026, 11, 22, 10, 0) - datetime(2026, 11, 20, 23, 59)
    begun = late_by.days + bool(late_by.seconds)
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == dict.fromkeys((ADA.name, BEN.name), earned * (1 - 0.15 * begun))
    assert begun == 2


def test_students_of_moodle_whom_the_roster_calls_by_other_names_are_matched_by_number() -> None:
    others = {"A. Byron": "11", "B. O.": "12", "New One": "77"}
    attempts = (attempt(f"{name}_{number}", Person(name, number)) for name, number in others.items())
    register, _ = enrol(Download("Moodle", tuple(attempts)), PAIR)
    assert ADA in owners(register)
    assert BEN in owners(register)
    assert register.unmatched == ("New One has the number 77, which is not on the roster",)
