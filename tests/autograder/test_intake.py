"""Who handed in what: one entry per student, one text per chapter, and a sentence for everything odd."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from autograder.core.errors import UsageError
from autograder.core.submission import Submission
from autograder.core.text import display_names, one_line, plain, safe_stems
from autograder.course.course import PRISTINE, Course
from autograder.intake.submissions import HandIn, find_submissions, read_folder, read_submission

COURSE = Course(Path(__file__).parent / "toy")
STUB = COURSE.stub("ch01_toy").read_text(encoding="utf-8")
ANSWER = "def double(x):\n    return 2 * x\n"
ODD = ["-rf", "..x", "a\nb", "🎓", "CON", "con.txt", "Alice", "alice", "bob.", "x/y", "a b", "=1+1", "é", "", "n" * 300]


def hand_in(folder: Path, files: dict[str, str | bytes]) -> Submission:
    for name, content in files.items():
        path = folder / "alice" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_submission(find_submissions(folder, COURSE)[0], COURSE)


def test_every_folder_and_every_zip_is_one_student_in_order(tmp_path: Path) -> None:
    for name in ("zoe", "alice", ".git", "__MACOSX"):
        (tmp_path / name).mkdir()
    for name in ("bob.zip", "roster.csv", ".DS_Store"):
        (tmp_path / name).write_bytes(b"")
    found = find_submissions(tmp_path, COURSE)
    assert [(entry.student, entry.stem) for entry in found] == [(name, name) for name in ("alice", "bob", "zoe")]


def test_a_folder_goes_before_a_zip_of_the_same_student_and_a_note_says_so(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice.zip").write_bytes(b"")
    (entry,) = find_submissions(tmp_path, COURSE)
    assert entry.path == tmp_path / "alice"
    assert entry.notes == ("alice.zip was handed in too; alice counts",)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: None, "cannot be read"),
        (lambda folder: folder.mkdir(), "there are no submissions in"),
        (lambda folder: folder.write_bytes(b"PK"), "is a file; unpack it"),
    ],
    ids=["missing", "empty", "file"],
)
def test_a_class_folder_without_submissions_says_how_to_lay_it_out(tmp_path: Path, make, says: str) -> None:
    make(tmp_path / "class")
    with pytest.raises(UsageError, match=says) as caught:
        find_submissions(tmp_path / "class", COURSE)
    assert "give each student a folder or a zip there" in str(caught.value)


def test_loose_chapter_files_are_not_silently_passed_over(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "ch01_toy.py").write_text(ANSWER)
    with pytest.raises(UsageError, match=r"holds ch01_toy\.py itself; give each student a folder"):
        find_submissions(tmp_path, COURSE)


def test_odd_names_get_stems_that_are_distinct_on_any_system() -> None:
    stems = safe_stems(ODD)
    assert len({stem.casefold() for stem in stems}) == len(ODD)
    for stem in stems:
        assert stem.isascii()
        assert len(stem) <= 80
        assert not set(stem) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        assert stem[0] not in ".-"
        assert not stem.endswith(".")
        assert stem.split(".")[0].lower() not in {"con", "prn", "aux", "nul"}
    assert dict(zip(reversed(ODD), safe_stems(ODD[::-1]), strict=True)) == dict(zip(ODD, stems, strict=True))


def test_a_harmless_name_is_its_own_stem_even_beside_odd_ones() -> None:
    assert safe_stems(["ben-okafor", "s1.2_x", "-rf"])[:2] == ["ben-okafor", "s1.2_x"]


def test_people_read_names_on_one_line_and_can_tell_them_apart() -> None:
    shown = display_names(["a\nb", "a b", "\x1b[31mred", "عائشة", "x\u202egnp", "\udcff"])
    assert len(set(shown)) == 6
    assert shown[2:5] == ["red", "عائشة", "xgnp"]
    assert shown[0].startswith("a b [")


def test_nobody_takes_the_name_or_the_file_that_another_is_given() -> None:
    odd = "a\nb"
    shown, stem = display_names([odd, "a b"])[0], safe_stems([odd])[0]
    assert len(set(display_names([odd, "a b", shown]))) == 3
    longer = safe_stems([odd, stem])[0]
    assert len({each.casefold() for each in safe_stems([odd, stem, longer])}) == 3


def test_terminal_escapes_and_controls_are_stripped_from_strangers_texts() -> None:
    link = "\x1b]8;;http://evil\x07click\x1b]8;;\x1b\\"
    assert plain(f"a\x1b[2Jb{link}\x00\x08\x9b1mc\r\nd\te\ud800") == "abclickc\nd\te?"
    assert one_line("a\n" + "b" * 99, 10) == "a bbbbbbb…"


def test_a_chapter_is_found_at_any_depth_and_the_shallowest_counts(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, {"homework/ch01_toy.py": ANSWER, "homework/old/ch01_toy.py": "x = 1\n"})
    assert submission.chapters["ch01_toy"].text == ANSWER
    assert submission.notes == ("homework/ch01_toy.py counts, homework/old/ch01_toy.py was not read",)


def test_of_a_whole_copy_of_the_course_the_exercises_count(tmp_path: Path) -> None:
    files = {f"{folder}/ch01_toy.py": f"{folder} = 1\n" for folder in ("answers", "exercises", "solutions")}
    assert hand_in(tmp_path, files).chapters["ch01_toy"].origin == "exercises/ch01_toy.py"


def test_stray_files_that_shadow_modules_are_ignored_and_named(tmp_path: Path) -> None:
    stray = dict.fromkeys(
        ["torch.py", "conftest.py", "x.pth", "random/__init__.py", "notes.txt", ".hidden/json.py"], ""
    )
    submission = hand_in(tmp_path, {"ch01_toy.py": ANSWER, **stray})
    assert submission.chapters["ch01_toy"].text == ANSWER
    named = "conftest.py, random/__init__.py, torch.py and x.pth"
    assert submission.notes == (f"not used, as Python or the course has files of these names: {named}",)


@pytest.mark.parametrize(
    "name",
    [
        "ch1_toy.py",
        "toy.py",
        "CH01_Toy.PY",
        "ch01_toy.py.txt",
        "ch01-toy.py",
        "alice_ch01_toy.py",
        "chapter1.py",
        "hch01_toy.py",
    ],
)
def test_a_misspelt_file_is_read_and_said(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, {name: ANSWER})
    assert submission.chapters["ch01_toy"].text == ANSWER
    assert submission.notes == (f"{name} was read as ch01_toy.py",)


@pytest.mark.parametrize(
    "name", ["ch01_toy (1).py", "ch01_toy(2).py", "ch01_toy-1.py", "ch01_toy - Copy.py", "ch01_toy copy.py"]
)
def test_what_a_computer_calls_a_second_file_of_the_right_name_is_read_and_said(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, {name: ANSWER})
    assert submission.chapters["ch01_toy"].text == ANSWER
    assert submission.notes == (f"{name} was read as ch01_toy.py",)


def test_a_file_of_the_right_name_goes_before_its_copies_and_the_last_copy_before_the_others(tmp_path: Path) -> None:
    copies = {"ch01_toy (2).py": "x = 2\n", "ch01_toy (10).py": "x = 10\n"}
    assert hand_in(tmp_path / "one", copies).chapters["ch01_toy"].text == "x = 10\n"
    both = hand_in(tmp_path / "both", {**copies, "ch01_toy.py": ANSWER, "Ch01_Toy.py": "x = 3\n"})
    assert both.notes == ("ch01_toy.py counts, ch01_toy (10).py, ch01_toy (2).py and Ch01_Toy.py were not read",)
    assert both.chapters["ch01_toy"].text == ANSWER


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"solution.py": "x = 1\n"}, "no file of the course was handed in, but solution.py"),
        ({"a.pdf": "%PDF-1.7", "b.txt": "x"}, "no file of the course was handed in, but a.pdf and b.txt"),
    ],
)
def test_where_nothing_of_the_course_was_handed_in_it_is_said_what_was(
    tmp_path: Path, files: dict[str, str], says: str
) -> None:
    assert hand_in(tmp_path, files).notes == (says,)  # of an empty folder, see below


@pytest.mark.parametrize("name", ["test_ch01_toy.py", "ch02_toy.py", "readme.md", "hints.json", "plot.py"])
def test_other_files_are_not_taken_for_misspelt_ones(tmp_path: Path, name: str) -> None:
    absent = hand_in(tmp_path, {name: ""}).absent["ch01_toy"]
    assert absent == "neither ch01_toy.py nor ch01_toy.ipynb was handed in"


def test_a_misspelt_notebook_stays_a_notebook(tmp_path: Path) -> None:
    notes = hand_in(tmp_path, {"ch01_toy-Copy1.ipynb": "{}"}).notes
    assert notes == ("ch01_toy-Copy1.ipynb was read as ch01_toy.ipynb",)


def test_links_and_fifos_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("SECRET = 1\n")
    (tmp_path / "class" / "alice").mkdir(parents=True)
    (tmp_path / "class" / "alice" / "ch01_toy.py").symlink_to(secret)
    os.mkfifo(tmp_path / "class" / "alice" / "ch01_toy.ipynb")
    (tmp_path / "class" / "alice" / "loop").symlink_to(tmp_path / "class")
    submission = hand_in(tmp_path / "class", {})
    assert not submission.chapters
    assert submission.notes == (
        "not followed, because links and special files are not read: ch01_toy.ipynb, ch01_toy.py and loop",
    )


def test_a_student_that_is_a_link_gets_a_reason_and_no_one_elses_points(tmp_path: Path) -> None:
    (tmp_path / "ben").mkdir()
    (tmp_path / "ben" / "ch01_toy.py").write_text(ANSWER)
    (tmp_path / "alice").symlink_to(tmp_path / "ben")
    problem = read_submission(find_submissions(tmp_path, COURSE)[0], COURSE).chapters["ch01_toy"].problem
    assert problem
    assert problem.message.startswith("alice is a link")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    problem = hand_in(tmp_path, {"ch01_toy.py": b"#" * (2 * 1024 * 1024 + 1)}).chapters["ch01_toy"].problem
    assert problem
    assert problem.status == "missing"
    assert problem.message == "ch01_toy.py is larger than 2 MiB; keep only your answers in it"


def test_an_archive_of_another_kind_is_a_submission_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "alice.tar.gz").write_bytes(b"\x1f\x8b")
    (entry,) = find_submissions(tmp_path, COURSE)
    problem = read_submission(entry, COURSE).chapters["ch01_toy"].problem
    assert entry.student == "alice"
    assert problem
    assert problem.message == "alice.tar.gz is neither a folder nor a zip; hand it in as one of them"


def test_of_a_module_and_a_notebook_the_one_with_answers_counts(tmp_path: Path) -> None:
    notebook = COURSE.stub("ch01_toy").with_suffix(".ipynb").read_bytes()
    solved = notebook.replace(b'raise NotImplementedError(\\"double\\")', b"return 2 * x")
    assert solved != notebook
    reformatted = STUB.replace("import torch\n", "import torch  # a remark\n")
    cases = {"a": (STUB, notebook), "b": (reformatted, solved), "c": (ANSWER, notebook), "d": (ANSWER, solved)}
    read = {
        name: hand_in(tmp_path / name, {"ch01_toy.py": module, "ch01_toy.ipynb": cells})
        for name, (module, cells) in cases.items()
    }
    assert [read[name].chapters["ch01_toy"].origin.rsplit(".")[1] for name in "abcd"] == ["py", "ipynb", "py", "py"]
    assert [read[name].notes for name in "abc"] == [()] * 3
    assert read["d"].notes == ("both ch01_toy.py and ch01_toy.ipynb hold answers; ch01_toy.py counts",)


def test_an_unreadable_module_does_not_hide_a_good_notebook(tmp_path: Path) -> None:
    notebook = COURSE.stub("ch01_toy").with_suffix(".ipynb").read_bytes()
    solved = notebook.replace(b'raise NotImplementedError(\\"double\\")', b"return 2 * x")
    read = hand_in(tmp_path, {"ch01_toy.py": "def double(", "ch01_toy.ipynb": solved})
    chosen = read.chapters["ch01_toy"]
    assert (chosen.origin, chosen.problem) == ("ch01_toy.ipynb", None)
    assert "ch01_toy.ipynb counts, because ch01_toy.py does not compile: double, line 1" in read.notes[0]


@pytest.mark.parametrize(
    ("solved", "stub_line", "answer"),
    [
        ("ch01_toy.py", 'raise NotImplementedError("double")', "return 2 * x"),
        ("ch01_toy.ipynb", 'raise NotImplementedError(\\"double\\")', "return 2 * x"),
    ],
)
def test_a_working_copy_is_compared_with_its_pristine_stubs_not_with_itself(
    tmp_path: Path, solved: str, stub_line: str, answer: str
) -> None:
    (tmp_path / "attend.toml").write_text('kind = "copy"\n')
    shutil.copytree(COURSE.exercises_dir, tmp_path / "exercises")
    shutil.copytree(COURSE.exercises_dir, tmp_path / PRISTINE)
    shutil.copytree(COURSE.suites_dir, tmp_path / "tests" / "exercises")
    own = tmp_path / "exercises" / solved
    assert stub_line in own.read_text(encoding="utf-8")
    own.write_text(own.read_text(encoding="utf-8").replace(stub_line, answer), encoding="utf-8")
    assert read_folder(tmp_path / "exercises", Course(tmp_path)).chapters["ch01_toy"].origin == solved


def test_a_folder_that_is_not_there_is_said_to_be_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        read_folder(tmp_path / "nowhere", COURSE)


def test_an_empty_submission_says_what_was_looked_for(tmp_path: Path) -> None:
    submission = read_submission(HandIn("alice", "alice", tmp_path), COURSE)
    assert submission == Submission(
        "alice",
        {},
        {"ch01_toy": "neither ch01_toy.py nor ch01_toy.ipynb was handed in"},
        ("no file was handed in",),
    )


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        (["notes.docx"], "not read: notes.docx"),
        (["my answers/page 1.PDF", "photo.jpeg"], "not read: my answers/page 1.PDF and photo.jpeg"),
        (["data.csv", "README.md", ".idea/icon.png", "comments.txt"], ""),
    ],
)
def test_a_document_beside_the_chapter_is_said_not_to_be_read(beside: list[str], said: str, tmp_path: Path) -> None:
    notes = hand_in(tmp_path, dict.fromkeys(["ch01_toy.py", *beside], ANSWER)).notes
    assert [note for note in notes if note.startswith("not read")] == ([said] if said else [])
