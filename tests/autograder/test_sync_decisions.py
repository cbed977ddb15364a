"""`attend sync`: nothing of a student's is lost. Where both forms have changed, the student decides."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from autograder.student import sync as module
from autograder.student.start import start
from autograder.student.sync import sync
from tests.autograder.syncing import SOLUTION, STUB, TODO, TOY, Work


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(Course(start(Course(TOY), tmp_path / "mine").root))


def test_where_both_have_changed_nothing_is_written_and_what_differs_is_named(work: Work) -> None:
    work.module.write_text(SOLUTION, encoding="utf-8")
    work.answer_cell("return x + x")
    before = work.contents()
    said = work.sync(expect=1)
    assert "both forms have changed, each in its own way; nothing was written" in said
    assert "double: they differ" in said
    assert "Scale: only ch01_toy.py has an answer" in said
    assert "`attend check` counts ch01_toy.py" in said
    assert "attend sync ch01 --from py\n    attend sync ch01 --from notebook" in said
    assert work.contents() == before


def test_what_it_says_counts_is_what_check_reads(work: Work) -> None:
    work.answer_cell("return x + x")
    work.module.write_text(STUB.replace("Two results", "Two good results"), encoding="utf-8")
    assert "`attend check` counts ch01_toy.ipynb" in work.sync(expect=1)
    assert read_folder(work.course.exercises_dir, work.course).chapters["ch01_toy"].origin.endswith("ipynb")


def test_the_same_change_in_both_is_no_conflict(work: Work) -> None:
    work.answer("return x + x")
    work.answer_cell("return x + x")
    assert "needed nothing" in work.sync()
    work.answer("return 2 * x")
    assert "ch01_toy.ipynb written" in work.sync()


@pytest.mark.parametrize(
    ("source", "wins", "name"), [("py", "x + x", "ch01_toy.ipynb"), ("notebook", "2 * x", "ch01_toy.py")]
)
def test_the_student_decides_and_a_copy_of_the_other_is_kept(work: Work, source: str, wins: str, name: str) -> None:
    work.answer("return x + x")
    work.answer_cell("return 2 * x")
    lost = (work.course.exercises_dir / name).read_bytes()
    said = work.sync(source, yes=True)
    assert f"{name} would lose its answers to double" in said
    assert [path.read_bytes() for path in work.kept] == [lost]
    assert f"as it was: .attend/replaced/{work.kept[0].name}" in said
    assert wins in work.module.read_text(encoding="utf-8")
    assert wins in "".join(work.cell("ch01-double")["source"])
    assert "needed nothing" in work.sync()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_what_would_be_lost_is_asked_about(
    work: Work, monkeypatch: pytest.MonkeyPatch, typed: str, status: int
) -> None:
    work.answer("return x + x")
    work.answer_cell("return 2 * x")
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    before = work.contents()
    work.sync("py", expect=status)
    assert (work.contents() == before) == (status == 1)


def test_without_a_terminal_there_is_no_question_and_nothing_is_written(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    work.answer("return x + x")
    work.answer_cell("return 2 * x")
    before = work.contents()
    assert "nothing was written; the same command with --yes writes it" in work.sync("notebook", expect=1)
    assert work.contents() == before


def test_words_of_ones_own_that_would_be_lost_are_named(work: Work) -> None:
    work.answer("return x + x")
    work.edit(lambda cells: cells.insert(1, {"cell_type": "markdown", "id": "new", "metadata": {}, "source": "Mine."}))
    assert "ch01_toy.ipynb would lose cells that only it has" in work.sync("py", yes=True)


def test_an_answer_that_is_taken_away_in_one_form_is_asked_about_too(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    work.answer("return x + x")
    work.sync()
    work.module.write_text(STUB, encoding="utf-8")
    assert "ch01_toy.ipynb would lose its answers to double" in work.sync(expect=1)
    work.sync(yes=True)
    assert "TODO: double" in "".join(work.cell("ch01-double")["source"])


def test_each_copy_that_is_kept_has_a_name_of_its_own(work: Work) -> None:
    for text in ("return x + x", "return 2 * x", "return x * 2"):
        work.answer(text)
        work.sync()
    assert len(work.kept) == 2
    assert all(path.name.startswith("ch01_toy-20") and path.suffix == ".ipynb" for path in work.kept)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("ch01_toy.ipynb", "{", "ch01_toy.ipynb is no readable notebook"),
        ("ch01_toy.ipynb", "", "ch01_toy.ipynb is empty"),
        ("ch01_toy.py", "def double(:\n", "ch01_toy.py does not compile: line 1"),
        ("ch01_toy.py", "", "ch01_toy.py is empty"),
    ],
)
@pytest.mark.parametrize("source", [None, "py", "notebook"])
def test_a_broken_file_is_named_and_nothing_is_touched(
    work: Work, name: str, text: str, says: str, source: str | None
) -> None:
    (work.course.exercises_dir / name).write_text(text)
    before = work.contents()
    said = work.sync(source, yes=True, expect=1)
    assert says in said
    assert "nothing was written" in said
    assert work.contents() == before


def test_the_cell_of_an_exercise_that_is_no_python_is_named(work: Work) -> None:
    work.answer_cell("return (x")
    before = work.contents()
    assert "cell of double, line 10" in work.sync(expect=1)
    assert work.contents() == before


def test_a_form_that_is_gone_is_made_from_the_other(work: Work) -> None:
    work.answer("return x + x")
    work.notebook.unlink()
    assert "ch01_toy.ipynb written" in work.sync()
    work.module.unlink()
    assert "ch01_toy.py written" in work.sync()
    assert work.module.read_text(encoding="utf-8") == STUB.replace(TODO, "    return x + x")
    work.module.unlink()
    assert "there is no ch01_toy.py to take it from" in work.sync("py", expect=1)
    work.notebook.unlink()
    assert "copy the form that you want from .attend/stubs" in work.sync(expect=1)


def interrupted_after(count: int) -> Callable[[Path, Path], None]:
    """`os.replace`, until Ctrl-C comes."""
    replace, moves = os.replace, iter(range(count))

    def move(source: Path, target: Path) -> None:
        if next(moves, None) is None:
            raise KeyboardInterrupt
        replace(source, target)

    return move


def test_an_interrupted_run_leaves_whole_files_and_the_next_completes_it(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.sync()
    work.answer("return x + x")
    before = work.contents()

    for count in (0, 1):  # before the notebook is in its place, and after
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", interrupted_after(count))
            with pytest.raises(KeyboardInterrupt):
                work.sync()
        assert (work.contents() == before) == (count == 0)
    work.sync()
    assert "needed nothing" in work.sync()
    assert "return x + x" in "".join(work.cell("ch01-double")["source"])


def test_a_file_that_is_saved_meanwhile_is_left(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    work.answer("return x + x")

    def saved_meanwhile(*_: object) -> bool:
        work.answer_cell("return 2 * x")
        return True

    monkeypatch.setattr(module._Sync, "_may_overwrite", saved_meanwhile)
    assert "ch01_toy.ipynb was saved in the meantime" in work.sync(expect=1)
    assert "return 2 * x" in "".join(work.cell("ch01-double")["source"])


def test_a_lost_or_spoilt_record_counts_the_stub_as_last_seen(work: Work) -> None:
    work.answer("return x + x")
    work.sync()
    for text in ("", "[1]"):
        (work.course.root / ".attend" / "sync.json").write_text(text)
        assert "needed nothing" in work.sync()


def test_only_a_working_copy_is_synced_and_only_by_forms_there_are(work: Work) -> None:
    console = Console(file=io.StringIO())
    with pytest.raises(UsageError, match="there is no working copy here"):
        sync(Course(TOY), [], None, yes=True, console=console)
    with pytest.raises(UsageError, match="--from takes py or notebook, not 'ipynb'"):
        sync(work.course, [], "ipynb", yes=True, console=console)
    with pytest.raises(UsageError, match="there is no chapter or exercise 'nothing'"):
        sync(work.course, ["nothing"], None, yes=True, console=console)
