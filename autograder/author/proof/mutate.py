"""Mutants of a solution: each differs by one change, made by one operator, in the answer to one exercise."""

from __future__ import annotations

import ast
import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.operators.provider import OperatorProvider
from parso.python.tree import Name
from parso.tree import NodeOrLeaf

from autograder.author.regions import regions_of
from autograder.author.splice import definition_lines
from autograder.core.errors import AttendError
from autograder.source.parsing import parse

# The first two make different mutants in every run; the third changes only what a message says, or nothing.
LEFT_OUT = ("VariableReplacer", "VariableInserter", "ExceptionReplacer")

Node = Any  # parso annotates its trees only in part
Position = tuple[tuple[int, int], tuple[int, int]]
OPERATIONS = ("arith_expr", "term", "expr", "and_expr", "xor_expr", "power", "and_test", "or_test")
ONE_WAY = ("-", "/", "//", "%", "@", "**")
STATEMENTS = ("expr_stmt", "atom_expr", "return_stmt", "raise_stmt", "del_stmt", "assert_stmt")


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

    @property
    def entry(self) -> str:
        """Return what lists it as equivalent, in TOML, for a reason to be written in."""
        rows = {"exercise": self.exercise, "was": self.was, "now": self.now, "why": "..."}
        told = [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in rows.items()]
        return "\n".join(["[[equivalent]]", *told, *([f"nth = {self.nth}"] if self.nth > 1 else [])])


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


class _Rewriting(Operator):  # type: ignore[misc]
    """An operator that replaces a node by other text."""

    @abstractmethod
    def rewritings(self, node: Node) -> Sequence[str]:
        """Return the texts that may replace `node`."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        for _ in self.rewritings(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        return Name(self.rewritings(node)[index], node.start_pos, node.get_first_leaf().prefix)


class RemoveStatement(_Rewriting):
    """Leaves out a statement."""

    def rewritings(self, node: Node) -> Sequence[str]:
        alone = node.parent is not None and node.parent.type == "simple_stmt"
        return ["pass"] if alone and node.type in STATEMENTS else []

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("x = 1\n", "pass\n"), Example("x.zero_()\n", "pass\n"))


class RemoveArgument(_Rewriting):
    """Leaves out one argument of a call: a mask, a dimension, a bias."""

    def rewritings(self, node: Node) -> Sequence[str]:
        arguments = _arguments(node)
        return [_call([*arguments[:place], *arguments[place + 1 :]]) for place in range(len(arguments))]

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("f(x, mask=m)", "f(mask=m)"), Example("f(x, mask=m)", "f(x)", occurrence=1))


class SwapArguments(_Rewriting):
    """Swaps two neighbouring arguments of a call."""

    def rewritings(self, node: Node) -> Sequence[str]:
        arguments = _arguments(node)
        if len(arguments) == 2 and _code(node.get_previous_leaf()) == "transpose":  # both orders mean the same
            return []
        pairs = [place for place in range(1, len(arguments)) if not _named(arguments[place - 1 : place + 1])]
        return [
            _call([*arguments[: at - 1], arguments[at], arguments[at - 1], *arguments[at + 1 :]])
            for at in pairs
            if _code(arguments[at]) != _code(arguments[at - 1])
        ]

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("x.permute(1, 2, 3)", "x.permute(2, 1, 3)"), Example("f(q, k, v)", "f(q, v, k)", occurrence=1))


class SwapOperands(_Rewriting):
    """Swaps the two sides of an operator that is not commutative."""

    def rewritings(self, node: Node) -> Sequence[str]:
        if node.type not in OPERATIONS:
            return []
        pieces = [_code(child) for child in node.children]
        places = [at for at in range(1, len(pieces), 2) if pieces[at] in ONE_WAY]
        return [" ".join([*pieces[: at - 1], *reversed(pieces[at - 1 : at + 2]), *pieces[at + 2 :]]) for at in places]

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("y = a @ b", "y = b @ a"), Example("y = a - b - c", "y = b - a - c"))


class RemoveOperand(_Rewriting):
    """Leaves out one side of an operator, and the operator with it: a residual, a mask, a scale."""

    def rewritings(self, node: Node) -> Sequence[str]:
        if node.type not in OPERATIONS:
            return []
        pieces = [_code(child) for child in node.children]
        without = [pieces[2:], *([*pieces[:at], *pieces[at + 2 :]] for at in range(1, len(pieces), 2))]
        return [" ".join(rest) for rest in without]

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("y = x + f(x)", "y = f(x)"), Example("y = x + f(x)", "y = x", occurrence=1))


class RemoveStep(_Rewriting):
    """Leaves out one step of a chain: `.transpose(1, 2)`, `.mT`, `[:, 0]`."""

    def rewritings(self, node: Node) -> Sequence[str]:
        if node.type != "atom_expr":
            return []
        pieces = [_code(child) for child in node.children]
        return ["".join(pieces[:first] + pieces[last:]) for first, last in _steps(node)]

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("x.mT.sum(0)", "x.sum(0)"), Example("x.mT.sum(0)", "x.mT", occurrence=1))


class UnwrapCall(_Rewriting):
    """Replaces a call by its first argument: `math.sqrt(d)` becomes `d`."""

    def rewritings(self, node: Node) -> Sequence[str]:
        if node.type != "atom_expr" or not _is_call(node.children[-1]):
            return []
        arguments = _arguments(node.children[-1])
        return [f"({_code(arguments[0])})"] if arguments and not _named(arguments[:1]) else []

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (Example("y = softmax(x, -1)", "y = (x)"),)


OWN: tuple[type[Operator], ...] = (
    *(RemoveStatement, RemoveArgument, RemoveOperand, RemoveStep, UnwrapCall),
    *(SwapArguments, SwapOperands),
)


def _code(node: Node) -> str:
    return str(node.get_code(include_prefix=False))


def _is_call(node: Node) -> bool:
    return bool(node.type == "trailer" and node.children[0].value == "(")


def _arguments(trailer: Node) -> list[Node]:
    """Return the arguments of a call, one node each."""
    if not _is_call(trailer) or len(trailer.children) < 3:
        return []
    inside = trailer.children[1]
    whole = inside.children if inside.type == "arglist" else [inside]
    return [node for node in whole if not (node.type == "operator" and node.value == ",")]


def _named(arguments: Sequence[Node]) -> bool:
    """Return whether one of the arguments is passed by name, starred, or a comprehension."""
    return any(node.type == "argument" for node in arguments)


def _call(arguments: Sequence[Node]) -> str:
    return f"({', '.join(_code(argument) for argument in arguments)})"


def _steps(node: Node) -> Iterator[tuple[int, int]]:
    """Yield the beginning and end of each step of a chain: `[...]`, `.name`, or `.name(...)`."""
    place = 1
    while place < len(node.children):
        dotted = node.children[place].children[0].value == "."
        called = dotted and place + 1 < len(node.children) and _is_call(node.children[place + 1])
        if dotted or node.children[place].children[0].value == "[":
            yield place, place + 1 + called
        place += 1 + called
