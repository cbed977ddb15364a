"""Run Python programs as `python` would, each in a fork of a process that has torch loaded: its start takes no seconds.

Nothing of Attend is loaded in that process. Tests that are about the start itself use `subprocess`.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any


def python(*words: object, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Return what came of `python WORDS`: `-m NAME`, `-c CODE` or a file, and arguments; `-P` may stand before them."""
    command, environment = list(map(str, words)), dict(os.environ if env is None else env)
    if not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, *command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
    with tempfile.TemporaryDirectory() as place:
        out, error = (Path(place) / name for name in ("out", "error"))
        order = {"words": command, "cwd": str(cwd), "environment": environment, "files": [str(out), str(error)]}
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(command, status, out.read_text("utf-8"), error.read_text("utf-8"))


@cache
def _server() -> subprocess.Popen[str]:
    """The process that is forked; it ends with this one."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-P", __file__]
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
    atexit.register(server.communicate)
    return server


def _serve() -> dict[str, Any] | None:
    """Answer each order with an exit status. In a fork, return the order; at the end, None."""
    for name in ("torch", "numpy", "einops", "pytest", "typer", "rich.console", "rich.progress"):
        __import__(name)
    while order := sys.stdin.readline():
        process = os.fork()
        if process == 0:
            return dict(json.loads(order))
        _, status = os.waitpid(process, 0)
        os.write(1, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    return None


def _become(words: list[str], cwd: str, environment: dict[str, str], files: list[str]) -> None:
    """Be the process that `python WORDS` starts, and run the program."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate([os.devnull, *files]):
        opened = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    safe = words[0] == "-P"
    kind, *arguments = words[safe:]
    paths = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:0] = paths if safe else [os.getcwd() if kind in ("-c", "-m") else os.path.dirname(kind), *paths]
    if kind == "-m":
        sys.argv = arguments
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv = ["-c", *arguments[1:]]
        sys.modules["__main__"] = main = ModuleType("__main__")
        exec(compile(arguments[0], "<string>", "exec"), vars(main))
    else:
        sys.argv = [kind, *arguments]
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    order = _serve()
    if order is not None:
        _become(**order)
