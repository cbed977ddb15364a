"""How `attend` begins: Ctrl-C before it has done anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.commands.cli import app
from autograder.core.interrupts import SAYS
from autograder.course.course import Course

ROOT = Path(__file__).parents[2]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
MODULE, _, FUNCTION = SCRIPTS["attend"].partition(":")
STOPPED = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
@pytest.mark.parametrize("start", [("-c", f"from {MODULE} import {FUNCTION}; {FUNCTION}()"), ("-m", "autograder")])
def test_ctrl_c_while_it_is_loaded_ends_it_in_one_line(tmp_path: Path, start: tuple[str, str]) -> None:
    (tmp_path / "typer.py").write_text(STOPPED, encoding="utf-8")  # in the place of the first package that is loaded
    place = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))}
    allow = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, *start]
    run = subprocess.run(command, env=place, cwd=tmp_path, preexec_fn=allow, capture_output=True, timeout=600)
    assert (run.returncode, run.stdout, run.stderr) == (130, b"", f"{SAYS}\n".encode())


@pytest.mark.parametrize("command", [["grade", ".", "--out", "o"], ["release", "r"], ["doctor"], ["export", "o", "t"]])
def test_ctrl_c_that_a_command_leaves_to_its_caller_is_told_in_one_line(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Course, "find", stopped)
    monkeypatch.setattr("autograder.platforms.export.undecided", stopped)
    run = CliRunner().invoke(app, command)
    assert (run.exit_code, run.output) == (130, f"{SAYS}\n")
