"""How `attend` begins: Ctrl-C while it is being loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
MODULE, _, FUNCTION = SCRIPTS["attend"].partition(":")
STOPPED = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
@pytest.mark.parametrize("start", [("-c", f"from {MODULE} import {FUNCTION}; {FUNCTION}()"), ("-m", "autograder")])
def test_ctrl_c_while_it_is_loaded_ends_it_without_a_word(tmp_path: Path, start: tuple[str, str]) -> None:
    (tmp_path / "typer.py").write_text(STOPPED, encoding="utf-8")  # in the place of the first package that is loaded
    place = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT)))}
    allow = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, *start]
    run = subprocess.run(command, env=place, cwd=tmp_path, preexec_fn=allow, capture_output=True, timeout=600)
    assert run.returncode in (130, -signal.SIGINT)  # a shell tells both as 130
    assert (run.stdout, run.stderr) == (b"", b"")
