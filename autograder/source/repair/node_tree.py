"""The nodes of a definition, and changes of a copy of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from autograder.source.parsing import copied

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Nodes: TypeAlias = Sequence[ast.AST]
Change: TypeAlias = Callable[[Nodes], None]
Make: TypeAlias = Callable[[Any], ast.AST]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Edit(NamedTuple):
    """A place that may be wrong: what it says, the advice, its line, and the change of a copy's nodes.

    The nodes of a copy come in the order of `ast.walk`.
    """

    says: str
    advice: str
    line: int
    change: Change


class Place(NamedTuple):
    """Where a node stands: the number of its parent, the field, and the position in it, if that is a list."""

    parent: int
    field: str
    position: int | None


def _places(nodes: Nodes) -> dict[int, Place]:
    """Return where each node stands, by its number."""
    numbers = {id(node): number for number, node in enumerate(nodes)}
    found: dict[int, Place] = {}
    for number, node in enumerate(nodes):
        for field, value in ast.iter_fields(node):
            for position, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if id(item) in numbers:
                    found[numbers[id(item)]] = Place(number, field, position)
    return found


class NodeTree:
    """A definition whose nodes can be replaced."""

    def __init__(self, definition: Definition) -> None:
        self.nodes = [*ast.walk(definition)]
        self._places = _places(self.nodes)

    def of(self, *kinds: type[ast.AST]) -> Iterator[tuple[int, Any]]:
        """Yield the nodes of some kinds, with their numbers."""
        for number, node in enumerate(self.nodes):
            if isinstance(node, kinds):
                yield number, node

    def put(self, number: int, make: Make) -> Change:
        """Return the change that puts what `make` returns for a node in its place."""
        place = self._places[number]

        def change(nodes: Nodes) -> None:
            new, parent = make(nodes[number]), nodes[place.parent]
            if place.position is None:
                setattr(parent, place.field, new)
            else:
                getattr(parent, place.field)[place.position] = new

        return change

    def condition_of(self, number: int) -> ast.expr | None:
        """Return the condition of an `if` that a node is part of; None if it is not."""
        while number in self._places:
            place = self._places[number]
            if place.field == "test" and isinstance(self.nodes[place.parent], ast.If | ast.IfExp):
                return self.nodes[number]  # type: ignore[return-value]
            number = place.parent
        return None

    def parent(self, number: int) -> tuple[int, Place]:
        """Return the number of a node's parent, and the node's place in it."""
        return self._places[number].parent, self._places[number]


@lru_cache(maxsize=2)
def tree_of(definition: Definition) -> NodeTree:
    """Return the tree of a definition, which is made once for all that look for something in it."""
    return NodeTree(definition)


def without_words(definition: Definition) -> Definition:
    """Return a copy with empty docstrings, which take long to write; its nodes have the same numbers."""
    made = copied(definition)
    for each in (made, *functions_of(made)):
        if ast.get_docstring(each, clean=False) is not None:
            each.body[0].value.value = ""  # type: ignore[attr-defined]
    return made


def code(node: ast.AST, longest: int = 50) -> str:
    """Return the code of a node, cut where it is long."""
    text = ast.unparse(node)
    return text if len(text) <= longest else text[: longest - 2] + " …"


def functions_of(definition: Definition) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the function itself, or the methods of a class."""
    return [node for node in ast.walk(definition) if isinstance(node, FUNCTIONS)]


def always(new: ast.AST) -> Make:
    """Return a function that gives a copy of `new`, whatever it replaces."""
    return lambda _: copied(new)


def defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield the parameters that have a default, with it."""
    every = [*function.args.posonlyargs, *function.args.args]
    yield from zip(every[len(every) - len(function.args.defaults) :], function.args.defaults, strict=True)
    pairs = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    yield from ((argument, default) for argument, default in pairs if default is not None)
