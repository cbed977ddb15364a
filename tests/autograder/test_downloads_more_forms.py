"""What each of these platforms does to names, versions, times and teams, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.classroom.enrol import enrol
from autograder.classroom.person import Download, Person
from autograder.classroom.roster import Roster
from autograder.core.errors import UsageError
from tests.autograder import arriving, arriving_more
from tests.autograder.arriving import ADA, BEN, CHAPTER, FILE, HALF, RIGHT, SQUARED, ZOE
from tests.autograder.arriving_more import ONCE, marked, read, text, unsaid, when, zipped

ROSTER = Roster((ADA, BEN, ZOE))


def test_a_file_of_google_classroom_without_a_student_s_name_has_no_owner_and_that_is_said(tmp_path: Path) -> None:
    download = read(tmp_path, {**arriving_more.google(ONCE), FILE: RIGHT})
    assert unsaid(download) == [f"left out, because not named as in a download from Google Classroom: {FILE}"]


def test_of_two_files_of_one_name_in_drive_neither_is_read(tmp_path: Path) -> None:
    files = {f"{ADA.name} - {FILE}": RIGHT, f"{ADA.name} - ch01_toy(1).py": HALF, f"{BEN.name} - ch01_toy(1).py": RIGHT}
    ada, ben = read(tmp_path, files).attempts
    assert (text(ada), text(ben)) == ("", RIGHT)
    assert ada.notes == (f"Drive holds several files called {FILE} and does not tell which is the newest",)
    assert "may each be ch01_toy.py, so none of them was read" in arriving.submission(ada).absent[CHAPTER]


def test_a_student_s_name_with_a_dash_in_it_is_said_to_be_unclear(tmp_path: Path) -> None:
    (attempt,) = read(tmp_path, {f"Ada - Lovelace - {FILE}": RIGHT}).attempts
    assert attempt.notes == (f'the student\'s name was taken to end at the first " - " of Ada - Lovelace - {FILE}',)


def test_a_folder_for_each_student_of_google_classroom_is_read_as_well(tmp_path: Path) -> None:
    files = {f"{person.name}/{person.name} - {FILE}": data for person, data in arriving.ANSWERS.items()}
    download = read(tmp_path, files)
    assert (download.form, arriving.texts(download)) == (
        "Google Classroom",
        {person.name: data for person, data in arriving.ANSWERS.items()},
    )


@pytest.mark.parametrize("start", ["ch01", "Chapter 2", "271836-442356"])
def test_files_that_begin_with_a_chapter_or_a_number_are_no_students_of_google_classroom(
    tmp_path: Path, start: str
) -> None:
    with pytest.raises(UsageError):
        read(tmp_path, {f"{start} - attention.py": RIGHT})


def test_a_draft_in_teams_is_never_read_and_a_student_with_nothing_else_is_named(tmp_path: Path) -> None:
    files = {**arriving_more.teams({ADA: [HALF, RIGHT]}), f"Working files/{BEN.name}/Homework 1/{FILE}": SQUARED}
    download = read(tmp_path, files)
    assert [text(attempt) for attempt in download.attempts] == [HALF, RIGHT]
    assert download.problems == (f"turned in nothing, as only Working files has a folder of theirs: {BEN.name}",)


def test_drafts_of_teams_alone_are_no_submissions(tmp_path: Path) -> None:
    drafts = {name: data for name, data in arriving_more.teams(ONCE).items() if name.startswith("Working")}
    with pytest.raises(UsageError, match="there are no submissions in"):
        read(tmp_path, drafts)


def test_teams_in_another_language_is_told_by_its_versions(tmp_path: Path) -> None:
    names = {"Submitted files": "Gesendete Dateien", "Working files": "Entwürfe"}
    files = {
        name.replace(top, names[top]): data
        for name, data in arriving_more.teams({ADA: [HALF, RIGHT], BEN: [RIGHT]}).items()
        for top in names
        if name.startswith(top)
    }
    download = read(tmp_path, files)
    assert [(each.key, text(each)) for each in download.attempts] == [
        (ADA.name, HALF),
        (ADA.name, RIGHT),
        (BEN.name, RIGHT),
    ]
    assert download.problems == ("not read, because only drafts can be in Entwürfe: Ada Lovelace and Ben O'Brien",)


@pytest.mark.parametrize("students", [1, 2, 3])
def test_the_folder_of_students_of_teams_alone_will_do(tmp_path: Path, students: int) -> None:
    versions = {person: [HALF, RIGHT] for person in (ADA, BEN, ZOE)[:students]}
    files = {name.partition("/")[2]: data for name, data in arriving_more.teams(versions).items() if "Version" in name}
    download = read(tmp_path, files)
    assert (download.form, {each.key for each in download.attempts}) == (
        "Microsoft Teams",
        {person.name for person in versions},
    )
    assert [text(attempt) for attempt in download.attempts] == [HALF, RIGHT] * students


def test_a_version_of_teams_may_lie_in_the_student_s_folder_itself(tmp_path: Path) -> None:
    files = {f"Submitted files/{ADA.name}/Version {number}/{FILE}": marked(ADA, number) for number in (2, 10)}
    assert [(each.key, text(each)) for each in read(tmp_path, files).attempts] == [
        (ADA.name, marked(ADA, 2)),
        (ADA.name, marked(ADA, 10)),
    ]


def test_of_several_assignments_in_teams_the_last_version_of_each_counts(tmp_path: Path) -> None:
    place = f"Submitted files/{ADA.name}"
    files = {
        f"{place}/Week 1/Version 2/{FILE}": RIGHT,
        f"{place}/Week 1/Version 10/{FILE}": SQUARED,
        f"{place}/Week 2/Version 1/ch02_other.py": HALF,
    }
    download = read(tmp_path, files)
    (attempt,) = download.attempts
    assert arriving.paths(attempt) == [f"Week 1/{FILE}", "Week 2/ch02_other.py"]
    assert text(attempt) == SQUARED
    assert attempt.notes == ("of Week 1 the last version counts, and the others were not read",)
    assert download.problems == (
        "there are several assignments here, Week 1 and Week 2; of each, the last version of a student counts",
    )


def test_what_lies_beside_the_versions_of_teams_is_said(tmp_path: Path) -> None:
    place = f"Submitted files/{ADA.name}"
    files = {f"{place}/Week 1/Version 1/{FILE}": RIGHT, f"{place}/Week 1/old.py": "", f"{place}/notes.txt": ""}
    (attempt,) = read(tmp_path, files).attempts
    assert attempt.notes == (
        "not in an assignment's folder, and not read: notes.txt",
        "not in a version's folder of Week 1, and not read: old.py",
    )


def test_schoology_says_which_revision_is_late_and_whose_it_is(tmp_path: Path) -> None:
    place = "Lovelace, Ada - s486002"
    files = {f"{place}/Revision 2 - Late/{FILE}": RIGHT, f"{place}/Revision 1 - On time/{FILE}": HALF, f"{place}/x": ""}
    first, second = read(tmp_path, files).attempts
    assert [(text(each), each.is_late, each.submitted) for each in (first, second)] == [
        (HALF, False, None),
        (RIGHT, True, None),
    ]
    assert second.person == Person("Lovelace, Ada", "s486002")
    assert second.notes == ("not in a revision's folder, and not read: x",)


def test_a_revision_of_schoology_in_another_language_tells_no_lateness(tmp_path: Path) -> None:
    (attempt,) = read(tmp_path, {f"Lovelace, Ada/Revision 1 - A tiempo/{FILE}": RIGHT}).attempts
    assert (attempt.is_late, attempt.person) == (None, Person("Lovelace, Ada"))


def active(version: int | None, versions: int = 3) -> arriving.Files:
    """A submission of Ada's to Submitty with an active version, None if the settings are lost."""
    files = dict(arriving_more.submitty({ADA: [marked(ADA, number) for number in range(1, versions + 1)]}))
    settings = "submissions/ada/user_assignment_settings.json"
    if version is None:
        del files[settings]
    else:
        files[settings] = arriving_more.submitty_settings(version, versions)
    return files


def test_the_active_version_of_submitty_counts_even_if_it_is_not_the_newest_and_the_page_says_so(
    tmp_path: Path,
) -> None:
    found = read(tmp_path, active(2)).attempts
    assert [text(attempt) for attempt in found] == [marked(ADA, number) for number in (1, 3, 2)]
    assert found[-1].submitted == when(2)
    assert (
        "version 2 is active on Submitty and counts, though version 3 is newer" in arriving.submission(found[-1]).notes
    )


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (0, "cancelled on Submitty, where no version is active, so none of 1, 2 and 3 counts"),
        (4, "version 4 is active on Submitty and is not in the download, so nothing was read"),
    ],
)
def test_where_submitty_has_no_active_version_nothing_is_read_and_it_is_said(
    tmp_path: Path, version: int, says: str
) -> None:
    (attempt,) = read(tmp_path, active(version)).attempts
    assert (arriving.paths(attempt), attempt.notes) == ([], (says,))


def test_without_submitty_s_settings_the_newest_version_counts_and_it_is_said(tmp_path: Path) -> None:
    *_, attempt = read(tmp_path, active(None, 11)).attempts
    assert text(attempt) == marked(ADA, 11)
    assert attempt.notes == (
        "no user_assignment_settings.json says which version is active, so the newest one, 11, counts",
    )


@pytest.mark.parametrize(
    "settings", ["{", "[]", '{"active_version": "two"}', "\udcff".encode("utf-8", "surrogateescape")]
)
def test_damaged_settings_of_submitty_are_said(tmp_path: Path, settings: str | bytes) -> None:
    *_, attempt = read(tmp_path, {**active(1), "submissions/ada/user_assignment_settings.json": settings}).attempts
    assert text(attempt) == marked(ADA, 3)
    assert attempt.notes[0].startswith("user_assignment_settings.json cannot be read: ")


def test_a_team_of_submitty_is_each_of_its_members(tmp_path: Path) -> None:
    changes = (
        '{"action": "create", "user": "ada"}',
        '{"action": "accept_invitation", "user": "ben"}',
        '{"action": "admin_add_user", "admin_user": "x", "added_user": "zoe"}',
        '{"action": "leave", "user": "ben"}',
    )
    settings = arriving_more.submitty_settings(1, 1, f', "team_history": [{", ".join(changes)}]')
    place = "submissions/00001_ada"
    files = {f"{place}/user_assignment_settings.json": settings, f"{place}/1/{FILE}": RIGHT}
    found = read(tmp_path, files).attempts
    assert [(each.key, each.person, text(each)) for each in found] == [
        ("ada", Person(login="ada"), RIGHT),
        ("zoe", Person(login="zoe"), RIGHT),
    ]
    assert {(each.shared, each.notes) for each in found} == {("00001_ada", ("handed in by ada and zoe together",))}


def test_a_download_of_submitty_s_active_versions_alone_has_no_folders_for_them(tmp_path: Path) -> None:
    files = {
        f"submissions/{person.login}/{name}": data
        for person, answer in arriving.ANSWERS.items()
        for name, data in ((FILE, answer), (".submit.timestamp", f"{arriving_more.submitty_time(1)}\n"))
    }
    download = read(tmp_path, files)
    assert arriving.texts(download) == {person.login: answer for person, answer in arriving.ANSWERS.items()}
    assert {attempt.submitted for attempt in download.attempts} == {when(1)}


@pytest.mark.parametrize("top", ["", "submissions/ch01/", "ch01/"])
def test_submitty_s_folders_may_lie_alone_or_in_the_gradeable_s(tmp_path: Path, top: str) -> None:
    files = {name.replace("submissions/", top): data for name, data in arriving_more.submitty(ONCE).items()}
    download = read(tmp_path, files)
    assert (download.form, sorted(arriving.texts(download))) == ("Submitty", ["ada", "ben", "zoe"])
    assert download.problems == ()


@pytest.mark.parametrize("top", ["", "all_students/"])
def test_what_was_handed_in_to_submitty_by_git_is_in_its_checkout(tmp_path: Path, top: str) -> None:
    files = {name: data for name, data in arriving_more.submitty({ADA: [RIGHT]}).items() if not name.endswith(FILE)}
    files |= {f"checkout/ada/1/{FILE}": RIGHT, "results/ada/1/results.json": "{}"}
    download = read(tmp_path, {f"{top}{name}": data for name, data in files.items()})
    assert arriving.texts(download) == {"ada": RIGHT}
    assert download.problems == ()


def test_a_stray_file_among_submitty_s_submissions_is_said_and_hides_no_student(tmp_path: Path) -> None:
    strays = {"submissions/roster.csv": "", "results/ada/1/results.json": "{}"}
    download = read(tmp_path, {**arriving_more.submitty(ONCE), **strays})
    assert (download.form, len(download.attempts)) == ("Submitty", 3)
    assert download.problems == ("not in a student's or team's folder, and not read: roster.csv",)


def test_vpl_s_own_number_of_a_user_is_no_number_of_a_roster(tmp_path: Path) -> None:
    (attempt,) = read(tmp_path, {f"Lovelace Ada 12 ada/2026-11-20-23-59-00/{FILE}": RIGHT}).attempts
    assert attempt.person == Person("Lovelace Ada", login="ada")
    assert attempt.submitted == datetime(2026, 11, 20, 23, 59)
    assert enrol(Download("Moodle VPL", (attempt,)), ROSTER)[0].rows[0].person == ADA  # 12 is Ben's number


@pytest.mark.parametrize("name", ["Team A Group 5", "Team A Group 5 "])
def test_a_group_of_vpl_has_the_group_s_name(tmp_path: Path, name: str) -> None:
    download = zipped(tmp_path, {f"{name}/2026-11-20-23-59-00/{FILE}": RIGHT})
    (attempt,) = download.attempts
    assert (attempt.person, attempt.shared) == (Person("Team A"), "")
    roster = Roster((ADA, BEN), groups={ADA: "Team A", BEN: "Team A"})
    register, _ = enrol(download, roster, in_groups=True)
    assert {row.person for row in register.rows} == {ADA, BEN}


def test_what_vpl_made_of_a_submission_is_not_read(tmp_path: Path) -> None:
    place = "Lovelace Ada 12 ada/2026-11-20-23-59-00"
    files = {
        f"{place}/{FILE}": RIGHT,
        f"{place}.ceg/{FILE}": SQUARED,
        "Errors.txt": 'Warning: file "x" does not exists\n',
    }
    download = read(tmp_path, files)
    (attempt,) = download.attempts
    assert (arriving.paths(attempt), text(attempt), attempt.notes) == ([FILE], RIGHT, ())
    assert unsaid(download) == ['Errors.txt of VPL says: Warning: file "x" does not exists']


def test_autolab_s_address_stands_within_a_file_s_name_that_has_more_parts(tmp_path: Path) -> None:
    files = {f"1_ch09_{person.email}_language_model.py": "" for person in (ADA, BEN)}
    download = read(tmp_path, files)
    assert [(each.key, arriving.paths(each)) for each in download.attempts] == [
        (ADA.email, ["ch09_language_model.py"]),
        (BEN.email, ["ch09_language_model.py"]),
    ]
    assert download.problems == ()


def test_an_address_on_autolab_may_hold_underscores(tmp_path: Path) -> None:
    files = {f"2_s_{number}@uni.edu_{FILE}": RIGHT for number in (1, 2)}
    assert [each.key for each in read(tmp_path, files).attempts] == ["s_1@uni.edu", "s_2@uni.edu"]


def test_where_an_address_on_autolab_begins_is_said_if_no_chapter_tells_it(tmp_path: Path) -> None:
    download = read(tmp_path, {f"1_my_{person.email}_home_work.py": "" for person in (ADA, BEN)})
    assert [each.key for each in download.attempts] == [ADA.email, BEN.email]
    assert download.problems == (
        "all names hold my_ before the address, as 1_my_ada@uni.edu_home_work.py, taken for a part of the file's name",
    )


def test_a_name_of_autolab_s_that_can_be_read_in_two_ways_is_said(tmp_path: Path) -> None:
    name = "1_hw_ada@uni.edu_3_solution.py"
    says = f"{name} may begin with a version or with an address that begins with a number; read as an address"
    assert read(tmp_path, {name: RIGHT}).problems == (says,)


def test_a_number_that_several_share_is_no_submission_s_on_prairielearn(tmp_path: Path) -> None:
    files = {f"{person.email}_{person.id}_lab_3_sort.py": RIGHT for person in (ADA, BEN)}
    assert read(tmp_path, files).form == "Autolab"


def test_two_files_of_one_version_are_not_from_autolab(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read(tmp_path, {f"{ADA.email}_11_{question}": "" for question in ("a.py", "b.py")})


def test_files_for_grading_by_hand_on_prairielearn_have_the_university_s_number(tmp_path: Path) -> None:
    files = {
        f"Homework1/{person.email}_{person.id}_attention_{340 + number}_{FILE}": answer
        for number, (person, answer) in enumerate(arriving.ANSWERS.items())
    }
    download = read(tmp_path, files)
    assert download.form == "PrairieLearn"
    assert {(each.person, text(each)) for each in download.attempts} == {
        (Person("", person.id, email=person.email), answer) for person, answer in arriving.ANSWERS.items()
    }


def test_of_several_questions_on_prairielearn_the_last_submission_of_each_counts(tmp_path: Path) -> None:
    files = {
        f"{ADA.email}_1_ch01/toy_1_9_99_{FILE}": HALF,
        f"{ADA.email}_1_ch01/toy_1_10_100_{FILE}": RIGHT,
        f"{ADA.email}_1_more_1_1_98_ch02_other.py": "",
    }
    (attempt,) = read(tmp_path, files).attempts
    assert (arriving.paths(attempt), text(attempt)) == ([f"ch01/toy/{FILE}", "more/ch02_other.py"], RIGHT)


def test_a_group_on_prairielearn_has_the_group_s_name(tmp_path: Path) -> None:
    download = read(tmp_path, {f"team7_1_attention_1_1_5_{FILE}": RIGHT})
    register, _ = enrol(download, Roster((ADA, BEN), groups={ADA: "team7", BEN: "team7"}), in_groups=True)
    assert {row.person for row in register.rows} == {ADA, BEN}


def test_all_files_of_one_submission_on_prairielearn_belong_together(tmp_path: Path) -> None:
    files = {f"{ADA.email}_1_attention_1_1_5_{name}": RIGHT for name in (FILE, "helpers.py")}
    (attempt,) = read(tmp_path, files).attempts
    assert arriving.paths(attempt) == [FILE, "helpers.py"]


def test_a_login_in_nbgrader_s_exchange_may_hold_a_plus_and_the_letters_may_be_missing(tmp_path: Path) -> None:
    files = {
        f"ada+x+ch01+2026-11-20 22:59:00.000000 UTC/{FILE}": RIGHT,
        f"ada+x+ch01+2026-11-20 21:59:00.000000 UTC+aaaa/{FILE}": HALF,
    }
    found = read(tmp_path, files).attempts
    assert [(each.key, text(each)) for each in found] == [("ada+x", HALF), ("ada+x", RIGHT)]
    assert found[-1].submitted == datetime(2026, 11, 20, 22, 59, tzinfo=UTC)


def test_of_several_assignments_in_nbgrader_s_exchange_each_counts(tmp_path: Path) -> None:
    files = {
        f"ada+ch01+2026-11-20 22:59:00.000000 UTC+a/{FILE}": RIGHT,
        "ada+ch02+2026-11-27 22:59:00.000000 UTC+b/ch02_other.py": "",
    }
    (attempt,) = read(tmp_path, files).attempts
    assert arriving.paths(attempt) == [f"ch01/{FILE}", "ch02/ch02_other.py"]
    assert attempt.submitted == datetime(2026, 11, 27, 22, 59, tzinfo=UTC)


@pytest.mark.parametrize("name", ["ada+ch01+2026-13-40 25:61:61.000000 UTC+a", "Ada - 2026-13-40 25:61:61"])
def test_a_time_that_does_not_exist_is_no_time_and_said(tmp_path: Path, name: str) -> None:
    (attempt,) = read(tmp_path, {f"{name}/{FILE}": RIGHT}).attempts
    assert (attempt.submitted, attempt.notes) == (None, (f"the folder's name holds no time that exists: {name}",))


@pytest.mark.parametrize("stamp", ["2026-11-20 22:59:00", "2026-11-20 22h 59m 00s", "2026-11-20T22:59:00.123456+00:00"])
def test_codegrade_writes_a_time_in_several_ways(tmp_path: Path, stamp: str) -> None:
    (attempt,) = read(tmp_path, {f"{ADA.name} - {stamp}/{FILE}": RIGHT}).attempts
    assert (attempt.person, attempt.submitted) == (Person(ADA.name), datetime(2026, 11, 20, 22, 59, tzinfo=UTC))


@pytest.mark.parametrize("name", ['Group "Team A"', "Group -Team A-"])
def test_a_group_on_codegrade_has_the_group_s_name(tmp_path: Path, name: str) -> None:
    (attempt,) = read(tmp_path, {f"{name} - 2026-11-20 22:59:00/{FILE}": RIGHT}).attempts
    assert attempt.person == Person("Team A")
