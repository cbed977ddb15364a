"""policy.toml: what a teacher decides beside the checks is read exactly, or refused in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autograder.classroom import policy
from autograder.classroom.person import Person
from autograder.classroom.policy import Policy
from autograder.core.errors import UsageError
from autograder.course.model import Exercise

DEADLINE = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
WRITTEN = "deadline = 2026-11-20T23:59:00+01:00\n"  # the same moment
DOUBLE = Exercise("ch01_toy", "double", 5, 3)


def read(folder: Path, text: str) -> Policy:
    (folder / policy.NAME).write_text(text, encoding="utf-8")
    return policy.read(folder)


def days(folder: Path, text: str, late_by: timedelta, student: str = "ada") -> int | None:
    return read(folder, WRITTEN + text).days_late(student, DEADLINE + late_by, None)


def test_no_policy_changes_nothing(tmp_path: Path):
    assert policy.read(tmp_path) == Policy()


def test_the_policy_that_is_offered_changes_nothing_and_is_never_written_over(tmp_path: Path):
    policy.offer(tmp_path, DOUBLE)
    assert policy.read(tmp_path) == Policy()
    (tmp_path / policy.NAME).write_text(WRITTEN)
    policy.offer(tmp_path, DOUBLE)
    assert policy.read(tmp_path).deadline == DEADLINE


def test_every_line_that_is_offered_can_be_taken_as_it_stands(tmp_path: Path):
    lines = policy.example(DOUBLE).split("\n\n", 1)[1].splitlines()
    told = read(tmp_path, "\n".join(line.removeprefix("# ") for line in lines))
    told.check(["ada"], {"double": 5})
    ada = told.of("ada")
    assert (told.weights, ada.exercises, ada.comments) == ({"double": 2}, {"double": 5}, {"double": "well explained"})
    assert ada.decided is True
    assert told.files("ada", ["ch01_toy"]) == {"ch01_toy": "part one/answers.py"}
    assert told.late.percent_per_day == 10
    assert told.deadline == DEADLINE


@pytest.mark.parametrize(
    ("late_by", "expected"),
    [
        (timedelta(seconds=0), 0),
        (timedelta(minutes=-5), 0),
        (timedelta(minutes=10), 0),
        (timedelta(minutes=10, seconds=1), 1),
        (timedelta(days=1), 1),
        (timedelta(days=1, seconds=1), 2),
    ],
)
def test_a_day_is_late_when_it_has_begun_and_grace_forgives_the_first_minutes(
    tmp_path: Path, late_by: timedelta, expected: int
):
    assert days(tmp_path, "[late]\ngrace_minutes = 10\n", late_by) == expected


def test_an_extension_is_one_students_own(tmp_path: Path):
    text = '[students."ada"]\ndeadline = 2026-11-24T23:59:00+01:00\n'
    assert days(tmp_path, text, timedelta(days=4)) == 0
    assert days(tmp_path, text, timedelta(days=4), "bob") == 4


def test_a_person_overrules_the_clock(tmp_path: Path):
    assert days(tmp_path, "[students.ada]\ndays_late = 1\n", timedelta(days=7)) == 1


def test_late_without_a_time_is_undecided_until_somebody_says_how_late(tmp_path: Path):
    assert read(tmp_path, WRITTEN).days_late("ada", None, True) is None
    assert read(tmp_path, WRITTEN).days_late("ada", None, False) == 0
    assert read(tmp_path, WRITTEN + "[students.ada]\ndays_late = 2\n").days_late("ada", None, True) == 2


def test_no_more_is_taken_than_the_most(tmp_path: Path):
    told = read(tmp_path, "[late]\npercent_per_day = 20\nmost_percent = 50\n")
    assert [told.percent_taken(each) for each in (0, 1, 3)] == [0, 20, 50]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("deadline = 2026-11-20T23:59:00\n", "has no offset from UTC"),
        ("[students.ada]\ndeadline = 2026-11-20T23:59:00\n", "the deadline of ada has no offset"),
        ("deadlin = 1\n", "there is no `deadlin`"),
        ('attempt = "first"\n', "there is no attempt 'first', but latest and best"),
        ("deadline = 2026-11-20\n", r"this should be a date and time .*, and is a date alone .at deadline.; a time is"),
        ("[students.ada]\nsoftmax = 8\n", "points of exercises under .exercises"),
        ("[late]\npercent_per_day = 150\n", "percentages from 0 to 100"),
        ("[late]\nper_day = 10\n", "there is no `per_day` .at late"),
        ("[late]\npercent_per_day = -1\n", "percentages from 0 to 100"),
        ("[late]\npercent_per_day = nan\n", "percentages from 0 to 100"),
        ("[late]\ngrace_minutes = inf\n", "grace_minutes of at most a year"),
        ("[late]\ngrace_minutes = -1\n", "grace_minutes of at most a year"),
        ("[students.ada]\ndays_late = -2\n", "days_late of ada is less than 0; an extension is a deadline"),
        ("[late]\nmost_percent = 101\n", "percentages from 0 to 100"),
        ("deadline = \n", r"line 1 should look like `deadline = 2026-11-20T23:59:00\+01:00`, and is `deadline =` "),
        ("\ndeadline = 2026-11-20 23:59\n", r"toml: line 2 should look like `deadline = .*`, and is `deadline = 2026"),
        ("[students.ada]\npoints = 2,5\n", "toml: line 2 should look like `points = 2`, and is `points = 2,5`"),
        ("[students.ada\n", "toml: line 1 cannot be read; a time is written"),
        ('deadline = "soon"\n', "this should be a date and time with its offset, without quotes .at deadline"),
        (
            '[late]\npercent_per_day = "10"\n',
            "this should be a number, and is a text in quotes .at late.per",
        ),
        ("[students.ada]\ndays_late = 1.5\n", "this should be a whole number, and is a number with a fraction"),
        ("few_digits = 2\n", "this should be a number of at most 1.0 .at few_digits"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, text: str, says: str):
    with pytest.raises(UsageError, match=says):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[students.adda]\npoints = 1\n", "student 'adda', which does not exist; did you mean 'ada'?"),
        ("[students.ada.exercises]\nsoftmx = 1\n", "exercise 'softmx', which does not exist; did you mean 'softmax'?"),
        ("[students.ada.exercises]\nsoftmax = 9\n", "gives ada 9 points for softmax; it has 8"),
        ("[students.ada.exercises]\nsoftmax = -1\n", "gives ada -1 points for softmax; it has 8"),
        ("[weights]\nfoo = 2\n", "exercise 'foo', which does not exist; the names are those of .*here$"),
        ("[students.q]\npoints = 1\n", "student 'q', which does not exist; .*; remove students who left$"),
        ("[students.ada.comments]\nsoftmx = 'no'\n", "exercise 'softmx', which does not exist"),
        ("[students.ada]\ndecided = ['softmx']\n", "exercise 'softmx', which does not exist"),
        ("[students.ada]\npoints = 9\n", "gives ada 9 extra points; there are 8 in all"),
        ("[students.ada]\npoints = nan\n", "gives ada nan extra points"),
        ("[students.ada.exercises]\nsoftmax = nan\n", "gives ada nan points for softmax"),
    ],
)
def test_whom_and_what_it_speaks_of_must_be_there(tmp_path: Path, text: str, says: str):
    told = read(tmp_path, text)
    with pytest.raises(UsageError, match=says):
        told.check(["ada", "bob"], {"softmax": 8.0})


def test_a_decision_is_about_everything_or_about_the_chapters_of_some_exercises(tmp_path: Path):
    told = read(tmp_path, "[students.ada]\ndecided = true\n[students.bob]\ndecided = ['softmax']\n")
    told.check(["ada", "bob"], {"softmax": 8.0})
    assert [told.of(name).settles(["mask"]) for name in ("ada", "bob")] == [True, False]
    assert [told.of(name).settles(["mask", "softmax"]) for name in ("ada", "bob", "cem")] == [True, True, False]


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path):
    text = "[weights]\nsoftmx = 2\n[students.adda]\npoints = 1\n[students.bob.exercises]\nsoftmx = 1\nsoftmax = 9\n"
    told = read(tmp_path, f"{text}[students.zed]\npoints = 99\n")
    with pytest.raises(UsageError) as refused:
        told.check(["ada", "bob"], {"softmax": 8.0})
    assert [sentence.partition(";")[0] for sentence in str(refused.value).splitlines()] == [
        "policy.toml names the exercise 'softmx', which does not exist",
        "policy.toml names the student 'adda', which does not exist",
        "policy.toml names the student 'zed', which does not exist",
        "policy.toml gives bob 9 points for softmax",
        "policy.toml gives zed 99 extra points",
    ]


@dataclass(frozen=True)
class Someone:
    student: str
    person: Person
    stem: str = ""


CLASS = [
    Someone("Ada Lovelace", Person("Ada Lovelace", "17", "ada", "ada@x.org", "S-17"), "lovelaceada_17"),
    Someone("Bob", Person("Bob", "18", "bob", "b@x.org"), "bob_18"),
]


@pytest.mark.parametrize("word", ["Ada Lovelace", "17", "ada", "ada@x.org", "S-17", "lovelaceada_17"])
def test_a_student_may_be_written_by_name_login_number_or_address(tmp_path: Path, word: str):
    told = read(tmp_path, f'[students."{word}"]\npoints = 1\n').resolved(CLASS)
    assert told.of("Ada Lovelace").points == 1
    assert list(told.students) == ["Ada Lovelace"]


def test_a_word_for_two_and_a_student_written_twice_are_refused(tmp_path: Path):
    twins = [*CLASS, Someone("ada2", Person(login="ada"))]
    with pytest.raises(UsageError, match="ada means Ada Lovelace and ada2; write each of them once"):
        read(tmp_path, "[students.ada]\npoints = 1\n").resolved(twins)
    both = "\n".join(f'[students."{word}"]\npoints = 1' for word in ("ada", "17", "bob", "18"))
    with pytest.raises(
        UsageError, match=r"17 means Ada Lovelace; write each of them once\n.* 18 means Bob; write each"
    ):
        read(tmp_path, both).resolved(CLASS)


@pytest.mark.parametrize("word", ["ada", "Ada"])
def test_a_folder_called_as_somebody_is_gets_nothing_of_theirs(tmp_path: Path, word: str) -> None:
    real = Someone("Ada (ada)", Person("Ada", login="ada"), "ada-1")
    known = [real, Someone("Ada", Person(), "Ada-2"), Someone("ada", Person(), "ada-3")]
    told = read(tmp_path, f'[students."{word}"]\npoints = 1\n').resolved(known)
    assert set(told.students) == {"Ada (ada)"}


def test_a_time_without_a_zone_is_one_of_the_deadline_s_own_place(tmp_path: Path):
    told = read(tmp_path, WRITTEN)
    assert told.days_late("ada", datetime(2026, 11, 20, 23, 58), None) == 0
    assert told.days_late("ada", datetime(2026, 11, 21, 0, 1), None) == 1
    assert told.days_late("ada", datetime(2026, 11, 20, 23, 58, tzinfo=UTC), None) == 1


def test_a_policy_about_this_class_is_accepted(tmp_path: Path):
    read(tmp_path, "[students.ada.exercises]\nsoftmax = 8\n").check(["ada"], {"softmax": 8.0})


def test_the_file_to_read_is_a_pattern_for_the_only_chapter_or_by_chapter(tmp_path: Path):
    told = read(tmp_path, 'file = "a*.py"\n[students.ada]\nfile = "b.py"\n')
    assert told.files("ben", ["ch01_toy"]) == {"ch01_toy": "a*.py"}
    assert told.files("ada", ["ch01_toy"]) == {"ch01_toy": "b.py"}
    with pytest.raises(UsageError, match=r"several chapters are graded; write file = \{ ch01_toy = "):
        told.files("ben", ["ch01_toy", "ch02_other"])
    by_chapter = read(tmp_path, 'file = { ch02_other = "c.py" }\n')
    assert by_chapter.files("ben", ["ch01_toy", "ch02_other"]) == {"ch02_other": "c.py"}
    with pytest.raises(UsageError, match="chapter 'ch02_other', which does not exist"):
        by_chapter.files("ben", ["ch01_toy"])
