"""One change of one line of a definition, as text: what a line says, and what it would say instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from autograder.asking.own_code import LONGEST, OwnCode, under
from autograder.source.parsing import AnyNode, copied
from autograder.source.repair.node_tree import Definition, Edit, always, tree_of, without_words
from autograder.source.repair.places import (
    AXES,
    axes,
    borders,
    bounds,
    counts,
    dropped_axes,
    kept_axes,
    names,
    operators,
    opposites,
    orders,
    parts,
    whole,
)
from autograder.source.repair.removals import branches, calls, conditions, operands, slices

EACH: Final = 10
"""Changes of one kind, so that all kinds come up in a long definition."""
PLACED: Final = (ast.expr, ast.stmt)

Finder: TypeAlias = Callable[[Definition], Iterator[Edit]]


class LineChange(NamedTuple):
    """A line of the student's text, what it would say instead, and the definition with it.

    Args:
        kind: what finds such changes.
        old: the expression that is changed.
        new: what stands in its place.
    """

    line: int
    before: str
    after: str
    definition: Definition
    kind: Finder
    old: ast.expr
    new: ast.expr


def unwrapped(definition: Definition) -> Iterator[Edit]:
    """Find steps that could be left out: a method, an argument by name, a function of one argument."""
    tree = tree_of(definition)
    several = {id(node) for _, node in tree.of(ast.Call) if len(node.args) != 1 and isinstance(node.func, ast.Name)}
    numbers = {node.lineno for _, node in tree.of(ast.Call) if id(node) in several}
    yield from (edit for edit in calls(definition) if edit.line not in numbers)


def axes_by_place(definition: Definition) -> Iterator[Edit]:
    """Find axes by number among the arguments without a name, as those of `transpose`."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Constant, ast.UnaryOp):
        parent, place = tree.parent(number)
        called = getattr(getattr(tree.nodes[parent], "func", None), "attr", "")
        if place.field == "args" and called in AXES_BY_PLACE and whole(node) is not None:
            for axis in AXES:
                other = ast.parse(str(axis), mode="eval").body
                yield Edit("", "", node.lineno, tree.put(number, always(other)))


AXES_BY_PLACE: Final = (
    *("transpose", "swapaxes", "sum", "mean", "amax", "softmax", "unsqueeze", "squeeze", "flatten", "argmax", "cumsum"),
    *("permute", "any", "all", "cat", "stack", "size", "diff", "norm", "flip", "max", "min", "expand_dims"),
)
OF_FORM: Final = re.compile(
    r"dtype|device|requires_grad|\b(float|int|bool|list|tuple)\("
    r"|\.(to|astype|float|double|detach|long|int|type_as|cpu|numpy|tolist|item)\("
)
"""What changes no number, or only its precision."""
FINDERS: Final[tuple[Finder, ...]] = (
    *(axes, axes_by_place, kept_axes, dropped_axes, operators, orders, names, parts, counts, bounds, borders),
    *(unwrapped, operands, slices, opposites, branches, conditions),
)


def line_changes(own: OwnCode) -> Iterator[LineChange]:
    """Yield one change after the other of the lines that the call runs; each line keeps its place."""
    if any(isinstance(node, ast.While) for node in ast.walk(own.definition)):
        return
    lines = range(own.function.body[0].lineno, (own.function.end_lineno or 0) + 1)
    seen: set[str] = set()
    for find in FINDERS:
        edits = (edit for edit in find(own.definition) if edit.line in lines)
        for edit in islice(edits, EACH):
            change = _as_text(own, edit, find)
            if change and change.after not in seen:
                seen.add(change.after)
                yield change


def _as_text(own: OwnCode, edit: Edit, kind: Finder) -> LineChange | None:
    """Return an edit as a change of one line; None if it takes more than one, or cannot be told as text."""
    edited = copied(own.definition)
    edit.change([*ast.walk(edited)])
    old, new = _smallest(own.definition, edited)
    if not isinstance(old, ast.expr) or not isinstance(new, ast.expr) or old.lineno != old.end_lineno:
        return None
    new, reckoned = _reckoned(new), ast.dump(_reckoned(edited))
    number, was = old.lineno, own.text_of(old)
    line = own.lines[number - 1]
    for now in (_written(new, was), f"({_written(new, was)})"):
        column = len(own.raw(number).encode("utf-8", "surrogatepass")[: old.col_offset].decode("utf-8", "replace"))
        after = f"{line[:column]}{now}{line[column + len(was) :]}"
        made = own.with_line(number, after)
        if made and ast.dump(_reckoned(made)) == reckoned:
            if OF_FORM.findall(was) != OF_FORM.findall(now):
                return None
            is_plain = len(after.strip()) <= LONGEST and "\n" not in after
            return LineChange(number, line.strip(), after.strip(), edited, kind, old, new) if is_plain else None
    return None


def _reckoned(node: AnyNode) -> AnyNode:
    """Return a copy with whole numbers in the place of their sums, which nobody writes."""
    made: AnyNode = _Sums().visit(copied(node))
    return made


class _Sums(ast.NodeTransformer):
    """Puts whole numbers in the place of their sums."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        try:
            value = ast.literal_eval(node.left) + ast.literal_eval(node.right) if type(node.op) is ast.Add else None
        except (ValueError, TypeError):
            return node
        return ast.copy_location(ast.parse(str(value), mode="eval").body, node) if type(value) is int else node


def _written(node: ast.expr, was: str) -> str:
    """Return an expression as text, with the quotes that the old one has."""
    text = ast.unparse(node)
    return text.replace("'", '"') if '"' in was and "'" not in was and '"' not in text else text


def _smallest(old: ast.AST, new: ast.AST) -> tuple[ast.AST, ast.AST]:
    """Return the smallest pair of expressions or statements in which all that differs lies."""
    if type(old) is type(new):
        pairs = [*_children(old, new)]
        if pairs and None not in pairs:
            differing = [pair for pair in pairs if pair and ast.dump(pair[0]) != ast.dump(pair[1])]
            if len(differing) == 1:
                inner = _smallest(*differing[0])
                if isinstance(inner[0], PLACED) and isinstance(inner[1], PLACED):
                    return inner
    return old, new


def _children(old: ast.AST, new: ast.AST) -> Iterator[tuple[ast.AST, ast.AST] | None]:
    """Yield pairs of children; None where something else differs."""
    for field in old._fields:
        one, other = getattr(old, field, None), getattr(new, field, None)
        ones, others = (each if isinstance(each, list) else [each] for each in (one, other))
        if len(ones) != len(others):
            yield None
            continue
        for left, right in zip(ones, others, strict=True):
            if isinstance(left, ast.AST) and isinstance(right, ast.AST):
                yield left, right
            elif left != right:
                yield None


def changed_code(change: LineChange, name: str) -> str:
    """Return the code of the changed definition, under another name."""
    return under(without_words(change.definition), name)
