"""What a definition may do too much: a branch, a call, a factor or a line that would better not be there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from autograder.source.repair.node_tree import Definition, Edit, Nodes, always, code, tree_of

TOO_MUCH = "What does it change that the text of the exercise does not ask for?"
APART = "Do these calls need to be treated apart at all? Follow one of them through the rest of the code."
STATEMENTS = (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)
AXIS = ("dim", "axis")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def branches(definition: Definition) -> Iterator[Edit]:
    """Find branches: each is tried as if its condition never held, then as if it always did."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.If, ast.IfExp):
        for holds in (False, True):
            says = f"line {node.lineno} takes some calls apart that are like the others: `if {code(node.test)}`"
            if holds:
                says = f"where `{code(node.test)}` in line {node.lineno} is false, what it does where true is right too"
            yield Edit(says, APART, node.lineno, partial(_with_condition, number=number, holds=holds))
    for number, node in tree.of(*COMPREHENSIONS):
        for place, generator in enumerate(node.generators):
            for position, test in enumerate(generator.ifs):
                says = f"line {test.lineno} leaves out what belongs to the rest: `if {code(test)}`"
                change = partial(_without_filter, number=number, place=place, position=position)
                yield Edit(says, APART, test.lineno, change)


def _with_condition(nodes: Nodes, number: int, holds: bool) -> None:
    nodes[number].test = ast.Constant(holds)  # type: ignore[attr-defined]


def _without_filter(nodes: Nodes, number: int, place: int, position: int) -> None:
    del nodes[number].generators[place].ifs[position]  # type: ignore[attr-defined]


def conditions(definition: Definition) -> Iterator[Edit]:
    """Find the parts of a condition."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BoolOp):
        for position, part in enumerate(node.values):
            says = f"the condition in line {node.lineno} has a part too many: `{code(part)}`"
            yield Edit(says, APART, node.lineno, partial(_without_part, number=number, position=position))


def _without_part(nodes: Nodes, number: int, position: int) -> None:
    own = nodes[number]
    assert isinstance(own, ast.BoolOp)
    own.values[position] = ast.Constant(isinstance(own.op, ast.And))


def comparisons(definition: Definition) -> Iterator[Edit]:
    """Find comparisons that choose entries: each is tried as if it always held, then as if it never did."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Compare):
        if tree.condition_of(number) is None:
            says = f"line {node.lineno} takes some entries apart that are like the others: `{code(node)}`"
            for made in (
                ast.BinOp(node, ast.BitOr(), ast.Constant(True)),
                ast.BinOp(node, ast.BitAnd(), ast.Constant(False)),
            ):
                yield Edit(
                    says,
                    "Follow one of these entries through the rest of the code.",
                    node.lineno,
                    tree.put(number, always(made)),
                )


def calls(definition: Definition) -> Iterator[Edit]:
    """Find calls whose object, or first argument, may be all that is wanted, and arguments by name."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        called = code(node.func).rpartition(".")[2]
        says = f"line {node.lineno} also calls `{called}`, which is one step too many"
        if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
            yield Edit(says, TOO_MUCH, node.lineno, tree.put(number, lambda call: call.func.value))
        if node.args and not isinstance(node.args[0], ast.Starred):
            yield Edit(says, TOO_MUCH, node.lineno, tree.put(number, lambda call: call.args[0]))
        for position, keyword in enumerate(node.keywords):
            taken = isinstance(keyword.value, ast.Attribute) and keyword.value.attr == keyword.arg
            if taken or keyword.arg in AXIS:
                continue  # `dtype=x.dtype` takes it from an argument; an axis is the wrong one, and none too many
            given = f"line {node.lineno} gives `{called}` an argument too many: `{code(keyword)}`"
            yield Edit(given, TOO_MUCH, node.lineno, partial(_without_keyword, number=number, position=position))


def _is_module(node: ast.expr) -> bool:
    """Return whether `torch`, `F` or the like stands there, of which nothing is kept."""
    return isinstance(node, ast.Name) and node.id in ("torch", "np", "numpy", "math", "nn", "F", "super")


def _without_keyword(nodes: Nodes, number: int, position: int) -> None:
    del nodes[number].keywords[position]  # type: ignore[attr-defined]


def operands(definition: Definition) -> Iterator[Edit]:
    """Find sums and products, of which one side may be all that is wanted."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BinOp):
        if isinstance(node.op, ast.Mult | ast.Div | ast.Add | ast.Sub | ast.Pow | ast.BitAnd | ast.BitOr):
            for kept, dropped in ((node.left, node.right), (node.right, node.left)):
                says = f"line {node.lineno} has a part too many in `{code(node)}`: `{code(dropped)}`"
                yield Edit(says, TOO_MUCH, node.lineno, tree.put(number, always(kept)))


def lines(definition: Definition) -> Iterator[Edit]:
    """Find statements that could be left out."""
    tree = tree_of(definition)
    for number, node in tree.of(*STATEMENTS):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            says = f"line {node.lineno} does what is not asked for: `{code(node)}`"
            yield Edit(says, TOO_MUCH, node.lineno, tree.put(number, lambda _: ast.Pass()))


def slices(definition: Definition) -> Iterator[Edit]:
    """Find slices, which leave something out."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Slice):
        parent, _ = tree.parent(number)
        says = f"line {node.lineno} leaves something out that belongs to it: `{code(tree.nodes[parent])}`"
        if not isinstance(tree.nodes[parent], ast.Subscript):
            says = f"line {node.lineno} leaves something out that belongs to it: `[{code(node)}]`"
        if node.lower or node.upper or node.step:
            yield Edit(says, "Count the entries before and after it.", node.lineno, tree.put(number, _whole))


def _whole(_: ast.AST) -> ast.Slice:
    return ast.Slice()


Finder: TypeAlias = Callable[[Definition], Iterator[Edit]]
TOO_MANY: tuple[Finder, ...] = (branches, conditions, comparisons, calls, lines, operands, slices)
