"""Whether a chapter defines an exercise: in its own text, by a module beside it, or as only running it shows."""

from __future__ import annotations

import ast

from autograder.core.submission import ChapterSource
from autograder.source.parsing import shared_tree
from autograder.source.statements import binds_anything
from autograder.source.stub import defines


def may_define(source: ChapterSource, exercise: str) -> bool:
    """Return whether running the chapter may bind the name; False for text that is not Python."""
    text = source.text
    return defines(text, exercise) or binds_anything(text) or _is_brought(source, exercise)


def _is_brought(source: ChapterSource, exercise: str) -> bool:
    """Return whether `from helpers import *` brings the name from a module beside the chapter."""
    if not source.beside:
        return False
    imports = [node for node in shared_tree(source.text).body if isinstance(node, ast.ImportFrom)]
    stars = {node.module for node in imports if node.module and node.names[0].name == "*"}
    return any(defines(source.beside[name], exercise) for name in stars & source.beside.keys())
