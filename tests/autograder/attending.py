"""`attend` in a fork of this process: everything is loaded, and walls may be warm. `forked.python` really starts it."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

from autograder.__main__ import main
from autograder.commands.common import console
from tests.autograder import forked

Done = subprocess.CompletedProcess[str]


def attend(*words: object, cwd: Path) -> Done:
    """Return what came of `attend WORDS` in the folder `cwd`, its output as text."""
    if not hasattr(os, "fork"):
        return forked.python("-m", "autograder", *words, cwd=cwd)
    return in_fork(main, "attend", *words, cwd=cwd)


def in_fork(command: Callable[[], object], *words: object, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Return what came of a command that reads `sys.argv`; `env` is added to the environment."""
    with tempfile.TemporaryDirectory() as place:
        out, error = (Path(place) / name for name in ("out", "error"))
        argv = list(map(str, words))
        order = (command, argv, cwd, env or {}, out, error)
        process = multiprocessing.get_context("fork").Process(target=_run, args=order)
        process.start()
        process.join()
        assert process.exitcode is not None
        return subprocess.CompletedProcess(argv, process.exitcode, out.read_text("utf-8"), error.read_text("utf-8"))


def _run(
    command: Callable[[], object], argv: list[str], cwd: Path, env: Mapping[str, str], out: Path, error: Path
) -> None:
    streams = out.open("w", encoding="utf-8"), error.open("w", encoding="utf-8")
    for number, (file, before) in enumerate(zip(streams, (sys.stdout, sys.stderr), strict=True), start=1):
        os.dup2(file.fileno(), number)
        os.dup2(file.fileno(), before.fileno())  # which somebody may have kept
    (sys.stdout, sys.stderr), (sys.__stdout__, sys.__stderr__) = streams, streams
    for name in [name for name in sys.modules if name.partition(".")[0] == "reference" or name.startswith("test_ch")]:
        del sys.modules[name]  # of whichever course was loaded here
    warnings.resetwarnings()
    os.chdir(cwd)
    os.environ.update(env)
    if "COLUMNS" in env:
        console.width = int(env["COLUMNS"])  # which it has read already where another test has loaded it
    sys.path.insert(0, str(cwd))
    sys.argv = argv
    command()
