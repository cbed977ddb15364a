"""Functions and operators of Python and its libraries that do something else than their names suggest."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from autograder.source.parsing import copied
from autograder.source.repair.node_tree import Definition, Edit, Nodes, always, code, functions_of, tree_of

STRIPS = {"lstrip": "removeprefix", "rstrip": "removesuffix"}
NORMS = ("torch.linalg.norm", "np.linalg.norm", "numpy.linalg.norm")
WITH_AN_AXIS = ("softmax", "log_softmax", "softmin")
NARROW = {
    **{f"uint{bits}": ("int64", f"begins again at 0 after {2**bits - 1}") for bits in (8, 16, 32)},
    **{f"int{bits}": ("int64", f"ends at {2 ** (bits - 1) - 1}") for bits in (8, 16, 32)},
    "float32": ("float64", f"keeps about seven digits, and not every whole number above {2**24}"),
    "float16": ("float64", "keeps about three digits, and not every whole number above 2048"),
}
ROWS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.BinOp, ast.Call)
SPREADS = {"std_mean": "the standard deviation", "var_mean": "the variance"}
METHODS = {"byte": "uint8", "char": "int8", "short": "int16", "int": "int32"}


def letters_for_a_text(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `lstrip` and `rstrip` of a text, which take off letters."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in STRIPS and len(node.args) == 1:
            method = node.func.attr
            says = f"`{code(node)}` takes off every letter of `{code(node.args[0])}`, in any order, not the text itself"

            def whole(call: ast.Call, method: str = method) -> ast.Call:
                return _call(ast.Attribute(call.func.value, STRIPS[method]), *call.args)  # type: ignore[attr-defined]

            advice = "Which letters would it stop at?"
            yield Edit(says, advice, node.lineno, tree.put(number, whole))


def norms_of_matrices(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `linalg.norm` with an order but without an axis: of a matrix it is no root of a sum of squares."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        given = [keyword.arg for keyword in node.keywords]
        if code(node.func) in NORMS and {*given} <= {"ord"} and len(node.args) + len(given) == 2:
            says = f"of a matrix, `{code(node)}` is the largest singular value, not the root of the sum of squares"
            made = _call(node.func, _call(ast.Attribute(node.args[0], "reshape"), ast.Constant(-1)))
            yield Edit(
                says,
                "What does order 2 mean for a vector, and what for a matrix?",
                node.lineno,
                tree.put(number, always(made)),
            )


def axis_left_to_torch(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find a softmax without `dim`, whose axis depends on how many there are."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        called = code(node.func)
        method = isinstance(node.func, ast.Attribute) and not called.startswith(("F.", "functional.", "torch.", "nn."))
        given = len(node.args) + method
        if called.rpartition(".")[2] in WITH_AN_AXIS and given == 1 and not node.keywords:

            def along(call: ast.Call) -> ast.Call:
                call.keywords.append(ast.keyword("dim", ast.Constant(-1)))
                return call

            says = f"`{code(node)}` leaves it to torch along which axis: of three it takes the first"
            yield Edit(says, "Name the axis: `dim=`.", node.lineno, tree.put(number, along))


def taken_in_order(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `masked_scatter`, which takes numbers one after another, not those at the same places."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("masked_scatter", "masked_scatter_"):
            says = f"`{node.func.attr}` in line {node.lineno} takes its numbers in turn, whatever their places"

            def where(call: ast.Call) -> ast.Call:
                torch_where = ast.parse("__import__('torch').where", mode="eval").body
                return _call(torch_where, call.args[0], call.args[1], call.func.value)  # type: ignore[attr-defined]

            advice = "What if each number should stay at its own place?"
            yield Edit(says, advice, node.lineno, tree.put(number, where))


def narrow_numbers(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find dtypes that have no room for large whole numbers."""
    tree = tree_of(definition)
    advice = "How large can these numbers become, and how many digits do they need? Can an argument give the dtype?"
    for number, node in tree.of(ast.Attribute):
        if node.attr in NARROW and code(node.value) in ("torch", "np", "numpy"):
            wide, limit = NARROW[node.attr]
            change = tree.put(number, always(ast.Attribute(node.value, wide)))
            yield Edit(f"{node.attr} in line {node.lineno} {limit}", advice, node.lineno, change)
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and not node.args:
            kind = METHODS[node.func.attr]
            change = tree.put(number, lambda call: _call(ast.Attribute(call.func.value, "long")))
            yield Edit(f"{kind} in line {node.lineno} {NARROW[kind][1]}", advice, node.lineno, change)
        if code(node.func) in ("torch.Tensor", "torch.FloatTensor") and node.args:
            made = ast.parse("__import__('torch').tensor", mode="eval").body
            says = f"`{code(node.func)}` in line {node.lineno} makes float32, which {NARROW['float32'][1]}"
            yield Edit(says, advice, node.lineno, tree.put(number, always(_call(made, node.args[0]))))


def one_row_many_times(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `[row] * n`, which holds one row n times."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BinOp):
        row = node.left.elts[0] if isinstance(node.left, ast.List) and len(node.left.elts) == 1 else None
        if isinstance(node.op, ast.Mult) and isinstance(row, ROWS):
            says = f"`{code(node)}` holds one and the same row several times"
            made: Any = ast.parse(f"[{ast.unparse(row)} for _ in range({ast.unparse(node.right)})]", mode="eval").body
            advice = "What is put into one of them stands in all."
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))


def one_value_for_all_keys(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `dict.fromkeys(keys, [])`, whose keys share one list."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        if code(node.func) == "dict.fromkeys" and len(node.args) == 2 and isinstance(node.args[1], ROWS):
            says = f"`{code(node)}` gives all keys one and the same value"
            key = ast.comprehension(ast.Name("key_", ast.Store()), node.args[0], [], 0)
            made = ast.DictComp(ast.Name("key_"), node.args[1], [key])
            yield Edit(says, "What is put into one of them stands in all.", node.lineno, tree.put(number, always(made)))


def rounded_down(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `//` where nothing should be rounded."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BinOp):
        if isinstance(node.op, ast.FloorDiv):
            says = f"`{code(node)}` in line {node.lineno} rounds down to a whole number"
            made = ast.BinOp(node.left, ast.Div(), node.right)
            advice = "`1 // 6` is 0 and `-1 // 6` is -1. Does the formula round?"
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))


def chained_with_a_truth(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `a >= b is True`, which also asks whether b is True."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Compare):
        last = node.comparators[-1]
        if len(node.ops) > 1 and isinstance(last, ast.Constant) and isinstance(last.value, bool):
            says = f"Python reads `{code(node)}` as a chain: `{code(node.comparators[-2])}` is compared with both sides"
            made = ast.Compare(node.left, node.ops[:-1], node.comparators[:-1])
            yield Edit(says, "A comparison is true or false already.", node.lineno, tree.put(number, always(made)))


def first_two_axes(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `diagonal()`, which takes axes 0 and 1."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        method = isinstance(node.func, ast.Attribute) and code(node.func) != "torch.diagonal"
        if code(node.func).endswith("diagonal") and len(node.args) + method == 1 and not node.keywords:
            axes = [ast.keyword("dim1", ast.Constant(-2)), ast.keyword("dim2", ast.Constant(-1))]
            says = f"`diagonal` in line {node.lineno} takes axes 0 and 1, also where these are not the last two"
            made = ast.Call(node.func, node.args, axes)
            yield Edit(says, "Name the axes: `dim1=` and `dim2=`.", node.lineno, tree.put(number, always(made)))


def mean_comes_last(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find the results of `std_mean` and `var_mean` under exchanged names."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Assign):
        target, called = node.targets[0], code(node.value.func) if isinstance(node.value, ast.Call) else ""
        spread = SPREADS.get(called.rpartition(".")[2])
        if spread and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            says = f"`{called}` in line {node.lineno} gives {spread} first, then the mean"
            made = ast.Assign([ast.Tuple(target.elts[::-1], ast.Store())], node.value)
            yield Edit(says, "Which of the two names stands first?", node.lineno, tree.put(number, always(made)))


def overflowing_products(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `np.prod`, whose whole numbers end."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Call):
        if code(node.func) in ("np.prod", "numpy.prod") and len(node.args) == 1 and not node.keywords:
            made = ast.parse(f"__import__('math').prod(map(int, {ast.unparse(node.args[0])}))", mode="eval").body
            says = f"`{code(node.func)}` in line {node.lineno} multiplies in int64, which begins again below 0 at 2**63"
            advice = "Python's own whole numbers have no end; `math` has a product of them."
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))


def zero_for_none(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `if not (x := d.get(key))`, which takes 0 for nothing."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.UnaryOp):
        looked_up = node.operand.value if isinstance(node.operand, ast.NamedExpr) else node.operand
        called = looked_up.func if isinstance(looked_up, ast.Call) else None
        if isinstance(node.op, ast.Not) and isinstance(called, ast.Attribute) and called.attr == "get":
            says = f"`{code(node)}` in line {node.lineno} is true for 0 as well, and for whatever is empty"
            made = ast.Compare(node.operand, [ast.Is()], [ast.Constant(None)])
            advice = "0 is false. What stands there where there is nothing, and how do you ask for that alone?"
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))


def gone_through_twice(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find an argument that may be a generator and is used several times."""
    tree = tree_of(definition)
    for number, function in tree.of(ast.FunctionDef):
        loads = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        for argument in function.args.args:
            uses = [node.lineno for node in loads if node.id == argument.arg]
            if len(uses) > 1 and argument.annotation and "Itera" in ast.unparse(argument.annotation):
                says = (
                    f"`{argument.arg}` is gone through again in line {max(uses)}: a generator gives its items only once"
                )
                kept: Any = ast.parse(f"{argument.arg} = list({argument.arg})").body

                def change(nodes: Nodes, number: int = number, kept: Any = kept) -> None:
                    nodes[number].body[:0] = copied(ast.Module(kept, [])).body  # type: ignore[attr-defined]

                yield Edit(says, "Keep the items in a list, or go through them once.", max(uses), change)


def overwritten_by_a_loop(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find loops whose variable has the name of an argument that is used elsewhere."""
    tree = tree_of(definition)
    own = {argument.arg for function in functions_of(definition) for argument in function.args.args}
    numbers = {id(node): number for number, node in enumerate(tree.nodes)}
    for _number, loop in tree.of(ast.For):
        inside = [node for node in ast.walk(loop) if isinstance(node, ast.Name)]
        for name in sorted({node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)} & own):
            places = [numbers[id(node)] for node in inside if node.id == name]
            elsewhere = any(node.id == name for number, node in tree.of(ast.Name) if number not in places)
            if elsewhere:
                says = f"the loop in line {loop.lineno} gives the argument `{name}` another value"
                yield Edit(
                    says,
                    "Give what the loop goes through a name of its own.",
                    loop.lineno,
                    partial(_renamed, places=places),
                )


def _renamed(nodes: Nodes, places: list[int]) -> None:
    for place in places:
        nodes[place].id += "_"  # type: ignore[attr-defined]


def bits_for_truth(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `~` of whole numbers, which is never 0 for 1."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.UnaryOp):
        if isinstance(node.op, ast.Invert):
            says = f"`{code(node)}` turns bits round: of a whole number n it makes -n - 1, of 1 for example -2"
            advice = "`~` means *not* for what is bool, and for nothing else."
            yield Edit(says, advice, node.lineno, tree.put(number, _is_zero))


def _is_zero(node: ast.UnaryOp) -> ast.Compare:
    return ast.Compare(node.operand, [ast.Eq()], [ast.Constant(0)])


def powers_of_matrices(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find `m ** n`, which takes the power of each entry."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.BinOp):
        if isinstance(node.op, ast.Pow) and {type(node.left), type(node.right)} == {ast.Name}:
            says = f"`{code(node)}` takes the power of each entry, not of the matrix"
            power = ast.parse("__import__('torch').linalg.matrix_power", mode="eval").body
            made = _call(power, node.left, node.right)
            advice = "Which function multiplies a matrix by itself?"
            yield Edit(says, advice, node.lineno, tree.put(number, always(made)))


def _call(function: ast.expr, *args: ast.expr) -> ast.Call:
    return ast.Call(function, [*args], [])


Finder: TypeAlias = Callable[[Definition, Definition], Iterator[Edit]]
MISUSES: tuple[Finder, ...] = (
    *(letters_for_a_text, norms_of_matrices, axis_left_to_torch, taken_in_order, narrow_numbers, one_row_many_times),
    *(bits_for_truth, powers_of_matrices, one_value_for_all_keys, rounded_down, chained_with_a_truth, first_two_axes),
    *(mean_comes_last, overflowing_products, zero_for_none, gone_through_twice, overwritten_by_a_loop),
)
