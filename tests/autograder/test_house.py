"""The engine's packages import each other in one order, which pyproject.toml writes down."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]


def test_no_package_imports_one_above_it(capsys: pytest.CaptureFixture[str]) -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_every_package_has_its_place_in_the_order() -> None:
    engine = ROOT / "autograder"
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (order,) = [each["layers"] for each in settings["contracts"] if each["type"] == "layers"]
    assert sorted(order) == sorted(path.parent.name for path in engine.glob("*/__init__.py"))
    assert {path.name for path in engine.glob("*.py")} == {"__init__.py", "__main__.py"}
