"""Answers that stand in cells of a notebook which Python does not run: Markdown, raw, or below `%%writefile`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.source.notebook import PYTHON_MAGICS, source_of
from autograder.source.parsing import DEFINITIONS, syntax_tree

FENCED = re.compile(r"\s*(```|~~~)\w*\n(?P<code>.*)\n\1\s*", re.DOTALL)
KINDS = {"markdown": "Markdown", "raw": "raw"}


@dataclass(frozen=True)
class Misplaced:
    """An exercise whose only definition stands in a cell of the given kind: "Markdown", "raw" or a magic."""

    exercise: str
    number: int  # among all cells, from 1
    kind: str

    def says(self, place: str = "") -> str:
        """Return the sentence about it, with what to do."""
        where = place or f"cell {self.number} from the top"
        if self.kind.startswith("%%"):
            return f"{self.exercise} stands below {self.kind} ({where}), which keeps Python from it; delete that line"
        return f"{self.exercise} stands in a {self.kind} cell ({where}), which never runs; make it a code cell"


def misplaced(cells: Sequence[Mapping[str, Any]], exercises: Collection[str]) -> list[Misplaced]:
    """Return the exercises that only cells other than Python define; `cells` are those of a notebook's JSON.

    A cell of text counts only if all of it is code, as in a code cell whose type was changed.
    """
    code = "\n".join(source_of(cell) for cell in cells if _is_python(cell))
    found: dict[str, Misplaced] = {}
    for number, cell in enumerate(cells, 1):
        for name in () if _is_python(cell) else _defined(_code(cell)):
            if name in exercises and not re.search(rf"^(?:(?:def|class) {name}\b|{name} *=)", code, re.MULTILINE):
                found[name] = Misplaced(name, number, _kind(cell))
    return list(found.values())


def magic_of(text: str) -> str:
    """Return the magic at the head of a code cell, such as "%%writefile", that keeps it from Python; "" for none."""
    first = text.lstrip().split("\n", 1)[0].split()
    return first[0] if first and first[0].startswith("%%") and first[0] not in PYTHON_MAGICS else ""


def _is_python(cell: Mapping[str, Any]) -> bool:
    return cell.get("cell_type") == "code" and not magic_of(source_of(cell))


def _kind(cell: Mapping[str, Any]) -> str:
    return magic_of(source_of(cell)) or KINDS.get(str(cell.get("cell_type")), "text")


def _code(cell: Mapping[str, Any]) -> str:
    """Return what would be the code of a cell, if it were a code cell."""
    text = source_of(cell).replace("\r\n", "\n")
    if cell.get("cell_type") == "code":
        return text.lstrip().partition("\n")[2]
    fenced = FENCED.fullmatch(text)
    return fenced["code"] if fenced else text


def _defined(code: str) -> Iterator[str]:
    try:
        body = syntax_tree(code).body
    except SyntaxError:
        return
    yield from (node.name for node in body if isinstance(node, DEFINITIONS) and not _is_stub(node))


def _is_stub(node: ast.stmt) -> bool:
    """Return whether a definition is still to do."""
    return any(isinstance(each, ast.Raise) and "NotImplementedError" in ast.dump(each) for each in ast.walk(node))
