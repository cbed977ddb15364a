"""Numbers that are less exact than the arguments, or on another device: casts, small numbers, rounded constants."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from typing import TypeAlias

from autograder.source.repair.node_tree import Definition, Edit, NodeTree, always, code, functions_of, tree_of

TINY = 1e-3
CLOSE = 0.01
CONSTANTS = {
    "math.pi": math.pi,
    "2 * math.pi": 2 * math.pi,
    "math.e": math.e,
    "math.sqrt(2)": math.sqrt(2),
    "1 / math.sqrt(2)": math.sqrt(0.5),
    "math.sqrt(2 / math.pi)": math.sqrt(2 / math.pi),
    "math.log(10000)": math.log(10000),
}
MAKERS = ("zeros", "ones", "full", "empty", "eye", "arange", "linspace", "tensor")
CASTS = {"float": "float32", "half": "float16", "bfloat16": "bfloat16", "double": "float64"}


def casts(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find a precision that is hard-coded: `.float()`, `dtype=torch.float32`."""
    tree = tree_of(definition)
    advice = "Compute in the dtype of the arguments: float64 should stay float64, and float32 float32."
    for number, node in tree.of(ast.Call):
        kind = _cast(node)
        if kind:
            says = f"line {node.lineno} computes in {kind} (`.{node.func.attr}`), whatever the arguments have"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda call: call.func.value))
        for position, keyword in enumerate(node.keywords):
            if keyword.arg == "dtype" and (kind := _precision(keyword.value)):
                says = f"line {node.lineno} computes in {kind} (`dtype=`), whatever the arguments have"
                yield Edit(says, advice, node.lineno, tree.put(number, _without_keyword(position)))


def _cast(call: ast.Call) -> str:
    """Return the precision that a method call gives its object; "" for another call."""
    if not isinstance(call.func, ast.Attribute):
        return ""
    if not call.args and not call.keywords:
        return CASTS.get(call.func.attr, "")
    return _precision(call.args[0]) if call.func.attr in ("to", "astype", "type") and len(call.args) == 1 else ""


def _precision(node: ast.AST) -> str:
    name = node.attr if isinstance(node, ast.Attribute) else ""
    return name if name in CASTS.values() else ""


def _without_keyword(position: int) -> Callable[[ast.Call], ast.Call]:
    def make(call: ast.Call) -> ast.Call:
        del call.keywords[position]
        return call

    return make


def devices(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find a device that is hard-coded, and tensors that are made without one."""
    tree = tree_of(definition)
    advice = "A tensor that you make takes its device from an argument."
    for number, node in tree.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and (node.func.attr in ("cuda", "cpu") or _moves(node)):
            says = f"line {node.lineno} hard-codes a device (`{code(node)}`)"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda call: call.func.value))
        for keyword in node.keywords:
            if keyword.arg == "device" and not _from_an_argument(keyword.value):
                says = f"line {node.lineno} hard-codes a device (`device={code(keyword.value)}`)"
                yield from _placed(definition, tree, number, node, says)
        if _makes_a_tensor(node) and not any(keyword.arg == "device" for keyword in node.keywords):
            says = f"`{code(node)}` in line {node.lineno} makes a tensor on torch's default device"
            yield from _placed(definition, tree, number, node, says)


def _moves(call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)
    first = call.args[0] if call.args else None
    return call.func.attr == "to" and isinstance(first, ast.Constant) and isinstance(first.value, str)


def _from_an_argument(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "device"


def _makes_a_tensor(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    return function.value.id == "torch" and function.attr in MAKERS


def _placed(definition: Definition, tree: NodeTree, number: int, node: ast.Call, says: str) -> Iterator[Edit]:
    """Yield changes that take device, or device and dtype, of a new tensor from the first argument."""
    function = next((each for each in functions_of(definition) if node in ast.walk(each)), None)
    first = [argument.arg for argument in function.args.args if argument.arg != "self"][:1] if function else []
    has_dtype = any(keyword.arg == "dtype" for keyword in node.keywords)
    for name in first:
        for taken in ("device",), ("device", "dtype"):
            if "dtype" in taken and has_dtype:
                continue

            def make(call: ast.Call, name: str = name, taken: tuple[str, ...] = taken) -> ast.Call:
                kept = [each for each in call.keywords if each.arg not in taken]  # an earlier change may have set them
                given = [ast.keyword(each, ast.Attribute(ast.Name(name), each)) for each in taken]
                call.keywords = [*kept, *given]
                return call

            told = f"{says} and leaves the dtype to torch" if "dtype" in taken else says
            advice = f"Take {' and '.join(taken)} from an argument, such as `{name}.{taken[-1]}`."
            yield Edit(told, advice, node.lineno, tree.put(number, make))


def small_numbers(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find small numbers that are added, or used as a lower bound."""
    tree = tree_of(definition)
    advice = "The formula has no such number. Where it keeps you from dividing by 0, ask when that can happen at all."
    for number, node in tree.of(ast.BinOp):
        if isinstance(node.op, ast.Add) and (own := _tiny(node.right)):
            says = f"line {node.lineno} adds {own}, which changes every number a little"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda sum_: sum_.left))
        elif isinstance(node.op, ast.Add) and (own := _tiny(node.left)):
            says = f"line {node.lineno} adds {own}, which changes every number a little"
            yield Edit(says, advice, node.lineno, tree.put(number, lambda sum_: sum_.right))
    for number, node in tree.of(ast.Call):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        own = next((_tiny(each) for each in given if _tiny(each)), "")
        if isinstance(node.func, ast.Attribute) and node.func.attr.startswith(("clamp", "clip")) and own:
            says = f"line {node.lineno} raises small numbers to {own}, which changes the result"
            method = not (isinstance(node.func.value, ast.Name) and node.func.value.id in ("torch", "np"))
            kept = node.func.value if method else node.args[0]
            yield Edit(says, advice, node.lineno, tree.put(number, always(kept)))


def _tiny(node: ast.AST) -> str:
    """Return a small number as it is written; "" for anything else."""
    value = node.value if isinstance(node, ast.Constant) else None
    is_number = isinstance(value, float) and 0 < abs(value) <= TINY
    named = isinstance(node, ast.Name) and node.id.lower() in ("eps", "epsilon")
    return ast.unparse(node) if is_number or named else ""


def rounded_constants(definition: Definition, _: Definition) -> Iterator[Edit]:
    """Find numbers that are rounded."""
    tree = tree_of(definition)
    for number, node in tree.of(ast.Constant):
        if not isinstance(node.value, float):
            continue
        for name, value in CONSTANTS.items():
            if 0 < abs(node.value - value) <= CLOSE * value:
                says = f"{node.value} in line {node.lineno} is a rounded number"
                change = tree.put(number, always(ast.Constant(value)))
                yield Edit(says, f"Let Python compute it: `{name}` has all its digits.", node.lineno, change)


Finder: TypeAlias = Callable[[Definition, Definition], Iterator[Edit]]
NUMBERS: tuple[Finder, ...] = (casts, devices, small_numbers, rounded_constants)
