"""What each platform does to names, times and attempts, and what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.classroom.enrol import enrol
from autograder.classroom.person import NOBODY, Attempt, Download, Person
from autograder.classroom.roster import Roster
from autograder.core.errors import UsageError
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FILE, HALF, RIGHT, SQUARED, canvas_name


def read(place: Path, files: arriving.Files, name: str = "class") -> Download:
    return downloads.read(arriving.folder(place / name, files), COURSE)


def only(place: Path, files: arriving.Files) -> Attempt:
    (attempt,) = read(place, files).attempts
    return attempt


def text(attempt: Attempt) -> str:
    return arriving.submission(attempt).chapters["ch01_toy"].text


def test_canvas_says_who_is_late_in_the_file_s_name(tmp_path: Path) -> None:
    files = {canvas_name(ADA, FILE, late="_LATE"): RIGHT, canvas_name(BEN, FILE): RIGHT}
    assert [attempt.is_late for attempt in read(tmp_path, files).attempts] == [True, False]


def test_canvas_numbers_a_file_handed_in_again_and_the_highest_counts(tmp_path: Path) -> None:
    files = {
        canvas_name(ADA, "ch01_toy-2.py", number=901): RIGHT,
        canvas_name(ADA, FILE, number=900): HALF,
        canvas_name(ADA, "ch01_toy-1.py", number=902): SQUARED,
    }
    attempt = only(tmp_path, files)
    assert (arriving.paths(attempt), text(attempt)) == ([FILE], RIGHT)
    assert attempt.notes == (
        "lovelaceada_11_901_ch01_toy-2.py was handed in after lovelaceada_11_900_ch01_toy.py and counts",
        "lovelaceada_11_901_ch01_toy-2.py was handed in after lovelaceada_11_902_ch01_toy-1.py and counts",
    )


def test_canvas_numbers_trained_models_as_well(tmp_path: Path) -> None:
    files = {
        canvas_name(ADA, FILE): RIGHT,
        canvas_name(ADA, "line.safetensors", number=901): "older",
        canvas_name(ADA, "line-1.safetensors", number=902): "newer",
    }
    with only(tmp_path, files).opened() as listing:
        (model,) = [found for found in listing.files if found.path.suffix == ".safetensors"]
        assert (model.path.name, model.load()) == ("line.safetensors", b"newer")


def test_a_number_that_belongs_to_the_name_of_another_file_stays(tmp_path: Path) -> None:
    assert arriving.paths(only(tmp_path, {canvas_name(ADA, "lab-2.txt"): ""})) == ["lab-2.txt"]


def test_a_student_s_file_name_cannot_look_like_another_student_on_canvas(tmp_path: Path) -> None:
    forged = canvas_name(BEN, canvas_name(ADA, FILE))
    assert only(tmp_path, {forged: RIGHT}).person.id == BEN.id


def test_an_anonymous_canvas_download_has_codes_instead_of_names(tmp_path: Path) -> None:
    files = {f"anon_x7Ab2_900_{FILE}": RIGHT, f"LATE_anon_Yp3kQ_901_{FILE}": RIGHT}
    found = read(tmp_path, files).attempts
    assert [(each.key, each.person, each.is_late) for each in found] == [
        ("anon_Yp3kQ", NOBODY, True),
        ("anon_x7Ab2", NOBODY, False),
    ]


def test_the_codes_of_an_anonymous_canvas_download_may_be_numbers(tmp_path: Path) -> None:
    download = read(tmp_path, {f"anon_123_900_{FILE}": RIGHT, f"LATE_anon_45_901_{FILE}": RIGHT})
    assert [(each.key, each.person) for each in download.attempts] == [("anon_123", NOBODY), ("anon_45", NOBODY)]
    named = read(tmp_path / "named", {f"anon_123_900_{FILE}": RIGHT, canvas_name(ADA, FILE): RIGHT})
    assert Person("anon", "123") in [each.person for each in named.attempts]


def test_of_an_anonymous_canvas_download_nobody_on_the_roster_is_called_absent(tmp_path: Path) -> None:
    download = read(tmp_path, {f"anon_x7Ab2_900_{FILE}": RIGHT})
    assert any("this is Canvas's anonymous download" in sentence for sentence in download.problems)
    register, _ = enrol(download, Roster((ADA, BEN)))
    assert register.absent == ()
    assert register.unmatched == ()
    assert enrol(read(tmp_path / "named", {canvas_name(ADA, FILE): RIGHT}), Roster((ADA, BEN)))[0].absent == (BEN,)


def test_text_typed_into_canvas_is_a_submission_without_code_and_said(tmp_path: Path) -> None:
    attempt = only(tmp_path, {"lovelaceada_11_text.html": "<p>"})
    assert arriving.paths(attempt) == []
    assert attempt.notes == (
        "what was typed or linked in Canvas holds no code and was not read: lovelaceada_11_text.html",
    )


def test_moodle_s_folders_may_end_with_an_underscore_or_not(tmp_path: Path) -> None:
    files = {f"Jan de Wit_7_assignsubmission_file/{FILE}": RIGHT, f"Mei_Li_8_assignsubmission_file_/{FILE}": RIGHT}
    assert [attempt.person for attempt in read(tmp_path, files).attempts] == [
        Person("Jan de Wit", "7"),
        Person("Mei_Li", "8"),
    ]


def test_online_text_in_moodle_is_no_submission_of_its_own_and_said(tmp_path: Path) -> None:
    files = arriving.moodle() | {f"{ADA.name}_11_assignsubmission_onlinetext_/onlinetext.html": "<p>"}
    ada, *_ = read(tmp_path, files).attempts
    assert (text(ada), len(ada.notes)) == (RIGHT, 1)
    assert ada.notes[0].startswith("only files handed in are graded; not read: Ada Lovelace_11_assignsubmission_online")


def test_blind_marking_in_moodle_leaves_the_number(tmp_path: Path) -> None:
    assert only(tmp_path, {f"Participant_77_assignsubmission_file_/{FILE}": RIGHT}).person == Person(id="77")


def test_a_student_s_file_name_cannot_look_like_another_student_on_moodle(tmp_path: Path) -> None:
    forged = f"Eve_7_assignsubmission_file_Ada_8_assignsubmission_file_{FILE}"
    assert only(tmp_path, {forged: RIGHT}).person == Person("Eve", "7")


def test_blackboard_has_several_attempts_of_a_student_in_the_order_of_their_times(tmp_path: Path) -> None:
    later = arriving.blackboard_attempt(ADA, RIGHT, "2026-11-21-08-00-00")
    first = arriving.blackboard_attempt(ADA, HALF, "2026-11-20-09-30-00")
    found = read(tmp_path, later | first).attempts
    assert [text(attempt) for attempt in found] == [HALF, RIGHT]
    assert {attempt.key for attempt in found} == {"ada"}
    assert found[0].submitted == datetime(2026, 11, 20, 9, 30)


def test_the_receipt_tells_a_user_name_with_underscores(tmp_path: Path) -> None:
    person = Person("Ann Lee", login="ann_lee")
    attempt = only(tmp_path, arriving.blackboard_attempt(person, RIGHT, title="Week_1_b"))
    assert (attempt.key, attempt.person, text(attempt)) == ("ann_lee", person, RIGHT)
    alone = {name: text for name, text in arriving.blackboard_attempt(person, RIGHT).items() if name.endswith(".py")}
    assert only(tmp_path / "without receipt", alone).key == "lee"


def test_a_comment_in_a_receipt_cannot_make_it_another_student_s(tmp_path: Path) -> None:
    files = dict(arriving.blackboard_attempt(BEN, RIGHT))
    receipt = next(name for name in files if name.endswith(".txt"))
    files[receipt] = str(files[receipt]).replace("There are no student comments", f"Name: {ADA.name} (ada)\n")
    assert only(tmp_path, files).person == Person(BEN.name, login="ben")


def test_a_time_that_does_not_exist_is_no_time(tmp_path: Path) -> None:
    assert only(tmp_path, arriving.blackboard_attempt(ADA, RIGHT, "2026-13-40-25-61-61")).submitted is None


def test_several_assignments_in_one_blackboard_download_are_said(tmp_path: Path) -> None:
    files = arriving.blackboard_attempt(ADA, RIGHT) | arriving.blackboard_attempt(ADA, RIGHT, title="Week_2")
    assert "there are several assignments here, Week_1 and Week_2" in read(tmp_path, files).problems[0]


def test_a_group_on_gradescope_is_each_of_its_members(tmp_path: Path) -> None:
    files = {"submission_metadata.yml": arriving.metadata({"submission_1": (ADA, BEN)}), f"submission_1/{FILE}": RIGHT}
    found = read(tmp_path, files).attempts
    assert [(each.person.name, text(each)) for each in found] == [(ADA.name, RIGHT), (BEN.name, RIGHT)]
    assert {each.notes for each in found} == {("handed in by Ada Lovelace and Ben O'Brien together",)}
    assert {each.shared for each in found} == {"submission_1"}


def test_gradescope_s_list_and_folders_may_differ_and_each_difference_is_said(tmp_path: Path) -> None:
    files = {"submission_metadata.yml": arriving.metadata({"submission_1": (ADA,)}), f"submission_2/{FILE}": RIGHT}
    download = read(tmp_path, files)
    assert download.problems == (
        "submission_metadata.yml names submission_1 of Ada Lovelace, which is not in the download",
    )
    assert (download.attempts[0].key, download.attempts[0].person) == ("submission_2", NOBODY)
    assert download.attempts[0].notes == ("submission_metadata.yml does not say whose submission_2 is",)


def test_types_of_ruby_in_gradescope_s_list_are_plain_data(tmp_path: Path) -> None:
    listed = arriving.metadata({"submission_1": (ADA,)}).replace("submission_1:", "submission_1: !ruby/hash:Some::Hash")
    files = {"submission_metadata.yml": listed, f"submission_1/{FILE}": RIGHT}
    assert only(tmp_path, files).person == Person(ADA.name, ADA.id, email=ADA.email)


@pytest.mark.parametrize("listed", ["a: [", "- a\n", "", "a: 2026-99-99 10:00:00\n", "? {a: [b]}\n: c\n", "\0"])
def test_a_damaged_list_of_gradescope_says_what_to_do(tmp_path: Path, listed: str) -> None:
    with pytest.raises(UsageError, match=r"submission_metadata\.yml .*; export the submissions again"):
        read(tmp_path, {"submission_metadata.yml": listed, f"submission_1/{FILE}": RIGHT})


def test_the_list_of_gradescope_makes_no_objects(tmp_path: Path) -> None:
    listed = f"submission_1:\n  :submitters: !!python/object/apply:os.system ['touch {tmp_path}/made']\n"
    with pytest.raises(UsageError):
        read(tmp_path, {"submission_metadata.yml": listed, f"submission_1/{FILE}": RIGHT})
    assert not (tmp_path / "made").exists()


def test_the_assignments_of_an_nbgrader_student_are_one_submission(tmp_path: Path) -> None:
    files = {
        f"ada/ch01/{FILE}": RIGHT,
        "ada/ch01/timestamp.txt": "2026-11-20 22:59:00.000000 UTC",
        "ada/ch02/ch02_other.ipynb": "{}",
        "ada/ch02/timestamp.txt": "2026-11-27 23:59:00 Europe/Berlin",
        "ada/ch02/.hidden": "",
    }
    attempt = only(tmp_path, files)
    assert [path for path in arriving.paths(attempt) if "timestamp" not in path] == [
        f"ch01/{FILE}",
        "ch02/ch02_other.ipynb",
    ]
    assert attempt.submitted == datetime(2026, 11, 27, 22, 59, tzinfo=UTC)


def test_an_nbgrader_student_s_loose_files_and_odd_times_are_said(tmp_path: Path) -> None:
    files = {f"ada/ch01/{FILE}": RIGHT, "ada/ch01/timestamp.txt": "yesterday", "ada/notes.txt": ""}
    attempt = only(tmp_path, files)
    assert attempt.submitted is None
    assert attempt.notes == (
        "timestamp.txt holds no time: yesterday",
        "in no assignment's folder, and not read: notes.txt",
    )


def test_of_an_nbgrader_course_the_folder_of_submissions_alone_will_do(tmp_path: Path) -> None:
    arriving.folder(tmp_path, arriving.nbgrader())
    for place in (tmp_path, tmp_path / "submitted"):
        download = downloads.read(place, COURSE)
        assert (download.form, len(download.attempts), download.problems) == ("nbgrader", 3, ())


def test_users_of_github_may_have_hyphens_and_share_what_they_begin_with(tmp_path: Path) -> None:
    files = {f"hw-1-{user}/{name}": "" for user in ("an-a", "an-b", "bo") for name in (FILE, ".git/HEAD")}
    assert [attempt.key for attempt in read(tmp_path, files).attempts] == ["an-a", "an-b", "bo"]
    few = {name: "" for name in files if "bo" not in name}
    assert [attempt.key for attempt in read(tmp_path, few, "hw-1-submissions").attempts] == ["an-a", "an-b"]


def test_a_repository_without_anything_in_it_is_a_student_s_all_the_same(tmp_path: Path) -> None:
    files = {f"hw-1-{user}/{name}": "" for user in ("ada", "ben") for name in (FILE, ".git/HEAD")}
    found = read(tmp_path, {**files, "hw-1-cem/README.md": "", "notes/x": ""})
    assert [attempt.key for attempt in found.attempts] == ["ada", "ben", "cem"]
    assert "notes" in found.problems[0]


def test_one_clone_alone_does_not_tell_whose_it_is_and_that_is_said(tmp_path: Path) -> None:
    attempt = only(tmp_path, {f"hw-1-ada/{FILE}": RIGHT, "hw-1-ada/.git/HEAD": ""})
    assert (attempt.key, attempt.person, len(attempt.notes)) == ("hw-1-ada", NOBODY, 1)


def test_nothing_of_a_clone_s_git_is_read(tmp_path: Path) -> None:
    for attempt in read(tmp_path, arriving.github()).attempts:
        assert arriving.paths(attempt) == [f"exercises/{FILE}"]
