"""What a student types needs nothing that only Linux has, and no locale in UTF-8."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

import pytest

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.student import start
from autograder.student.notebook import magics
from tests.autograder.forked import Interpreter, attend, python

COURSE = Path(__file__).resolve().parents[2]
AS_ELSEWHERE = """
import builtins, contextlib, importlib, os, pkgutil, signal, socket, sys, warnings

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
GONE = {
    os: "chown fork forkpty getpgid killpg mkfifo pipe2 register_at_fork "
        "sched_getaffinity sched_setaffinity setsid uname wait4",
    signal: "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 SIGXCPU alarm pthread_sigmask setitimer sigwait",
    socket: "AF_UNIX",
}
imported = builtins.__import__

def without(name, names=None, *rest, **more):
    if (names or {}).get("__name__", "").partition(".")[0] in ("autograder", "reference") and name in MODULES:
        raise ModuleNotFoundError(f"{names['__name__']} imports {name}")
    return imported(name, names, *rest, **more)

for known in ("asyncio", "multiprocessing", "numpy", "platformdirs", "pytest", "torch", "watchfiles"):
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module(known)  # they know the system themselves
warnings.filterwarnings("error", category=EncodingWarning, module="autograder|reference")
for home, names in GONE.items():
    for name in names.split():
        if hasattr(home, name):
            delattr(home, name)
builtins.__import__ = without
"""
EVERY_MODULE = f"""{AS_ELSEWHERE}
import autograder.student
for found in pkgutil.walk_packages(autograder.student.__path__, "autograder.student."):
    importlib.import_module(found.name)
from autograder.commands import cli, student
from autograder.judging import judge
print("all of them")
"""
PLAIN = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "COLUMNS": "40"}
OPTIONS = ("-X", "warn_default_encoding", "-W", "ignore::EncodingWarning")
INTERPRETER = Interpreter(OPTIONS, tuple(PLAIN.items()), encoding="cp1252")


COMMANDS = {
    (): "next",
    ("list",): "softmax",
    ("check", "softmax", "dot_scores"): "points",
    ("hint", "SelfAttention"): "1",
    ("show", "softmax"): "softmax",
    ("explain", "softmax"): "softmax",
    ("sync",): "",
    ("update",): "the installed course",
    ("train",): "shakespeare",
    ("sample",): "shakespeare",
}
"""What a student types, and a word of what is printed."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("elsewhere") / "my cöpy"
    attend(["start", str(place)], cwd=COURSE, before=AS_ELSEWHERE, interpreter=INTERPRETER)
    answers = (COURSE / "solutions" / "ch03_attention.py").read_text(encoding="utf-8")
    wrong = answers.replace("/ math.sqrt(q.shape[-1])", "/ q.shape[-1]")
    (place / "exercises" / "ch03_attention.py").write_text(wrong, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def said(copy: Path) -> Mapping[tuple[str, ...], str]:
    return attend(*COMMANDS, cwd=copy, before=AS_ELSEWHERE, interpreter=INTERPRETER)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_runs_without_what_only_linux_has(
    said: Mapping[tuple[str, ...], str], words: tuple[str, ...]
) -> None:
    assert COMMANDS[words] in " ".join(said[words].split())


def test_no_module_on_a_students_path_imports_what_only_linux_has(copy: Path) -> None:
    done = python("-c", EVERY_MODULE, cwd=copy, interpreter=INTERPRETER)
    assert "all of them" in done.stdout, done.stderr


@pytest.mark.parametrize(("busy", "written"), [(2, True), (3, False)])
def test_a_file_that_a_program_holds_for_a_moment_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: int, written: bool
) -> None:
    held = iter([PermissionError(13, "in use")] * busy)

    def replace(part: Path, path: Path) -> None:
        for error in held:
            raise error
        part.rename(path)

    monkeypatch.setattr(files.os, "replace", replace)
    monkeypatch.setattr(files, "TRIES", 3)  # as on Windows
    monkeypatch.setattr(files, "WAIT_SECONDS", 0)
    with nullcontext() if written else pytest.raises(UsageError, match=r"answer\.py cannot be written \(in use\)"):
        files.write(tmp_path / "answer.py", "x = 1\n")
    assert [path.name for path in tmp_path.iterdir()] == ["answer.py"] * written


@pytest.mark.parametrize(
    ("path", "windows", "typed"),
    [
        (r"C:\Users\ada l\my-attend", True, r'"C:\Users\ada l\my-attend"'),
        ("/home/ada l/my-attend", False, "'/home/ada l/my-attend'"),
    ],
)
def test_a_path_is_shown_as_one_types_it_there(
    monkeypatch: pytest.MonkeyPatch, path: str, windows: bool, typed: str
) -> None:
    monkeypatch.setattr(start, "IS_WINDOWS", windows)
    assert start.quoted(path) == typed


def test_a_path_of_windows_in_a_magic_keeps_its_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(magics, "ESCAPE", "")  # as there
    assert magics.words_of(r"sentiment --data C:\data\imdb") == ["sentiment", "--data", r"C:\data\imdb"]
    monkeypatch.undo()
    assert magics.words_of(r"shakespeare 'To be' # or\ not") == ["shakespeare", "To be", "#", "or not"]
    with pytest.raises(ValueError, match="quotation"):
        magics.words_of("shakespeare 'To be")
