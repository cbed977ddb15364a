"""Slips that the text of an answer shows: a definition in the wrong place, a method without `self`, a name twice.

Nothing here is a verdict. A slip explains a failure that it `explains`, and is said of no other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from autograder.source.parsing import DEFINITIONS, shared_tree

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
RESULTS = (ast.Constant, ast.JoinedStr, ast.Tuple, ast.List, ast.Dict, ast.Set)  # what cannot be called
Function = ast.FunctionDef | ast.AsyncFunctionDef
SELF = "self"


@dataclass(frozen=True)
class Slip:
    """A slip: what it `says` with what to do, and its line.

    Args:
        missing: the exercise that it makes undefined; "" for none.
        errors: pattern of the errors that can only come from it.
        inside: lines in which every error comes from it.
    """

    says: str
    line: int
    missing: str = ""
    errors: str = ""
    inside: range = range(0)

    def explains(self, error: str, line: int | None) -> bool:
        """Return whether an error, such as "TypeError: ...", can only come from this slip."""
        return line in self.inside or bool(self.errors and re.search(self.errors, error))


@lru_cache(maxsize=4)
def slips(text: str, stub: str, origin: str) -> tuple[Slip, ...]:
    """Return the slips in `text`, the module `origin` that should define what `stub` defines; none if it is no Python.

    `origin` is how messages call the module.
    """
    try:
        tree, wanted = shared_tree(text), shared_tree(stub)
    except SyntaxError:
        return ()
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    asked = {node.name: node for node in wanted.body if isinstance(node, ast.ClassDef)}
    found = [*_nested(tree, {node.name for node in wanted.body if isinstance(node, DEFINITIONS)}, origin)]
    for name in classes.keys() & asked.keys():
        found += _strayed_methods(tree, classes[name], _methods(asked[name]))
    for name, node in classes.items():
        found += _without_self(node, _methods(asked[name]) if name in asked else {})
    return tuple(sorted(found, key=lambda slip: slip.line))


def doubled(tree: ast.Module, exercises: Collection[str]) -> list[tuple[str, tuple[int, ...]]]:
    """Return the exercises that the module's top level defines several times, with the lines; the last one counts.

    `softmax = wrapped(softmax)` is no second definition, nor are those in the branches of an `if`.
    """
    lines: dict[str, list[int]] = {}
    for node in tree.body:
        for name in _made_by(node):
            lines.setdefault(name, []).append(node.lineno)
    return [(name, tuple(lines[name])) for name in exercises if len(lines.get(name, ())) > 1]


def _made_by(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement gives a meaning which has nothing to do with an earlier one."""
    if isinstance(node, DEFINITIONS) and not node.decorator_list:
        yield node.name
    elif isinstance(node, ast.Assign) and not isinstance(node.value, RESULTS):
        made = {target.id for target in node.targets if isinstance(target, ast.Name)}
        yield from made - {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}


def _nested(tree: ast.Module, names: Collection[str], origin: str) -> Iterator[Slip]:
    """Yield a slip for each of `names` that is defined only inside of another definition."""
    at_margin = {node.name for node in tree.body if isinstance(node, DEFINITIONS)}
    inner = {node.name: (node, outer) for node, outer in _inner_definitions(tree) if not _is_method(node, outer)}
    for name in inner.keys() & (set(names) - at_margin):
        node, outer = inner[name]
        says = f"{origin} defines {name} only inside {outer.name}; move it to the left margin"
        yield Slip(says, node.lineno, missing=name, errors=rf"NameError: name '{name}' is not defined")


def _inner_definitions(tree: ast.Module) -> Iterator[tuple[Function | ast.ClassDef, Function | ast.ClassDef]]:
    """Yield each definition inside of another one, with that one."""
    todo: list[tuple[ast.AST, Function | ast.ClassDef | None]] = [(tree, None)]
    while todo:
        node, outer = todo.pop()
        for each in ast.iter_child_nodes(node):
            if isinstance(each, DEFINITIONS) and outer:
                yield each, outer
            todo.append((each, each if isinstance(each, DEFINITIONS) else outer))


def _is_method(node: ast.AST, outer: ast.AST) -> bool:
    """Return whether `node`, which stands right inside `outer`, is a method that takes the object."""
    return isinstance(outer, ast.ClassDef) and isinstance(node, FUNCTIONS) and _parameters(node)[:1] == [SELF]


def _methods(node: ast.ClassDef) -> dict[str, Function]:
    return {each.name: each for each in node.body if isinstance(each, FUNCTIONS)}


def _parameters(node: Function) -> list[str]:
    return [each.arg for each in (*node.args.posonlyargs, *node.args.args)]


def _strayed_methods(tree: ast.Module, node: ast.ClassDef, wanted: Collection[str]) -> Iterator[Slip]:
    """Yield a slip for each wanted method that stands outside of its class, or inside of another method."""
    dropped, buried = _after(tree, node), _buried(node)
    for method in [each for each in wanted if each not in _methods(node)]:
        if method in dropped:
            says = f"{method} of {node.name} stands outside of the class; indent it as far as a method"
            yield Slip(says, dropped[method].lineno, errors=_lack_of(method, node.name))
        elif method in buried:
            found, outer = buried[method]
            says = f"{method} of {node.name} stands inside of {outer}; move it left, below `class {node.name}`"
            yield Slip(says, found.lineno, errors=_lack_of(method, node.name))


def _after(tree: ast.Module, node: ast.ClassDef) -> dict[str, Function]:
    """Return the functions that take `self` at the left margin, between a class and the next one."""
    found: dict[str, Function] = {}
    for each in tree.body[tree.body.index(node) + 1 :]:
        if isinstance(each, ast.ClassDef):
            break
        if isinstance(each, FUNCTIONS) and _parameters(each)[:1] == [SELF]:
            found[each.name] = each
    return found


def _buried(node: ast.ClassDef) -> dict[str, tuple[Function, str]]:
    """Return the functions that take `self` inside of the class's methods, with the names of these."""
    return {
        each.name: (each, outer.name)
        for outer in _methods(node).values()
        for each in outer.body
        if isinstance(each, FUNCTIONS) and _parameters(each)[:1] == [SELF]
    }


def _lack_of(method: str, name: str) -> str:
    """Return the pattern of the errors that come of a class without the method."""
    if method == "__init__":
        return (
            rf"TypeError: ({name}\.__init__\(\) (takes 1 positional|got an unexpected)|{name}\(\) takes no arguments)"
        )
    if method == "forward":
        absent = rf"NotImplementedError: Module \[{name}\] is missing|TypeError: _forward_unimplemented\(\)"
        return rf"{absent}|TypeError: '{name}' object is not callable"
    called = rf"|TypeError: '{name}' object is not callable" if method == "__call__" else ""
    return rf"AttributeError: '{name}' object has no attribute '{method}'{called}"


def _without_self(node: ast.ClassDef, wanted: dict[str, Function]) -> Iterator[Slip]:
    """Yield a slip for each method of a class that uses `self`, or should take it, and does not."""
    for method in _methods(node).values():
        if method.decorator_list or method.args.vararg or method.name == "__new__":
            continue
        names = _parameters(method)
        should = method.name in wanted and _parameters(wanted[method.name]) == [SELF, *names]
        if should or _uses_self(method):
            right = f"def {method.name}({', '.join(filter(None, [SELF, ast.unparse(method.args)]))})"
            says = f"{method.name} of {node.name} does not take self; write `{right}`"
            errors = rf"TypeError: {node.name}\.{method.name}\(\) (takes|got|missing)"
            yield Slip(says, method.lineno, errors=errors, inside=_lines(method))


def _uses_self(method: Function) -> bool:
    """Return whether a method reads a name `self` that it neither takes nor makes."""
    made = any(isinstance(each, ast.arg) and each.arg == SELF for each in ast.walk(method))
    uses = [each.ctx for each in ast.walk(method) if isinstance(each, ast.Name) and each.id == SELF]
    return bool(uses) and not made and all(isinstance(each, ast.Load) for each in uses)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
