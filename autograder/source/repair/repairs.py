"""Changes of a student's own definition that may make it right, each with what would then have been wrong.

Nothing here is a verdict: a change counts only if the changed definition gives the right answers where the student's
own did not. A plain one says what is so whatever the exercise asks for; the others say which place to look at.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from autograder.source.parsing import DEFINITIONS, copied, shared_tree
from autograder.source.repair.exactness import NUMBERS
from autograder.source.repair.habits import HABITS
from autograder.source.repair.misuses import MISUSES
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
        return _repairs(_used(text, exercise, stub), _defined(stub, exercise), exercise, () if plain_only else PLACES)
    except (SyntaxError, RecursionError):
        return []


def _repairs(
    used: Sequence[Definition], given: Sequence[Definition], exercise: str, places: Sequence[Finders]
) -> list[Repair]:
    """Return the changes of one definition of those `used`, of which those of the exercise come first."""
    own = [each for each in used if each.name == exercise]
    if not own or sum(1 for each in used for _ in ast.walk(each)) > LARGEST:
        return []
    members = [own[-1], *used[len(own) :]]
    known = [(own[-1], given[-1] if given else own[-1]), *((each, each) for each in members[1:])]
    plain = (
        (True, step, pair[0])
        for pair in known
        for find in (*SLIPS, *HABITS, *NUMBERS, *MISUSES)
        for step in _with_all([*find(*pair)])
    )
    steps = [*islice(plain, MOST)]
    for finders in places:
        steps += islice(((False, step, pair[0]) for pair in known for step in _places_in(pair, finders)), MOST)
    bare = {each.name: without_words(each) for each in members}
    numbered = enumerate(steps)
    found = [_repair(bare, at.name, step, f"{exercise}_{number}", plain) for number, (plain, step, at) in numbered]
    return [*_earlier(own, exercise), *found]


def _places_in(pair: tuple[Definition, Definition], finders: Finders) -> Iterator[Edit]:
    """Yield a few changes of each kind; none where a loop might not end then, and none of what the stub gave."""
    own = pair[0]
    if any(isinstance(node, ast.While) for node in ast.walk(own)):
        return
    as_given = _as_given(*pair)
    for find in finders:
        yield from islice((step for step in find(own) if step.line not in as_given), EACH)


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


def _used(text: str, name: str, stub: str) -> list[Definition]:
    """Return the definitions of a name, then those of the text that the last of them uses, none of the stub's."""
    own, given = _defined(text, name), {node.name for node in shared_tree(stub).body if isinstance(node, DEFINITIONS)}
    others = {node.name: node for node in shared_tree(text).body if isinstance(node, DEFINITIONS)}
    found: dict[str, Definition] = {}
    unseen = own[-1:]
    while unseen:
        mentioned = {node.id for node in ast.walk(unseen.pop()) if isinstance(node, ast.Name)}
        for other in sorted((mentioned & {*others}) - {*found, name, *given}):
            found[other] = others[other]
            unseen.append(others[other])
    return [*own, *sorted(found.values(), key=lambda each: each.lineno)]


def _earlier(own: Sequence[Definition], exercise: str) -> Iterator[Repair]:
    """Yield the definitions that a later one has replaced."""
    for number, node in enumerate(own[:-1]):
        says = f"{exercise} is defined in line {node.lineno} and again in line {own[-1].lineno}; the last one counts"
        advice = f"The one in line {node.lineno} gives the right answer: delete the other."
        name = f"{exercise}_before_{number}"
        yield Repair(True, says, advice, own[-1].lineno, name, _written(copied(node), name))


def _repair(bare: Mapping[str, Definition], changed: str, step: Edit, name: str, is_plain: bool) -> Repair:
    """Return a change of the definition `changed` of those that belong together, the exercise's own first.

    All get other names, and so call one another and none of the student's.
    """
    own, *others = bare
    names = {own: name, **{other: f"{name}_{other}" for other in others}}
    made = []
    for each in (*others, own):
        definition = copied(bare[each])
        nodes = [*ast.walk(definition)]
        if each == changed:
            step.change(nodes)
        for node in ast.walk(definition):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
        made.append(_written(definition, names[each]))
    return Repair(is_plain, step.says, step.advice, step.line, name, "\n\n\n".join(made))


def _written(node: Definition, name: str) -> str:
    """Return the text of a definition under another name."""
    node.name = name
    return ast.unparse(ast.fix_missing_locations(node))
