"""Read an author's files without importing them, and report slips with file and line."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from autograder.core.errors import AttendError
from autograder.source.parsing import syntax_tree

Definition = ast.FunctionDef | ast.ClassDef


def parsed(path: Path, origin: str) -> ast.Module:
    """Return the syntax tree of the module in `path`; messages call the file `origin`.

    Raises:
        AttendError: it is not Python, or cannot be read.
    """
    try:
        return syntax_tree(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise AttendError(f"{origin}:{error.lineno or 1}: this is no Python ({error.msg}); fix its syntax") from error
    except (OSError, ValueError) as error:
        raise AttendError(f"{origin} cannot be read ({error}); it must be a UTF-8 text") from error


def definitions(tree: ast.Module) -> list[Definition]:
    """Return the functions and classes of a module."""
    return [node for node in tree.body if isinstance(node, Definition)]


def mistake_marks(node: Definition) -> list[ast.Call]:
    """Return the decorators that make a function or class a known mistake, that of its own exercise first."""
    calls = (each for each in node.decorator_list if isinstance(each, ast.Call))
    return [each for each in calls if ast.unparse(each.func).endswith("misconception")]


def words_of(mark: ast.Call) -> tuple[str, ...]:
    """Return the exercise and the id or ids in the mark of a known mistake."""
    return tuple(each.value for each in mark.args if isinstance(each, ast.Constant) and isinstance(each.value, str))


def meant(name: str, known: Collection[str], otherwise: str) -> str:
    """Return the remedy for an unknown name: the known name most like it, or `otherwise` if none is close."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    return f"did you mean '{near[0]}'?" if near else otherwise


def refuse_unknown(tree: ast.Module, origin: str, tables: Sequence[str], exercises: Collection[str], of: str) -> None:
    """Check that the keys of a module's `tables` are names of `exercises`; messages say what these are `of`.

    Raises:
        AttendError: a key is none of them.
    """
    assigned = dict(_assigned(tree))
    for table in tables:
        for key in _keys(assigned.get(table), assigned):
            name = str(key.value)
            if name not in exercises:
                remedy = meant(name, exercises, "correct the name, or take it out")
                raise AttendError(f"{origin}:{key.lineno}: {table} has '{name}', which is no exercise {of}; {remedy}")


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a module assigns, each with the expression assigned to it."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is not None:
            yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))


def _keys(node: ast.expr | None, assigned: Mapping[str, ast.expr]) -> Iterator[ast.Constant]:
    """Yield a dictionary's keys as far as the source spells them out: `{...}`, `dict.fromkeys(...)`, `|` of these."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield from _strings(key, assigned) if key else _keys(value, assigned)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fromkeys":
        yield from _strings(node.args[0], assigned)
    elif isinstance(node, ast.BinOp):
        yield from (key for side in (node.left, node.right) for key in _keys(side, assigned))
    elif isinstance(node, ast.Name):
        yield from _keys(assigned.get(node.id), _but(assigned, node.id))


def _strings(node: ast.expr | None, assigned: Mapping[str, ast.expr]) -> Iterator[ast.Constant]:
    """Yield the strings of a tuple, list or set, following its names and stars."""
    if isinstance(node, ast.Constant):
        yield node
    elif isinstance(node, ast.Starred):
        yield from _strings(node.value, assigned)
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        yield from (string for each in node.elts for string in _strings(each, assigned))
    elif isinstance(node, ast.Name):
        yield from _strings(assigned.get(node.id), _but(assigned, node.id))


def _but(assigned: Mapping[str, ast.expr], name: str) -> dict[str, ast.expr]:
    """Return `assigned` without a name that was followed, since a name may be defined by itself."""
    return {other: value for other, value in assigned.items() if other != name}
