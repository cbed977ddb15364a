"""What every known mistake promises: it loses points, and is named first, in sentences that fit a screen."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from autograder.author.splice import misconception_source, with_wrong_answer
from autograder.calls.records import Raised
from autograder.compare.weight import guessed
from autograder.core.records import ExerciseResult
from autograder.course.model import Misconception
from tests.promises.world import COURSE, Graded, each_chapter, each_of, sample, watch, wrong_answers

SCREEN = 24  # lines of 80 columns
SHORT = 12  # characters: less is a name, or part of a formula
ENGINE = ("autograder", "Traceback")  # words that speak of the engine


@each_chapter
def test_what_is_said_of_a_known_mistake_is_in_sentences_and_gives_no_line_away(chapter: str) -> None:
    known = COURSE.misconceptions(chapter)
    found = [fault for wrong in known for fault in (*unclear(wrong), *given_away(chapter, wrong))]
    assert not found, "\n\n".join(found)


@each_of(sample)
def test_a_known_mistake_is_named_first_and_told_in_sentences_that_fit_a_screen(
    chapter: str, wrong: Misconception
) -> None:
    found = faults(wrong, wrong_answers(chapter, whole=False)[wrong.identifier])
    assert not found, "\n\n".join(found)


@pytest.mark.exhaustive
@each_of(COURSE.misconceptions)
def test_it_is_when_the_checks_after_the_one_that_names_it_are_tried_too(chapter: str, wrong: Misconception) -> None:
    found = faults(wrong, wrong_answers(chapter, whole=True)[wrong.identifier])
    assert not found, "\n\n".join(found)


def given_away(chapter: str, wrong: Misconception) -> list[str]:
    """Lines of the solution in what a check advises: they belong into the paragraph that only `explain` shows."""
    code = {plain for text in re.findall(r"`([^`]+)`", wrong.advice) if len(plain := normalised(text)) > SHORT}
    return [f"{place(wrong)}: the advice gives away `{line}`" for line in code & lines_of(chapter, wrong.exercise)]


@cache
def lines_of(chapter: str, exercise: str) -> frozenset[str]:
    """Every statement of a solution, and every value that one returns or assigns."""
    tree = ast.parse(COURSE.solution(chapter).read_text(encoding="utf-8"))
    answer = next(node for node in tree.body if getattr(node, "name", "") == exercise)
    found = [node for node in ast.walk(answer) if isinstance(node, ast.Return | ast.Assign | ast.AugAssign)]
    return frozenset(ast.unparse(part) for node in found for part in (node, node.value) if part is not None)


def normalised(code: str) -> str:
    """Code as Python writes it; "" for what is no code."""
    try:
        return ast.unparse(ast.parse(code))
    except SyntaxError:
        return ""


def faults(wrong: Misconception, graded: Graded) -> list[str]:
    """All that is wrong with a known mistake, or with what is said of it."""
    (result,) = graded.result.exercises
    source = misconception_source(COURSE, result.chapter, wrong)
    own = [told(slip, place(wrong), source) for slip in slips(graded.raised)]
    return [*unnamed(wrong, result), *own, *unfit(result)]


def place(wrong: Misconception) -> str:
    """File and line of a known mistake, which is that of its last mark."""
    path = Path(inspect.getfile(wrong.function)).relative_to(COURSE.root)
    line = inspect.getsourcelines(wrong.function)[1] + len(vars(wrong.function)["misconceptions"]) - 1
    return f"{path.as_posix()}:{line}"


def unnamed(wrong: Misconception, result: ExerciseResult) -> list[str]:
    """What keeps a known mistake from losing points under its own name."""
    failed = [check for check in result.checks if check.status != "passed"]
    if not failed or result.score >= result.max_score:
        return [f"{place(wrong)}: no check of {wrong.exercise} notices this mistake"]
    first = failed[0]
    found = [f"{check.name} is our fault: {check.message.text}" for check in failed if check.status == "grader_error"]
    if {first.misconceptions[:1], result.misconceptions[:1]} != {(wrong.identifier,)}:
        named = ", ".join(first.misconceptions) or "no mistake"
        found.append(f"{place(wrong)}: {first.name} names {named}: {first.message.text}")
    if not first.message.headline.startswith((wrong.says, guessed(wrong.says))):
        found.append(f"{place(wrong)}: the message of {first.name} does not begin with it: {first.message.text}")
    return found


def unclear(wrong: Misconception) -> list[str]:
    """What the docstring of a known mistake lacks to say what it is and what to do."""
    lacks = {
        f"the first paragraph is no sentence: {wrong.says!r}": not wrong.says.endswith("."),
        "the first paragraph is longer than 160 characters": len(wrong.says) > 160,
        "a second paragraph must say what to do": not wrong.advice,
        f"the advice is no sentence: {wrong.advice!r}": wrong.advice and not wrong.advice.endswith((".", "`", "?")),
    }
    return [f"{place(wrong)}: {what}" for what, lacking in lacks.items() if lacking]


def unfit(result: ExerciseResult) -> list[str]:
    """Messages that do not fit a screen, or show something of the engine."""
    long = [check for check in result.checks if screen_lines(check.message.text) > SCREEN]
    shown = [(check, word) for check in result.checks for word in ENGINE if word in check.message.text]
    return [
        *(f"{check.name} says more than {SCREEN} lines: {check.message.text}" for check in long),
        *(f"{check.name} says {word}: {check.message.text}" for check, word in shown),
    ]


def screen_lines(message: str, width: int = 80) -> int:
    return sum(max(1, -(-len(line) // width)) for line in message.split("\n"))


def test_a_message_longer_than_a_screen_would_be_noticed() -> None:
    assert screen_lines("one\n" * SCREEN) > SCREEN
    assert screen_lines("x" * 81) == 2


def slips(raised: Sequence[Raised]) -> list[Raised]:
    """What no student's mistake is about: the author wrote a name that does not exist."""
    return [
        each
        for each in raised
        if "NameError" in each.bases or (each.kind == "AttributeError" and each.message.startswith("module '"))
    ]


def told(slip: Raised, where: str, source: str) -> str:
    """What a mistake raised, with the line of its file; `where` it begins."""
    file, _, first = where.rpartition(":")
    lines = [line.strip() for line in source.split("\n")]
    line = int(first) + (lines.index(slip.source) if slip.source in lines else 0)
    return f"{file}:{line}: this mistake raises {slip.kind}: {slip.message}; mend its body"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return sorted(wrods)", "NameError: name 'wrods' is not defined"),
        ("n += 1\n    return n", "UnboundLocalError: "),
        ("return np.nothing(sentences)", "AttributeError: module 'numpy' has no attribute 'nothing'"),
        ("return sentences.nothing", ""),
    ],
)
def test_a_slip_in_the_body_of_a_mistake_would_be_noticed(body: str, says: str) -> None:
    chapter = "ch01_markov"
    exercise = COURSE.of(chapter)[0]
    source = f'@misconception("{exercise.name}", "slip")\ndef slip(sentences):\n    {body}\n'
    right = COURSE.solution(chapter).read_text(encoding="utf-8")
    text = with_wrong_answer(right, source, exercise.name)
    raised = watch(chapter, {"slip": text}, exercises=[exercise])["slip"].raised
    found = [told(slip, "reference/misconceptions/x.py:7", source) for slip in slips(raised)]
    assert bool(found) == bool(says)
    assert all(each.startswith(f"reference/misconceptions/x.py:9: this mistake raises {says}") for each in found)
