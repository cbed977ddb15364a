"""Admission: the choice is kept, another class is refused, and chapters that no student handed in are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom import register
from autograder.classroom.policy import Adjustment
from autograder.classroom.register import Register, RegisterRow
from autograder.core.errors import UsageError
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.grading.admit import ClassOptions, admit, unwanted
from autograder.platforms.download import read
from tests.autograder import arriving
from tests.autograder.conftest import CHAPTER, TOY

COURSE = Course(TOY)


@pytest.fixture
def arrived(tmp_path: Path) -> Path:
    for name in ("ann", "ben"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / f"{CHAPTER}.py").write_text("x = 1\n")
    return tmp_path / "in"


def test_all_is_graded_unless_a_choice_is_made(arrived: Path, tmp_path: Path) -> None:
    class_ = admit(COURSE, read(arrived, COURSE), tmp_path / "out", ClassOptions())
    assert [each.name for each in class_.exercises] == [each.name for each in COURSE.exercises]
    assert [entry.student for entry in class_.entries] == ["ann", "ben"]
    assert class_.remarks == []


@pytest.mark.parametrize("table", ["name\nann\nben\n", "name,group\nann,\nben,\n"])
def test_group_work_needs_a_roster_that_knows_groups(arrived: Path, tmp_path: Path, table: str) -> None:
    (tmp_path / "people.csv").write_text(table)
    for roster in None, tmp_path / "people.csv":
        with pytest.raises(UsageError, match="--groups needs a roster with each student's group"):
            admit(COURSE, read(arrived, COURSE), tmp_path / "out", ClassOptions(roster=roster, in_groups=True))


def test_what_one_of_a_group_handed_in_counts_for_all_of_it_only_if_asked_for(arrived: Path, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("name,group\nann,one\ncem,one\nben,two\n")
    for in_groups, graded in (True, ["ann", "cem", "ben"]), (False, ["ann", "ben"]):
        options = ClassOptions(roster=tmp_path / "people.csv", in_groups=in_groups)
        class_ = admit(COURSE, read(arrived, COURSE), tmp_path / "out", options)
        assert [row.student for row in class_.register.rows] == graded
        assert [person.name for person in class_.register.absent] == ([] if in_groups else ["cem"])


def test_a_choice_is_kept_and_another_one_is_named(arrived: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = admit(COURSE, read(arrived, COURSE), out, ClassOptions(["double"]))
    register.write(out, first.register)
    again = admit(COURSE, read(arrived, COURSE), out, ClassOptions())
    assert [each.name for each in again.exercises] == ["double"]
    assert again.register == first.register
    assert "as before: --only double;" in again.remarks[0]
    other = admit(COURSE, read(arrived, COURSE), out, ClassOptions(["Scale"]))
    assert "not the same exercises as before" in other.remarks[0]


def test_what_told_more_of_the_class_is_missed_once(arrived: Path, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("name,group\nann,one\nben,two\ncem,two\n")
    grouped = ClassOptions(roster=tmp_path / "people.csv", in_groups=True)
    said = []
    for options in (grouped, grouped, ClassOptions(drop_departed=True), ClassOptions()):
        if options.drop_departed:
            with pytest.raises(UsageError, match=r"not given this time: --roster and --groups, .*; 1 student .*: cem"):
                admit(COURSE, read(arrived, COURSE), tmp_path / "out", ClassOptions())
        class_ = admit(COURSE, read(arrived, COURSE), tmp_path / "out", options)
        register.write(tmp_path / "out", class_.register)
        said.append(sum("not given this time" in each for each in class_.remarks))
    assert said == [0, 0, 1, 0]


def test_a_folder_with_another_class_is_refused_and_somebody_who_left_takes_the_page_along(
    arrived: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    register.write(out, Register("plain", (RegisterRow("ann", "ann"), RegisterRow("gone", "gone"))))
    page = out / "feedback" / "gone.html"
    page.parent.mkdir()
    page.write_text("old")
    with pytest.raises(
        UsageError, match=r"1 student graded in .* is not among the submissions now: gone\. .* add --drop-departed"
    ):
        admit(COURSE, read(arrived, COURSE), out, ClassOptions())
    assert page.exists()
    class_ = admit(COURSE, read(arrived, COURSE), out, ClassOptions(drop_departed=True))
    assert class_.remarks == ["no longer among the submissions, so their results were removed: gone"]
    assert not page.exists()
    register.write(out, Register("plain", (RegisterRow("x", "x"), RegisterRow("y", "y"))))
    with pytest.raises(UsageError, match="holds the grades of another class"):
        admit(COURSE, read(arrived, COURSE), out, ClassOptions())


def test_a_damaged_register_costs_nothing(arrived: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / register.NAME).write_text("{")
    assert len(admit(COURSE, read(arrived, COURSE), tmp_path / "out", ClassOptions()).entries) == 2


def test_decisions_about_exercises_that_are_not_graded_are_left_alone_and_unknown_ones_refused(
    arrived: Path, tmp_path: Path
) -> None:
    rules, table = tmp_path / "out" / "policy.toml", tmp_path / "out" / "by_hand.csv"
    rules.parent.mkdir()
    rules.write_text(
        "weights.double = 2\n[students.ann]\ndecided = ['double']\nexercises.double = 1\ncomments.double = 'so'\n"
    )
    table.write_text("student,exercise,points\nben,double,2\nben,Scale,1\n")
    both, one = (
        admit(COURSE, read(arrived, COURSE), rules.parent, ClassOptions(names)).register.policy
        for names in (["double", "Scale"], ["Scale"])
    )
    assert both.students["ann"].exercises == {"double": 1}
    assert both.students["ben"].exercises == {"double": 2, "Scale": 1}
    assert one.students == {"ann": Adjustment(), "ben": Adjustment(exercises={"Scale": 1})}
    assert (both.weights, one.weights) == ({"double": 2}, {})
    table.write_text("student,exercise,points\nben,dubble,2\n")
    with pytest.raises(UsageError, match="'dubble' is not graded here"):
        admit(COURSE, read(arrived, COURSE), rules.parent, ClassOptions(["Scale"]))
    rules.write_text("[students.ann.exercises]\ndubble = 1\n")
    with pytest.raises(UsageError, match="exercise 'dubble', which does not exist"):
        admit(COURSE, read(arrived, COURSE), rules.parent, ClassOptions(["Scale"]))


@pytest.mark.parametrize(
    ("words", "is_another"),
    [(["ch01"], False), (["01"], False), ([CHAPTER, "double"], False), ([], False), (["double"], True)],
)
def test_the_same_exercises_in_other_words_are_no_other_choice(
    words: list[str], is_another: bool, arrived: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    register.write(out, admit(COURSE, read(arrived, COURSE), out, ClassOptions([CHAPTER])).register)
    told = admit(COURSE, read(arrived, COURSE), out, ClassOptions(words)).remarks
    assert any("not the same exercises" in each for each in told) == is_another


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ("Brightspace", "Brightspace writes local times: write the deadline with that place's offset"),
        ("Blackboard", "Blackboard writes local times: write the deadline with that place's offset"),
        ("Gradescope", ""),
        ("folder", ""),
    ],
)
def test_local_times_are_told_until_there_is_a_deadline(form: str, says: str, tmp_path: Path) -> None:
    class_ = arriving.zipped(tmp_path / "class", arriving.FORMS[form]())
    told = admit(COURSE, read(class_, COURSE), tmp_path / "out", ClassOptions()).remarks
    assert [each for each in told if "local" in each] == ([says] if says else [])
    (tmp_path / "out").mkdir(exist_ok=True)
    (tmp_path / "out" / "policy.toml").write_text("deadline = 2026-11-20T23:59:00+01:00\n")
    told = admit(COURSE, read(class_, COURSE), tmp_path / "out", ClassOptions()).remarks
    assert not [each for each in told if "local" in each]


def test_a_download_and_a_roster_that_share_nothing_are_told_in_one_sentence(tmp_path: Path) -> None:
    class_ = arriving.zipped(tmp_path / "class", arriving.brightspace())
    people = arriving.roster(tmp_path, "id\n11\n12\n13\n14\n")
    told = admit(COURSE, read(class_, COURSE), tmp_path / "out", ClassOptions(roster=people))
    assert not [each for each in told.remarks if "not on the roster" in each]
    assert told.doubt == (
        "nobody can be matched: the download tells students by names, and the roster by numbers alone; give a "
        "roster that has names too"
    )
    named = arriving.roster(tmp_path, "name\nNobody\nNo One\nNone\n")
    told = admit(COURSE, read(class_, COURSE), tmp_path / "out", ClassOptions(roster=named))
    assert len([each for each in told.remarks if "not on the roster" in each]) == 3
    assert "is this the right class?" in told.doubt


def test_a_download_without_any_file_of_the_course_is_refused() -> None:
    nothing = {"ann": Submission("ann", {})}
    with pytest.raises(UsageError, match=r"no submission \(1 in all\) holds ch01_toy.py, .* is it the right download"):
        unwanted(nothing, COURSE.exercises)
    assert unwanted(nothing | {"ben": one_chapter("ben", CHAPTER, "")}, COURSE.exercises) == ""


def test_chapters_that_no_student_handed_in_are_named_with_what_leaves_them_out() -> None:
    real = Course(Path(__file__).parents[2], only=("ch01_markov", "ch03_attention"))
    says = unwanted({"ann": one_chapter("ann", "ch03_attention", "")}, real.exercises)
    assert says == (
        "no student handed in ch01_markov (1 chapter), so these count as 0; to leave them out: --only ch03_attention"
    )


@pytest.mark.parametrize(
    ("people", "is_asked"),
    [
        ("ann ben cem dan eve fay", False),
        ("ann ben cem dan eve fay gil", True),
        ("dan eve", False),
        ("dan eve fay", True),
    ],
    ids=["half", "more than half", "two", "all three"],
)
def test_a_roster_of_which_most_handed_in_nothing_is_asked_about(
    arrived: Path, tmp_path: Path, people: str, is_asked: bool
) -> None:
    (arrived / "cem").mkdir()
    (tmp_path / "people.csv").write_text("\n".join(["name", *people.split()]))
    doubt = admit(COURSE, read(arrived, COURSE), tmp_path / "out", ClassOptions(roster=tmp_path / "people.csv")).doubt
    everybody = people.split()
    absent = len({*everybody} - {"ann", "ben", "cem"})
    says = (
        f"is this the right class? {absent} of {len(everybody)} people on the roster handed in nothing. The download "
        "was recognised as folder, with 3 students"
    )
    assert doubt.startswith(says) if is_asked else doubt == ""
    assert not is_asked or ("--roster" in doubt and "--layout" in doubt)


RULES = '[students."cem"]\npoints = 1\n'
BY_HAND = "student,exercise,points\ncem,double,1\n"


@pytest.mark.parametrize(("file", "text"), [("policy.toml", RULES), ("by_hand.csv", BY_HAND)])
@pytest.mark.parametrize(
    ("people", "says"),
    [
        ("", "this run has no --roster, and the last one had: give it again, or else correct what follows"),
        ("dan", "is not the roster of the last run: it lacks 1 student of that, cem; give that one, or else"),
    ],
)
def test_a_decision_on_someone_of_the_last_run_s_roster_asks_for_that_first(
    arrived: Path, tmp_path: Path, file: str, text: str, people: str, says: str
) -> None:
    out, (table, other) = tmp_path / "out", (tmp_path / name for name in ("people.csv", "others.csv"))
    table.write_text("name\nann\nben\ncem\n")
    other.write_text(f"name\nann\nben\n{people}\n")
    first = admit(COURSE, read(arrived, COURSE), out, ClassOptions(roster=table))
    register.write(out, first.register)
    (out / file).write_text(text)
    assert admit(COURSE, read(arrived, COURSE), out, ClassOptions(roster=table)).register.absent
    with pytest.raises(UsageError) as caught:
        admit(COURSE, read(arrived, COURSE), out, ClassOptions(roster=other if people else None))
    first_line, rest = str(caught.value).split("\n", 1)
    assert says in first_line
    assert f"{file}" in rest


def test_a_wrong_name_alone_is_not_laid_to_the_roster(arrived: Path, tmp_path: Path) -> None:
    out, table = tmp_path / "out", tmp_path / "people.csv"
    table.write_text("name\nann\nben\ncem\n")
    register.write(out, admit(COURSE, read(arrived, COURSE), out, ClassOptions(roster=table)).register)
    (out / "policy.toml").write_text(RULES.replace("cem", "dan"))
    with pytest.raises(UsageError, match=r"^policy.toml names the student 'dan', which does not exist"):
        admit(COURSE, read(arrived, COURSE), out, ClassOptions(roster=table))
