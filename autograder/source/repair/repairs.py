"""Changes of a student's own definition that may make it right, each with what would then have been wrong.

Nothing here is a verdict: a change counts only if the changed definition gives the right answers where the student's
own did not. A plain one says what is so whatever the exercise asks for; the others say which place to look at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from autograder.source.parsing import DEFINITIONS, copied, shared_tree
from autograder.source.repair.exactness import NUMBERS
from autograder.source.repair.habits import HABITS
from autograder.source.repair.node_tree import Definition, Edit, Nodes, functions_of, without_words
from autograder.source.repair.places import NEAR
from autograder.source.repair.removals import TOO_MANY
from autograder.source.repair.slips_of_syntax import SLIPS

MOST = 48
"""Changes of each of the three sorts: each costs a call."""

EACH = 8
"""Changes that are tried of one kind, so that all kinds come up in a long definition."""

LARGEST = 3000
"""A definition with more nodes is not tried: no answer to an exercise is as long."""


Finders: TypeAlias = tuple[Callable[[Definition], Iterator[Edit]], ...]
PLACES: tuple[Finders, ...] = (TOO_MANY, NEAR)


@dataclass(frozen=True)
class Repair:
    """A changed definition, in which the exercise has another name, and what it tells.

    Args:
        is_plain: whether it says what is so whatever the exercise asks for.
        says: what is wrong, if the change is right.
        advice: what to look at; never the change itself.
        line: the line of the student's file.
        name: the name of the changed definition.
        code: its text.
    """

    is_plain: bool
    says: str
    advice: str
    line: int
    name: str
    code: str


def repairs(text: str, stub: str, exercise: str, *, plain_only: bool = False) -> list[Repair]:
    """Return the changes of the definition of `exercise` in `text`.

    Args:
        stub: the text of the chapter's stub, for the signature.
        plain_only: leave out the changes that say only which place to look at.
    """
    try:
        return _repairs(_defined(text, exercise), _defined(stub, exercise), exercise, () if plain_only else PLACES)
    except (SyntaxError, RecursionError):
        return []


def _repairs(
    own: Sequence[Definition], given: Sequence[Definition], exercise: str, places: Sequence[Finders]
) -> list[Repair]:
    if not own or any(number > LARGEST for number, _ in enumerate(ast.walk(own[-1]))):
        return []
    known = own[-1], given[-1] if given else own[-1]
    steps = [(True, step) for find in (*SLIPS, *HABITS, *NUMBERS) for step in _with_all([*find(*known)])][:MOST]
    if not any(isinstance(node, ast.While) for node in ast.walk(own[-1])):
        as_given = _as_given(*known)
        for finders in places:
            kinds = ((step for step in find(own[-1]) if step.line not in as_given) for find in finders)
            edits = (step for kind in kinds for step in islice(kind, EACH))
            steps += [(False, step) for step in islice(edits, MOST)]
    bare = without_words(own[-1])
    found = [_repair(bare, step, f"{exercise}_{number}", is_plain) for number, (is_plain, step) in enumerate(steps)]
    return [*_earlier(own, exercise), *found]


def _with_all(steps: list[Edit]) -> list[Edit]:
    """Return the changes of one kind, and where there are several, all of them at once."""
    if len(steps) < 2:
        return steps
    first = steps[0]

    def change(nodes: Nodes) -> None:
        for step in steps:
            step.change(nodes)

    return [*steps, first._replace(change=change)]


def _as_given(own: Definition, given: Definition) -> set[int]:
    """Return the lines of those functions that are as the stub has them."""
    known = {ast.dump(function) for function in functions_of(given)} if own is not given else set()
    same = (function for function in functions_of(own) if ast.dump(function) in known)
    return {line for function in same for line in range(function.lineno, (function.end_lineno or 0) + 1)}


def _defined(text: str, name: str) -> list[Definition]:
    return [node for node in shared_tree(text).body if isinstance(node, DEFINITIONS) and node.name == name]


def _earlier(own: Sequence[Definition], exercise: str) -> Iterator[Repair]:
    """Yield the definitions that a later one has replaced."""
    for number, node in enumerate(own[:-1]):
        says = f"{exercise} is defined in line {node.lineno} and again in line {own[-1].lineno}; the last one counts"
        advice = f"The one in line {node.lineno} gives the right answer: delete the other."
        yield Repair(True, says, advice, own[-1].lineno, *_named(copied(node), f"{exercise}_before_{number}"))


def _repair(own: Definition, step: Edit, name: str, is_plain: bool) -> Repair:
    changed = copied(own)
    step.change([*ast.walk(changed)])
    return Repair(is_plain, step.says, step.advice, step.line, *_named(changed, name))


def _named(node: Definition, name: str) -> tuple[str, str]:
    node.name = name
    return name, ast.unparse(ast.fix_missing_locations(node))
