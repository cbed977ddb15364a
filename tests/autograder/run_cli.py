"""`attend` in a fork of this process: everything is loaded, and walls may be warm. `forked.python` really starts it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import TextIO

from autograder.__main__ import main
from autograder.commands.common import console
from tests.autograder import forked

Done = subprocess.CompletedProcess[str]
NOTHING: Mapping[str, str] = {}


def attend(*words: object, cwd: Path) -> Done:
    """Return what came of `attend WORDS` in the folder `cwd`, its output as text."""
    if not hasattr(os, "fork"):
        return forked.python("-m", "autograder", *words, cwd=cwd)
    return in_fork(main, "attend", *words, cwd=cwd)


def in_fork(command: Callable[[], object], *words: object, cwd: Path, env: Mapping[str, str] = NOTHING) -> Done:
    """Return what came of a command that reads `sys.argv`; `env` is added to the environment."""
    with tempfile.TemporaryDirectory() as place:
        out, error = (Path(place) / name for name in ("out", "error"))
        with out.open("w", encoding="utf-8") as said, error.open("w", encoding="utf-8") as complained:
            process = begin(command, *words, cwd=cwd, env=env, streams=(said, complained))
        process.join()
        assert process.exitcode is not None
        return subprocess.CompletedProcess(
            list(map(str, words)), process.exitcode, out.read_text("utf-8"), error.read_text("utf-8")
        )


def begin(
    command: Callable[[], object],
    *words: object,
    cwd: Path,
    streams: tuple[TextIO, TextIO],
    env: Mapping[str, str] = NOTHING,
) -> ForkProcess:
    """Start a command in a fork, as in the foreground of a terminal: Ctrl-C reaches it."""
    order = (command, list(map(str, words)), cwd, env, streams)
    process = multiprocessing.get_context("fork").Process(target=_run, args=order)
    process.start()
    return process


def _run(
    command: Callable[[], object], argv: list[str], cwd: Path, env: Mapping[str, str], streams: tuple[TextIO, TextIO]
) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a run in the background has switched off
    for number, (file, before) in enumerate(zip(streams, (sys.stdout, sys.stderr), strict=True), start=1):
        os.dup2(file.fileno(), number)
        os.dup2(file.fileno(), before.fileno())  # which someone may have kept
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
