"""Every question about a right answer has one right choice, which a second run finds in another way.

The second run changes the text of the answer's file, or stops at a line of it; `attend ask` changes its syntax tree.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType, ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from autograder.asking.ask import THREE, Subject, chosen, subjects
from autograder.asking.question import CodeQuestion
from autograder.author.proof import right_answers
from autograder.author.proof.question_review import about, solution_of
from autograder.calls.observe import observe
from autograder.calls.records import Raised, leaves
from autograder.internals.grading_mode import grading_mode
from tests.promises.world import COURSE

pytestmark = pytest.mark.filterwarnings("ignore")
SEED = 7
ANSWERS = [
    answer
    for chapter in COURSE.chapters
    for answer in (solution_of(COURSE, chapter), *right_answers.answers(COURSE, chapter))
]
SAMPLED = 1
"""Exercises of each solution that every run looks at."""


@pytest.fixture(autouse=True)
def the_process_as_before() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with np.printoptions():
        yield
    torch.set_printoptions(profile="default")
    torch.set_num_threads(threads)


@cache
def subjects_of(chapter: str) -> dict[str, Subject]:
    return subjects(COURSE, COURSE.of(chapter), SEED)


def asked(answer: right_answers.RightAnswer, name: str) -> list[CodeQuestion]:
    return about(COURSE, answer, COURSE.one(name), subjects_of(answer.chapter)[name], SEED)


@contextmanager
def loaded(text: str, name: str) -> Iterator[dict[str, Any]]:
    """The names that a file's text defines, in a module of its own."""
    module = ModuleType(name)
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        exec(compile(text, f"<{name}>", "exec", 1 << 24, dont_inherit=True), module.__dict__)  # annotations unevaluated
        yield module.__dict__
    finally:
        sys.modules.pop(name)
        if before:
            sys.modules[name] = before


def result(text: str, question: CodeQuestion) -> Any:
    with loaded(text, "second_run") as space, grading_mode():
        return observe(space, question.asked.call).result


def held(text: str, question: CodeQuestion) -> Any:
    """What the expression of a question is where its line runs for the first time: by Python's own tracing."""
    line, piece = question.asked.line, question.asked.piece
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    around = [node for node in statements if node.lineno <= line <= (node.end_lineno or 0)][-1]  # the innermost
    lines = range(around.lineno, (around.end_lineno or 0) + 1)
    is_after, found, reached = "after line" in question.text, list[Any](), list[FrameType]()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "<second_run>" or found:
            return trace if not found else None
        if event == "line" and frame.f_lineno in lines and not (reached and is_after):
            reached.append(frame)
            if not is_after:
                found.append(eval(piece, frame.f_globals, {**frame.f_locals}))
        elif reached and reached[0] is frame and (event == "return" or frame.f_lineno not in lines):
            found.append(frame.f_locals[piece])
        return trace

    with loaded(text, "second_run") as space, grading_mode():
        sys.settrace(trace)
        try:
            observe(space, question.asked.call)
        finally:
            sys.settrace(None)
    return found[0]


def shape(question: CodeQuestion, text: str) -> str:
    return str(tuple(held(text, question).shape))


def change(question: CodeQuestion, text: str) -> str:
    lines = text.split("\n")
    old = lines[question.asked.line - 1]
    lines[question.asked.line - 1] = old[: len(old) - len(old.lstrip())] + question.asked.piece
    now, then = result(text, question), result("\n".join(lines), question)
    error, *form, other, same = question.choices
    if isinstance(then, Raised):
        return error
    if forms(now) != forms(then):
        return form[0]
    pairs = zip(leaves(now), leaves(then), strict=True)
    return same if all(are_equal(*pair) for pair in pairs) else other


def forms(value: Any) -> Any:
    """The shapes and lengths of a result."""
    if isinstance(value, list | tuple | dict):
        return [forms(each) for each in (value.values() if isinstance(value, dict) else value)]
    return tuple(value.shape) if isinstance(value, torch.Tensor | np.ndarray) else type(value)


def are_equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) or one is None:
        return bool(one == other)
    return np.allclose(np.asarray(one, dtype=float), np.asarray(other, dtype=float), rtol=1e-6, atol=1e-9)


def number(question: CodeQuestion, text: str) -> str:
    value = result(text, question)
    if question.asked.entry is not None:
        part, index = question.asked.entry
        value = value if part is None else value[part]
        value = float(np.asarray(value)[index])
        near = [each for each in question.choices if abs(float(each) - value) <= 0.00501 + 1e-6 * abs(value)]
        assert len(near) == 1, f"{value} might be {near}"
        return near[0]
    return next(each for each in question.choices if ast.literal_eval(each) == value)


FOUND = {"shape": shape, "change": change, "number": number}


def is_sound(question: CodeQuestion, answer: right_answers.RightAnswer) -> None:
    """It has distinct choices, names lines that are shown, and a second run finds the right one."""
    assert len({*question.choices}) == len(question.choices) >= 3
    shown = {number for number, _ in question.code}
    assert {int(each) for each in re.findall(r"line (\d+)", question.text)} <= shown
    if question.asked.piece and question.kind == "shape":
        assert question.asked.piece in answer.text.split("\n")[question.asked.line - 1]
    found = FOUND[question.kind](question, answer.text)
    assert found == question.choices[question.right], f"{question.text} {question.lines} {found}"


def cases() -> Iterator[Any]:
    rng = random.Random(SEED)
    for answer in ANSWERS:
        sample = rng.sample(answer.exercises, min(SAMPLED, len(answer.exercises))) if answer.style == "solution" else []
        for name in answer.exercises:
            marks = [] if name in sample else [pytest.mark.exhaustive]
            yield pytest.param(answer, name, id=f"{answer.chapter}: {answer.style} {name}", marks=marks)


@pytest.mark.parametrize(("answer", "name"), [*cases()])
def test_each_question_about_a_right_answer_has_one_right_choice(answer: right_answers.RightAnswer, name: str) -> None:
    for question in asked(answer, name):
        is_sound(question, answer)


@pytest.mark.parametrize("name", ["cosine_scores", "lookup", "MultiHeadAttention"])
def test_two_runs_with_one_seed_ask_the_same(name: str) -> None:
    exercise = COURSE.one(name)
    answer = solution_of(COURSE, exercise.chapter)
    runs = [about(COURSE, answer, exercise, subjects(COURSE, [exercise], 4)[name], 4) for _ in range(2)]
    one, other = ([(each.key, each.choices, each.right, each.run) for each in run] for run in runs)
    assert one == other
    assert one


def test_three_questions_are_of_three_kinds_where_there_are_so_many() -> None:
    found = chosen(asked(solution_of(COURSE, "ch03_attention"), "cosine_scores"), THREE, [], {}, ())
    assert [each.kind for each in found] == ["shape", "number", "change"]
