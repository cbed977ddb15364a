"""Which file is which chapter, where names are wrong: by name, by contents, by the teacher; never in silence."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake.misnamed import is_taken
from autograder.intake.submissions import HandIn, read_submission

TOY = Path(__file__).parent / "toy"
DOUBLE = "def double(x):\n    return 2 * x\n"
BOTH = "def mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)\n"
TRIPLE = "def triple(x):\n    return 3 * x\n"
SUITE = (
    "from autograder.suite import exercise\n\n\n"
    '@exercise("triple", points=1, level="values")\ndef test_triple(agree):\n    """Right."""\n    agree("triple")\n'
)


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The toy course with a second chapter, ch02_thrice."""
    root = tmp_path_factory.mktemp("course") / "toy"
    shutil.copytree(TOY, root)
    (root / "exercises" / "ch02_thrice.py").write_text("def triple(x):\n    raise NotImplementedError\n")
    (root / "tests" / "exercises" / "test_ch02_thrice.py").write_text(SUITE)
    return Course(root)


def read(
    course: Course, folder: Path, files: Mapping[str, str | bytes], wanted: Mapping[str, str] | None = None
) -> Submission:
    for name, content in files.items():
        path = folder / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_submission(HandIn("ada", "ada", folder / "ada", wanted=wanted or {}), course)


@pytest.mark.parametrize(
    "name", ["Copy of ch01_toy.py", "Ch01_Toy.py", "ch01_toy_final.py", "ch01-toy.py", "ch01_toy.py.txt", "ch01_toy.PY"]
)
def test_a_file_is_recognised_by_its_name_among_several_chapters(course: Course, tmp_path: Path, name: str) -> None:
    submission = read(course, tmp_path, {name: DOUBLE})
    assert set(submission.chapters) == {"ch01_toy"}
    assert submission.notes == (f"{name} was read as ch01_toy.py",)


def test_a_file_of_any_name_is_recognised_by_what_it_defines(course: Course, tmp_path: Path) -> None:
    submission = read(course, tmp_path, {"homework.py": TRIPLE})
    assert submission.chapters["ch02_thrice"].text == TRIPLE
    assert submission.notes == ("homework.py was read as ch02_thrice.py, because of what is defined there: triple",)


@pytest.mark.parametrize("only", [False, True])
def test_a_file_with_another_chapters_number_is_what_it_defines(course: Course, tmp_path: Path, only: bool) -> None:
    graded = replace(course, only=("ch01_toy",)) if only else course
    submission = read(graded, tmp_path, {"ch02_toys.py": DOUBLE + BOTH})
    assert submission.chapters["ch01_toy"].text == DOUBLE + BOTH
    because = "ch02_toys.py was read as ch01_toy.py, because of what is defined there: double and mean_and_sum"
    assert because in submission.notes
    assert is_taken(because)


def test_a_number_counts_where_what_is_defined_has_a_file_of_its_own(course: Course, tmp_path: Path) -> None:
    submission = read(course, tmp_path, {"ch01_toy.py": DOUBLE, "ch02_toys.py": DOUBLE})
    assert submission.notes == ("ch02_toys.py was read as ch02_thrice.py",)


def test_a_file_with_exercises_of_two_chapters_is_ambiguous_and_said(course: Course, tmp_path: Path) -> None:
    submission = read(course, tmp_path, {"homework.py": DOUBLE + TRIPLE})
    assert not submission.chapters
    says = "homework.py defines exercises of ch01_toy and ch02_thrice, so it is not clear which it was meant to be"
    assert submission.absent["ch01_toy"] == f"{says}; hand in one file for each chapter, such as ch01_toy.py"
    assert submission.absent["ch01_toy"] in submission.notes


def test_two_candidates_are_ambiguous_and_said(course: Course, tmp_path: Path) -> None:
    submission = read(course, tmp_path, {"ch01_toy_v2.py": DOUBLE, "ch01_toy_final.py": f"{DOUBLE}# more\n"})
    assert "ch01_toy" not in submission.chapters
    says = "ch01_toy_final.py and ch01_toy_v2.py may each be ch01_toy.py, so none of them was read"
    assert submission.absent["ch01_toy"] == f"{says}; hand in one file, called ch01_toy.py"


def test_of_two_names_the_only_one_with_exercises_is_read(course: Course, tmp_path: Path) -> None:
    submission = read(course, tmp_path, {"ch01_toy_plots.py": "x = 1\n", "ch01_toy_final.py": DOUBLE})
    assert submission.chapters["ch01_toy"].text == DOUBLE


def test_a_file_for_each_exercise_makes_one_chapter(course: Course, tmp_path: Path) -> None:
    future = "from __future__ import annotations\n"
    files = {"double.py": future + DOUBLE, "mean_and_sum.py": f"{future}from double import double\n{BOTH}"}
    submission = read(course, tmp_path, files)
    text = submission.chapters["ch01_toy"].text
    assert text.startswith(future + "# double.py\n")
    assert text.count("import") == 1
    assert DOUBLE in text
    assert BOTH in text
    assert submission.notes[0].startswith("double.py and mean_and_sum.py were read together as ch01_toy.py")


def test_one_of_several_files_that_does_not_compile_takes_only_its_exercise_with_it(
    course: Course, tmp_path: Path
) -> None:
    chosen = read(course, tmp_path, {"double.py": "def double(", "mean_and_sum.py": BOTH}).chapters["ch01_toy"]
    assert BOTH in chosen.text
    assert chosen.broken["double"].message.startswith("double.py does not compile")


def test_files_whose_helpers_differ_are_not_read_together(course: Course, tmp_path: Path) -> None:
    files = {"double.py": f"def help(): return 1\n{DOUBLE}", "mean_and_sum.py": f"def help(): return 2\n{BOTH}"}
    problem = read(course, tmp_path, files).chapters["ch01_toy"].problem
    assert problem
    assert problem.message.startswith("double.py and mean_and_sum.py define help differently")


@pytest.mark.parametrize("name", ["ch02_thrice.py", "homework.py"])
def test_another_chapters_file_is_said_to_be_one(course: Course, tmp_path: Path, name: str) -> None:
    submission = read(replace(course, only=("ch01_toy",)), tmp_path, {name: TRIPLE})
    says = f"ch01_toy.py was not handed in, but {name} was, which is of another chapter"
    assert submission.absent["ch01_toy"] == says
    assert says in submission.notes


def test_the_teachers_pattern_decides_even_against_the_right_name(course: Course, tmp_path: Path) -> None:
    files = {"ch01_toy.py": "x = 1\n", "final/answers.py": DOUBLE}
    submission = read(course, tmp_path, files, {"ch01_toy": "final/*.py"})
    assert submission.chapters["ch01_toy"].text == DOUBLE
    assert submission.notes == ("final/answers.py was read as ch01_toy.py, as policy.toml says",)


def test_a_pattern_that_fits_nothing_or_several_files_is_said(course: Course, tmp_path: Path) -> None:
    nothing = read(course, tmp_path, {"ch01_toy.py": DOUBLE}, {"ch01_toy": "*.txt"})
    assert nothing.chapters["ch01_toy"].text == DOUBLE
    assert nothing.notes == ("policy.toml names *.txt, which fits no file here",)
    assert is_taken(nothing.notes[0]), "the teacher reads it too"
    several = read(course, tmp_path / "b", {"a.py": DOUBLE, "b.py": DOUBLE}, {"ch01_toy": "?.py"})
    assert several.absent["ch01_toy"].startswith("a.py and b.py all fit the pattern ?.py of policy.toml")


def test_a_module_saved_as_utf_16_is_read_and_said(course: Course, tmp_path: Path) -> None:
    submission = read(course, tmp_path, {"ch01_toy.py": f"# coding: utf-16\r\n{DOUBLE}".encode("utf-16")})
    assert submission.chapters["ch01_toy"].problem is None
    assert DOUBLE in submission.chapters["ch01_toy"].text
    assert submission.notes == ("ch01_toy.py is not UTF-8: it was read as UTF-16; save it as UTF-8",)


def test_a_module_with_odd_letters_and_spaces_is_read_and_both_are_said(course: Course, tmp_path: Path) -> None:
    text = DOUBLE.replace("return ", "return\xa0") + "# größer, für alle\n"
    submission = read(course, tmp_path, {"ch01_toy.py": text.encode("cp1252")})
    assert submission.chapters["ch01_toy"].problem is None
    assert submission.chapters["ch01_toy"].text == text.replace("\xa0", " ")
    assert submission.notes == (
        "ch01_toy.py is not UTF-8: it was read as Windows-1252; save it as UTF-8",
        "ch01_toy.py: special spaces in line 2 (no-break or of zero width) were read as plain ones",
    )


def test_nothing_is_run_to_recognise_a_file(course: Course, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    read(course, tmp_path, {"homework.py": f"open({str(mark)!r}, 'w')\n{TRIPLE}"})
    assert not mark.exists()


@pytest.mark.parametrize("name", ["ch01_toy_v2.py", "my_ch01_toy.py", "Copy of ch01_toy.py"])
def test_a_second_file_of_a_chapter_is_named_on_both_pages(course: Course, tmp_path: Path, name: str) -> None:
    submission = read(
        course, tmp_path, {"ch01_toy.py": DOUBLE, name: f"{DOUBLE}{BOTH}", "ch01_toy_notes.py": "x = 1\n"}
    )
    assert submission.chapters["ch01_toy"].text == DOUBLE
    assert submission.notes == (f"ch01_toy.py counts, {name} was not read",)
    assert is_taken(submission.notes[0])


def test_a_second_file_that_the_first_imports_is_read_with_it(course: Course, tmp_path: Path) -> None:
    first = f"from ch01_toy_more import mean_and_sum\n\n\n{DOUBLE}"
    submission = read(course, tmp_path, {"ch01_toy.py": first, "ch01_toy_more.py": BOTH})
    assert submission.chapters["ch01_toy"].beside == {"ch01_toy_more": BOTH}
    assert not any("was not read" in note for note in submission.notes)


def test_two_files_of_the_chapter_s_name_side_by_side_are_held_unless_they_are_the_same(
    course: Course, tmp_path: Path
) -> None:
    files = {"one/ch01_toy.py": DOUBLE, "two/ch01_toy.py": f"{DOUBLE}# later\n"}
    submission = read(course, tmp_path / "other", files)
    assert "ch01_toy" not in submission.chapters
    assert submission.absent["ch01_toy"] == (
        "one/ch01_toy.py and two/ch01_toy.py may each be ch01_toy.py, so none of them was read; hand in one file, "
        "called ch01_toy.py"
    )
    named = read(course, tmp_path / "named", files, {"ch01_toy": "two/*"})
    assert named.chapters["ch01_toy"].text == files["two/ch01_toy.py"]
    same = read(course, tmp_path / "same", dict.fromkeys(files, DOUBLE))
    assert same.chapters["ch01_toy"].text == DOUBLE
