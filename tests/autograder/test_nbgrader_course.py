"""What `attend nbgrader` writes, where it refuses to, and what nbgrader makes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.author.regions import stub_of
from autograder.core.errors import AttendError, UsageError
from autograder.course.course import Course
from autograder.platforms.nbgrader.course import CONFIG, make
from autograder.student.start import start
from tests.autograder.nbgrading import STEM, TOY, graded_cells, run

REAL = Course(Path(__file__).parents[2])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A toy nbgrader course."""
    make(TOY, tmp_path / "course")
    return tmp_path / "course"


def source(root: Path, assignment: str = STEM) -> Any:
    return nbformat.read(root / "source" / assignment / f"{STEM}.ipynb", as_version=4)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def plain_ids() -> list[str]:
    """Of the toy's plain notebook, without its tool cells."""
    notebook = nbformat.read(TOY.stub(STEM).with_suffix(".ipynb"), as_version=4)
    return [cell.id for cell in notebook.cells if cell.metadata.get("attend") != "tool"]


def test_a_source_notebook_has_the_plain_notebooks_cells_and_a_test_cell_after_each_exercise(root: Path) -> None:
    cells = source(root).cells
    assert [cell.id for cell in cells if not cell.id.endswith("-check") or "how-to" in cell.id] == plain_ids()
    for before, after in pairwise(cells):
        if name := before.metadata.get("exercise"):
            assert after.id == f"ch01-{name}-check"
            assert after.source == f'from autograder.platforms.nbgrader import points\npoints("{name}")'


def test_what_nbgrader_reads_of_a_cell_is_complete_and_valid(root: Path) -> None:
    from nbgrader.nbgraderformat import MetadataValidator  # its package takes a second to load

    notebook = source(root)
    MetadataValidator().validate_nb(notebook)
    answers = {cell.metadata.exercise: cell for cell in notebook.cells if "exercise" in cell.metadata}
    assert {name: cell.metadata.nbgrader.grade_id for name, cell in answers.items()} == {
        exercise.name: exercise.name for exercise in TOY.exercises
    }
    tests = graded_cells(root / "source" / STEM / f"{STEM}.ipynb")
    assert {name: cell.metadata.nbgrader.points for name, cell in tests.items()} == {
        exercise.name: exercise.points for exercise in TOY.exercises
    }


def test_a_source_notebook_has_the_answers_between_their_markers(root: Path) -> None:
    (cell,) = (cell for cell in source(root).cells if cell.metadata.get("exercise") == "double")
    assert "    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION" in cell.source


def test_made_again_nothing_is_written_and_cells_keep_their_ids(root: Path) -> None:
    before, ids = contents(root), [cell.id for cell in source(root).cells]
    assert make(TOY, root).written == ()
    assert contents(root) == before
    (root / "source" / STEM / f"{STEM}.ipynb").unlink()
    make(TOY, root)
    assert contents(root) == before
    assert [cell.id for cell in source(root).cells] == ids


def test_made_again_only_what_changed_in_source_is_touched(root: Path, toy_copy: Course) -> None:
    config = (root / CONFIG).read_text(encoding="utf-8").replace(str(TOY.root), str(toy_copy.root))
    kept = {CONFIG: config, "README.md": "mine", "gradebook.db": "grades", "submitted/alice/ch01_toy.ipynb": "hers"}
    for name, text in kept.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    solution = toy_copy.solution(STEM)
    solution.write_text(solution.read_text(encoding="utf-8").replace("return 2 * x", "return x + x"), encoding="utf-8")
    made = make(toy_copy, root)
    assert [path.name for path in made.written] == [f"{STEM}.ipynb"]
    assert not made.config_kept
    assert {name: (root / name).read_text(encoding="utf-8") for name in kept} == kept


def test_a_configuration_that_the_instructor_changed_is_kept_and_that_is_said(root: Path) -> None:
    config = root / CONFIG
    config.write_text(config.read_text(encoding="utf-8") + "c.Exchange.root = '/srv/exchange'\n", encoding="utf-8")
    before = config.read_bytes()
    made = make(TOY, root)
    assert made.config_kept
    assert f"{CONFIG} was changed, so it was kept" in made.text()
    assert config.read_bytes() == before


def test_a_configuration_as_it_was_written_needs_no_word(root: Path) -> None:
    assert "kept" not in make(TOY, root).text()


def test_each_course_draws_its_own_inputs(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        make(TOY, tmp_path / name)
        texts.append((tmp_path / name / CONFIG).read_text(encoding="utf-8"))
    assert texts[0] != texts[1]


def test_the_course_id_comes_from_the_courses_title(tmp_path: Path) -> None:
    for course, name in (TOY, "toy-course"), (REAL, "attend"):
        make(course, tmp_path / name, [course.chapters[0]])
        assert f'course_id = "{name}"' in (tmp_path / name / CONFIG).read_text(encoding="utf-8")


def test_an_assignment_may_hold_several_chapters(tmp_path: Path) -> None:
    made = make(REAL, tmp_path / "course", ["ch01", "masking"], assignment="week 1")
    assert made.assignments == {"week 1": ("ch01_markov", "ch04_masking")}
    assert sorted(path.name for path in (tmp_path / "course" / "source" / "week 1").iterdir()) == [
        "ch01_markov.ipynb",
        "ch04_masking.ipynb",
    ]


def test_hidden_checks_are_between_nbgraders_markers(tmp_path: Path) -> None:
    make(TOY, tmp_path / "course", hide_edges=True)
    cell = graded_cells(tmp_path / "course" / "source" / STEM / f"{STEM}.ipynb")["double"]
    assert cell.source.splitlines() == [
        "from autograder.platforms.nbgrader import points",
        'points("double", edges=False)',
        "### BEGIN HIDDEN TESTS",
        'points("double", shown=("property", "values"))',
        "### END HIDDEN TESTS",
    ]


@pytest.mark.parametrize("name", ["a+b", "../up", "", "a/b", ".hidden"])
def test_a_name_that_is_no_name_of_an_assignment_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name an assignment"):
        make(TOY, tmp_path / "course", assignment=name)
    assert not (tmp_path / "course").exists()


def test_a_part_of_a_chapter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="an assignment has whole chapters; choose ch01_toy"):
        make(TOY, tmp_path / "course", ["double"])


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"holds other files \(thesis.tex\)"):
        make(TOY, tmp_path)


def test_a_folder_that_is_an_nbgrader_course_already_gets_our_assignments(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text("c = get_config()\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    made = make(TOY, tmp_path)
    assert made.config_kept
    assert [path.name for path in made.written] == [f"{STEM}.ipynb"]


def test_a_file_and_a_missing_parent_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="is a file"):
        make(TOY, tmp_path / "file")
    with pytest.raises(UsageError, match="there is no folder"):
        make(TOY, tmp_path / "no" / "where")


def test_the_course_itself_and_working_copies_are_refused(tmp_path: Path, toy_copy: Course) -> None:
    for folder in (toy_copy.root, toy_copy.exercises_dir, toy_copy.root / "docs"):
        with pytest.raises(UsageError, match="belongs to"):
            make(toy_copy, folder)
    start(toy_copy, tmp_path / "mine")
    with pytest.raises(UsageError, match="belongs to"):
        make(toy_copy, tmp_path / "mine" / "course")
    with pytest.raises(UsageError, match="is a working copy, which has no sources"):
        make(Course(tmp_path / "mine"), tmp_path / "course")


def test_a_wrong_source_writes_nothing(tmp_path: Path, toy_copy: Course) -> None:
    solution = toy_copy.solution(STEM)
    solution.write_text(solution.read_text(encoding="utf-8").replace("### END", "# END"), encoding="utf-8")
    with pytest.raises(AttendError, match="write this marker as"):
        make(toy_copy, tmp_path / "course")
    assert not (tmp_path / "course").exists()


def test_the_command_writes_a_course_and_says_what_comes_next(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "nbgrader", str(tmp_path / "c")],
        cwd=shutil.copytree(TOY.root, tmp_path / "toy"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert 'nbgrader generate_assignment "ch01_toy"' in " ".join(done.stdout.split())
    assert (tmp_path / "c" / "README.md").is_file()


def test_nbgrader_makes_a_real_chapter_whose_cleared_answers_are_stubs(tmp_path: Path) -> None:
    root = tmp_path / "course"
    stem = "ch03_attention"
    make(REAL, root, [stem])
    run(root, "nbgrader", "generate_assignment", stem)
    released = nbformat.read(root / "release" / stem / f"{stem}.ipynb", as_version=4)
    assert "SOLUTION" not in json.dumps(released)
    made = nbformat.read(root / "source" / stem / f"{stem}.ipynb", as_version=4)
    texts = {cell.metadata.exercise: cell.source for cell in made.cells if "exercise" in cell.metadata}
    cleared = {cell.metadata.exercise: cell.source for cell in released.cells if "exercise" in cell.metadata}
    assert list(cleared) == [exercise.name for exercise in REAL.of(stem)]
    for name, text in cleared.items():
        ours = stub_of(texts[name], name, stem, 1).replace(f"TODO: {name} (attend hint {name})", "TODO: your answer")
        assert text == ours.replace(f'NotImplementedError("{name}")', "NotImplementedError")


def test_the_readme_has_the_commands_for_an_assignment_that_is_there(tmp_path: Path) -> None:
    make(TOY, tmp_path / "one")
    make(TOY, tmp_path / "week", assignment="week 2")
    said = [(tmp_path / name / "README.md").read_text(encoding="utf-8") for name in ("one", "week")]
    assert f"nbgrader generate_assignment {STEM} " in said[0]
    assert "nbgrader generate_assignment 'week 2' " in said[1]
