"""The threat model claims what a named test shows: each claim names its tests, and each of them exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "threat-model.md"
CLAIM = re.compile(r"^\| (?P<claim>[^|*]+) \| (?P<shown>.*) \|$", re.MULTILINE)
SHOWN = re.compile(r"\[(?P<file>\w+)\]\((?P<path>[^)]+)\): (?P<tests>`\w+`(?:, `\w+`)*)")


def unshown(page: str) -> list[str]:
    """The claims of a page that name no test, and the tests that do not exist."""
    rows = [row for row in CLAIM.finditer(page.partition("## Claims")[2]) if row["claim"] != "claim"]
    found = [f"{row['claim']} names no test" for row in rows if not SHOWN.search(row["shown"])]
    assert len(rows) > 20
    for each in (each for row in rows for each in SHOWN.finditer(row["shown"])):
        path = PAGE.parent / each["path"]
        there = _tests_of(path) if path.is_file() else set()
        found += [f"{path.name} has no {test}" for test in re.findall(r"\w+", each["tests"]) if test not in there]
    return found


def _tests_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_each_claim_names_tests_that_exist() -> None:
    assert unshown(PAGE.read_text(encoding="utf-8")) == []


def test_a_claim_without_a_test_and_a_test_that_does_not_exist_would_be_noticed() -> None:
    page = PAGE.read_text(encoding="utf-8")
    (first, *_) = SHOWN.finditer(page)
    assert unshown(page.replace(first["tests"], "`test_of_nothing`", 1)) == [
        f"{first['file']}.py has no test_of_nothing"
    ]
    assert unshown(page.replace(first[0], "we believe so", 1)) == [
        "Every act that the doctor tries is refused inside a worker, and succeeds outside names no test"
    ]
