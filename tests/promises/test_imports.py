"""The import arrows: exercises -> reference.blocks; reference -> torch, numpy; nothing imports solutions.

The capstones alone are told to the engine in its own words. Known mistakes are imported only where one is needed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from autograder.student.start import start
from tests.autograder import forked
from tests.promises.world import COURSE

ROOT = Path(__file__).parents[2]
ALLOWED = {
    "exercises": {"torch", "numpy", "reference.blocks"},
    "solutions": {"torch", "numpy", "reference.blocks"},
    "reference": {"torch", "numpy", "reference"},
    "reference/blocks": {"torch", "numpy", "reference", "autograder.student.mine"},
    "reference/capstones": {"torch", "reference.blocks", "reference.capstones", "autograder.student.capstones"},
}
FORBIDDEN_TO_ENGINE = ("solutions", "exercises", "tests", "reference")
LOADED = """
import sys
known = [name.split(".")[2] for name in sys.modules if name.startswith("reference.misconceptions.")]
print("loaded", *dict.fromkeys(known))
"""
CHECK = f"""
import sys
from autograder.__main__ import main
sys.argv = ["attend", "check", "causal_mask"]
try:
    main()
except SystemExit:
    pass
{LOADED}
"""
GRADE = f"""
from autograder.course.course import Course
from autograder.judging.wall import load
load(Course.installed(), ["ch04_masking"])
{LOADED}
"""


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


def found(paths: Iterable[Path], is_allowed: Callable[[Path, str], bool]) -> dict[str, list[str]]:
    """By file, what it imports and may not."""
    refused = {path: [name for name in imports(path) if not is_allowed(path, name)] for path in {*paths}}
    return {str(path.relative_to(ROOT)): names for path, names in refused.items() if names}


def test_course_files_import_only_what_their_folder_may() -> None:
    def is_allowed(path: Path, name: str) -> bool:
        folders = [folder for folder in ALLOWED if path.is_relative_to(ROOT / folder)]
        return within(name, ALLOWED[max(folders, key=len)])

    assert found((path for folder in ALLOWED for path in (ROOT / folder).rglob("*.py")), is_allowed) == {}


def test_the_engine_imports_no_chapter_and_no_solution() -> None:
    paths = (path for folder in ("autograder", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
    assert found(paths, lambda _, name: name.split(".")[0] not in FORBIDDEN_TO_ENGINE) == {}


@pytest.mark.parametrize(("sign", "loaded"), [("", ""), ("~", "ch04_masking")])
def test_a_check_loads_known_mistakes_where_it_fails_and_only_those_of_its_chapter(
    tmp_path: Path, sign: str, loaded: str
) -> None:
    start(COURSE, tmp_path / "mine")
    body = f"return {sign}torch.ones(length, past + length, dtype=torch.bool).tril(past)"
    answer = f"import torch\n\n\ndef causal_mask(length, past=0):\n    {body}\n"
    (tmp_path / "mine" / "exercises" / "ch04_masking.py").write_text(answer, encoding="utf-8")
    run = forked.python("-c", CHECK, cwd=tmp_path / "mine")
    assert run.stdout.split("loaded")[-1].strip() == loaded, run.stdout + run.stderr


def test_judges_load_the_known_mistakes_of_the_chapters_that_are_graded(tmp_path: Path) -> None:
    run = forked.python("-c", GRADE, cwd=tmp_path)
    assert run.stdout.split("loaded")[-1].strip() == "ch04_masking", run.stderr
