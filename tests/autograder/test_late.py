"""Canvas's report of late work says by how much, which the names of files in the download do not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.classroom import late
from autograder.core.errors import UsageError
from autograder.grading.admit import Admitted, ClassOptions, admit
from autograder.platforms.download import read
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FILE, RIGHT, ZOE

# The columns as nemogb's vignette "Detailed Canvas Export Info" lists them; the due date has no time.
REPORT = """\
Student Name,Student ID,Course Name,Course ID,Section Name,Assignment Name,Points Possible,Due Date,Submitted Date,\
Graded Date,Posted Date
"O'Brien, Ben",12,Toys,1,Section 1,Ch01 Toy,8,2026-11-20,2026-11-22T10:00:00Z,,
"Lovelace, Ada",11,Toys,1,Section 1,Essay,5,2026-11-01,2026-11-30 10:00:00 UTC,,
"""
WHEN = datetime(2026, 11, 22, 10, tzinfo=UTC)


def report(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    text = REPORT
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return arriving.roster(tmp_path, text)


def admitted(tmp_path: Path, options: ClassOptions) -> Admitted:
    files = {arriving.canvas_name(each, FILE, "_LATE" if each != ADA else ""): RIGHT for each in (ADA, BEN, ZOE)}
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "policy.toml").write_text("deadline = 2026-11-20T23:59:00+01:00\n")
    return admit(COURSE, read(arriving.zipped(tmp_path / "class", files), COURSE), tmp_path / "out", options)


def test_a_late_student_is_as_many_days_late_as_the_report_says(tmp_path: Path) -> None:
    class_ = admitted(tmp_path, ClassOptions(late=report(tmp_path)))
    rows = {row.person.id: row for row in class_.register.rows}
    days = {key: class_.register.policy.days_late(row.student, row.submitted, row.is_late) for key, row in rows.items()}
    assert days == {"11": 0, "12": 2, "13": None}, "Zoë is late, but not in the report"


def test_of_several_assignments_the_one_named_after_the_chapter_counts(tmp_path: Path) -> None:
    assert late.read(report(tmp_path), ["ch01_toy"]) == {"12": WHEN}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("Ch01 Toy", "Homework"), "several assignments, Essay and Homework; keep only the rows of one"),
        (("Essay", "Toy, again"), "several assignments"),
        (("2026-11-22T10:00:00Z", "yesterday"), "a time that cannot be read, 'yesterday'; write it as in"),
        (("Submitted Date", "Due"), "is not Canvas's report of late work"),
    ],
)
def test_a_report_that_may_mean_something_else_is_refused(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    chapters = [] if change[1] == "Toy, again" else ["ch01_toy"]
    with pytest.raises(UsageError, match=says):
        late.read(report(tmp_path, change), chapters)
