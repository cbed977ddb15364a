"""`attend return`: each student's page goes back under that student's name, in the form that the platform takes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.classroom.person import Person
from autograder.classroom.register import FROM_ANYWHERE, NAME, Register, RegisterRow
from autograder.classroom.roster import Roster
from autograder.commands.cli import app
from autograder.core.errors import AttendError, UsageError
from autograder.platforms import layout
from autograder.platforms.download import FLAT, PLAIN
from autograder.platforms.handing_back import FeedbackPage, HandedBack, form_of, hand_back
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, FILE, RIGHT, ZOE, Files, canvas_name
from tests.autograder.graded_class import FORMULA
from tests.autograder.returned_class import (
    FAULT,
    LOST,
    Owner,
    fill,
    graded,
    in_canvas,
    in_ilias,
    in_moodle,
    in_sakai,
    inside,
    many,
    named,
)

EVERYBODY = (ADA, BEN, ZOE)
ROSTER = Roster(EVERYBODY)


def returned(platform: str, out: Path, to: Path | None = None, *, hold: bool = True) -> HandedBack:
    return hand_back(form_of(platform), out, to, hold=hold)


def owners(path: Path, owner: Owner) -> dict[str, str]:
    """Whom each page is for, by the student to whom the platform gives it."""
    pages = inside(path)
    found = {owner(place): named(page) for place, page in pages.items()}
    assert len(found) == len(pages)
    return found


@pytest.mark.parametrize(
    ("platform", "form", "owner"),
    [("moodle", "Moodle", in_moodle), ("moodle", "Moodle, flat", in_moodle), ("canvas", "Canvas", in_canvas)],
)
def test_each_page_is_where_the_platform_looks_for_its_student(
    tmp_path: Path, platform: str, form: str, owner: Owner
) -> None:
    done = returned(platform, graded(tmp_path, arriving.FORMS[form](), ROSTER))
    assert owners(done.path, owner) == {person.id: person.name for person in EVERYBODY}
    assert (done.left, done.held) == ([], [])
    assert done.path.name == f"{platform}-feedback.zip"


@pytest.mark.parametrize(("platform", "owner"), [("moodle", in_moodle), ("canvas", in_canvas)])
def test_in_a_class_of_sixty_with_namesakes_nobody_gets_another_s_page(
    tmp_path: Path, platform: str, owner: Owner
) -> None:
    moodle = {f"{each.name}_{each.id}_assignsubmission_file_/{FILE}": RIGHT for each in many()}
    canvas = {canvas_name(each, FILE): RIGHT for each in many()}
    out = graded(tmp_path, moodle if platform == "moodle" else canvas, Roster(tuple(many())))
    found = owners(returned(platform, out).path, owner)
    assert {number: re.sub(r" \(.*\)| \[.*\]", "", name) for number, name in found.items()} == {
        each.id: each.name for each in many()
    }
    assert len(set(found.values())) == len(found) == 60


def test_moodle_s_places_are_named_as_in_its_download(tmp_path: Path) -> None:
    done = returned("moodle", graded(tmp_path / "a", arriving.moodle()))
    assert set(inside(done.path)) == {name.replace(FILE, "feedback.html") for name in arriving.moodle()}
    flat = returned("moodle", graded(tmp_path / "b", arriving.moodle_flat()))
    assert set(inside(flat.path)) == {name.replace(FILE, "feedback.html") for name in arriving.moodle_flat()}


def test_canvas_gets_back_the_very_names_of_its_download_and_students_read_that_it_is_a_page(tmp_path: Path) -> None:
    out = graded(tmp_path, arriving.canvas())
    pages = inside(returned("canvas", out).path)
    assert set(pages) == set(arriving.canvas())
    hints, rests = zip(*(page.split("\n", 1) for page in pages.values()), strict=True)
    (hint,) = set(hints)
    assert re.fullmatch(r"<!-- .* save this file as feedback\.html, and open it in a browser\. -->", hint)
    assert sorted(rests) == sorted(path.read_text(encoding="utf-8") for path in (out / "feedback").iterdir())


def test_of_a_student_s_files_in_canvas_the_newest_of_the_chapter_is_answered(tmp_path: Path) -> None:
    newest = canvas_name(ADA, FILE.replace(".py", "-1.py"), "_LATE", 902)
    files: Files = {
        canvas_name(ADA, "a_model.safetensors", "_LATE", 800): b"",
        canvas_name(ADA, FILE, "_LATE", 900): RIGHT,
        newest: RIGHT,
    }
    assert list(inside(returned("canvas", graded(tmp_path, files), hold=False).path)) == [newest]


def test_canvas_s_anonymous_students_get_theirs_by_code(tmp_path: Path) -> None:
    files: Files = {f"anon_x{n}y_90{n}_{FILE}": RIGHT for n in range(2)}
    assert set(inside(returned("canvas", graded(tmp_path, files)).path)) == set(files)


def row(person: Person, *arrived: str, shared: str = "") -> RegisterRow:
    return RegisterRow(f"stem-{person.id}", person.name, person, shared=shared, arrived=arrived)


def test_ilias_finds_the_number_of_the_user_at_the_end_of_a_folder_and_a_team_s_is_no_user_s(tmp_path: Path) -> None:
    keys = {"Lovelace_Ada_ada_274": ADA, "O_Brien_Ben_b_o_275": BEN, "Team_274": ZOE}
    rows = tuple(row(person, key, f"{key}/{FILE}") for key, person in keys.items())
    done = returned("ilias", fill(tmp_path / "grades", Register("ILIAS", rows)))
    assert owners(done.path, in_ilias) == {"274": ADA.name, "275": BEN.name}
    assert done.left == [ZOE.name]


def test_sakai_finds_the_login_in_brackets_and_a_group_s_folder_has_none(tmp_path: Path) -> None:
    rows = (
        row(ADA, "Lovelace, Ada(ada)", f"Submission attachment(s)/{FILE}"),
        row(BEN, "Team 1 (123) ben", f"Submission attachment(s)/{FILE}"),
    )
    done = returned("sakai", fill(tmp_path / "grades", Register("Sakai", rows)))
    assert owners(done.path, in_sakai) == {"ada": ADA.name}
    assert done.left == [BEN.name]
    assert f"{BEN.name}; send these with `attend return mail`" in done.text()


def test_brightspace_gets_back_the_folder_of_the_upload_that_counts(tmp_path: Path) -> None:
    folder, flat = "39-25 - Ada Lovelace - Nov 20, 2026 926 PM", "40-25 - Ben O'Brien - 20 November, 2026 9:26 PM"
    rows = (row(ADA, "Ada Lovelace_39", folder), row(BEN, "Ben O'Brien_40", f"{flat} - {FILE}"))
    done = returned("brightspace", fill(tmp_path / "grades", Register("Brightspace", rows)))
    places = {f"{folder}/feedback.html": ADA.name, f"{flat} - feedback.html": BEN.name}
    assert {place: named(page) for place, page in inside(done.path).items()} == places


def test_blackboard_takes_no_zip_so_that_the_pages_have_the_names_of_the_logins(tmp_path: Path) -> None:
    done = returned("blackboard", graded(tmp_path, arriving.blackboard(), ROSTER))
    assert {place: named(page) for place, page in inside(done.path).items()} == {
        f"{person.login}.html": person.name for person in EVERYBODY
    }
    assert "attach LOGIN.html to each student's attempt" in done.text()


def test_a_page_opens_alone(tmp_path: Path) -> None:
    for page in inside(returned("moodle", graded(tmp_path, arriving.moodle())).path).values():
        assert {link[0] for link in re.findall(r'(?:src|href)="([^"]*)"', page)} <= {"#"}
        assert "<script" not in page
        assert "@import" not in page
        assert "default-src 'none'" in page


def table(done: HandedBack) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(done.path.read_bytes().decode("utf-8-sig"), newline="")))


def test_a_mail_merge_has_address_name_subject_points_and_page_of_each(tmp_path: Path) -> None:
    out = graded(tmp_path, arriving.gradescope(), ROSTER, {BEN.name: FAULT})
    done = returned("mail", out)
    found = {each["email"]: each for each in table(done)}
    assert found.keys() == {ADA.email, ZOE.email}
    assert done.left == [BEN.name]
    for person in (ADA, ZOE):
        mine = found[person.email]
        assert (mine["name"], mine["subject"]) == (person.name, "Feedback: ch01_toy")
        assert (mine["points"], mine["max_points"]) == ("4", "4")
        assert named(Path(mine["page"]).read_text(encoding="utf-8")) == person.name


def test_no_cell_of_the_mail_merge_is_a_formula_and_who_has_no_address_is_named(tmp_path: Path) -> None:
    people = (replace(ADA, name=FORMULA), replace(BEN, email=""))
    rows = tuple(row(person) for person in people)
    done = returned("mail", fill(tmp_path / "grades", Register("", rows)))
    assert [each["name"] for each in table(done)] == [f"'{FORMULA}"]
    assert done.left == [BEN.name]
    assert f"no address is known of {BEN.name}; give a roster with addresses" in done.text()


@pytest.mark.parametrize(("choice", "status", "there"), [([], 1, 1), (["--hold"], 1, 1), (["--no-hold"], 1, 2)])
def test_what_is_undecided_stays_out_and_what_the_grader_failed_on_always(
    tmp_path: Path, choice: list[str], status: int, there: int
) -> None:
    out = graded(tmp_path, arriving.moodle(), ROSTER, {BEN.name: LOST, ZOE.name: FAULT})
    done = CliRunner().invoke(app, ["return", "moodle", str(out), *choice])
    assert (done.exit_code, len(inside(out / "moodle-feedback.zip"))) == (status, there)
    assert ("held back, as something is undecided: Ben O'Brien (1)" in done.output) == (there == 1)
    assert f"not final, as the grader failed on a part: {ZOE.name}" in done.output.replace("\n", " ")


@pytest.mark.parametrize(("answers", "status"), [({}, 0), ({BEN.name: LOST}, 1)])
def test_the_exit_status_tells_whether_every_page_is_in_it(
    tmp_path: Path, answers: dict[str, list], status: int
) -> None:  # type: ignore[type-arg]
    out = graded(tmp_path, arriving.moodle(), ROSTER, answers)
    assert CliRunner().invoke(app, ["return", "Moodle", str(out)]).exit_code == status


PAIR = replace(ROSTER, groups={ADA: "Group 1", BEN: "Group 1", ZOE: "Group 2"})
TEAM: Files = {
    f"Group 1_13_assignsubmission_file_/{FILE}": RIGHT,
    f"Group 2_99_assignsubmission_file_/{FILE}": RIGHT,
}


def test_moodle_shows_a_file_to_the_whole_team_so_that_their_one_page_names_all_of_them(tmp_path: Path) -> None:
    done = returned("moodle", graded(tmp_path, TEAM, PAIR, groups=True))
    found = {place.split("_")[0]: named(page) for place, page in inside(done.path).items()}
    assert found == {"Group 1": f"{ADA.name} and {BEN.name}", "Group 2": ZOE.name}
    assert done.left == []


@pytest.mark.parametrize(
    "rules", ['[students."ben"]\npoints = 1\n', '[students."ada"]\npoints = -1\nwhy = "private"\n']
)
def test_pages_of_a_team_that_differ_are_shown_to_nobody_else(tmp_path: Path, rules: str) -> None:
    done = returned("moodle", graded(tmp_path, TEAM, PAIR, rules=rules, groups=True))
    assert [named(page) for page in inside(done.path).values()] == [ZOE.name]
    assert sorted(done.left) == [ADA.name, BEN.name]
    assert "Moodle shows a page to the whole team" in done.text()


def test_a_team_of_which_one_is_held_waits_as_a_whole(tmp_path: Path) -> None:
    done = returned("moodle", graded(tmp_path, TEAM, PAIR, {BEN.name: LOST}, groups=True))
    assert [named(page) for page in inside(done.path).values()] == [ZOE.name]
    assert (done.left, done.held) == ([ADA.name], [BEN.name])


ONE_OF_TWO: Files = {f"{person.name}_{person.id}_assignsubmission_file_/{FILE}": RIGHT for person in (ADA, ZOE)}


def test_a_mate_who_uploaded_nothing_is_found_by_the_number_if_the_roster_has_moodle_s(tmp_path: Path) -> None:
    done = returned("moodle", graded(tmp_path, ONE_OF_TWO, PAIR, groups=True))
    assert owners(done.path, in_moodle) == {person.id: person.name for person in EVERYBODY}


def test_a_mate_s_number_that_may_not_be_moodle_s_is_not_used(tmp_path: Path) -> None:
    other = {person: replace(person, id=f"9{person.id}") for person in EVERYBODY}
    roster = Roster(tuple(other.values()), groups={other[person]: group for person, group in PAIR.groups.items()})
    done = returned("moodle", graded(tmp_path, ONE_OF_TWO, roster, groups=True))
    assert owners(done.path, in_moodle) == {ADA.id: ADA.name, ZOE.id: ZOE.name}
    assert done.left == [BEN.name]


@pytest.mark.parametrize(
    ("platform", "says"),
    [
        ("gradescope", "Gradescope shows each check by itself"),
        ("nbgrader", "nbgrader generate_feedback"),
        ("github", "the workflow of `attend github`"),
        ("wattle", "PLATFORM is moodle, canvas, .* or mail, not 'wattle'"),
    ],
)
def test_a_platform_that_takes_no_pages_is_told_what_students_read_instead(platform: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        form_of(platform)


@pytest.mark.parametrize("form", FROM_ANYWHERE)
def test_a_class_from_anywhere_is_of_no_platform(form: str) -> None:
    assert {PLAIN, FLAT, layout.FORM, ""} == {*FROM_ANYWHERE}
    row = RegisterRow("ada", "ada", submitted=datetime(2026, 11, 20))
    assert Register(form, (row,)).platform == ""
    assert Register(form, (row,)).local_times.startswith("the times are local")


def test_pages_do_not_go_to_a_platform_that_they_did_not_come_from(tmp_path: Path) -> None:
    out = graded(tmp_path, arriving.canvas())
    with pytest.raises(UsageError, match="came from Canvas, not from Moodle; `attend return mail`"):
        returned("moodle", out)


def test_results_without_the_names_of_the_download_say_how_to_get_them(tmp_path: Path) -> None:
    out = fill(tmp_path / "grades", Register("Canvas", (row(ADA),)))
    with pytest.raises(UsageError, match="run the same `attend grade` again, which keeps them"):
        returned("canvas", out)


def test_a_page_that_is_gone_and_a_file_that_is_another_s_stop_it(tmp_path: Path) -> None:
    out = graded(tmp_path, arriving.moodle())
    taken = tmp_path / "class.zip"
    with pytest.raises(UsageError, match="is there already, with other contents"):
        returned("moodle", out, taken)
    with pytest.raises(UsageError, match="is a folder"):
        returned("moodle", out, tmp_path)
    next((out / "feedback").iterdir()).unlink()
    with pytest.raises(UsageError, match="cannot be read; run the same `attend grade` again"):
        returned("moodle", out)


def _link(page: Path, other: Path) -> None:
    page.symlink_to(other)


def _loop(page: Path, _: Path) -> None:
    page.symlink_to(page)


def _pipe(page: Path, _: Path) -> None:
    os.mkfifo(page)


def _folder(page: Path, _: Path) -> None:
    page.mkdir()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system makes no links for everyone")
@pytest.mark.parametrize("platform", ["moodle", "mail"])
@pytest.mark.parametrize("put", [_link, _loop, _pipe, _folder])
def test_what_lies_in_the_place_of_a_page_is_neither_followed_nor_given_to_anyone(
    tmp_path: Path, platform: str, put: Callable[[Path, Path], None]
) -> None:
    out = graded(tmp_path, arriving.moodle(), ROSTER)
    page, other = sorted((out / "feedback").iterdir())[:2]
    page.unlink()
    put(page, other)
    done = returned(platform, out)
    assert f"links and special files are not read: {page.name}; remove them" in done.text()
    assert len(done.left) == 1
    if platform == "moodle":
        assert len({named(text) for text in inside(done.path).values()}) == len(EVERYBODY) - 1
    else:
        assert page.name not in done.path.read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system makes no links for everyone")
def test_a_page_that_were_followed_would_be_another_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FeedbackPage, "is_strange", False)
    with pytest.raises(AssertionError):
        test_what_lies_in_the_place_of_a_page_is_neither_followed_nor_given_to_anyone(tmp_path, "moodle", _link)


@pytest.mark.parametrize("stem", ["../../secret", "/etc/x", "..", "", "a/b", "a\\b", "C:x", "x\n", ".hidden"])
def test_a_class_whose_files_would_lie_elsewhere_is_refused(tmp_path: Path, stem: str) -> None:
    out = graded(tmp_path, arriving.moodle(), ROSTER)
    found = json.loads((out / NAME).read_text(encoding="utf-8"))
    found["rows"][0]["stem"] = stem
    (out / NAME).write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(AttendError, match="no names of files; grade the class again"):
        returned("moodle", out)


def test_the_same_command_again_gives_the_same_file(tmp_path: Path) -> None:
    out = graded(tmp_path, arriving.moodle())
    first = returned("moodle", out, tmp_path / "to.zip")
    data = first.path.read_bytes()
    assert (returned("moodle", out, tmp_path / "to.zip"), first.path.read_bytes()) == (first, data)
