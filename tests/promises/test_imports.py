"""The import arrows: exercises -> reference.blocks; reference -> torch, numpy; nothing imports solutions.

The capstones alone are told to the engine in its own words.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALLOWED = {
    "exercises": {"torch", "numpy", "reference.blocks"},
    "solutions": {"torch", "numpy", "reference.blocks"},
    "reference": {"torch", "numpy", "reference"},
    "reference/capstones": {"torch", "reference.blocks", "reference.capstones", "autograder.student.capstones"},
}
FORBIDDEN_TO_ENGINE = ("solutions", "exercises", "tests")


def imports(path: Path) -> set[str]:
    """The modules that a file imports, standard library left out."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module if node.module != "reference" else f"reference.{node.names[0].name}"}
    return {name for name in found if name.split(".")[0] not in sys.stdlib_module_names}


def within(name: str, allowed: set[str]) -> bool:
    return any(name == good or name.startswith(f"{good}.") for good in allowed)


@pytest.mark.parametrize(
    "path",
    sorted({path for folder in ALLOWED for path in (ROOT / folder).rglob("*.py")}),
    ids=lambda path: path.stem,
)
def test_course_files_import_only_what_their_folder_may(path: Path) -> None:
    folders = [folder for folder in ALLOWED if path.is_relative_to(ROOT / folder)]
    allowed = ALLOWED[max(folders, key=len)]
    assert [name for name in imports(path) if not within(name, allowed)] == []


@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / "autograder").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]),
    ids=lambda path: path.stem,
)
def test_the_engine_imports_no_chapter_and_no_solution(path: Path) -> None:
    assert [name for name in imports(path) if name.split(".")[0] in (*FORBIDDEN_TO_ENGINE, "reference")] == []
