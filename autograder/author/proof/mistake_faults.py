"""What is wrong with a known mistake, or with what is said of it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from autograder.author.proof.trial import Tried, solution
from autograder.author.splice import misconception_source
from autograder.calls.records import Raised
from autograder.compare.weight import guessed
from autograder.core.records import ExerciseResult
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.source.parsing import syntax_tree

SCREEN: Final = 24
"""The most lines of 80 columns that a message has."""
SHORT: Final = 12
"""Fewer characters are a name, or part of a formula."""
LONGEST: Final = 160
"""The most characters of the sentence that names a mistake."""
ENGINE: Final = ("autograder", "Traceback")
"""Words that speak of the engine."""


def faults(course: Course, wrong: Misconception, tried: Tried) -> list[str]:
    """Return what keeps a mistake that was tried from being named, and what of its messages does not fit."""
    (result,) = tried.result.exercises
    source = misconception_source(course, result.chapter, wrong)
    own = [told(slip, place(course, wrong), source) for slip in slips(tried.raised)]
    return [*_unnamed(course, wrong, result), *own, *_unfit(result)]


def faults_of_words(course: Course, chapter: str, wrong: Misconception) -> list[str]:
    """Return what the docstring of a mistake lacks to say what it is and what to do, and what it gives away."""
    return [f"{place(course, wrong)}: {what}" for what in (*_unclear(wrong), *_given_away(course, chapter, wrong))]


def place(course: Course, wrong: Misconception) -> str:
    """Return file and line of a known mistake, which is that of its last mark."""
    path = Path(inspect.getfile(wrong.function)).relative_to(course.root)
    line = inspect.getsourcelines(wrong.function)[1] + len(vars(wrong.function)["misconceptions"]) - 1
    return f"{path.as_posix()}:{line}"


def _unnamed(course: Course, wrong: Misconception, result: ExerciseResult) -> list[str]:
    """Return what keeps a known mistake from losing points under its own name."""
    failed, where = [check for check in result.checks if check.status != "passed"], place(course, wrong)
    if not failed or result.score >= result.max_score:
        return [f"{where}: no check of {wrong.exercise} notices this mistake"]
    first = failed[0]
    found = [f"{check.name} is our fault: {check.message.text}" for check in failed if check.status == "grader_error"]
    if {first.misconceptions[:1], result.misconceptions[:1]} != {(wrong.identifier,)}:
        named = ", ".join(first.misconceptions) or "no mistake"
        found.append(f"{where}: {first.name} names {named}: {first.message.text}")
    if not first.message.headline.startswith((wrong.says, guessed(wrong.says))):
        found.append(f"{where}: the message of {first.name} does not begin with it: {first.message.text}")
    return found


def _unclear(wrong: Misconception) -> Iterator[str]:
    if not wrong.says.endswith("."):
        yield f"the first paragraph is no sentence: {wrong.says!r}"
    if len(wrong.says) > LONGEST:
        yield f"the first paragraph is longer than {LONGEST} characters"
    if not wrong.advice:
        yield "a second paragraph must say what to do"
    elif not wrong.advice.endswith((".", "`", "?")):
        yield f"the advice is no sentence: {wrong.advice!r}"


def _given_away(course: Course, chapter: str, wrong: Misconception) -> Iterator[str]:
    """Yield lines of the solution in what a check advises: they belong in the paragraph that only `explain` shows."""
    code = {plain for text in re.findall(r"`([^`]+)`", wrong.advice) if len(plain := _as_code(text)) > SHORT}
    for line in sorted(code & _lines_of(solution(course, chapter), wrong.exercise)):
        yield f"the advice gives away `{line}`"


@lru_cache(maxsize=64)
def _lines_of(text: str, exercise: str) -> frozenset[str]:
    """Return every statement of a solution, and every value that one returns or assigns."""
    answer = next(node for node in syntax_tree(text).body if getattr(node, "name", "") == exercise)
    found = [node for node in ast.walk(answer) if isinstance(node, ast.Return | ast.Assign | ast.AugAssign)]
    return frozenset(ast.unparse(part) for node in found for part in (node, node.value) if part is not None)


def _as_code(text: str) -> str:
    """Return code as Python writes it; "" for what is no code."""
    try:
        return ast.unparse(syntax_tree(text))
    except SyntaxError:
        return ""


def _unfit(result: ExerciseResult) -> list[str]:
    """Return the messages that do not fit a screen, or show something of the engine."""
    long = [check for check in result.checks if screen_lines(check.message.text) > SCREEN]
    shown = [(check, word) for check in result.checks for word in ENGINE if word in check.message.text]
    return [
        *(f"{check.name} says more than {SCREEN} lines: {check.message.text}" for check in long),
        *(f"{check.name} says {word}: {check.message.text}" for check, word in shown),
    ]


def screen_lines(message: str, width: int = 80) -> int:
    """Return how many lines a message has on a screen."""
    return sum(max(1, -(-len(line) // width)) for line in message.split("\n"))


def slips(raised: Sequence[Raised]) -> list[Raised]:
    """Return what no student's mistake is about: the author wrote a name that does not exist."""
    return [
        each
        for each in raised
        if "NameError" in each.bases or (each.kind == "AttributeError" and each.message.startswith("module '"))
    ]


def told(slip: Raised, where: str, source: str) -> str:
    """Return what a mistake raised, with the line of its file; `where` it begins."""
    file, _, first = where.rpartition(":")
    lines = [line.strip() for line in source.split("\n")]
    line = int(first) + (lines.index(slip.source) if slip.source in lines else 0)
    return f"{file}:{line}: this mistake raises {slip.kind}: {slip.message}; fix its body"
