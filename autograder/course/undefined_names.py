"""The names that a module of a course binds, and those in its known mistakes that nothing binds."""

from __future__ import annotations

import ast
import builtins
from typing import Final

from autograder.core.errors import UsageError
from autograder.source.parsing import DEFINITIONS
from autograder.source.statements import binds, bound_by

_ALWAYS: Final = {*dir(builtins), "__file__", "__path__", "__class__", "__qualname__", "__module__"}
_DYNAMIC: Final = {"globals", "vars", "locals", "exec"}


def module_names(tree: ast.Module) -> set[str] | None:
    """Return the names that a module binds at its top level; None if only running it shows them."""
    names = {name for node in tree.body for name in binds(node)}
    plain = (node for node in tree.body if not isinstance(node, DEFINITIONS))
    used = {each.id for node in plain for each in ast.walk(node) if isinstance(each, ast.Name)}
    return None if "*" in names or used & _DYNAMIC else names


def refuse_undefined(tree: ast.Module, origin: str) -> None:
    """Check that the functions and classes of a module of known mistakes use names that it has.

    Args:
        tree: the module.
        origin: what messages call its file.

    Raises:
        UsageError: nothing binds a name, so that a mistake would raise NameError, and be named to nobody.
    """
    if (known := module_names(tree)) is None:
        return
    for node in (each for each in tree.body if isinstance(each, DEFINITIONS)):
        inside = list(ast.walk(node))
        whole = (each for each in inside if not isinstance(each, ast.Attribute | ast.Subscript))
        own = {name for each in whole for name in bound_by(each)} | known | _ALWAYS
        for each in inside:
            if isinstance(each, ast.Name) and each.id not in own:
                raise UsageError(
                    f"{origin}:{each.lineno}: the mistake {node.name} uses '{each.id}', which this file neither "
                    "defines nor imports; import it there, or correct the name"
                )
