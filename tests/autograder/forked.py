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
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import IO


@dataclass(frozen=True)
class Interpreter:
    """How Python is started: its options, what it finds in the environment besides, and how it then writes."""

    options: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    encoding: str = "utf-8"


USUAL = Interpreter()
MARK = "\f"
COMMANDS = f"""
import json, os, sys
from autograder.__main__ import main
for words in json.loads(sys.argv[1]):
    print({MARK!r}, flush=True)
    sys.argv = ["attend", *(os.fsdecode(word.encode()) for word in words)]
    try:
        main()
    except SystemExit as end:
        assert end.code in (None, 0, 1), (words, end.code)
"""


def python(
    *words: object, cwd: Path, env: Mapping[str, str] | None = None, interpreter: Interpreter = USUAL
) -> subprocess.CompletedProcess[str]:
    """Return what came of `python WORDS`: `-m NAME`, `-c CODE` or a file, and arguments; `-P` may stand before them."""
    command = list(map(str, words))
    environment = dict(os.environ if env is None else env) | dict(interpreter.environment)
    if not hasattr(os, "fork"):
        program, encoding = [sys.executable, *interpreter.options, *command], interpreter.encoding
        return subprocess.run(program, cwd=cwd, env=environment, capture_output=True, encoding=encoding, check=False)
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place) / name for name in ("out", "error")]
        _, status = begin(command, cwd, environment, files, interpreter)
        done = int(status.readline())
        out, error = (file.read_text(interpreter.encoding) for file in files)
        return subprocess.CompletedProcess(command, done, out, error)


def begin(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str], files: Sequence[Path], interpreter: Interpreter
) -> tuple[int, IO[bytes]]:
    """Start `python COMMAND`, which writes to two files; its process, and where its exit status can be read."""
    order = [_bytes(command), _bytes([cwd]), _bytes([f"{n}={v}" for n, v in environment.items()]), _bytes(files)]
    server = ready(interpreter)
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(order).encode() + b"\n")
    return int(server.stdout.readline()), server.stdout


def attend(
    *commands: Sequence[str], cwd: Path, before: str = "", interpreter: Interpreter = USUAL
) -> dict[tuple[str, ...], str]:
    """Return what each command of Attend prints, all in one process that runs the code `before` first."""
    done = python("-c", before + COMMANDS, json.dumps(commands), cwd=cwd, interpreter=interpreter)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr
    _, *said = done.stdout.split(MARK)
    return dict(zip(map(tuple, commands), said, strict=True))


@cache
def ready(interpreter: Interpreter) -> subprocess.Popen[bytes]:
    """The process that is forked; it ends with this one, whose forks may use it too."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, *interpreter.options, "-P", __file__]
    started = environment | dict(interpreter.environment)
    server = subprocess.Popen(command, env=started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    atexit.register(server.communicate)
    return server


def _bytes(words: Sequence[str | Path]) -> list[str]:
    """Bytes, which each process reads in its own encoding, as JSON can hold them."""
    return [os.fsencode(word).decode("latin-1") for word in words]


def _serve() -> list[list[str]] | None:
    """Answer each order with a process and its exit status. In a fork, return the order; at the end, None."""
    for name in ("torch", "numpy", "einops", "pytest", "typer", "rich.console", "rich.progress", "ipykernel.kernelapp"):
        __import__(name)
    while order := sys.stdin.readline():
        process = os.fork()
        if process == 0:
            return [[os.fsdecode(word.encode("latin-1")) for word in part] for part in json.loads(order)]
        os.write(1, f"{process}\n".encode())
        _, status = os.waitpid(process, 0)
        os.write(1, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    return None


def _become(words: list[str], places: list[str], environment: list[str], files: list[str]) -> None:
    """Be the process that `python WORDS` starts, and run the program."""
    os.chdir(places[0])
    os.environ.clear()
    os.environ.update(each.split("=", 1) for each in environment)
    for number, file in enumerate([os.devnull, *files]):
        opened = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    safe = words[0] == "-P"
    kind, *arguments = words[safe:]
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
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


def _end(program: Callable[[], object]) -> None:
    """Run a program and end as it does, but take nothing apart: torch in pieces takes half a second."""
    try:
        program()
        status = 0
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        status = end.code or 0
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    order = _serve()
    if order is not None:
        _end(partial(_become, *order))
    os._exit(0)
