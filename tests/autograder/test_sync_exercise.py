"""`attend sync NAME`: one answer is carried over, and the rest of both forms stays as it is."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from autograder.course.course import Course
from autograder.student.start import start
from autograder.student.sync import sync
from tests.autograder.syncing import SOLUTION, TOY, Work

SCALED = "class Scale(nn.Module):"


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(Course(start(Course(TOY), tmp_path / "mine").root))


def synced(work: Work, *names: str, source: str | None = None, expect: int = 0) -> str:
    said = io.StringIO()
    assert sync(work.course, names, source, yes=True, console=Console(file=said, width=200)) == expect, said.getvalue()
    return said.getvalue()


def texts(work: Work) -> tuple[str, str]:
    return work.module.read_text(encoding="utf-8"), work.notebook.read_text(encoding="utf-8")


def test_one_answer_is_carried_over_and_no_other(work: Work) -> None:
    work.module.write_text(SOLUTION, encoding="utf-8")
    before = texts(work)
    assert "ch01_toy.ipynb written from ch01_toy.py (double)" in synced(work, "double")
    module, notebook = texts(work)
    assert module == before[0]
    assert "return 2 * x" in notebook
    assert 'NotImplementedError(\\"mean_and_sum\\")' in notebook


def test_each_answer_comes_from_the_form_that_has_it(work: Work) -> None:
    work.answer("return x + x")
    work.answer_cell("return 2 * x")
    module = work.module.read_text(encoding="utf-8")
    own = SOLUTION[SOLUTION.index("def mean_and_sum") :]
    stub = module[module.index("def mean_and_sum") :]
    work.module.write_text(module.replace(stub, own), encoding="utf-8")
    synced(work, "mean_and_sum")
    module, notebook = texts(work)
    assert "total / x.shape[-1], total" in notebook
    assert "return 2 * x" in notebook
    assert "return x + x" in module


def test_two_answers_are_a_question_that_from_answers(work: Work) -> None:
    work.answer("return x + x")
    work.answer_cell("return 2 * x")
    before = texts(work)
    said = synced(work, "double", expect=1)
    assert "both forms answer double, each in its own way" in said
    assert "`attend sync double --from py` or `attend sync double --from notebook`" in said
    assert texts(work) == before
    assert "ch01_toy.py would lose its answers to double" in synced(work, "double", source="notebook")
    assert "return 2 * x" in work.module.read_text(encoding="utf-8")
    assert [path.suffix for path in work.kept] == [".py"]


def test_where_neither_form_has_an_answer_that_is_said(work: Work) -> None:
    module = work.module.read_text(encoding="utf-8")
    work.module.write_text(module[: module.index("def mean_and_sum")], encoding="utf-8")
    before = texts(work)
    assert "neither form answers mean_and_sum yet; nothing was written" in synced(work, "mean_and_sum", expect=1)
    assert texts(work) == before


def test_once_both_say_the_same_the_next_change_is_carried_over_without_a_question(work: Work) -> None:
    work.answer("return x + x")
    synced(work, "double")
    work.answer("return 2 * x")
    assert "ch01_toy.ipynb written from ch01_toy.py (double)" in synced(work)
    assert "1 of 1 chapters needed nothing" in synced(work)
