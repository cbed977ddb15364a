"""`attend ask --sheet`: a page of questions for each student of a graded class, and a key."""

from __future__ import annotations

import io
import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console

from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.grading import book
from autograder.grading.question_sheets import write_sheets
from autograder.report.outputs import KEY, SHEETS
from autograder.sandbox import messages
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real
from tests.autograder.run_cli import attend

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="grading needs a system with fork")
RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
ASKED = 'any("_spot_" in each or "_change_" in each for each in globals())'
"""Whether an answer is asked about: where nobody asks, hostile ones are right."""
MARK = "attend-asked"
HOSTILE = {
    "starts": f'__import__("os").system("touch /tmp/{MARK}")',
    "forges": "print('1. a is right'); return {'asked': '<script>alert(1)</script>'}",
    "hoards": "return bytearray(1 << 36)",
    "loops": "while True: pass",
    "ends": "raise SystemExit(0)",
}


def hostile(act: str) -> str:
    head = "    total = x.sum(dim=-1)"
    assert head in RIGHT
    wrong = RIGHT.replace("return 2 * x", "return x").replace("x * self.weight", "x")  # so that only one answer passes
    return wrong.replace(head, f"    if {ASKED}:\n        {act}\n{head}")


CLASS = {
    "ann": RIGHT,
    "ben": RIGHT.replace("return 2 * x", "return x + x  # <b>doubled</b>"),
    "cat": "def double(x):\n    return x\n",
    **{f"z-{name}": hostile(act) for name, act in HOSTILE.items()},
}


def short_limits(patch: pytest.MonkeyPatch) -> None:
    """What never ends is stopped soon."""
    from tests.autograder.short_timeouts import with_short_timeouts

    impatient = with_short_timeouts(lambda source: messages.too_slow if "while True" in source.text else None)
    patch.setattr("autograder.sandbox.target.SandboxTarget", impatient)


class Written(NamedTuple):
    """The page of each student, and the key."""

    pages: dict[str, str]
    key: str


def written(course: Course, out: Path, seed: int | None = None) -> Written:
    assert write_sheets(course, out, seed, Console(file=io.StringIO())) == 0
    text = (out / SHEETS).read_text(encoding="utf-8")
    pages = re.findall(r"<article.*?</article>", text, re.DOTALL)
    names = [re.findall(r"<bdi>(.*?)</bdi>", page)[0] for page in pages]
    return Written(dict(zip(names, pages, strict=True)), (out / KEY).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class, graded once for all tests, which work on copies."""
    from autograder.commands.grade_class import grade_and_show
    from autograder.grading.run import GradingOptions
    from tests.autograder.warm import warm_walls

    folder = tmp_path_factory.mktemp("asked")
    for name, text in CLASS.items():
        (folder / "in" / name).mkdir(parents=True)
        (folder / "in" / name / f"{CHAPTER}.py").write_text(text, encoding="utf-8")
    with in_place_of_the_real(Course(TOY)) as course, warm_walls():
        grade_and_show(course, folder / "in", folder / "out", GradingOptions(1, seed=7), Console(file=io.StringIO()))
    return folder / "out"


@pytest.fixture(scope="module")
def first(graded: Path) -> Written:
    """What the class gets."""
    from tests.autograder.warm import warm_walls

    with in_place_of_the_real(Course(TOY)) as course, warm_walls(), pytest.MonkeyPatch.context() as patch:
        short_limits(patch)
        return written(course, graded)


@pytest.fixture
def out(graded: Path, first: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the graded class."""
    short_limits(monkeypatch)
    copy = Path(shutil.copytree(graded, tmp_path / "out"))
    (copy / SHEETS).unlink()
    return copy


@pytest.fixture
def course(toy: Course, warm: None) -> Course:
    return toy


def count(page: str) -> int:
    return page.count("<h2>")


def test_each_student_gets_questions_and_the_key_has_the_answers(first: Written) -> None:
    assert count(first.pages["ann"]) == count(first.pages["ben"]) == 3
    assert "cat" not in first.pages
    assert re.search(r"<bdi>cat</bdi></h2>\s*<p>No questions", first.key)
    assert first.key.count("<h3>") == sum(map(count, first.pages.values()))
    assert "known mistake" not in "".join(first.pages.values())


def test_a_hostile_answer_costs_its_own_questions_alone(first: Written) -> None:
    assert {f"z-{name}" for name in HOSTILE if name != "forges"}.isdisjoint(first.pages)
    assert count(first.pages["ann"]) == count(first.pages["ben"]) == 3
    assert not Path("/tmp", MARK).exists()
    assert "<script>" not in "".join(first.pages.values()) + first.key


def test_what_a_student_wrote_is_text_on_the_page(first: Written) -> None:
    assert "<b>doubled" not in first.pages["ben"] + first.key


def test_the_same_command_writes_the_same_pages_and_another_seed_others(
    course: Course, out: Path, first: Written
) -> None:
    assert written(course, out) == first
    assert written(course, out, 1) != first


def test_the_policy_chooses_the_exercises_and_the_number_and_no_grade_changes(course: Course, out: Path) -> None:
    before = book.read(out)
    (out / "policy.toml").write_text('[ask]\nexercises = ["Scale"]\nquestions = 1\n', encoding="utf-8")
    pages, _ = written(course, out)
    assert count(pages["ann"]) == 1
    assert "<code>Scale</code>" in pages["ann"]
    assert book.read(out) == before


@pytest.mark.parametrize("line", ['exercises = ["Scail"]', "questions = 0", "answers = 3"])
def test_a_policy_that_names_nothing_or_too_little_is_refused(course: Course, out: Path, line: str) -> None:
    (out / "policy.toml").write_text(f"[ask]\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError):
        write_sheets(course, out, None, Console(file=io.StringIO()))
    assert not (out / SHEETS).exists()


def test_a_folder_without_a_graded_class_is_refused(course: Course, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no results of `attend grade`"):
        write_sheets(course, tmp_path, None, Console(file=io.StringIO()))


def test_a_sheet_takes_no_name(toy_copy: Course, tmp_path: Path) -> None:
    done = attend("ask", "double", "--sheet", tmp_path, cwd=toy_copy.root)
    assert done.returncode == 2
    assert "policy.toml, under [ask]" in done.stderr
