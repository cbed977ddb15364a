"""Mutants of a solution: each differs by one change, made by one operator, in the answer to one exercise."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider
from parso.tree import NodeOrLeaf

from autograder.author.proof.operators import OWN
from autograder.author.regions import regions_of
from autograder.author.splice import definition_lines
from autograder.core.errors import AttendError
from autograder.source.parsing import parse

# The first two make different mutants in every run; the third changes only what a message says, or nothing.
LEFT_OUT = ("VariableReplacer", "VariableInserter", "ExceptionReplacer")


@dataclass(frozen=True)
class Mutant:
    """A chapter's `text` with one change in an exercise: the `nth` occurrence of the lines `was` has become `now`.

    These three identify the mutant, and stay the same when other lines of the chapter change.
    """

    exercise: str
    was: str
    now: str
    nth: int
    operator: str
    text: str


def mutants(chapter: str, exercise: str) -> Iterator[Mutant]:
    """Yield all mutants of the answer to `exercise` that are programs different from it, each once.

    Args:
        chapter: the text of the chapter's solution; only lines between its solution markers change.
    """
    lines = chapter.split("\n")
    first, last = definition_lines(chapter, exercise)
    source = "\n".join(lines[first:last]) + "\n"
    seen = {_meaning(source)}
    nodes = list(ast_nodes(get_ast(source)))
    regions = regions_of(source.split("\n"), exercise, "the solution", first + 1)
    answer = {line + 1 for region in regions for line in range(region.first, region.last)}  # parso counts from 1
    for operator in operators():
        for occurrence in _inside(answer, nodes, operator):
            changed = mutate_code(source, operator, occurrence)
            meaning = _meaning(changed) if changed else None
            if changed is None or meaning is None or meaning in seen:
                continue
            seen.add(meaning)
            text = "\n".join([*lines[:first], changed.removesuffix("\n"), *lines[last:]])
            was, now, nth = _hunk(source.split("\n"), changed.split("\n"))
            yield Mutant(exercise, was, now, nth, type(operator).__name__, text)


def mutate(chapter: str, exercise: str, was: str, now: str, nth: int) -> str:
    """Return the chapter's text with this one change.

    Raises:
        AttendError: the exercise's definition no longer has these lines.
    """
    lines = chapter.split("\n")
    first, last = definition_lines(chapter, exercise)
    old = was.split("\n")
    places = _places(lines[first:last], old)
    if len(places) < nth:
        raise AttendError(f"{exercise} has no line {was.strip()!r} ({nth}) any more")
    at = first + places[nth - 1]
    return "\n".join([*lines[:at], *now.split("\n"), *lines[at + len(old) :]])


@cache
def operators() -> tuple[Operator, ...]:
    """Return the operators, cosmic-ray's and our own."""
    provider = OperatorProvider()
    theirs = [provider[name]() for name in provider if name not in LEFT_OUT and not name.endswith("_UAdd")]  # +x is x
    return (*theirs, *(each() for each in OWN))


def _inside(answer: Set[int], nodes: Sequence[NodeOrLeaf], operator: Operator) -> list[int]:
    """Return the numbers of the operator's occurrences that start in a line of the answer."""
    starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
    return [number for number, (line, _) in enumerate(starts) if line in answer]


def _meaning(source: str) -> str | None:
    """Return a text that is equal for equal programs; None if `source` is not a program."""
    try:
        return ast.dump(parse(source))
    except SyntaxError:
        return None


def _hunk(old: Sequence[str], new: Sequence[str]) -> tuple[str, str, int]:
    """Return the lines that differ, before and after, and the number of their occurrence in `old`."""
    head = next(place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other)
    backwards = zip(reversed(old[head:]), reversed(new[head:]), strict=False)
    tail = next((place for place, (one, other) in enumerate(backwards) if one != other), min(len(old), len(new)) - head)
    was, now = old[head : len(old) - tail], new[head : len(new) - tail]
    return "\n".join(was), "\n".join(now), _places(old, was).index(head) + 1


def _places(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return the positions at which `wanted` occurs in `lines`."""
    return [at for at in range(len(lines)) if list(lines[at : at + len(wanted)]) == list(wanted)]
