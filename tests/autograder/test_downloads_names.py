"""Names that nobody expected: each is graded or has a sentence, and none of them breaks anything."""

from __future__ import annotations

import zipfile
from pathlib import Path
from stat import S_IFLNK
from unicodedata import normalize

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.classroom.enrol import enrol
from autograder.classroom.person import Download
from autograder.core.errors import UsageError
from autograder.core.text import one_line
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, BEN, COURSE, FILE, RIGHT, canvas_name


def read(place: Path, files: arriving.Files) -> Download:
    return downloads.read(arriving.zipped(place / "class", files), COURSE)


def said(download: Download) -> str:
    return "\n".join(download.problems)


@pytest.mark.parametrize("name", [".DS_Store", "__MACOSX/._x", ".git/HEAD"])
@pytest.mark.parametrize("form", ["folder", "Canvas", "Gradescope"])
def test_hidden_files_are_nobody_s_and_said(tmp_path: Path, form: str, name: str) -> None:
    download = read(tmp_path, arriving.FORMS[form]() | {name: ""})
    assert download.form == form
    assert said(download) == f"left out, because hidden files are no submissions: {name.split('/')[0]}"


@pytest.mark.parametrize("form", [form for form in arriving.FORMS if form not in ("folder", "Moodle, flat")])
def test_what_has_another_form_is_left_out_and_said(tmp_path: Path, form: str) -> None:
    files = {name: text for name, text in arriving.FORMS[form]().items() if name != "nbgrader_config.py"}
    within = {"Gradescope": "assignment_7_export/", "nbgrader": "submitted/", "Sakai": "Chapter 1/"}
    inside = {**within, "ILIAS": "Blatt 01/Abgaben/", "OpenOlat": "ita_Week_1/"}.get(form, "")
    download = read(tmp_path, files | {f"{inside}stranger/x.txt": "", f"{inside}roster.csv": ""})
    assert download.form == form
    assert len(download.attempts) == 3
    assert f"left out, because not named as in a download from {form}: roster.csv and stranger" in said(download)


def test_beside_students_folders_other_files_are_left_out_and_said(tmp_path: Path) -> None:
    download = read(tmp_path, arriving.plain() | {"roster.csv": "", canvas_name(ADA, FILE): RIGHT})
    assert (download.form, len(download.attempts)) == ("folder", 3)
    assert said(download) == (
        f"left out, because not a folder or zip of a student: {canvas_name(ADA, FILE)} and roster.csv"
    )


def test_of_two_forms_in_one_folder_the_commoner_is_read_and_the_other_said(tmp_path: Path) -> None:
    stray = f"Eve_7_assignsubmission_file_{FILE}"
    download = read(tmp_path, arriving.canvas() | {stray: RIGHT})
    assert (download.form, len(download.attempts)) == ("Canvas", 3)
    assert said(download) == f"left out, because not named as in a download from Canvas: {stray}"


def test_an_empty_folder_is_a_submission_without_files(tmp_path: Path) -> None:
    for number, files in enumerate(
        [
            {"ada/": "", f"ben/{FILE}": RIGHT},
            {"Ada_1_assignsubmission_file_/": "", f"Ben_2_assignsubmission_file_/{FILE}": RIGHT},
        ]
    ):
        place = arriving.folder(tmp_path / str(number), files)
        ada = arriving.submission(downloads.read(place, COURSE).attempts[0])
        assert ada.absent == {"ch01_toy": "neither ch01_toy.py nor ch01_toy.ipynb was handed in"}


def test_two_students_with_one_number_are_both_graded_and_said(tmp_path: Path) -> None:
    download = read(tmp_path, {f"ada_7_900_{FILE}": RIGHT, f"ben_7_901_{FILE}": RIGHT})
    assert [attempt.key for attempt in download.attempts] == ["ada_7", "ben_7"]
    assert said(download) == "ada_7 and ben_7 have the same number 7; each is graded alone"


def test_names_that_lead_out_of_a_class_zip_are_not_read_and_said(tmp_path: Path) -> None:
    download = read(tmp_path, arriving.plain() | {f"../{FILE}": "", f"/etc/{FILE}": "", f"C:\\{FILE}": ""})
    assert len(download.attempts) == 3
    assert said(download).startswith("not read, because their names lead out of the zip: ")


def test_how_deep_a_file_in_a_class_zip_may_lie_is_said(tmp_path: Path) -> None:
    download = read(tmp_path, arriving.plain() | {f"eve/{'d/' * 20}{FILE}": "", f"{'d/' * 3000}{FILE}": ""})
    assert len(download.attempts) == 3
    assert said(download).startswith("not read, because they lie below more than 19 folders: eve/d/")


def test_links_in_a_class_zip_are_not_followed_and_said(tmp_path: Path) -> None:
    path = arriving.zipped(tmp_path / "class", arriving.canvas())
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo(f"eve_7_900_{FILE}")
        link.external_attr = (S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    download = downloads.read(path, COURSE)
    assert len(download.attempts) == 3
    assert said(download) == f"not followed, because links and special files are not read: eve_7_900_{FILE}"


def test_links_in_a_class_folder_are_not_followed_and_said(tmp_path: Path) -> None:
    place = arriving.folder(tmp_path / "class", arriving.canvas())
    (place / f"eve_7_900_{FILE}").symlink_to(place / canvas_name(ADA, FILE))
    download = downloads.read(place, COURSE)
    assert len(download.attempts) == 3
    assert said(download) == f"not followed, because links and special files are not read: eve_7_900_{FILE}"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_in_a_zip_are_not_both_read_and_said(tmp_path: Path) -> None:
    path = arriving.zipped(tmp_path / "class", {canvas_name(ADA, FILE): RIGHT})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(canvas_name(ADA, FILE), "x = 1\n")
        archive.writestr(f"{canvas_name(ADA, FILE)}/{FILE}", "x = 2\n")
    download = downloads.read(path, COURSE)
    assert arriving.texts(download) == {"lovelaceada_11": RIGHT}
    assert said(download).startswith("not read, because the zip has another file of the same name: lovelaceada_11_")


def test_names_in_utf_8_are_read_even_if_the_zip_does_not_say_so(tmp_path: Path) -> None:
    path = arriving.zipped(tmp_path / "class", {f"Zoë Müller_13_assignsubmission_file_{FILE}": RIGHT})
    data = path.read_bytes()
    silent = data.replace(b"\x14\x00\x00\x08", b"\x14\x00\x00\x00")
    assert silent != data
    path.write_bytes(silent)
    assert downloads.read(path, COURSE).attempts[0].person.name == "Zoë Müller"


@pytest.mark.parametrize("name", ["CON", "nul.txt", "aux", "-rf", "a\nb", "=1+1", "عائشة", "🎓", "x" * 200, "\x1b[31m"])
def test_any_name_gets_a_stem_and_a_name_to_read(tmp_path: Path, name: str) -> None:
    (attempt,) = read(tmp_path, {f"{name}_7_assignsubmission_file_{FILE}": RIGHT}).attempts
    register, (entry,) = enrol(Download("Moodle", (attempt,)), None)
    assert entry.stem.isascii()
    assert entry.stem.split(".")[0].lower() not in {"con", "nul", "aux"}
    assert entry.student.isprintable()
    assert register.rows[0].student == entry.student


def test_an_archive_that_is_no_zip_is_a_submission_with_a_reason(tmp_path: Path) -> None:
    for put in (arriving.folder, arriving.zipped):
        download = downloads.read(put(tmp_path / "class", {"ada.tar.gz": "", f"ben/{FILE}": RIGHT}), COURSE)
        ada = arriving.submission(download.attempts[0])
        assert ada.notes == ("ada.tar.gz is neither a folder nor a zip; hand it in as one of them",)


ZIP = arriving.packed({"inside.py": ""})
SHAPES = (
    "{0}",
    "{0}/{1}",
    "{0}_7_900_{1}",
    "{0}_LATE_8_901_{1}",
    "anon_ab1_9_{1}",
    "{0}_7_assignsubmission_file_/{1}",
    "{0}_7_assignsubmission_file_{1}",
    "{0}_7_assignsubmission_onlinetext_/{1}",
    "a_{0}_attempt_2026-11-20-10-00-00_{1}",
    "a_{0}_attempt_2026-99-20-10-00-00.txt",
    "submission_{0}/{1}",
    "{0}/hw/{1}",
    "{0}/hw/timestamp.txt",
    "hw-{0}/.git/{1}",
    "submitted/{0}/hw/{1}",
    "{0} - {1}",
    "{0} - s1/Revision 2 - Late/{1}",
    "Submitted files/{0}/hw/Version 10/{1}",
    "submissions/{0}/2/{1}",
    "submissions/{0}/2/.submit.timestamp",
    "{0} 12 ada/2026-11-20-10-00-00/{1}",
    "2_{0}@uni.edu_{1}",
    "{0}@uni.edu_1_q_1_1_5_{1}",
    "{0}+hw+2026-11-20 10_00_00 UTC/{1}",
    "{0} - 2026-11-20 10h 00m 00s/{1}",
)
WORDS = st.one_of(
    st.sampled_from(["ada", "ben_1", "ch01_toy.py", "ch01_toy-1.py", "x.zip", "CON", ".x", "__MACOSX", "é", "a b", ""]),
    st.text(st.characters(exclude_characters="/\\\0", exclude_categories=["Cs"]), max_size=8),
)
NAMES = st.builds(lambda shape, one, two: shape.format(one, two), st.sampled_from(SHAPES), WORDS, WORDS).filter(bool)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMES, min_size=1, max_size=5, unique=True), lists=st.booleans())
@example(names=["ada/hw/ada", "Submitted files/hw/Version 10/ben_1"], lists=False)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_whatever_the_names_nothing_is_dropped_without_a_word(tmp_path: Path, names: list[str], lists: bool) -> None:
    files: dict[str, str | bytes] = {name: ZIP if name.endswith(".zip") else "x = 1\n" for name in names}
    if lists:
        files["submission_metadata.yml"] = arriving.metadata({"submission_ada": (ADA, BEN)})
    try:
        download = read(tmp_path, files)
    except UsageError:
        return
    register, entries = enrol(download, None, "best")
    assert len({entry.stem.casefold() for entry in entries}) == len(download.attempts) == len(register.rows)
    assert accounted(download, list(files)) == []


def accounted(download: Download, names: list[str]) -> list[str]:
    """The files, by the number of each, that are in no attempt, no note and no problem."""
    told = said(download) + "".join(note for each in download.attempts for note in arriving.submission(each).notes)
    keys = {attempt.key for attempt in download.attempts}
    inside = {Path(path).name for attempt in download.attempts for path in arriving.paths(attempt)}
    return [
        name
        for name in names
        if not any(part in told for part in shown(name))
        and not any(name.replace("-1.", ".").endswith(file.replace("-1.", ".")) for file in inside)
        and not (name.endswith(".zip") and "inside.py" in inside)
        and name not in keys
        and name.removesuffix(".zip") not in keys
        and not is_read(name)
    ]


def shown(name: str) -> list[str]:
    """How a sentence would call a file: by itself or by the folder it is in."""
    parts = (name, *Path(name).parts)
    return [one_line(form).rstrip("…") or "unnamed [" for part in parts for form in (part, normalize("NFC", part))]


def is_read(name: str) -> bool:
    """Whether it tells of others, or is hidden in a student's own folder, as `.git` is."""
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in Path(name).parts[1:])
    return hidden or name == "submission_metadata.yml" or name.endswith((".txt", "/"))


def test_a_blank_file_name_beside_the_versions_is_told_too(tmp_path: Path) -> None:
    download = read(tmp_path, {"Submitted files/ada/hw/Version 1/x.py": "", "other/ ": ""})
    assert "and not read: unnamed [" in said(download)


def test_a_file_that_was_dropped_would_be_seen() -> None:
    assert accounted(Download("folder", ()), ["ada/x.py"]) == ["ada/x.py"]
