"""`attend grades`: chapters that were graded in several folders become one sum for each student."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom import policy as policies
from autograder.classroom import register
from autograder.classroom.person import NOBODY, Person
from autograder.classroom.register import Register, RegisterRow
from autograder.classroom.roster import Roster
from autograder.commands.sum_class import sum_and_show
from autograder.core.errors import AttendError, UsageError
from autograder.core.message import of_first_version
from autograder.core.records import CheckResult, ExerciseResult, Status, SubmissionResult
from autograder.grading import book, sums
from autograder.grading.sums import add_up
from autograder.platforms.export import export
from autograder.report.outputs import write_csv, write_result
from tests.autograder.arriving import ADA, BEN, ZOE
from tests.autograder.exported import column
from tests.autograder.run_cli import attend

TOY = Path(__file__).parent / "toy"
STOPS = "ch02_more.py stops when it is loaded: NameError: name 'x' is not defined"
CLASS = Roster((ADA, BEN, ZOE))
POINTS: Mapping[str, Mapping[Person, tuple[float, float]]] = {
    "ch01_toy": {ADA: (4, 6), BEN: (3, 5.5), ZOE: (0, 1)},
    "ch02_more": {ADA: (2, 6), ZOE: (4, 0.5)},
}
EXERCISES = {"ch01_toy": ("double", "Scale"), "ch02_more": ("halve", "Shift")}


def exercise(chapter: str, name: str, points: float, status: Status = "passed", says: str = "") -> ExerciseResult:
    check = CheckResult("test", "a claim", "values", points, 6, status, of_first_version(says))
    return ExerciseResult.of(chapter, name, [check])


def graded(
    out: Path,
    chapter: str,
    points: Mapping[Person, tuple[float, float]] | None = None,
    policy: str = "",
    status: Status = "passed",
    says: str = "",
    form: str = "Canvas",
    absent: tuple[Person, ...] = (),
) -> Path:
    """The folder `out` as `attend grade` would leave it; the first of the people has this status and message."""
    out.mkdir(parents=True, exist_ok=True)
    (out / policies.NAME).write_text(policy, encoding="utf-8")
    rows = list[RegisterRow]()
    for number, (person, both) in enumerate((POINTS[chapter] if points is None else points).items()):
        rows.append(RegisterRow(f"s{number}", person.called, person, is_late=False))
        odd = (status, says) if not number else ("passed", "")
        made = [exercise(chapter, name, p, *odd) for name, p in zip(EXERCISES[chapter], both, strict=True)]  # type: ignore[arg-type]
        write_result(out, f"s{number}", SubmissionResult.of(person.called, made))
    known = Register(form, tuple(rows), absent)
    register.write(out, replace(known, policy=policies.read(out).resolved(known.everybody)))
    write_csv(out, book.read(out).grades)
    return out


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A class of three in two folders; Ben handed in nothing for the second chapter."""
    first = graded(tmp_path / "first", "ch01_toy", policy='[students."ada"]\npoints = -1.5\nwhy = "a talk"\n')
    return first, graded(tmp_path / "second", "ch02_more", absent=(BEN,))


def rows(table: Path) -> dict[str, dict[str, str]]:
    with table.open(encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def number(text: str) -> float:
    return float(text or 0)


def test_the_sums_are_those_of_the_tables_that_grading_wrote(two: tuple[Path, Path], tmp_path: Path) -> None:
    found = add_up(two, CLASS)
    sums.write(tmp_path / "sums", found)
    parts, whole = [rows(folder / "grades.csv") for folder in two], rows(tmp_path / "sums" / "grades.csv")
    assert list(whole) == ["11", "12", "13"]
    for identifier, row in whole.items():
        own = [part.get(identifier, {}) for part in parts]
        assert number(row["score"]) == sum(number(each.get("score", "")) for each in own)
        for chapter in POINTS:
            assert number(row[chapter]) == sum(
                number(points) for each in own for name, points in each.items() if name.startswith(f"{chapter}.")
            )
        assert number(row["max_score"]) == 24
        added = sum(number(row[chapter]) for chapter in POINTS) + number(row[sums.CHANGES])
        assert (added, number(row["percent"])) == (number(row["score"]), round(100 * number(row["score"]) / 24, 1))
    assert [number(row["score"]) for row in whole.values()] == [16.5, 8.5, 5.5]


def test_who_handed_in_a_part_gets_no_points_for_the_rest_and_reads_that(two: tuple[Path, Path]) -> None:
    ben = add_up(two, CLASS).grades[1]
    assert (ben.score, ben.max_score, ben.is_final) == (8.5, 24, True)
    assert ben.remarks == ("ch02_more: nothing was handed in.",)


def test_a_remark_says_which_chapter_it_is_about(two: tuple[Path, Path]) -> None:
    assert add_up(two, CLASS).grades[0].remarks == (
        "ch01_toy: 1.5 points taken by a person.",
        "ch01_toy: Why: a talk",
    )


def test_who_handed_in_nothing_at_all_is_in_the_table_with_no_grade_to_export(two: tuple[Path, Path]) -> None:
    *_, jane = add_up(two, Roster((ADA, BEN, ZOE, Person("Jane Doe", "14")))).grades
    assert (jane.result, jane.score, jane.max_score, jane.remarks) == (None, 0, 24, ())


@pytest.mark.parametrize(
    "known", [Person("", "11"), Person("", "", "ada"), Person("", "", "", "ada@uni.edu"), Person("lovelace, ADA")]
)
def test_one_student_is_found_by_whatever_each_download_knows(known: Person, tmp_path: Path) -> None:
    folders = [
        graded(tmp_path / "first", "ch01_toy", {ADA: (1, 2)}),
        graded(tmp_path / "second", "ch02_more", {known: (3, 4)}),
    ]
    found = add_up(folders, CLASS)
    assert (found.grades[0].score, found.strangers) == (10, ())


def test_the_name_of_a_plain_folder_may_be_a_login(tmp_path: Path) -> None:
    folder = graded(tmp_path / "first", "ch01_toy", {Person("zoe"): (1, 2)})
    known = register.read(folder)
    assert known is not None
    register.write(folder, replace(known, rows=(replace(known.rows[0], person=NOBODY),)))
    assert add_up([folder], CLASS).grades[2].score == 3


def test_a_number_decides_before_a_name(tmp_path: Path) -> None:
    namesake = Person(ADA.name, "12")
    found = add_up([graded(tmp_path / "first", "ch01_toy", {namesake: (1, 2)})], CLASS)
    assert [grade.score for grade in found.grades] == [0, 3, 0]


def test_who_is_on_no_roster_is_said_and_stays_in_the_table(tmp_path: Path) -> None:
    other = Person("Jane Doe", "99")
    folders = [
        graded(tmp_path / "first", "ch01_toy", {ADA: (1, 2), other: (1, 1)}),
        graded(tmp_path / "second", "ch02_more", {ADA: (1, 2), other: (2, 2)}),
    ]
    found = add_up(folders, CLASS)
    assert [(grade.student, grade.score) for grade in found.grades[3:]] == [("Jane Doe", 6)]
    assert found.strangers == tuple(
        f"{folder}: Jane Doe has the number 99, which is not on the roster" for folder in folders
    )


def test_the_same_number_on_two_platforms_is_not_the_same_stranger(tmp_path: Path) -> None:
    other = Person("Jane Doe", "99")
    folders = [
        graded(tmp_path / "first", "ch01_toy", {other: (1, 1)}),
        graded(tmp_path / "second", "ch02_more", {other: (2, 2)}, form="Moodle"),
    ]
    assert [grade.score for grade in add_up(folders, CLASS).grades[3:]] == [2, 4]


def test_two_people_of_one_name_stay_two(two: tuple[Path, Path]) -> None:
    found = add_up(two, Roster((ADA, replace(ADA, id="99", login="", email=""))))
    assert [grade.student for grade in found.grades[:2]] == ["Ada Lovelace (11)", "Ada Lovelace (99)"]
    assert [grade.score for grade in found.grades[:2]] == [16.5, 0]


def test_a_grade_that_waits_in_one_folder_waits_in_the_sum(tmp_path: Path) -> None:
    folders = [
        graded(tmp_path / "first", "ch01_toy"),
        graded(tmp_path / "second", "ch02_more", {ADA: (0, 0), ZOE: (1, 1)}, status="error", says=STOPS),
    ]
    found = add_up(folders, CLASS)
    ada = found.grades[0]
    assert (ada.is_final, ada.held) == (False, (f"ch02_more: {STOPS}",))
    assert ada.open == (f"{folders[1]}: no grade yet: {STOPS}",)
    sums.write(tmp_path / "sums", found)
    row = rows(tmp_path / "sums" / "grades.csv")["11"]
    assert (row["score"], row["percent"], row["ch01_toy"], row["ch02_more"]) == ("", "", "10", "")
    assert STOPS in row["attention"]


def test_what_the_grader_failed_on_is_no_grade_in_the_sum(tmp_path: Path) -> None:
    folders = [
        graded(tmp_path / "first", "ch01_toy", status="grader_error", says="a judge ended"),
        graded(tmp_path / "second", "ch02_more"),
    ]
    ada = add_up(folders, CLASS).grades[0]
    assert (ada.is_final, ada.is_failed) == (False, True)


def test_a_chapter_that_two_folders_hold_is_refused_by_name(tmp_path: Path) -> None:
    folders = [graded(tmp_path / name, "ch01_toy") for name in ("first", "again")]
    with pytest.raises(UsageError, match=rf"ch01_toy is graded in {folders[0]} and in {folders[1]}; give one"):
        add_up(folders, CLASS)
    with pytest.raises(UsageError, match="would count twice"):
        add_up([folders[0], folders[0]], CLASS)


def test_a_folder_that_is_not_graded_to_its_end_is_refused(two: tuple[Path, Path]) -> None:
    (two[1] / "results" / "s1.json").unlink()
    with pytest.raises(UsageError, match=r"second is not graded to its end, without Zoë Müller"):
        add_up(two, CLASS)


def test_policies_that_differ_are_said_and_each_folder_counts_by_its_own(tmp_path: Path) -> None:
    late = '[late]\npercent_per_day = 50\n[students."ada"]\ndays_late = 1\n'
    folders = [graded(tmp_path / "first", "ch01_toy", policy=late), graded(tmp_path / "second", "ch02_more")]
    found = add_up(folders, CLASS)
    assert found.grades[0].score == 10 / 2 + 8
    assert found.remarks == ("policy.toml is not the same in all folders (late days): each folder counts by its own",)
    graded(tmp_path / "second", "ch02_more", policy="[late]\npercent_per_day = 50\n")
    assert add_up(folders, CLASS).remarks == ()


def gradebook(place: Path) -> Path:
    """A gradebook of Canvas with the class, and one assignment worth 12 points."""
    lines = [
        "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (77)",
        '"    Points Possible",,,,,12.00',
        *(f'"{person.name}",{person.id},,{person.login},S1,' for person in (ADA, BEN, ZOE)),
    ]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def test_export_fills_the_sums_into_a_gradebook(two: tuple[Path, Path], tmp_path: Path) -> None:
    sums.write(tmp_path / "sums", add_up(two, CLASS))
    done = export(tmp_path / "sums", gradebook(tmp_path / "book.csv"), "Week", None)
    assert column(done.path, "Week", 1) == {"": "12.00", "11": "8.25", "12": "4.25", "13": "2.75"}


def test_export_holds_what_waits_in_a_folder_and_says_where_to_decide(tmp_path: Path) -> None:
    folders = [
        graded(tmp_path / "first", "ch01_toy"),
        graded(tmp_path / "second", "ch02_more", {ADA: (0, 0)}, status="error", says=STOPS),
    ]
    sums.write(tmp_path / "sums", add_up(folders, CLASS))
    done = export(tmp_path / "sums", gradebook(tmp_path / "book.csv"), "Week", None, hold=True)
    assert (done.held, column(done.path, "Week", 1)["11"]) == (["Ada Lovelace"], "")
    assert "second, then run the same `attend grades` again" in done.text()


@pytest.mark.parametrize("change", ["graded again", "moved away"])
def test_sums_of_folders_that_have_changed_are_not_exported(
    change: str, two: tuple[Path, Path], tmp_path: Path
) -> None:
    sums.write(tmp_path / "sums", add_up(two, CLASS))
    if change == "moved away":
        shutil.move(two[1], tmp_path / "elsewhere")
    else:
        graded(two[1], "ch02_more", {ADA: (6, 6), ZOE: (4, 0.5)}, absent=(BEN,))
    with pytest.raises(UsageError, match=r"second is not as it was when .*sums was written: run the same"):
        export(tmp_path / "sums", gradebook(tmp_path / "book.csv"), "Week", None)


def test_a_policy_that_was_changed_after_the_sums_stops_the_export(two: tuple[Path, Path], tmp_path: Path) -> None:
    sums.write(tmp_path / "sums", add_up(two, CLASS))
    (two[1] / policies.NAME).write_text('[students."ada"]\npoints = 5\n', encoding="utf-8")
    with pytest.raises(UsageError, match="has changed since the grades were written"):
        export(tmp_path / "sums", gradebook(tmp_path / "book.csv"), "Week", None)


def test_folders_and_sums_may_move_together(two: tuple[Path, Path], tmp_path: Path) -> None:
    sums.write(tmp_path / "sums", add_up(two, CLASS))
    for name in ("first", "second", "sums"):
        shutil.move(tmp_path / name, tmp_path / "other" / name)
    assert len(sums.read(tmp_path / "other" / "sums").grades) == 3


def test_a_damaged_file_of_sums_is_a_sentence(two: tuple[Path, Path], tmp_path: Path) -> None:
    sums.write(tmp_path / "sums", add_up(two, CLASS))
    (tmp_path / "sums" / sums.NAME).write_text('{"folders": ', encoding="utf-8")
    with pytest.raises(AttendError, match=r"sums\.json cannot be read .*run `attend grades` again"):
        sums.read(tmp_path / "sums")


def test_sums_go_into_a_folder_of_their_own(two: tuple[Path, Path], tmp_path: Path) -> None:
    found = add_up(two, CLASS)
    with pytest.raises(UsageError, match="holds other files, and no sums"):
        sums.write(two[0], found)
    for _ in range(2):
        sums.write(tmp_path / "sums", found)


def command(tmp_path: Path, *words: object) -> tuple[int, str]:
    roster = tmp_path / "roster.csv"
    people = (ADA, BEN, ZOE)
    roster.write_text("name,id\n" + "".join(f"{each.name},{each.id}\n" for each in people), encoding="utf-8")
    done = attend("grades", *words, "--roster", roster, cwd=TOY)
    return done.returncode, done.stdout + done.stderr


def test_the_command_shows_each_chapter_and_the_sum_and_writes_only_where_it_is_told(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    status, said = command(tmp_path, *two)
    lines = [line.split() for line in said.splitlines()]
    assert status == 0
    assert ["student", "ch01", "ch02", "sum", "%"] in lines
    assert ["Ada", "Lovelace", "10", "8", "16.5/24", "69"] in lines
    assert ["Ben", "O'Brien", "8.5", "8.5/24", "35"] in lines
    assert "grades.csv" not in said
    assert command(tmp_path, *two, "--out", tmp_path / "sums")[0] == 0
    assert {path.name for path in (tmp_path / "sums").iterdir()} == {"grades.csv", "sums.json"}


def test_the_command_ends_with_1_where_something_waits_or_matches_nobody_and_with_2_on_wrong_use(
    tmp_path: Path,
) -> None:
    waits = graded(tmp_path / "first", "ch01_toy", {ADA: (0, 0)}, status="error", says=STOPS)
    status, said = command(tmp_path, waits)
    assert (status, "no grade yet for 1 student: Ada Lovelace" in said) == (1, True)
    stranger = graded(tmp_path / "second", "ch02_more", {Person("Jane Doe", "99"): (1, 1)})
    status, said = command(tmp_path, stranger)
    assert (status, "Jane Doe is not on the roster" in said) == (1, True)
    assert command(tmp_path, tmp_path / "nowhere")[0] == 2


def test_names_that_begin_alike_are_told_apart_in_the_terminal(two: tuple[Path, Path], tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    name = "Ada Lovelace of London and elsewhere"
    roster.write_text(f"name,id\n{name},98\n{name},99\n", encoding="utf-8")
    stream = io.StringIO()
    sum_and_show(two, roster, None, Console(file=stream, width=60))
    assert all(sum(number in line for line in stream.getvalue().splitlines()) == 1 for number in ("(98)", "(99)"))
