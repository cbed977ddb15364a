"""Mutation operators for common mistakes in tensor code, beside those of cosmic-ray.

Each is a `cosmic_ray` operator on parso's syntax tree: it removes an expression or a statement, or swaps two
arguments or operands.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import Name

Node = Any  # parso annotates its trees only in part
Position = tuple[tuple[int, int], tuple[int, int]]
OPERATIONS = ("arith_expr", "term", "expr", "and_expr", "xor_expr", "power", "and_test", "or_test")
ONE_WAY = ("-", "/", "//", "%", "@", "**")
STATEMENTS = ("expr_stmt", "atom_expr", "return_stmt", "raise_stmt", "del_stmt", "assert_stmt")


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
