"""What is left out: questions that a reader of the page cannot answer, and those whose answers teach nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from autograder.asking.calls_to_ask import arguments, told_by_shape
from autograder.asking.change_questions import TriedChange
from autograder.asking.line_changes import Finder, LineChange, unwrapped
from autograder.asking.own_code import OwnCode, Spot
from autograder.calls.records import Call, leaves
from autograder.source.parsing import DEFINITIONS, shared_tree
from autograder.source.repair.places import borders, bounds, counts, operators, opposites, orders
from autograder.source.repair.removals import operands
from autograder.suite.plan import PlannedCall

ARITHMETIC: Final = (ast.Return, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop, ast.Name, ast.Constant, ast.Load)
MOST_STEPS: Final = 6
SENSELESS: Final = re.compile(r"\[:0[\],]|, :0[\],]|\bif (True|False)\b|(?<![\w.])-0(?![\w.])")
BY_VALUE: Final = ("numbers", "same")
BY_LUCK: Final = (borders, bounds, counts)
FOREGONE: Final[Mapping[str, Sequence[Finder]]] = {
    "value": (operators, operands, opposites, unwrapped, counts),
    "list": (unwrapped,),
}
"""By the form of a result, changes that give other numbers or entries without fail."""
BOTH_ALIKE: Final = ("matmul", "mm", "bmm", "dot", "tensordot", "einsum")
"""Of a library: functions whose arguments have one role, so that only sizes decide."""
MADE_WITH_SIZES: Final = ("zeros", "ones", "full", "empty", "rand", "randn", "randint")


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


def is_shape_worth_asking(spot: Spot, hidden: Collection[str]) -> bool:
    """Return whether the shape of a spot follows from the page, and neither stands there nor is one with an axis."""
    is_part = isinstance(spot.value, ast.Attribute) and isinstance(spot.value.value, ast.Name)
    if _own_name(spot.value) in hidden or is_part:
        return False
    return not (_has_its_sizes(spot.value) or _only_adds_an_axis(spot.value))


def _has_its_sizes(node: ast.AST) -> bool:
    """Return whether an array is made with the sizes that stand there."""
    name = node.func if isinstance(node, ast.Call) else None
    return isinstance(name, ast.Attribute) and name.attr.removeprefix("new_") in MADE_WITH_SIZES


def _only_adds_an_axis(node: ast.AST) -> bool:
    """Return whether a variable gets a last or a first axis, as in `x[..., None]`."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
        return False
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return all(isinstance(each, ast.Constant) and each.value in (None, ...) for each in places)


@dataclass(frozen=True)
class Page:
    """What a reader has: the code of an answer, and a call of it.

    Args:
        form: of the call's result, as `form_of` has it.
        hidden: the names of helpers that are not shown.
        exercises: the names of all exercises of the course, of which learners know what they give.
    """

    own: OwnCode
    planned: PlannedCall
    form: str
    hidden: Collection[str]
    exercises: Collection[str]


def is_change_worth_asking(page: Page, tried: TriedChange) -> bool:
    """Return whether a change can be followed on the page, and is a slip that teaches."""
    return not any(leaves_out(page, tried) for leaves_out in LEFT_OUT)


def _needs_hidden_code(page: Page, tried: TriedChange) -> bool:
    """Return whether code that is not shown takes what is changed, or gives numbers that decide."""
    nodes = [tried.change.old, *page.own.around(tried.change.old)]
    if tried.outcome in BY_VALUE:
        nodes += ast.walk(_statement(page.own.definition, tried.change.line))
    return any(isinstance(node, ast.Call) and _own_name(node.func) in page.hidden for node in nodes)


def _is_foregone(page: Page, tried: TriedChange) -> bool:
    """Return whether the outcome needs no thought: nothing at all, or other numbers, as of another sum."""
    if isinstance(tried.result, list | dict) and not tried.result:
        return True
    if tried.outcome != "numbers":
        return False
    kind, build = tried.change.kind, page.planned.call.build
    if kind is counts and _is_in_a_sum(page.own, tried.change):
        return True
    if kind is operators and (bool(build and build.state) or (page.form == "array" and _is_by_entry(tried.change.old))):
        return True
    return kind in FOREGONE.get(page.form, ())


def _is_by_entry(node: ast.AST) -> bool:
    """Return whether an operator takes entry by entry, so that another one gives the same shape."""
    return isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult)


def _is_in_a_sum(own: OwnCode, change: LineChange) -> bool:
    """Return whether a number is a part of a formula, and no place or size."""
    within = [each for each in own.around(change.old) if not isinstance(each, ast.UnaryOp)]
    return isinstance(within[0], ast.BinOp) and not any(isinstance(each, ast.Subscript) for each in within)


def _is_luck(_: Page, tried: TriedChange) -> bool:
    """Return whether a result is the same by rounding, with the numbers of one call, or as a library has it so."""
    return tried.outcome == "same" and (tried.change.kind in BY_LUCK or _drops_a_keyword(tried.change))


def _is_senseless(_: Page, tried: TriedChange) -> bool:
    """Return whether nobody writes such a line."""
    return bool(SENSELESS.search(tried.change.after))


def _own_name(node: ast.AST) -> str:
    """Return the name that an expression is, begins with, or takes from `self`; "" if it has none."""
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            return node.attr
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _is_of_library(page: Page, tried: TriedChange) -> bool:
    """Return whether a manual decides: on arguments in each other's places, or a condition where values belong."""
    old, new = tried.change.old, tried.change.new
    if not isinstance(old, ast.Call):
        return False
    name = old.func.attr if isinstance(old.func, ast.Attribute) else _own_name(old.func)
    if name == "where":
        return ast.dump(old.args[0]) == ast.dump(new)
    if tried.change.kind is not orders or name in BOTH_ALIKE or not isinstance(new, ast.Call):
        return False
    if name not in page.exercises:
        return tried.outcome != "shape"
    moved = [type(one) for one, other in zip(old.args, new.args, strict=False) if ast.dump(one) != ast.dump(other)]
    return len({*moved}) > 1


def _drops_a_keyword(change: LineChange) -> bool:
    """Return whether an argument by name is left out, which may be what the library takes for it."""
    old, new = change.old, change.new
    return isinstance(old, ast.Call) and isinstance(new, ast.Call) and len(new.keywords) < len(old.keywords)


def _is_gutted(page: Page, tried: TriedChange) -> bool:
    """Return whether nothing is left in a line of what the function is given or has made."""
    definitions = page.own.definition, tried.change.definition
    before, after = (_names_of_line(each, tried.change.line) & page.own.local_names for each in definitions)
    return bool(before) and not after


def _names_of_line(definition: ast.AST, line: int) -> frozenset[str]:
    """Return the names that the innermost statement of a line reads."""
    inner = ast.walk(_statement(definition, line))
    return frozenset(each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))


def _statement(definition: ast.AST, line: int) -> ast.stmt:
    """Return the innermost statement of a line."""
    every = [each for each in ast.walk(definition) if isinstance(each, ast.stmt)]
    return [each for each in every if each.lineno <= line <= (each.end_lineno or 0)][-1]


def _is_spelling(_: Page, tried: TriedChange) -> bool:
    """Return whether the same axis is counted from the other end."""
    if tried.outcome != "same":
        return False
    one, other = (ast.unparse(each) for each in (tried.change.old, tried.change.new))
    return one.lstrip("-").isdigit() and other.lstrip("-").isdigit() and one.startswith("-") != other.startswith("-")


def _does_not_show(page: Page, tried: TriedChange) -> bool:
    """Return whether a change is of parameters that have no value in the call."""
    values, args = dict(told_by_shape(page.planned)), page.own.function.args
    every = [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    absent = {name for name in every if name != "self" and values.get(name, "None") == "None"}
    return tried.outcome == "same" and bool(absent & (_names(tried.change.old) | _names(tried.change.new)))


LEFT_OUT: Final[tuple[Callable[[Page, TriedChange], bool], ...]] = (
    *(_needs_hidden_code, _is_of_library, _is_gutted, _is_senseless),
    *(_is_foregone, _is_luck, _is_spelling, _does_not_show),
)
"""Why a change is not asked about."""
