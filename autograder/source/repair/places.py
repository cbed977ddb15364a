"""Places of a definition where one small change may make it right: a border, an axis, a sign, a name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, product
from typing import TypeAlias

from autograder.source.repair.node_tree import (
    FUNCTIONS,
    Change,
    Definition,
    Edit,
    Nodes,
    NodeTree,
    Place,
    always,
    code,
    tree_of,
)

AXIS_ARGUMENTS = ("dim", "axis", "dim0", "dim1", "keepdim")
AXES = (-1, -2, 0, 1, 2)
REDUCTIONS = ("sum", "mean", "any", "all", "amax", "amin", "max", "min", "norm", "prod", "var", "std")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "not_equal", "equal", "less", "greater")
LARGEST = 4
MOVED = (ast.Expr, ast.Assign, ast.AugAssign, ast.If, ast.For)
BORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


def _edit(tree: NodeTree, number: int, says: str, advice: str, change: Change) -> Edit:
    """Return the step for a node; in a condition, what is wrong may be the condition as a whole."""
    line: int = tree.nodes[number].lineno  # type: ignore[attr-defined]
    question = tree.condition_of(number)
    if question is not None:
        says = f"line {line} sends some calls the wrong way: `{code(question)}`"
        advice = "Which calls should take which branch? Is there a difference between them at all?"
    return Edit(says, advice, line, change)


def borders(definition: Definition) -> Iterator[Edit]:
    """Find comparisons."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Compare):
        for table, words in (BORDERS, "draws its border one too early or too late"), (TURNED, "asks the opposite"):
            if type(node.ops[0]) in table:

                def make(same: ast.Compare, table: dict[type[ast.cmpop], type[ast.cmpop]] = table) -> ast.Compare:
                    same.ops[0] = table[type(same.ops[0])]()
                    return same

                says = f"line {node.lineno} {words}: `{code(node)}`"
                advice = "For which values should it hold? Try the border itself, and one on each side."
                yield _edit(tree, number, says, advice, tree.put(number, make))


def memberships(definition: Definition) -> Iterator[Edit]:
    """Find `in` where two texts may have to be equal."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Compare):
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):

            def equal(same: ast.Compare) -> ast.Compare:
                same.ops = [ast.Eq() if isinstance(same.ops[0], ast.In) else ast.NotEq()]
                return same

            says = f"line {node.lineno} asks whether one is somewhere in the other, not whether they are equal"
            advice = 'Of two texts, `"me" in "some"` is true as well.'
            yield Edit(says, advice, node.lineno, tree.put(number, equal))


def opposites(definition: Definition) -> Iterator[Edit]:
    """Find negations."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.UnaryOp):
        if isinstance(node.op, ast.Invert | ast.Not | ast.USub) and not isinstance(node.operand, ast.Constant):
            says = f"line {node.lineno} turns `{code(node.operand)}` into its opposite, and should not"
            advice = "What does it hold, and what is asked for at this place?"
            yield _edit(tree, number, says, advice, tree.put(number, lambda same: same.operand))
    for number, node in tree.of(ast.Name):
        _, place = tree.parent(number)
        if "mask" in node.id and isinstance(node.ctx, ast.Load) and place.field == "args":
            says = f"line {node.lineno} uses `{node.id}` the wrong way round"
            advice = "Where is it True, and what should happen there?"
            change = tree.put(number, lambda name: ast.UnaryOp(ast.Invert(), name))
            yield _edit(tree, number, says, advice, change)


def axes(definition: Definition) -> Iterator[Edit]:
    """Find axes by number."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.keyword):
        value = whole(node.value)
        if node.arg in AXIS_ARGUMENTS and value is not None:
            says = f"line {node.value.lineno} works along the wrong axis: `{code(node)}`"
            yield from (
                Edit(says, "Write the shape beside the line: what does each axis count?", node.value.lineno, change)
                for change in _others(tree, number, value)
            )


def kept_axes(definition: Definition) -> Iterator[Edit]:
    """Find reductions, which drop an axis unless `keepdim` is given."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in REDUCTIONS:
            continue
        has_axis = bool(node.args) or any(keyword.arg in ("dim", "axis") for keyword in node.keywords)
        if has_axis and not any(keyword.arg == "keepdim" for keyword in node.keywords):

            def keep(call: ast.Call) -> ast.Call:
                call.keywords.append(ast.keyword("keepdim", ast.Constant(True)))
                return call

            says = f"`{node.func.attr}` in line {node.lineno} drops an axis that is still needed"
            advice = "Write the shape before and after beside the line: which axes meet in the next one?"
            yield _edit(tree, number, says, advice, tree.put(number, keep))


def dropped_axes(definition: Definition) -> Iterator[Edit]:
    """Find `squeeze`, which drops any axis of size 1."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "squeeze":
            says = f"`squeeze` in line {node.lineno} drops an axis that belongs to the result"
            advice = "Which axes can have size 1? `squeeze` cannot know which one you mean."
            yield _edit(tree, number, says, advice, tree.put(number, lambda call: call.func.value))


def _others(tree: NodeTree, number: int, value: int) -> Iterator[Callable[..., None]]:
    for other in AXES:
        if other != value:

            def make(same: ast.keyword, other: int = other) -> ast.keyword:
                same.value = ast.Constant(other)
                return same

            yield tree.put(number, make)


def counts(definition: Definition) -> Iterator[Edit]:
    """Find small whole numbers."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Constant):
        parent, place = tree.parent(number)
        if type(node.value) is not int or abs(node.value) > LARGEST or place.field in ("value", "slice"):
            continue
        compared = place.field in ("left", "comparators") or _compares(tree.nodes[parent])
        for by in (1, -1):
            says = f"line {node.lineno} is off by one: look at the {node.value}"
            advice = "Count it out by hand for the smallest case, with 1 and with 2."
            if compared:
                says = f"line {node.lineno} treats {node.value} as a special case, which it is not here"
                advice = "Which values may stand there? What happens if this one is a value like any other?"
            change = tree.put(number, always(ast.Constant(node.value + by)))
            yield _edit(tree, number, says, advice, change)


def _compares(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COMPARISONS


def operators(definition: Definition) -> Iterator[Edit]:
    """Find operators."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BinOp):
        if type(node.op) in OTHER:

            def other(same: ast.BinOp) -> ast.BinOp:
                same.op = OTHER[type(same.op)]()
                return same

            says = f"line {node.lineno} has the wrong operator: `{code(node)}`"
            yield Edit(says, "Compare it with the formula, sign by sign.", node.lineno, tree.put(number, other))
        if isinstance(node.op, ast.MatMult | ast.Sub | ast.Div):
            says = f"line {node.lineno} takes the two sides in the wrong order: `{code(node)}`"
            advice = "Which side comes first? Write both shapes beside it."
            yield _edit(tree, number, says, advice, tree.put(number, _swapped))


def _swapped(node: ast.BinOp) -> ast.BinOp:
    node.left, node.right = node.right, node.left
    return node


def names(definition: Definition) -> Iterator[Edit]:
    """Find arguments and parts of the object that another one may have to stand for."""
    tree = tree_of(definition)
    for function in (node for node in ast.walk(definition) if isinstance(node, FUNCTIONS)):
        own = [argument.arg for argument in function.args.args if argument.arg != "self"]
        inside = {id(node) for node in ast.walk(function)}
        for number, node in tree.of(ast.Name):
            if id(node) in inside and node.id in own and isinstance(node.ctx, ast.Load):
                says = f"line {node.lineno} uses `{node.id}` where something else belongs"
                advice = "Say in words what this line is for: whose numbers does it need?"
                for other in own:
                    if other != node.id and ("mask" in other) == ("mask" in node.id):
                        change = tree.put(number, always(ast.Name(other)))
                        yield _edit(tree, number, says, advice, change)


def parts(definition: Definition) -> Iterator[Edit]:
    """Find parts of the object that another one may have to stand for."""
    tree = tree_of(definition)
    held = [node for node in tree.of(ast.Attribute) if _of_self(node[1])]
    made = [*dict.fromkeys(node.attr for _, node in held if isinstance(node.ctx, ast.Store))]
    for number, node in held:
        if isinstance(node.ctx, ast.Load) and node.attr in made:
            for other in made:
                if other != node.attr and other[:1] == node.attr[:1]:
                    says = f"line {node.lineno} uses `self.{node.attr}` where another part belongs"
                    advice = "Say in words what this line is for: which layer was made for it?"
                    change = tree.put(number, always(ast.Attribute(ast.Name("self"), other)))
                    yield _edit(tree, number, says, advice, change)


def orders(definition: Definition) -> Iterator[Edit]:
    """Find two statements, and two arguments, that could stand the other way round."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.stmt):
        for field in ("body", "orelse"):
            held = getattr(node, field, [])
            for position, (one, other) in enumerate(pairwise(held)):
                if isinstance(one, MOVED) and isinstance(other, MOVED):
                    says = f"lines {one.lineno} and {other.lineno} come in the wrong order"
                    advice = "What does each of the two need, and what does it leave behind?"
                    change = partial(_exchanged, number=number, field=field, position=position)
                    yield Edit(says, advice, one.lineno, change)
    for number, node in tree.of(ast.Call):
        for position, (left, right) in enumerate(pairwise(node.args)):
            called = code(node.func).rpartition(".")[2]
            says = (
                f"line {node.lineno} gives `{called}` two arguments in the wrong order: `{code(left)}`, `{code(right)}`"
            )
            change = partial(_exchanged, number=number, field="args", position=position)
            yield _edit(tree, number, says, "What does it expect at each place?", change)


def _exchanged(nodes: Nodes, number: int, field: str, position: int) -> None:
    held = getattr(nodes[number], field)
    held[position : position + 2] = held[position + 1], held[position]


def levels(definition: Definition) -> Iterator[Edit]:
    """Find lines that may have to stand inside a loop, or outside."""
    tree = tree_of(definition)
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    for number, node in tree.of(ast.stmt):
        for field in ("body", "orelse"):
            held = getattr(node, field, [])
            for position, (one, other) in enumerate(pairwise(held)):
                if isinstance(one, ast.Assign) and isinstance(other, ast.For):
                    says = f"line {one.lineno} runs once, before the loop in line {other.lineno}"
                    advice = "What must begin anew in each round of the loop?"
                    change = partial(_into_loop, number=number, field=field, position=position)
                    yield Edit(says, advice, one.lineno, change)
    for number, loop in tree.of(ast.For):
        parent, place = tree.parent(number)
        if place.position is not None and len(loop.body) > 1:
            for last, words in (False, "begins anew in each round of"), (True, "runs in each round of"):
                moved = loop.body[-1 if last else 0]
                says = f"line {moved.lineno} {words} the loop in line {loop.lineno}"
                advice = "What belongs before the loop, what into it, what behind it?"
                change = partial(_out_of_loop, number=numbers[id(loop)], parent=parent, place=place, last=last)
                yield Edit(says, advice, moved.lineno, change)
                says = f"line {moved.lineno} stands at the wrong end of the loop in line {loop.lineno}"
                advice = "What is there already when a round begins, and what does it leave for the next one?"
                yield Edit(says, advice, moved.lineno, partial(_to_other_end, number=numbers[id(loop)], last=last))


def _into_loop(nodes: Nodes, number: int, field: str, position: int) -> None:
    held = getattr(nodes[number], field)
    held[position + 1].body.insert(0, held.pop(position))


def _out_of_loop(nodes: Nodes, number: int, parent: int, place: Place, last: bool) -> None:
    assert place.position is not None
    body = nodes[number].body  # type: ignore[attr-defined]
    getattr(nodes[parent], place.field).insert(place.position + last, body.pop(-1 if last else 0))


def _to_other_end(nodes: Nodes, number: int, last: bool) -> None:
    body = nodes[number].body  # type: ignore[attr-defined]
    body.insert(0 if last else len(body), body.pop(-1 if last else 0))


def forgotten(definition: Definition) -> Iterator[Edit]:
    """Find what a loop sets anew in each round, where it may have to be joined to what it was."""
    tree = tree_of(definition)
    held = [id(node) for _, loop in tree.of(ast.For, ast.While) for node in ast.walk(loop)]
    for number, node in tree.of(ast.Assign):
        target = node.targets[0]
        if id(node) in held and isinstance(target, ast.Name):
            says = f"line {node.lineno} forgets what `{target.id}` was in the round before"
            advice = "Should what holds once go on holding in all later rounds?"
            for operator in (ast.BitOr(), ast.BitAnd(), ast.Add()):
                change = tree.put(number, partial(_joined, operator=operator))
                yield Edit(says, advice, node.lineno, change)


def _joined(node: ast.Assign, operator: ast.operator) -> ast.Assign:
    name = node.targets[0]
    assert isinstance(name, ast.Name)
    return ast.Assign(node.targets, ast.BinOp(ast.Name(name.id), operator, node.value))


def divisors(definition: Definition) -> Iterator[Edit]:
    """Find divisors, in whose place the size of an argument may belong."""
    tree = tree_of(definition)
    for function in (node for node in ast.walk(definition) if isinstance(node, FUNCTIONS)):
        own = [argument.arg for argument in function.args.args if argument.arg != "self"][:3]
        inside = {id(node) for node in ast.walk(function)}
        for number, node in tree.of(ast.BinOp):
            if id(node) in inside and isinstance(node.op, ast.Div):
                says = f"line {node.lineno} divides by the wrong number: `{code(node.right)}`"
                advice = "How many are there in this call? Write the numbers for one small case beside it."
                for name, axis in product(own, (-1, -2, 0, 1)):
                    size = ast.parse(f"{name}.shape[{axis}]", mode="eval").body
                    yield Edit(says, advice, node.lineno, tree.put(number, partial(_divided, size=size)))


def _divided(node: ast.BinOp, size: ast.expr) -> ast.BinOp:
    return ast.BinOp(node.left, ast.Div(), size)


def bounds(definition: Definition) -> Iterator[Edit]:
    """Find bounds of slices."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Slice):
        for field in ("lower", "upper"):
            for by in (1, -1):
                if getattr(node, field) is not None:
                    says = f"line {node.lineno} cuts one place too early or too late: `[{code(node)}]`"
                    advice = "Write the first and the last place that belong to it beside the line."
                    yield Edit(says, advice, node.lineno, partial(_moved, number=number, field=field, by=by))


def _moved(nodes: Nodes, number: int, field: str, by: int) -> None:
    setattr(nodes[number], field, ast.BinOp(getattr(nodes[number], field), ast.Add(), ast.Constant(by)))


def _of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def whole(node: ast.AST) -> int | None:
    """Return a whole number that is written out, with its sign."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    return value if type(value) is int else None


Finder: TypeAlias = Callable[[Definition], Iterator[Edit]]
NEAR: tuple[Finder, ...] = (
    *(borders, memberships, opposites, axes, kept_axes, dropped_axes, operators, parts, names, counts, bounds),
    *(levels, orders, forgotten, divisors),
)
