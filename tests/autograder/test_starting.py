"""What is killed or fails while the sandbox starts is replaced, and the sandbox is what it would have been."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from autograder.calls.records import Call
from autograder.core.errors import SandboxError
from autograder.core.submission import one_chapter
from autograder.sandbox import launch
from autograder.sandbox.control import Walls
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import AT_EASE
from tests.autograder.warm import cold

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has bubblewrap and walls for processes")
PYTHON = [sys.executable, "-s", "-P", "-B", "-c"]
STAGES = {
    "autograder.sandbox.template.receive": "before it hears what to do",
    "autograder.sandbox.template.warm_up": "while it loads torch",
    "autograder.sandbox.walls.unshare": "the process that tries a wall",
    "autograder.sandbox.template.send": "before it says that it is ready",
    "autograder.sandbox.template._spawn_one": "before the first worker",
    "autograder.sandbox.template._notice_of_children": "the supervisor, before its worker",
    "autograder.sandbox.template._last_words": "the supervisor, after its worker",
}
"""Where a process kills itself the first time that it gets there."""
SOME = ("warm_up", "unshare", "_last_words")
DIES_ONCE = """
import importlib, os, signal, socket, sys
from autograder.sandbox import template, walls

owner, _, name = {stage!r}.rpartition(".")
module = importlib.import_module(owner)
real = getattr(module, name)

def dies_once(*words):
    try:
        os.close(os.open({mark!r}, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return real(*words)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(module, name, dies_once)
template.main(socket.socket(fileno=int(sys.argv[1])))
os._exit(0)
"""
FAILS = '#!/bin/sh\n[ $(ls {folder} | wc -l) -ge {times} ] && exec {program} "$@"\nmktemp {folder}/XXXXXX\nexit 1\n'


def answer(template: Template) -> object:
    with SandboxTarget(template, one_chapter("ada", CHAPTER, "def f(x): return x + 1"), AT_EASE) as student:
        return student.observe(CHAPTER, Call("f", (1,))).result


@pytest.fixture(scope="module")
def undisturbed() -> Walls:
    """The walls that a worker has on this machine."""
    started = cold(TOY)
    with Template(TOY, started=started):
        return started.walls


@pytest.mark.parametrize(
    "stage",
    [
        pytest.param(stage, id=says, marks=[pytest.mark.exhaustive] * (not stage.endswith(SOME)))
        for stage, says in STAGES.items()
    ],
)
def test_what_is_killed_at_the_start_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: Walls, stage: str
) -> None:
    mark = tmp_path / "killed"
    monkeypatch.setattr("shutil.which", lambda _: None)
    command = [*PYTHON, DIES_ONCE.format(stage=stage, mark=str(mark))]
    monkeypatch.setattr(launch, "plain_command", lambda: command)
    with Template(TOY, started=cold(TOY)) as template:
        assert answer(template) == 2
        assert template.started.walls == undisturbed
    assert mark.exists()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize(("times", "outer"), [(1, "bwrap"), (2, "bwrap"), (3, "none")])
def test_bubblewrap_is_tried_again_before_it_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, outer: str
) -> None:
    program, failed = tmp_path / "bwrap", tmp_path / "failed"
    failed.mkdir()
    program.write_text(FAILS.format(folder=failed, times=times, program=shutil.which("bwrap")))
    program.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(program))
    with Template(TOY, started=cold(TOY)) as template:
        assert (template.started.outer, answer(template)) == (outer, 2)
    assert len(list(failed.iterdir())) == times


def test_what_never_starts_is_said_after_a_few_tries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = tmp_path / "tries"
    script = f"open({str(tries)!r}, 'a').write('x'); raise SystemExit('no torch here')"
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(launch, "plain_command", lambda: [*PYTHON, script])
    with pytest.raises(
        SandboxError, match=r"the sandbox does not start: python\S* ended with exit status 1: no torch here"
    ):
        cold(TOY)
    assert len(tries.read_text()) == 3
