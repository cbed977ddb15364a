"""`attend warm`: checks run at once in a process that has torch loaded, and otherwise as they always do."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent

import pytest

from autograder.commands.resident import forward, start_stop
from autograder.core.errors import UsageError
from tests.autograder.conftest import TOY
from tests.autograder.forked import python
from tests.autograder.processes import PATIENCE, alive, soon

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs Linux")
SERVES = """
from functools import partial
from autograder.commands.resident import server
from autograder.commands.resident.forward import socket_path
ready = partial(print, "ready", flush=True)
"""
NOBODY = "\nimport os\nprint('the parent is', os.getppid())\n"
DEEP = b"[" * 100_000
SECONDS = re.compile(r"\d+(\.\d+)? m?s\b")


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A folder for the socket, whose path is short enough for one."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder, f"attend-{os.getuid()}").mkdir(mode=0o700)
        yield Path(folder)


@pytest.fixture(scope="module")
def resident(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A resident process that listens."""
    with serving(home, "server.load()\nserver.serve(socket_path(), ready=ready)") as process:
        yield process
        process.kill()


def serving(home: Path, code: str) -> subprocess.Popen[str]:
    """A resident process that runs `code`."""
    env = os.environ | {"XDG_RUNTIME_DIR": str(home)}
    process = subprocess.Popen((sys.executable, "-c", SERVES + code), env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def attend(*words: object, cwd: Path, home: Path | str, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """The status and output of `attend WORDS`, which looks for a resident process in `home`."""
    place = os.environ | {"XDG_RUNTIME_DIR": str(home)} | (env or {})
    done = python("-m", "autograder", *words, cwd=cwd, env=place)
    return done.returncode, SECONDS.sub("N s", done.stdout), done.stderr


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """The toy course with right answers, in its folder `mine`."""
    root = Path(shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__")))
    shutil.copytree(root / "solutions", root / "mine")
    return root


def chapter(toy: Path) -> Path:
    return toy / "mine" / "ch01_toy.py"


CHECK = ("check", "--target", "mine")
COMMANDS = {
    "all right": ("check", "--target", "mine", "--seed", "3"),
    "help": ("check", "--help"),
    "a wrong name": ("check", "nothing"),
    "a wrong option": ("check", "--nothing"),
    "a picture": ("show", "double", "--target", "mine", "--seed", "3"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("columns", ["40", "100"])
def test_a_warm_command_says_and_ends_as_a_cold_one(
    words: tuple[str, ...], columns: str, toy: Path, home: Path, resident: object
) -> None:
    cold, warm = (attend(*words, cwd=toy, home=where, env={"COLUMNS": columns}) for where in ("/nowhere", home))
    assert warm == cold


def test_it_is_the_resident_process_that_runs_what_is_in_the_files_now(
    toy: Path, home: Path, resident: subprocess.Popen[str]
) -> None:
    path = chapter(toy)
    right = path.read_text(encoding="utf-8")
    add(toy, NOBODY)
    assert f"the parent is {resident.pid}" in attend(*CHECK, cwd=toy, home=home)[1]
    assert f"the parent is {resident.pid}" not in attend(*CHECK, "--again", cwd=toy, home="/nowhere")[1]
    path.write_text(right.replace("return", "return None #"), encoding="utf-8")
    assert attend(*CHECK, cwd=toy, home=home)[0] == 1
    path.write_text(right, encoding="utf-8")
    assert attend(*CHECK, cwd=toy, home=home)[0] == 0


def add(toy: Path, lines: str) -> None:
    """Let the chapter end with a class in which `lines` run when the file is loaded."""
    with chapter(toy).open("a", encoding="utf-8") as file:
        file.write("\nclass Loaded:\n" + indent(lines, "    "))


def endless(toy: Path) -> Path:
    """An answer that never ends, in a process that writes its number into a file; the file."""
    number = toy / "number"
    begins = f"import os, pathlib, time\npathlib.Path({str(number)!r}).write_text(str(os.getpid()))\n"
    add(toy, f"{begins}time.sleep(1e6)  # which no limit ends\n")
    return number


@contextmanager
def begun(toy: Path, home: Path) -> Iterator[subprocess.Popen[str]]:
    """A check that was started, until the end."""
    program = (
        sys.executable,
        "-c",
        "import signal\nsignal.signal(2, signal.default_int_handler)\nfrom autograder.__main__ import main\nmain()",
        *CHECK,
    )
    env = os.environ | {"XDG_RUNTIME_DIR": str(home)}
    pipe = subprocess.PIPE
    nothing = subprocess.DEVNULL
    with subprocess.Popen(program, cwd=toy, env=env, stdin=nothing, stdout=pipe, stderr=pipe, text=True) as run:
        try:
            yield run
        finally:
            run.kill()


def test_ctrl_c_stops_the_check_and_tells_where_it_was(toy: Path, home: Path, resident: object) -> None:
    number = endless(toy)
    with begun(toy, home) as run:
        assert soon(lambda: number.is_file() and bool(number.read_text()))
        run.send_signal(signal.SIGINT)
        said, _ = run.communicate(timeout=PATIENCE)
    assert "ch01_toy.py" in said
    assert "exercises that are not listed were not checked" in " ".join(said.split())
    assert run.returncode == 1
    assert soon(lambda: not alive(int(number.read_text())))


def test_a_check_ends_with_the_command_that_asked_for_it(toy: Path, home: Path, resident: object) -> None:
    number = endless(toy)
    with begun(toy, home) as run:
        assert soon(lambda: number.is_file() and bool(number.read_text()))
        run.kill()
        run.communicate(timeout=PATIENCE)
    assert soon(lambda: not alive(int(number.read_text())))


def test_a_check_that_is_lost_is_told(toy: Path, home: Path, resident: object) -> None:
    add(toy, "import os\nos.kill(os.getpid(), 9)\n")
    status, _, complaint = attend(*CHECK, cwd=toy, home=home)
    assert (status, complaint) == (1, f"{forward.LOST}\n")


def test_what_asks_for_nothing_or_hangs_up_does_not_end_it(toy: Path, home: Path, resident: object) -> None:
    (path,) = home.glob("attend-*/*.socket")
    with pytest.raises(RecursionError):
        json.loads(DEEP)
    requests = [b"hello", b"{}", b"5", b"[]", b"null", DEEP, b'{"args": ' + DEEP, b'{"args": 5}', b'{"stop": "no"}']
    requests += [b'{"args": ["check"], "folder": 1}', b'{"args": ["check"], "environment": {"HOME": []}}', b'"\xff"']
    sized = [len(request).to_bytes(4, "big") + request for request in requests]
    for nonsense in (b"", b"\xff\xff\xff\xff", *sized):
        with socket.socket(socket.AF_UNIX) as server:
            server.connect(str(path))
            server.sendall(nonsense)
    assert attend(*CHECK, cwd=toy, home=home)[0] == 0


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for a socket in which this process looks, too."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder, f"attend-{os.getuid()}").mkdir(mode=0o700)
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def test_once_the_engine_has_changed_it_ends_and_the_command_runs_here(other: Path) -> None:
    changes = "stamps = iter('ab')\nserver.stamp = lambda: next(stamps)\nserver.serve(socket_path(), ready=ready)"
    with serving(other, changes) as process:
        assert forward.ask(["check"]) is None
        assert process.wait(PATIENCE) == 0
    assert not [*other.rglob("*.socket")]


def test_one_whose_engine_has_changed_is_replaced(other: Path) -> None:
    changes = "stamps = iter('ab')\nserver.stamp = lambda: next(stamps)\nserver.serve(socket_path(), ready=ready)"
    with serving(other, changes) as process:
        assert start_stop.start().startswith("torch stays loaded until ")
        assert process.wait(PATIENCE) == 0
    assert start_stop.start().startswith("already loaded: ")
    assert start_stop.stop().startswith("stopped; ")


def test_it_ends_when_it_is_not_used(other: Path) -> None:
    with serving(other, "server.serve(socket_path(), 0.01, ready)") as process:
        assert process.wait(PATIENCE) == 0
    assert not [*other.rglob("*.socket")]
    assert forward.ask(["check"]) is None


def test_it_is_started_once_and_stopped(other: Path) -> None:
    assert start_stop.start().startswith("torch stays loaded until ")
    assert start_stop.start().startswith("already loaded: ")
    assert start_stop.stop().startswith("stopped; ")
    assert soon(lambda: not [*other.rglob("*.socket")])
    assert start_stop.stop().startswith("nothing to stop")
    shutil.rmtree(other / f"attend-{os.getuid()}")
    assert start_stop.stop().startswith("nothing to stop")


def test_only_commands_that_load_torch_are_run_there(other: Path) -> None:
    with serving(other, "server.serve(socket_path(), ready=ready)"):
        for words in ([], ["list"], ["grade", "."], ["watch"]):
            assert forward.ask(words) is None
        start_stop.stop()


def test_a_folder_that_others_may_write_to_is_not_used(other: Path) -> None:
    folder = other / f"attend-{os.getuid()}"
    folder.chmod(0o777)
    assert forward.socket_path() is None
    assert forward.ask(["check"]) is None
    with pytest.raises(UsageError, match="not yours alone"):
        start_stop.start()
    shutil.rmtree(folder)
    folder.symlink_to("/nowhere")
    assert forward.socket_path() is None


def test_elsewhere_it_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert forward.ask(["check"]) is None
    with pytest.raises(UsageError, match="attend watch"):
        start_stop.start()
