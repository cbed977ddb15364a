"""by_hand.csv: what a person fills in counts and is kept, however the spreadsheet saved it."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom import by_hand, policy
from autograder.classroom.grades import Grade, grades
from autograder.classroom.policy import Adjustment, Policy
from autograder.classroom.register import Register, RegisterRow
from autograder.core.errors import UsageError
from autograder.core.records import SubmissionResult
from autograder.core.text import join_names
from autograder.course.model import Exercise
from autograder.report import by_hand_table
from autograder.report.by_hand_table import HEADER, ClassInHand
from tests.autograder.graded_class import FORMULA, PEOPLE
from tests.autograder.held_class import NOT_DONE, RIGHT, STOPS, chapter
from tests.autograder.test_analysis import handed_in

EXERCISES = [Exercise("ch01_toy", "double", 2, 3), Exercise("ch01_toy", "mean", 2, 3)]
MOST = {each.name: each.points for each in EXERCISES}
NAMES = ("obrien", "mueller", "formula", "li")
ROWS = tuple(RegisterRow(name, PEOPLE[name].name, PEOPLE[name]) for name in NAMES)
ZOE, LILY = PEOPLE["mueller"].name, PEOPLE["li"].name
ANSWERS = {
    "obrien": chapter(RIGHT, RIGHT),
    "mueller": chapter(("error", STOPS), ("error", STOPS)),
    "formula": chapter(RIGHT, ("failed", "it is upside down")),
    "li": chapter(RIGHT, NOT_DONE),
}
RESULTS: dict[str, SubmissionResult] = {name: handed_in(PEOPLE[name].name, *ANSWERS[name]) for name in NAMES}
Cells = list[list[str]]


def graded(rules: Policy = policy.NEUTRAL) -> list[Grade]:
    return grades(Register("", ROWS, policy=rules), RESULTS)


def written(out: Path, *, rules: Policy = policy.NEUTRAL, rows: tuple[RegisterRow, ...] = ROWS) -> Path:
    """The table as a run leaves it."""
    known = Register("", rows, policy=rules)
    by_hand_table.write(out, ClassInHand(known, grades(known, RESULTS), RESULTS, EXERCISES))
    return out / by_hand.NAME


def cells(path: Path) -> Cells:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def encoded(rows: Cells, delimiter: str = ",") -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return stream.getvalue()


def filled(out: Path, *changes: tuple[str, str, str, str]) -> Cells:
    """The cells of the table after a person wrote into it: student, exercise, column and text."""
    rows = cells(written(out))
    for student, exercise, column, text in changes:
        (row,) = [row for row in rows if row[0] == student and row[HEADER.index("exercise")] == exercise]
        row[HEADER.index(column)] = text
    (out / by_hand.NAME).write_bytes(codecs.BOM_UTF8 + encoded(rows).encode())
    return rows


def added(out: Path, rules: Policy = policy.NEUTRAL) -> Policy:
    return by_hand.added(rules, out, ROWS, MOST)[0]


FILLED = ((ZOE, "double", "points", "1,5"), (ZOE, "mean", "comment", "Come and see me; please.\nBring it."))
DECIDED = {ZOE: Adjustment(exercises={"double": 1.5}, comments={"mean": "Come and see me; please.\nBring it."})}


def test_a_row_for_each_student_and_exercise_says_what_was_earned_and_what_waits(tmp_path: Path) -> None:
    header, *rows = cells(written(tmp_path))
    assert header == list(HEADER)
    assert [(row[0], row[HEADER.index("exercise")]) for row in rows] == [
        ("'" + name if name == FORMULA else name, exercise)
        for name in (row.student for row in ROWS)
        for exercise in MOST
    ]
    found = {(row[1], row[4]): row[5:8] for row in rows}
    assert found["101", "double"] == ["2", "2", ""]
    assert found["103", "mean"] == ["0", "2", ""]
    assert found["102", "double"] == ["", "2", STOPS]


def test_a_table_that_nobody_filled_in_decides_nothing(tmp_path: Path) -> None:
    assert by_hand.added(policy.NEUTRAL, tmp_path, ROWS, MOST) == (policy.NEUTRAL, [])
    written(tmp_path)
    assert by_hand.added(policy.NEUTRAL, tmp_path, ROWS, MOST) == (policy.NEUTRAL, [])


def test_points_count_comments_are_told_and_a_decision_settles_what_was_held(tmp_path: Path) -> None:
    filled(tmp_path, *FILLED, (LILY, "double", "decision", "decided"))
    rules = added(tmp_path)
    assert rules.students == DECIDED | {LILY: Adjustment(decided=("double",))}
    found = {grade.student: grade for grade in graded(rules)}
    assert (found[ZOE].score, found[ZOE].held, found[ZOE].comments) == (
        1.5,
        (),
        ("mean: Come and see me; please. Bring it.",),
    )
    assert found[LILY].remarks == ("A person looked at double, and it stands.",)


def test_a_decision_alone_settles_a_held_file_and_a_comment_alone_does_not(tmp_path: Path) -> None:
    filled(tmp_path, (ZOE, "mean", "comment", "seen"))
    assert next(grade for grade in graded(added(tmp_path)) if grade.student == ZOE).held
    filled(tmp_path, (ZOE, "mean", "decision", "x"))
    (zoe,) = [grade for grade in graded(added(tmp_path)) if grade.student == ZOE]
    assert (zoe.held, zoe.score, zoe.is_final) == ((), 0, True)


def utf16(text: str) -> bytes:
    return codecs.BOM_UTF16_LE + text.encode("utf-16-le")


SAVED: dict[str, Callable[[Cells], bytes]] = {
    "as it was": lambda rows: codecs.BOM_UTF8 + encoded(rows).encode(),
    "without a mark": lambda rows: encoded(rows).encode(),
    "semicolons": lambda rows: codecs.BOM_UTF8 + encoded(rows, ";").encode(),
    "UTF-16 with tabs": lambda rows: utf16(encoded(rows, "\t")),
    "Windows-1252": lambda rows: encoded(rows, ";").encode("cp1252", "replace"),
    "a line for the separator": lambda rows: b"sep=;\r\n" + encoded(rows, ";").encode(),
    "other columns first": lambda rows: encoded([[*row[5:], *row[:5]] for row in rows]).encode(),
    "rows in another order": lambda rows: encoded([rows[0], *rows[:0:-1]]).encode(),
    "capitals": lambda rows: encoded([[cell.title() for cell in rows[0]], *rows[1:]]).encode(),
    "empty rows": lambda rows: encoded([[], *rows, [], [""] * 3]).encode(),
    "short rows": lambda rows: encoded([_cut(row) for row in rows]).encode(),
    "only what is needed": lambda rows: encoded([[row[0], row[4], *row[8:]] for row in rows]).encode(),
    "a number instead of a name": lambda rows: encoded([[row[1], row[4], *row[8:]] for row in rows]).encode(),
    "only the rows that were filled in": lambda rows: encoded(
        [row for row in rows if row is rows[0] or any(row[8:])]
    ).encode(),
    "a column of one's own": lambda rows: encoded([[*row, "my note"] for row in rows]).encode(),
}


def _cut(row: list[str]) -> list[str]:
    return row if any(row[-3:]) else row[:-3]


@pytest.mark.parametrize("form", SAVED)
def test_whatever_a_spreadsheet_makes_of_it_the_cells_of_a_person_are_read_and_kept(tmp_path: Path, form: str) -> None:
    path = tmp_path / by_hand.NAME
    path.write_bytes(SAVED[form](filled(tmp_path, *FILLED)))
    assert added(tmp_path).students == DECIDED
    written(tmp_path, rules=added(tmp_path))
    assert added(tmp_path).students == DECIDED, "a run after that keeps them"
    first = path.read_bytes()
    written(tmp_path, rules=added(tmp_path))
    assert path.read_bytes() == first, "and a further run changes nothing"


def test_a_person_s_cells_and_columns_stay_to_the_letter_and_the_grader_s_are_renewed(tmp_path: Path) -> None:
    rows = filled(tmp_path, (ZOE, "double", "points", " 1,50 "), (LILY, "mean", "comment", "=for you"))
    with_note = [[*row, "note" if row is rows[0] else "mine"] for row in rows]
    with_note[1][5] = "seven"  # of the grader's
    (tmp_path / by_hand.NAME).write_text(encoded(with_note), encoding="utf-8")
    after = cells(written(tmp_path, rules=added(tmp_path)))
    assert [row[8:] for row in after] == [row[8:] for row in with_note]
    assert after[1][5] == "2"


def test_names_that_the_spreadsheet_s_encoding_lacks_come_back(tmp_path: Path) -> None:
    path = tmp_path / by_hand.NAME
    saved = [row for row in filled(tmp_path, *FILLED) if row[1] != PEOPLE["li"].id]
    path.write_bytes(encoded(saved, ";").encode("cp1252"))
    text = written(tmp_path, rules=added(tmp_path)).read_bytes().decode("utf-8-sig")
    assert {row[0] for row in csv.reader(io.StringIO(text, newline=""), delimiter=";")} >= {ZOE, LILY}


def test_new_students_get_rows_and_those_who_left_lose_theirs_unless_a_person_wrote_there(tmp_path: Path) -> None:
    written(tmp_path, rows=ROWS[:2])
    filled_in = cells(tmp_path / by_hand.NAME)
    filled_in[1][HEADER.index("comment")] = "kept"
    (tmp_path / by_hand.NAME).write_text(encoded(filled_in), encoding="utf-8")
    after = cells(written(tmp_path, rows=ROWS[1:3]))
    assert [row[1] for row in after[1:]] == ["101", "102", "102", "103", "103"]


def test_no_cell_of_ours_is_a_formula_and_its_row_is_still_that_student_s(tmp_path: Path) -> None:
    rows = cells(written(tmp_path))
    assert not [cell for row in rows for cell in row if cell.startswith(tuple("=+-@"))]
    guarded = f"'{FORMULA}"
    (tmp_path / by_hand.NAME).write_text(encoded([["student", "exercise", "points"], [guarded, "double", "1"]]))
    assert added(tmp_path).students == {FORMULA: Adjustment(exercises={"double": 1})}


def refusal(out: Path) -> str:
    with pytest.raises(UsageError) as caught:
        added(out)
    return str(caught.value)


@pytest.mark.parametrize(
    ("column", "text", "says"),
    [
        ("points", "much", "row 4, column points: 'much' is no number of points"),
        ("points", "-1", "row 4, column points: '-1' is no number of points"),
        ("points", "1.234,5", "row 4, column points: '1.234,5' is no number of points"),
        ("points", "nan", "row 4, column points: 'nan' is no number of points"),
        ("points", "01. Mai", "row 4, column points: '01. Mai' is no number of points"),
        ("points", "2,5", "row 4, column points: 2.5 is more than 2, the most for this exercise"),
        ("decision", "maybe", "row 4, column decision: 'maybe' is neither 'decided' nor empty"),
        ("exercise", "dubble", "row 4, column exercise: 'dubble' is not graded here"),
        ("student", "Nobody", "row 4, column student: no student of this class is called 'Nobody'"),
    ],
)
def test_what_cannot_be_is_refused_with_its_row_and_column(tmp_path: Path, column: str, text: str, says: str) -> None:
    rows = [[row[0], *row[4:]] for row in filled(tmp_path, (ZOE, "double", "comment", "so"))]
    at = rows[0].index(column)
    assert (rows[3][0], rows[3][1]) == (ZOE, "double")
    rows[3][at] = text
    (tmp_path / by_hand.NAME).write_text(encoded(rows), encoding="utf-8")
    assert refusal(tmp_path) == f"{tmp_path / by_hand.NAME}: {says}; correct these cells, and run it again"


def test_all_unknown_names_are_told_at_once_and_of_very_many_the_first(tmp_path: Path) -> None:
    rows = [["student", "exercise", "points"], *([f"no {n}", "double", "1"] for n in range(2)), [ZOE, "x", "1"]]
    (tmp_path / by_hand.NAME).write_text(encoded(rows), encoding="utf-8")
    says = refusal(tmp_path)
    assert all(part in says for part in ("row 2, column student", "'no 0'", "'no 1'", "row 4, column exercise: 'x'"))
    (tmp_path / by_hand.NAME).write_text(encoded([rows[0], *rows[1:2] * 30]), encoding="utf-8")
    assert "; and 10 more; correct" in refusal(tmp_path)


def test_points_for_someone_unknown_are_not_the_only_absent_student_s(tmp_path: Path) -> None:
    rows = (*ROWS[:3], RegisterRow("", LILY, PEOPLE["li"]))
    (tmp_path / by_hand.NAME).write_text("student,exercise,points\nNobody,double,1\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no student of this class is called 'Nobody'"):
        by_hand.added(policy.NEUTRAL, tmp_path, rows, MOST)


def test_cells_that_mean_two_students_after_one_column_was_sorted_alone_are_refused(tmp_path: Path) -> None:
    rows = [["student", "id", "exercise", "points"], [ZOE, "104", "double", "1"]]
    (tmp_path / by_hand.NAME).write_text(encoded(rows), encoding="utf-8")
    assert f"row 2, columns student and id: they mean {join_names(sorted((LILY, ZOE)))}" in refusal(tmp_path)


def test_two_rows_about_the_same_must_agree(tmp_path: Path) -> None:
    rows = [["student", "exercise", "points"], [ZOE, "double", "1"], [ZOE, "double", "1,0"]]
    (tmp_path / by_hand.NAME).write_text(encoded(rows), encoding="utf-8")
    assert added(tmp_path).students == {ZOE: Adjustment(exercises={"double": 1})}
    (tmp_path / by_hand.NAME).write_text(encoded([*rows, [ZOE, "double", "2"]]), encoding="utf-8")
    assert f"rows 2 and 4: both are about double of {ZOE}, and differ" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (["student", "points"], r"needs the columns exercise and student, id, login or email in its header"),
        (["exercise", "points"], "needs the columns exercise and student"),
        (["student", "exercise", "points", "Points"], "has the column points twice; delete or rename one"),
    ],
)
def test_a_table_that_has_lost_what_its_rows_are_about_is_refused_and_stays(
    tmp_path: Path, header: list[str], says: str
) -> None:
    path = tmp_path / by_hand.NAME
    path.write_text(encoded([header, ["a"] * len(header)]), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(UsageError, match=says):
        added(tmp_path)
    assert written(tmp_path).read_bytes() == before


def test_the_table_counts_before_policy_toml_and_that_is_said(tmp_path: Path) -> None:
    filled(tmp_path, *FILLED, (LILY, "double", "decision", "decided"))
    both = Adjustment(exercises={"double": 2, "mean": 1}, comments={"mean": "old"}, points=1, why="for asking")
    rules = Policy(students={ZOE: both, LILY: Adjustment(decided=True)})
    after, says = by_hand.added(rules, tmp_path, ROWS, MOST)
    assert after.of(ZOE) == replace_of(both, exercises={"double": 1.5, "mean": 1}, comments=DECIDED[ZOE].comments)
    assert after.of(LILY).decided is True
    assert says == [
        f"by_hand.csv gives 1.5 points for double of {ZOE}, which count, and policy.toml 2",
        f"by_hand.csv and policy.toml have different comments on mean of {ZOE}; that of by_hand.csv counts",
    ]


def replace_of(own: Adjustment, **changes: dict[str, float] | dict[str, str]) -> Adjustment:
    return Adjustment(**{name: getattr(own, name) for name in own.__struct_fields__} | changes)


def test_points_before_their_weight_and_what_counts_is_computed_from_them(tmp_path: Path) -> None:
    filled(tmp_path, (ZOE, "double", "points", "1,5"), (ZOE, "mean", "points", "0"))
    rules = added(tmp_path, Policy(weights={"double": 2}))
    (zoe,) = [grade for grade in graded(rules) if grade.student == ZOE]
    assert (zoe.score, zoe.max_score) == (2 * 1.5 + 0, 2 * 2 + 2)


def test_a_comment_on_someone_who_handed_in_nothing_makes_no_grade(tmp_path: Path) -> None:
    absent = replace(Register("", ROWS[:1]), absent=(PEOPLE["li"],))
    rules = Policy(students={LILY: Adjustment(comments={"double": "come and see me"})})
    made = grades(replace(absent, policy=rules), RESULTS)
    assert (made[-1].student, made[-1].remarks, made[-1].comments) == (LILY, (), ("double: come and see me",))
    by_hand_table.write(tmp_path, ClassInHand(absent, made, RESULTS, EXERCISES))
    assert [row[4:8] for row in cells(tmp_path / by_hand.NAME)[-2:]] == [["double", "", "2", ""], ["mean", "", "2", ""]]
