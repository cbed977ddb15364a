"""Habits of Python and torch that surprise: what is shared, bound late, taken for nothing, or cut off."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from autograder.source.repair.node_tree import (
    Definition,
    Edit,
    Nodes,
    NodeTree,
    code,
    defaults,
    functions_of,
)

CUTTING = ("detach", "numpy", "item", "tolist")
SHARED = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, *COMPREHENSIONS)


def zero_for_nothing(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `argument or default`, which takes 0 for nothing."""
    tree = NodeTree(definition)
    given = {argument.arg for function in functions_of(definition) for argument in function.args.args}
    for number, node in tree.of(ast.BoolOp):
        first = node.values[0]
        if isinstance(node.op, ast.Or) and isinstance(first, ast.Name) and first.id in given and len(node.values) == 2:

            def where_none(same: ast.BoolOp, name: str = first.id) -> ast.IfExp:
                test = ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)])
                return ast.IfExp(test, same.values[1], same.values[0])

            says = f"`{code(node)}` in line {node.lineno} takes a `{first.id}` of 0 for none at all"
            yield Edit(says, "What is false in Python, besides None?", node.lineno, tree.put(number, where_none))


def late_binding(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find functions made in a loop that use its variable, which has its last value when they are called."""
    tree = NodeTree(definition)
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    for _number, loop in tree.of(*LOOPS):
        targets = [each.target for each in loop.generators] if isinstance(loop, COMPREHENSIONS) else [loop.target]
        names = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        for inner in (node for node in ast.walk(loop) if isinstance(node, ast.Lambda)):
            used = sorted({node.id for node in ast.walk(inner.body) if isinstance(node, ast.Name)} & names)
            if used and not inner.args.defaults:

                def bound(nodes: Nodes, number: int = numbers[id(inner)], used: list[str] = used) -> None:
                    own: Any = nodes[number]
                    own.args.kwonlyargs += [ast.arg(name) for name in used]
                    own.args.kw_defaults += [ast.Name(name) for name in used]

                says = f"every lambda of line {inner.lineno} uses the last `{used[0]}` of the loop"
                advice = "A lambda looks its names up when it is called: after the loop, each finds the same one."
                yield Edit(says, advice, inner.lineno, bound)


def shared_defaults(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find defaults that all calls share."""
    tree = NodeTree(definition)
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    for function in functions_of(definition):
        for argument, default in defaults(function):
            if isinstance(default, SHARED) or (isinstance(default, ast.Call) and code(default) in ("dict()", "list()")):

                def fresh(nodes: Nodes, number: int = numbers[id(function)], name: str = argument.arg) -> None:
                    own: Any = nodes[number]
                    made = next(each for place, each in defaults(own) if place.arg == name)
                    own.body.insert(0, ast.Assign([ast.Name(name, ast.Store())], made))

                says = f"the default `{argument.arg}={code(default)}` is made once, and all calls share it"
                advice = "What a call puts into it is still there in the next one. Make it inside the function."
                yield Edit(says, advice, function.lineno, fresh)


def uncalled(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find methods that are named and not called."""
    tree = NodeTree(definition)
    for number, node in tree.of(ast.Expr):
        if isinstance(node.value, ast.Attribute):
            says = f"line {node.lineno} names `{code(node.value)}` and does not call it"
            advice = "Without brackets, a method is only mentioned."
            change = tree.put(number, lambda same: ast.Expr(ast.Call(same.value, [], [])))
            yield Edit(says, advice, node.lineno, change)


def cut_gradients(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find where a tensor is cut off from what it was computed from."""
    tree = NodeTree(definition)
    advice = "Gradients flow only through what torch has recorded: compute on with the tensor itself."
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING and not node.args:
            says = f"line {node.lineno} cuts the gradient (`.{node.func.attr}()`)"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda call: call.func.value))
    for number, node in tree.of(ast.Attribute):
        if node.attr == "data" and isinstance(node.ctx, ast.Load):
            says = f"line {node.lineno} cuts the gradient (`.data`)"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda same: same.value))
    for number, node in tree.of(ast.With):
        if "no_grad" in code(node.items[0].context_expr) or "inference_mode" in code(node.items[0].context_expr):
            says = f"line {node.lineno} cuts the gradient (`{code(node.items[0])}`)"
            change = tree.put(number, lambda same: ast.If(ast.Constant(True), same.body, []))
            yield Edit(says, advice, node.lineno, change)


Finder: TypeAlias = Callable[[Definition, Definition], Iterator[Edit]]
HABITS: tuple[Finder, ...] = (zero_for_nothing, late_binding, shared_defaults, uncalled, cut_gradients)
