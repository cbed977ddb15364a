"""A chapter handed in as several modules, such as one for each exercise: put together as text, and never run."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.source.text import segment, syntax_tree


@dataclass(frozen=True)
class Part:
    """One module: its path, its stem as Python imports it, its text, and whether that compiles."""

    name: str
    stem: str
    text: str
    compiles: bool = True


def joined(parts: Sequence[Part]) -> str:
    """Return one module of those that compile; `__future__` comes first, imports of each other are left out."""
    stems = {part.stem for part in parts}
    futures, blocks = dict[str, None](), list[str]()
    for part in parts:
        if part.compiles:
            rest, own = _apart(part.text, stems)
            futures |= dict.fromkeys(own)
            blocks.append(f"# {part.name}\n{rest.rstrip()}\n")
    return "".join(f"{line}\n" for line in futures) + "\n\n".join(blocks)


def _apart(text: str, stems: set[str]) -> tuple[str, list[str]]:
    """Return a module without imports of `__future__` and `stems`, and the former."""
    lines, futures = text.split("\n"), list[str]()
    for node in syntax_tree(text).body:
        if not isinstance(node, ast.ImportFrom) or not _is_between(node, stems):
            continue
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        own = segment(node, lines)
        if "\n".join(lines[first:last]).partition("#")[0].strip() == own:
            futures += [own] if node.module == "__future__" else []
            lines[first:last] = [""] * (last - first)
    return "\n".join(lines), futures


def _is_between(node: ast.ImportFrom, stems: set[str]) -> bool:
    if node.module == "__future__":
        return True
    is_renamed = any(alias.asname not in (None, alias.name) for alias in node.names)
    return (node.module or "").rpartition(".")[2] in stems and not is_renamed


def conflicts(parts: Sequence[Part]) -> list[str]:
    """Return the names that two modules define differently, so that they cannot stand in one."""
    found: dict[str, str] = {}
    clashing = dict[str, None]()
    for part in parts:
        for name, tree in _definitions(part).items():
            if found.setdefault(name, tree) != tree:
                clashing[name] = None
    return list(clashing)


def _definitions(part: Part) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for node in syntax_tree(part.text).body if part.compiles else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = ast.dump(node)
        elif isinstance(node, ast.Assign):
            found |= {each.id: ast.dump(node.value) for each in node.targets if isinstance(each, ast.Name)}
    return found
