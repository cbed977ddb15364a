"""Whichever part of the engine is loaded first, the others follow: no two wait for each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import autograder
from tests.autograder.forked import python

PACKAGE = Path(autograder.__file__).parent
NAMES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if path.stem not in ("__init__", "__main__")
)
FIRST = """
import importlib, sys
for name in sys.argv[1:]:
    for known in [each for each in sys.modules if each.split(".")[0] in ("autograder", "one", "two")]:
        del sys.modules[known]
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(name, error)
"""


def troubles(names: list[str], folder: Path) -> str:
    """What cannot be loaded before everything else, each as if it were the first; torch is loaded once."""
    done = python("-c", FIRST, *names, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.exhaustive)], ids=["some", "every one"])
def test_every_part_of_the_engine_can_be_the_first(step: int) -> None:
    assert len(NAMES) > 150
    assert troubles(NAMES[::step], PACKAGE.parent) == ""


def test_two_that_wait_for_each_other_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("import two\nx = 1\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("from one import x\n", encoding="utf-8")
    assert "cannot import name 'x'" in troubles(["one"], tmp_path)
    assert troubles(["two"], tmp_path) == ""
