"""The picture of the engine's packages in CONTRIBUTING.md is that of its imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Arrows = Mapping[str, set[str]]
DIAMOND: Arrows = {"a": {"b", "c", "d"}, "b": {"d"}, "c": {"d"}, "d": set()}


def imported() -> Arrows:
    """The packages that each package of the engine imports, inside functions as well."""
    packages = {path.parent.name for path in (ROOT / "autograder").glob("*/__init__.py")}
    found: dict[str, set[str]] = {name: set() for name in packages}
    for name in packages:
        for path in (ROOT / "autograder" / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                home = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
                names = [f"{home}{each.name}" for each in getattr(node, "names", ()) if isinstance(each, ast.alias)]
                parts = [each.split(".") for each in names]
                found[name] |= {each[1] for each in parts if each[0] == "autograder" and len(each) > 1}
    return {name: others & packages - {name} for name, others in found.items()}


def without_detours(arrows: Arrows) -> set[tuple[str, str]]:
    """The arrows that no chain of others stands for."""
    reached: dict[str, set[str]] = {}
    for name in TopologicalSorter(arrows).static_order():
        reached[name] = set(arrows[name]).union(*(reached[each] for each in arrows[name]))
    return {
        (name, each)
        for name, others in arrows.items()
        for each in others
        if not any(each in reached[other] for other in others)
    }


def drawn(text: str) -> set[tuple[str, str]]:
    """The arrows of a picture."""
    return set(re.findall(r"^ +(\w+) --> (\w+)$", text, re.MULTILINE))


def test_the_picture_has_the_arrows_of_the_imports_and_no_others() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert drawn(text) == without_detours(imported())
    assert set(re.findall(r"^ +(\w+)\[", text, re.MULTILINE)) == imported().keys()


def test_what_a_chain_stands_for_is_not_drawn() -> None:
    assert without_detours(DIAMOND) == {("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")}


@pytest.mark.parametrize("arrow", ["core --> suite", "commands --> core"])
def test_an_arrow_that_is_not_there_would_be_noticed(arrow: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert drawn(f"{text}\n    {arrow}\n") != without_detours(imported())
