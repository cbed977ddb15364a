"""What is left out: questions that a reader of the page cannot answer, and those whose answers teach nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

from autograder.asking.calls_to_ask import arguments, told_by_shape
from autograder.asking.line_changes import LineChange
from autograder.asking.own_code import OwnCode, Spot
from autograder.asking.question import Rows
from autograder.calls.records import Call, leaves
from autograder.source.parsing import DEFINITIONS, shared_tree
from autograder.suite.plan import PlannedCall

ARITHMETIC: Final = (ast.Return, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop, ast.Name, ast.Constant, ast.Load)

MOST_STEPS: Final = 6
SENSELESS: Final = re.compile(r"\[:0[\],]|, :0[\],]|\bif (True|False)\b")
BY_VALUE: Final = ("numbers", "same")
BY_LUCK: Final = ("borders", "bounds", "counts")
"""Changes of a number that may come to the same, by rounding or with the numbers of one call."""
BOTH_ALIKE: Final = ("matmul", "mm", "bmm", "dot", "tensordot", "einsum")
"""Of a library: functions whose arguments have one role, so that only sizes decide."""


def helpers(own: OwnCode, exercises: Collection[str]) -> frozenset[str]:
    """Return what the file defines beside exercises, the other methods of a class, and what is made of them.

    None of it is shown.
    """
    defined = {node.name for node in shared_tree(own.source.text).body if isinstance(node, DEFINITIONS)}
    hidden = defined - {*exercises, own.exercise} | own.other_methods
    return frozenset(hidden | {name for name, value in _assigned(own) if _own_name(value) in hidden})


def _assigned(own: OwnCode) -> Iterator[tuple[str, ast.expr]]:
    """Yield the variables that are assigned by themselves, with their values."""
    for node in ast.walk(own.function):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and isinstance(node.value, ast.Call):
            yield target.id, node.value


def is_number_worth_asking(own: OwnCode, call: Call, hidden: Collection[str]) -> bool:
    """Return whether a number can be found on the page, and takes more than a pocket calculator.

    Args:
        hidden: the names of helpers that are not shown.
    """
    if any(_own_name(node) in hidden for node in ast.walk(own.definition)):
        return False
    words = ast.get_docstring(own.function, clean=False) is not None
    inner = [node for each in own.function.body[words:] for node in ast.walk(each)]
    is_sum = all(isinstance(node, ARITHMETIC) for node in inner)
    is_long = sum(isinstance(node, ast.BinOp) for node in inner) > MOST_STEPS
    return not ((is_sum or is_long) and all(isinstance(leaf, int | float) for leaf in leaves(arguments(call))))


def is_shape_on_the_page(spot: Spot, hidden: Collection[str]) -> bool:
    """Return whether the shape of a spot does not come out of code that is not shown, nor stands there in numbers."""
    is_part = isinstance(spot.value, ast.Attribute) and isinstance(spot.value.value, ast.Name)
    return _own_name(spot.value) not in hidden and not is_part


def is_change_worth_asking(
    own: OwnCode,
    change: LineChange,
    outcome: str,
    planned: PlannedCall,
    hidden: Collection[str],
    exercises: Collection[str],
) -> bool:
    """Return whether a change can be followed on the page, and is one that somebody might make.

    Args:
        outcome: what it leads to.
        hidden: as in `is_number_worth_asking`.
        exercises: the names of all exercises of the course.
    """
    around = (each for each in (change.old, *own.around(change.old)) if isinstance(each, ast.Call))
    if any(_own_name(each.func) in hidden for each in around):
        return False
    if _is_of_library(change, exercises) or _is_gutted(own, change) or SENSELESS.search(change.after):
        return False
    if outcome in BY_VALUE and any(_own_name(name) in hidden for name in _called(own.definition, change.line)):
        return False
    if outcome == "numbers" and change.kind == "counts" and _is_in_a_sum(own, change):
        return False
    if outcome == "same" and (change.kind in BY_LUCK or _drops_a_keyword(change)):
        return False
    if change.kind == "operators" and outcome == "numbers" and planned.call.build and planned.call.build.state:
        return False  # a sum of random numbers: that it is another one needs no thought
    if outcome != "same":
        return True
    touched = _names(change.old) | _names(change.new)
    return not _is_same_axis(change) and touched.isdisjoint(_not_given(own, told_by_shape(planned)))


def _called(definition: ast.AST, line: int) -> Iterator[ast.expr]:
    """Yield what the innermost statement of a line calls."""
    yield from (node.func for node in ast.walk(_statement(definition, line)) if isinstance(node, ast.Call))


def _is_in_a_sum(own: OwnCode, change: LineChange) -> bool:
    """Return whether a number is a part of a formula: that another one gives other results needs no thought."""
    within = next((each for each in own.around(change.old) if not isinstance(each, ast.UnaryOp)), None)
    return isinstance(within, ast.BinOp) and not any(isinstance(e, ast.Subscript) for e in own.around(change.old))


def _own_name(node: ast.AST) -> str:
    """Return the name that an expression is, begins with, or takes from `self`; "" if it has none."""
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return node.attr
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _is_of_library(change: LineChange, exercises: Collection[str]) -> bool:
    """Return whether a manual decides: on arguments in each other's places, or a condition where values belong."""
    old, new = change.old, change.new
    if not isinstance(old, ast.Call):
        return False
    name = old.func.attr if isinstance(old.func, ast.Attribute) else _own_name(old.func)
    if name == "where":
        return ast.dump(old.args[0]) == ast.dump(new)
    if change.kind != "orders" or name in BOTH_ALIKE or not isinstance(new, ast.Call):
        return False
    moved = [type(one) for one, other in zip(old.args, new.args, strict=False) if ast.dump(one) != ast.dump(other)]
    return name not in exercises or len({*moved}) > 1


def _drops_a_keyword(change: LineChange) -> bool:
    """Return whether an argument by name is left out, which may be what the library takes for it."""
    old, new = change.old, change.new
    return isinstance(old, ast.Call) and isinstance(new, ast.Call) and len(new.keywords) < len(old.keywords)


def _is_gutted(own: OwnCode, change: LineChange) -> bool:
    """Return whether nothing is left in a line of what the function is given or has made."""
    before, after = (_names_of_line(each, change.line) for each in (own.definition, change.definition))
    return bool(before & own.local_names) and not after & own.local_names


def _names_of_line(definition: ast.AST, line: int) -> frozenset[str]:
    """Return the names that the innermost statement of a line reads."""
    inner = ast.walk(_statement(definition, line))
    return frozenset(each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))


def _statement(definition: ast.AST, line: int) -> ast.stmt:
    """Return the innermost statement of a line."""
    every = [each for each in ast.walk(definition) if isinstance(each, ast.stmt)]
    return [each for each in every if each.lineno <= line <= (each.end_lineno or 0)][-1]


def _is_same_axis(change: LineChange) -> bool:
    """Return whether an axis is counted from the other end: that it is the same one is a matter of spelling."""
    one, other = (ast.unparse(each) for each in (change.old, change.new))
    return one.lstrip("-").isdigit() and other.lstrip("-").isdigit() and one.startswith("-") != other.startswith("-")


def _not_given(own: OwnCode, given: Rows) -> frozenset[str]:
    """Return the parameters that have no value in a call, so that what is done with them does not show."""
    values, args = dict(given), own.function.args
    every = [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return frozenset(name for name in every if name != "self" and values.get(name, "None") == "None")
