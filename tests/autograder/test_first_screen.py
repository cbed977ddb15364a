"""The first ten minutes: one next step, few lines, and a word on each chapter that is done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.core.files import write
from autograder.course.course import Course
from autograder.student.start import start
from tests.autograder import run_cli
from tests.autograder.conftest import in_place_of_the_real

REAL = Course(Path(__file__).parents[2])
FIRST, SECOND = "ch00_before_attention", "ch01_markov"
FEW = 6


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Course]:
    with in_place_of_the_real(REAL):
        yield Course(start(REAL, tmp_path / "mine").root)


def attend(copy: Course, *words: str) -> list[str]:
    """Return the lines that a command prints in the copy."""
    done = run_cli.attend(*words, cwd=copy.root)
    assert not done.stderr
    return done.stdout.splitlines()


def answer(copy: Course, chapter: str, *names: str) -> None:
    """Put the course's answers to these exercises in place; to all of the chapter without a name."""
    text = (copy.root / ".attend" / "stubs" / f"{chapter}.py").read_text(encoding="utf-8")
    if not names:
        text = REAL.solution(chapter).read_text(encoding="utf-8")
    for name in names:
        code = "return torch.tanh(x @ w_x + h @ w_h + b)" if name == "rnn_step" else "return []"
        text = text.replace(f'raise NotImplementedError("{name}")', code)
    write(copy.exercises_dir / f"{chapter}.py", text)


def steps(lines: list[str]) -> list[str]:
    """Return what the lines say of the next step."""
    begun = next(number for number, line in enumerate(lines) if line.startswith("next: "))
    return lines[begun : begun + 4]


def test_a_new_student_is_told_one_next_step_wherever_they_look(copy: Course) -> None:
    seen, checked = attend(copy), attend(copy, "check")
    assert sum("next" in line or "goes on" in line for line in seen) == 1
    assert steps(seen) == steps(checked)
    edit, check, stuck = (line.split(maxsplit=1)[1] for line in steps(seen)[1:])
    file, _, number = edit.removesuffix(" or .ipynb").rpartition(":")
    assert "def rnn_step(" in (copy.root / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    assert (check, stuck) == ("attend check rnn_step", "attend hint rnn_step")
    assert len(checked) <= FEW
    assert max(map(len, steps(seen))) <= 60


def test_a_check_of_everything_shows_what_is_new_or_wrong_and_counts_the_rest(copy: Course) -> None:
    answer(copy, FIRST, "rnn_step")
    answer(copy, SECOND, "vocabulary")
    first = attend(copy, "check")
    assert [line.split()[:2] for line in first if line[:3] in ("  ✓", "  ✗", "  ·")] == [
        ["✓", "rnn_step"],
        ["✗", "vocabulary"],
    ]
    left = len(REAL.exercises) - 2
    assert f"{left} still to do: attend list shows them all" in first
    again = attend(copy, "check")
    assert f"1 passed before, {left} still to do: attend list shows them all" in again
    assert not any("✓" in line for line in again)
    assert any("✗ vocabulary" in line for line in again)
    assert sum("still to do" in line for line in attend(copy, "check", FIRST)) == 3


def test_a_finished_chapter_says_what_one_can_do_now_once_and_stays_marked(copy: Course) -> None:
    answer(copy, FIRST)
    words = json.loads(copy.table("debriefs.json").read_text(encoding="utf-8"))[FIRST]
    said = " ".join(attend(copy, "check", "rnn_step", "rnn", "influence"))
    assert "done." not in said
    assert f"✓ 0 · Before attention: done. {words}" in " ".join(attend(copy, "check", FIRST))
    assert "done." not in " ".join(attend(copy, "check", FIRST, "--again"))
    assert f"ch00 done: {words}" in " ".join(attend(copy))


def test_where_the_answers_are_in_a_notebook_it_is_the_notebook_that_is_named(copy: Course) -> None:
    (copy.exercises_dir / f"{FIRST}.py").unlink()
    assert steps(attend(copy))[1].split() == ["edit", f"exercises/{FIRST}.ipynb"]
