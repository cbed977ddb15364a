"""Habits of Python and torch that surprise: what is shared, bound late, taken for nothing, or cut off."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from autograder.source.parsing import copied
from autograder.source.repair.node_tree import Definition, Edit, Nodes, always, code, defaults, functions_of, tree_of

CUTTING = ("detach", "numpy", "item", "tolist")
SHARED = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, *COMPREHENSIONS)
ONE_PASS = ("filter", "map", "zip", "iter", "reversed", "enumerate")
EMPTY = ("empty", "empty_like", "new_empty")
LARGE = 1e3
"""Constants at least as large may stand for infinity."""


def zero_for_nothing(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `argument or default`, which takes 0 for nothing."""
    tree = tree_of(definition)
    given = {argument.arg for function in functions_of(definition) for argument in function.args.args}
    for number, node in tree.of(ast.BoolOp):
        first = node.values[0]
        if isinstance(node.op, ast.Or) and isinstance(first, ast.Name) and first.id in given and len(node.values) == 2:

            def where_none(same: ast.BoolOp, name: str = first.id) -> ast.IfExp:
                test = ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)])
                return ast.IfExp(test, same.values[1], same.values[0])

            says = f"`{code(node)}` in line {node.lineno} treats 0 as if `{first.id}` had not been given"
            yield Edit(says, "What is false in Python, besides None?", node.lineno, tree.put(number, where_none))


def late_binding(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find functions made in a loop that use its variable, which has its last value when they are called."""
    tree = tree_of(definition)
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

                says = f"every lambda of line {inner.lineno} uses the last `{'`, `'.join(used)}` of the loop"
                advice = "A lambda looks its names up when it is called: after the loop, each finds the same one."
                yield Edit(says, advice, inner.lineno, bound)


def shared_defaults(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find defaults that all calls share."""
    tree = tree_of(definition)
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
    tree = tree_of(definition)
    for number, node in tree.of(ast.Expr):
        if isinstance(node.value, ast.Attribute):
            says = f"line {node.lineno} names `{code(node.value)}` and does not call it"
            advice = "Without brackets, a method is only mentioned."
            change = tree.put(number, lambda same: ast.Expr(ast.Call(same.value, [], [])))
            yield Edit(says, advice, node.lineno, change)


def cut_gradients(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find where a tensor is cut off from what it was computed from."""
    tree = tree_of(definition)
    advice = "Gradients flow only through what torch has recorded: compute on with the tensor itself."
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING and not node.args:
            says = f"line {node.lineno} cuts the gradient (`.{node.func.attr}()`)"
            if node.func.attr != "detach":
                says += ", and needs numbers, which a tensor on device meta does not have"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda call: call.func.value))
        if code(node.func) == "float" and len(node.args) == 1:
            says = f"`{code(node)}` in line {node.lineno} makes a Python float, which has no gradient"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda call: call.args[0]))
    for number, node in tree.of(ast.Attribute):
        if node.attr == "data" and isinstance(node.ctx, ast.Load):
            says = f"line {node.lineno} cuts the gradient (`.data`)"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda same: same.value))
    for number, node in tree.of(ast.With):
        if "no_grad" in code(node.items[0].context_expr) or "inference_mode" in code(node.items[0].context_expr):
            says = f"line {node.lineno} cuts the gradient (`{code(node.items[0])}`)"
            change = tree.put(number, lambda same: ast.If(ast.Constant(True), same.body, []))
            yield Edit(says, advice, node.lineno, change)


def finite_for_infinite(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find large numbers that stand for infinity."""
    tree = tree_of(definition)
    advice = "A large number is a score like any other: beside numbers as large it still counts. Python has `math.inf`."
    for number, node in tree.of(ast.Constant, ast.Attribute):
        sign = _large(node)
        if sign:
            says = f"`{code(node)}` in line {node.lineno} stands for infinity and is not infinite"
            made = ast.Call(ast.Name("float"), [ast.Constant("inf" if sign > 0 else "-inf")], [])
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))


def _large(node: ast.AST) -> int:
    """Return the sign of a large constant, or of a dtype's largest number; 0 for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return int(abs(node.value) >= LARGE)
    if isinstance(node, ast.Attribute) and node.attr in ("min", "max") and "finfo" in ast.dump(node.value):
        return 1 if node.attr == "max" else -1
    return 0


def whole_roots(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find roots that are cut or rounded to whole numbers."""
    tree = tree_of(definition)
    advice = "Most sizes are no squares. Which function gives a root with all its digits?"
    for number, node in tree.of(ast.Call):
        name, says = code(node.func), f"`{code(node)}` in line {node.lineno} is a whole number"
        if name.rpartition(".")[2] == "isqrt" and node.args:
            made = ast.BinOp(node.args[0], ast.Pow(), ast.Constant(0.5))
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))
        elif name in ("int", "round") and node.args and ("sqrt" in code(node.args[0]) or "0.5" in code(node.args[0])):
            yield Edit(says, advice, node.lineno, tree.put(number, always(node.args[0])))


def used_up(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find what can be gone through once only, and is used several times."""
    tree = tree_of(definition)
    loads = [node.id for _, node in tree.of(ast.Name) if isinstance(node.ctx, ast.Load)]
    for number, node in tree.of(ast.Assign):
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and loads.count(target.id) > 1 and _runs_out(value):
            says = f"`{target.id}` of line {node.lineno} can be gone through only once, and is used again"
            change = tree.put(number, _listed)
            yield Edit(says, "`filter`, `map`, `zip` and generators are empty afterwards.", node.lineno, change)


def _runs_out(value: ast.expr) -> bool:
    called = isinstance(value, ast.Call) and code(value.func) in (
        "filter",
        "map",
        "zip",
        "iter",
        "reversed",
        "enumerate",
    )
    return called or isinstance(value, ast.GeneratorExp)


def _listed(same: ast.Assign) -> ast.Assign:
    return ast.Assign(same.targets, ast.Call(ast.Name("list"), [same.value], []))


def first_places(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `words.index(word)` in a loop over words: the place of the first word that is equal."""
    tree = tree_of(definition)
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    advice = "`index` looks for the first entry that is equal. How does a loop know where it is?"
    for outer, loop in tree.of(ast.For, ast.comprehension):
        name = loop.target.id if isinstance(loop.target, ast.Name) else ""
        holder = loop if isinstance(loop, ast.For) else tree.nodes[tree.parent(outer)[0]]
        for call in (node for node in ast.walk(holder) if isinstance(node, ast.Call)):
            function = call.func
            if (
                isinstance(function, ast.Attribute)
                and function.attr == "index"
                and [code(x) for x in call.args] == [name]
            ):

                def counted(nodes: Nodes, outer: int = outer, inner: int = numbers[id(call)]) -> None:
                    own: Any = nodes[outer]
                    own.target = ast.Tuple([ast.Name("place_", ast.Store()), own.target], ast.Store())
                    own.iter = ast.Call(ast.Name("enumerate"), [own.iter], [])
                    tree.put(inner, always(ast.Name("place_")))(nodes)

                says = f"`{code(call)}` in line {call.lineno} is the place of the first `{name}`, also for a later one"
                yield Edit(says, advice, call.lineno, counted)


def added_once(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `x[places] += y` of NumPy, which adds once where a place comes several times."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.AugAssign):
        if isinstance(node.op, ast.Add) and isinstance(node.target, ast.Subscript):
            says = f"`{code(node)}` in line {node.lineno} adds once where a place comes several times"
            yield Edit(says, "NumPy has a function for it: `np.add.at`.", node.lineno, tree.put(number, _added_at))


def _added_at(node: ast.AugAssign) -> ast.Expr:
    assert isinstance(node.target, ast.Subscript)
    add_at = ast.parse("__import__('numpy').add.at", mode="eval").body
    whole, places = copied(node.target.value), copied(node.target.slice)
    return ast.Expr(ast.Call(add_at, [whole, places, node.value], []))


def left_unset(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find memory that is never written to: `empty`, and NumPy's `where=` without `out=`."""
    tree = tree_of(definition)
    advice = "What stands at the places that nothing is written to? Begin with zeros."
    for number, node in tree.of(ast.Call):
        given = [keyword.arg for keyword in node.keywords]
        if isinstance(node.func, ast.Attribute) and "where" in given and "out" not in given and len(node.args) == 2:
            says = f"`where=` in line {node.lineno} leaves the other places as they happen to be in memory"
            yield Edit(says, advice, node.lineno, tree.put(number, _with_out))
        if isinstance(node.func, ast.Attribute) and node.func.attr in EMPTY:
            says = f"`{code(node)}` in line {node.lineno} holds what happens to be in memory"
            yield Edit(says, advice, node.lineno, tree.put(number, _zeros))


def _with_out(call: ast.Call) -> ast.Call:
    one, other = (ast.unparse(argument) for argument in call.args)
    np = "__import__('numpy')"
    made = ast.parse(f"{np}.zeros({np}.broadcast({one}, {other}).shape)", mode="eval").body
    call.keywords.append(ast.keyword("out", made))
    return call


def _zeros(call: ast.Call) -> ast.Call:
    assert isinstance(call.func, ast.Attribute)
    call.func.attr = call.func.attr.replace("empty", "zeros")
    return call


def large_exponents(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find exponentials of numbers from which the largest was not subtracted."""
    tree = tree_of(definition)
    advice = "exp(1000) is infinite, and exp(-1000) is 0. What may you subtract from all of them first?"
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "exp":
            power = node.args[0] if node.args else node.func.value
            says = f"`{code(node)}` in line {node.lineno} takes the exponential of numbers as large as they come"
            if isinstance(power, ast.BinOp) and isinstance(power.op, ast.Sub):
                says = f"`{code(power.right)}` in line {node.lineno} is not each row's own largest number"
            yield Edit(says, advice, node.lineno, tree.put(number, _shifted))


def _shifted(call: ast.Call) -> ast.Call:
    assert isinstance(call.func, ast.Attribute)
    power = ast.unparse(call.args[0] if call.args else call.func.value)
    return ast.parse(f"(lambda x: (x - x.amax(-1, keepdim=True)).exp())({power})", mode="eval").body  # type: ignore[return-value]


def reshaped_for_swapped(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `reshape` and `view` where axes should be swapped."""
    tree = tree_of(definition)
    advice = (
        "`reshape` keeps the order of all numbers and cuts them into other rows. What puts columns in place of rows?"
    )
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("reshape", "view"):
            for one, other in ((-1, -2), (1, 2), (0, 1)):

                def swapped(call: ast.Call, one: int = one, other: int = other) -> ast.Call:
                    assert isinstance(call.func, ast.Attribute)
                    function = ast.Attribute(call.func.value, "transpose")
                    return ast.Call(function, [ast.Constant(one), ast.Constant(other)], [])

                says = (
                    f"`{node.func.attr}` in line {node.lineno} makes the right shape with the numbers in wrong places"
                )
                yield Edit(says, advice, node.lineno, tree.put(number, swapped))


Finder: TypeAlias = Callable[[Definition, Definition], Iterator[Edit]]
HABITS: tuple[Finder, ...] = (
    *(zero_for_nothing, late_binding, shared_defaults, uncalled, cut_gradients, finite_for_infinite, whole_roots),
    *(used_up, first_places, added_once, left_unset, large_exponents, reshaped_for_swapped),
)
