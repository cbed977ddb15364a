"""Cut checks out of a suite, together with everything that only these use."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from autograder.author.release.uses import imported
from autograder.source.parsing import shared_tree

RULES = frozenset({"ARTEFACTS", "FORBIDDEN", "WELCOME", "RETURNS", "pytestmark"})
"""Names that the engine reads from a suite."""


def using_reference(text: str) -> set[str]:
    """Return the functions of a suite that use code of `reference` that students do not have."""
    tree, uses = shared_tree(text), _uses(text)
    given = {name for node, module in imported(tree) if not _given(module) for name in bound(node)}
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {name for name in functions if uses.reached(name) & given}


def only(text: str, names: Collection[str]) -> str:
    """Return the module's text with only the statements that define `names`, and whatever these use."""
    lines, uses = text.split("\n"), _uses(text)
    used = set.union(set(), *(uses.reached(name) for name in names))
    removed = [node for node in uses.statements if not _stays(node, used)]
    for node in reversed(removed):
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]) - 1
        last = node.end_lineno or node.lineno
        while last < len(lines) and not lines[last].strip() and not lines[first - 1].strip():
            last += 1
        lines[first:last] = []
    return "\n".join(lines).rstrip("\n") + "\n"


def _stays(node: ast.stmt, names: Collection[str]) -> bool:
    own = {*bound(node)}
    return not own or bool(own & {*names})


def _given(module: str) -> bool:
    """Return whether students have this module themselves."""
    return module == "reference" or module.split(".")[1] in ("blocks", "capstones")


def bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


@lru_cache(maxsize=32)
def _uses(text: str) -> _Uses:
    return _Uses(shared_tree(text))


class _Uses:
    """The statements of a module, and the names that each uses."""

    def __init__(self, tree: ast.Module) -> None:
        self.statements = tree.body
        self._by_name: dict[str, set[str]] = {}
        for node in tree.body:
            used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            used |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}  # fixtures are arguments
            for name in bound(node):
                self._by_name.setdefault(name, set()).update(used)

    def reached(self, name: str) -> set[str]:
        """Return the name, what its statement uses, what that uses, and so on."""
        found: set[str] = set()
        ahead = {name} & self._by_name.keys()
        while ahead:
            found |= ahead
            ahead = {other for each in ahead for other in self._by_name[each] if other in self._by_name} - found
        return found
