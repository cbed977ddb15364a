"""Slips of syntax: lines that Python reads in another way than they look."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from autograder.source.parsing import copied
from autograder.source.repair.node_tree import (
    FUNCTIONS,
    Definition,
    Edit,
    Make,
    Nodes,
    Place,
    always,
    code,
    defaults,
    functions_of,
    tree_of,
)

LOOPS = (ast.For, ast.While)
IN_PLACE = ("append", "extend", "insert", "update", "add", "setdefault", "sort", "reverse", "clear", "remove", "pop")


def return_in_loop(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `return` as the last statement of a loop's body."""
    tree = tree_of(definition)
    for number, loop in tree.of(*LOOPS):
        if len(loop.body) > 1 and isinstance(loop.body[-1], ast.Return):
            line = loop.body[-1].lineno
            parent, place = tree.parent(number)

            def change(nodes: Nodes, number: int = number, parent: int = parent, place: Place = place) -> None:
                assert place.position is not None
                getattr(nodes[parent], place.field).insert(place.position + 1, nodes[number].body.pop())  # type: ignore[attr-defined]

            says = f"`return` in line {line} stands inside the loop, so the loop ends in its first round"
            yield Edit(says, "How often should the loop run? What belongs after its last round?", line, change)


def compared_by_identity(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `is` between values."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Compare):
        constant = isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value in (None, True, False)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Is | ast.IsNot) and not constant:

            def equal(same: ast.Compare) -> ast.Compare:
                same.ops = [ast.Eq() if isinstance(same.ops[0], ast.Is) else ast.NotEq()]
                return same

            says = f"`{code(node)}` asks whether the two are one object, not whether they are equal"
            yield Edit(says, "Compare numbers and texts with `==` or `!=`.", node.lineno, tree.put(number, equal))


def truth_of_an_argument(definition: Definition, given: Definition) -> Iterator[Edit]:
    """Find `if mask:` for an argument that may be None."""
    tree = tree_of(definition)
    absent = {
        argument.arg
        for function in functions_of(given)
        for argument, default in defaults(function)
        if isinstance(default, ast.Constant) and default.value is None
    }
    for number, node in tree.of(ast.Name):
        _, place = tree.parent(number)
        if node.id in absent and place.field == "test":
            made = ast.parse(f"{node.id} is not None", mode="eval").body
            says = f"line {node.lineno} asks whether `{node.id}` is true, where it should ask whether it was given"
            change = tree.put(number, always(made))
            yield Edit(says, "A tensor of several numbers is neither true nor false; 0 is false.", node.lineno, change)


def precedence(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find operators that Python reads in another order than they look."""
    tree = tree_of(definition)
    advice = "Which of the two operators should come first? Put brackets around it."
    for number, outer in tree.of(ast.BinOp):
        for inner, make in _other_readings(outer):
            says = f"Python reads `{code(outer)}` with `{code(inner)}` in brackets"
            yield Edit(says, advice, outer.lineno, tree.put(number, make))
    for number, node in tree.of(ast.UnaryOp):
        inner = node.operand
        if isinstance(node.op, ast.USub) and isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Pow):
            says = f"Python reads `{code(node)}` as `-({code(inner)})`"
            yield Edit(says, "Which comes first, the sign or the power?", node.lineno, tree.put(number, _signed_base))


def _other_readings(outer: ast.BinOp) -> Iterator[tuple[ast.BinOp, Make]]:
    """Yield the operations within another one that have no brackets and are easily misread, each read the other way.

    These are `x ** 1 / 2`, `a / b * c`, `1 / 1 + x` and `a + b / 2`; nobody misreads `a - b + c`.
    """
    left, right = outer.left, outer.right
    if isinstance(left, ast.BinOp) and (left.lineno, left.col_offset) == (outer.lineno, outer.col_offset):
        if isinstance(left.op, ast.Pow) or (isinstance(left.op, ast.Div) and not isinstance(outer.op, ast.Div)):
            yield left, _to_the_right
        power = left.right
        if isinstance(power, ast.BinOp) and isinstance(power.op, ast.Pow) and _ends_alike(power, left):
            yield power, _into_the_last
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Div) and _ends_alike(right, outer):
        yield right, _to_the_left


def _ends_alike(inner: ast.expr, outer: ast.expr) -> bool:
    """Return whether no bracket closes behind `inner`."""
    return (inner.end_lineno, inner.end_col_offset) == (outer.end_lineno, outer.end_col_offset)


def _into_the_last(outer: ast.BinOp) -> ast.BinOp:
    """Return `a / b ** (1 / 2)` for `a / b ** 1 / 2`."""
    left = outer.left
    assert isinstance(left, ast.BinOp)
    power = left.right
    assert isinstance(power, ast.BinOp)
    return ast.BinOp(left.left, left.op, ast.BinOp(power.left, power.op, ast.BinOp(power.right, outer.op, outer.right)))


def _to_the_right(outer: ast.BinOp) -> ast.BinOp:
    inner = outer.left
    assert isinstance(inner, ast.BinOp)
    return ast.BinOp(inner.left, inner.op, ast.BinOp(inner.right, outer.op, outer.right))


def _to_the_left(outer: ast.BinOp) -> ast.BinOp:
    inner = outer.right
    assert isinstance(inner, ast.BinOp)
    return ast.BinOp(ast.BinOp(outer.left, outer.op, inner.left), inner.op, inner.right)


def _signed_base(node: ast.UnaryOp) -> ast.BinOp:
    power = node.operand
    assert isinstance(power, ast.BinOp)
    return ast.BinOp(ast.UnaryOp(ast.USub(), power.left), power.op, power.right)


def dropped_results(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find results that are computed and dropped, and functions that return nothing."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Expr):
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        receiver, method = call.func.value, call.func.attr
        if isinstance(receiver, ast.Name) and not method.endswith("_") and method not in IN_PLACE:

            def kept(same: ast.Expr, name: str = receiver.id) -> ast.Assign:
                return ast.Assign([ast.Name(name, ast.Store())], same.value)

            says = f"line {node.lineno} computes `{code(call)}` and drops the result"
            advice = f"`{method}` returns its result and leaves `{receiver.id}` as it was."
            yield Edit(says, advice, node.lineno, tree.put(number, kept))
    for number, node in tree.of(*FUNCTIONS):
        last = node.body[-1]
        returned = last.value if isinstance(last, ast.Expr) else getattr(last, "targets", [None])[0]
        simple = isinstance(last, ast.Expr | ast.Assign) and not isinstance(returned, ast.Constant)
        if simple and returned is not None and not any(isinstance(each, ast.Return) for each in ast.walk(node)):

            def with_return(nodes: Nodes, number: int = number) -> None:
                body = nodes[number].body  # type: ignore[attr-defined]
                end = body[-1]
                value = end.value if isinstance(end, ast.Expr) else ast.Name(ast.unparse(end.targets[0]))
                body[-1:] = [ast.Return(value)] if isinstance(end, ast.Expr) else [end, ast.Return(value)]

            if isinstance(last, ast.Expr) or isinstance(returned, ast.Name):
                says = f"{node.name} returns nothing: its last line computes the result and does not return it"
                yield Edit(says, "Without `return`, a function gives None.", last.lineno, with_return)


def compared_for_set(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find comparisons that are a line of their own, such as `x.grad == None`."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Expr):
        value = node.value
        if isinstance(value, ast.Compare) and [type(each) for each in value.ops] == [ast.Eq]:
            says = f"line {node.lineno} compares and drops the answer: `{code(value)}`"
            yield Edit(says, "What sets a name, and what only asks?", node.lineno, tree.put(number, _set))


def _set(node: ast.Expr) -> ast.Assign:
    assert isinstance(node.value, ast.Compare)
    target = copied(node.value.left)
    target.ctx = ast.Store()  # type: ignore[attr-defined]
    return ast.Assign([target], node.value.comparators[0])


def whole_divisions(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find divisions of sizes, which give a float."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BinOp):
        if isinstance(node.op, ast.Div):
            says = f"`{code(node)}` in line {node.lineno} is a float, also where it comes out even"
            advice = "A size must be a whole number: which division of Python gives one?"
            yield Edit(says, advice, node.lineno, tree.put(number, _divided_whole))


def _divided_whole(node: ast.BinOp) -> ast.BinOp:
    node.op = ast.FloorDiv()
    return node


def forgotten_self(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find attributes of the object that lack `self`."""
    tree = tree_of(definition)
    held = {
        node.attr
        for _, node in tree.of(ast.Attribute)
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }
    bound = {each.arg for _, each in tree.of(ast.arg)}
    bound |= {node.id for _, node in tree.of(ast.Name) if isinstance(node.ctx, ast.Store)}
    for number, node in tree.of(ast.Name):
        if node.id in held - bound and isinstance(node.ctx, ast.Load):
            says = f"line {node.lineno} uses `{node.id}` without `self.`"
            make = tree.put(number, lambda name: ast.Attribute(ast.Name("self"), name.id))
            yield Edit(says, "What __init__ has set belongs to the object: reach it through `self`.", node.lineno, make)


def other_defaults(definition: Definition, given: Definition) -> Iterator[Edit]:
    """Find defaults of `__init__` that are not those of the stub; `Evidence` finds those of what is called."""
    wanted = {
        (each.name, argument.arg): default for each in functions_of(given) for argument, default in defaults(each)
    }
    tree = tree_of(definition)
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    for function in (each for each in functions_of(definition) if each.name == "__init__"):
        for argument, default in defaults(function):
            right = wanted.get((function.name, argument.arg))
            if right is not None and ast.dump(right) != ast.dump(default):
                says = f"the default of `{argument.arg}` is {code(default)}; in the chapter it is {code(right)}"
                change = tree.put(numbers[id(default)], always(right))
                yield Edit(says, "Keep the signature as it was given.", function.lineno, change)


Finder: TypeAlias = Callable[[Definition, Definition], Iterator[Edit]]
SLIPS: tuple[Finder, ...] = (
    *(return_in_loop, dropped_results, forgotten_self, other_defaults, truth_of_an_argument, compared_by_identity),
    *(precedence, compared_for_set, whole_divisions),
)
