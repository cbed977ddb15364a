"""However a worker ends, the judge is told the truth: what the walls or the machine do is never the student's act."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import msgspec
import pytest

from autograder.calls.records import Call
from autograder.commands.traces import descendants
from autograder.core.errors import CheckFailed
from autograder.core.submission import one_chapter
from autograder.sandbox import handles, launch, template, wire
from autograder.sandbox.handles import GraderFaultError, SandboxLostError, Template, Worker
from autograder.sandbox.nodes import ProtocolError
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import AT_EASE, PATIENCE
from tests.autograder.warm import cold

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found and stopped as Linux does it"),
]
GOOD = "import os, signal, time\ndef good(x): return x + 1\n"
BROKEN_WALL = """
import os, socket, sys
from autograder.sandbox import template, walls
def broken(*_, **__): raise OSError(95, 'no such wall')
walls.limit = broken
template.main(socket.socket(fileno=int(sys.argv[1])))
os._exit(0)
"""


@pytest.fixture(scope="module")
def walled() -> Iterator[Template]:
    with Template(TOY) as made:
        yield made


def target(template: Template, text: str = "") -> SandboxTarget:
    return SandboxTarget(template, one_chapter("ada", CHAPTER, GOOD + text), AT_EASE)


def ask(student: SandboxTarget, name: str = "f") -> object:
    return student.observe(CHAPTER, Call(name, (1,))).result


def lost(student: SandboxTarget) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        ask(student)
    return caught.value


def started(template: Template, start: Callable[[], object]) -> tuple[int, int]:
    """The supervisor and the worker that are there once `start` has been called."""
    before = descendants(template.started.process.pid)
    start()
    fresh = descendants(template.started.process.pid) - before
    (worker,) = {below for each in fresh for below in descendants(each)}
    (supervisor,) = fresh - {worker}
    return supervisor, worker


def test_a_wall_that_fails_is_told_with_its_error_and_no_code_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(launch, "plain_command", lambda: [sys.executable, "-s", "-P", "-B", "-c", BROKEN_WALL])
    says = r"could not be put up \(OSError: \[Errno 95\] no such wall\); run `attend doctor`"
    with Template(TOY, started=cold(TOY)) as made, target(made) as student, pytest.raises(GraderFaultError, match=says):
        ask(student, "good")


def test_a_worker_cannot_say_that_a_wall_failed() -> None:
    with pytest.raises(ProtocolError):
        wire.decode_reply(msgspec.msgpack.encode({"type": "fault", "message": "no wall"}), b"")


def test_a_worker_has_no_file_but_its_channel(walled: Template) -> None:
    text = "import contextlib\ndef f(x):\n found = []\n for n in range(64):\n"
    text += "  with contextlib.suppress(OSError): os.fstat(n); found.append(n)\n return found\n"
    with target(walled, text) as student:
        found = ask(student)
    assert isinstance(found, list)
    assert (found[:3], len(found)) == ([0, 1, 2], 4)


@pytest.mark.skipif(os.getuid() == 0, reason="all that belongs to root is closed to its workers")
def test_the_memory_of_what_watches_a_worker_is_closed_to_its_own_user(walled: Template) -> None:
    open(f"/proc/{os.getpid()}/mem", "rb").close()
    with target(walled) as student:
        for process in started(walled, lambda: ask(student, "good")):
            with pytest.raises(PermissionError):
                open(f"/proc/{process}/mem", "rb").close()


@pytest.mark.parametrize("code", [0, 1, 70, 137, 255])
def test_an_exit_is_told_with_its_status_whatever_that_is(walled: Template, code: int) -> None:
    with target(walled, f"def f(x): os._exit({code})") as student:
        failed = lost(student)
    assert (failed.status, f"by itself with exit status {code}" in failed.message.text) == ("crash", True)


CLOSES = {
    "closing it": "os.close(channel())",
    "putting a pipe in its place": "os.dup2(os.pipe()[1], channel())",
    "closing it, to exit later": "os.close(channel()); time.sleep(3); os._exit(0)",
}
CHANNEL = """
import contextlib, socket, stat
def channel():
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode): return number
def f(x):
    """


@pytest.mark.parametrize("way", CLOSES)
def test_a_channel_that_is_closed_is_told_as_such(walled: Template, way: str) -> None:
    with target(walled, CHANNEL + CLOSES[way]) as student:
        failed = lost(student)
        assert (failed.status, "ended its conversation" in failed.message.text) == ("crash", True), failed.message.text
        assert ask(student, "good") == 2


def test_a_channel_cannot_be_half_closed_behind_the_filter_of_calls(walled: Template) -> None:
    if not walled.started.walls.seccomp:
        pytest.skip("there is no seccomp on this machine")
    with target(walled, CHANNEL + "socket.socket(fileno=channel()).shutdown(2)") as student:
        assert lost(student).status == "blocked"


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_is_killed_or_stopped_from_outside_is_replaced(walled: Template, sign: int) -> None:
    with target(walled) as student:
        _, worker = started(walled, lambda: ask(student, "good"))
        os.kill(worker, sign)
        assert ask(student, "good") == 2


def test_a_worker_that_is_stopped_again_and_again_is_no_fault_of_the_student(
    walled: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Worker._send
    with target(walled) as student:

        def stopping(worker: Worker, data: bytes, deadline: float) -> None:
            os.kill(max(descendants(walled.started.process.pid) - before), signal.SIGSTOP)
            send(worker, data, deadline)

        before = descendants(walled.started.process.pid)
        monkeypatch.setattr(Worker, "_send", stopping)
        with pytest.raises(GraderFaultError, match="was stopped twice by a signal from outside"):
            ask(student, "good")


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_a_supervisor_that_is_killed_or_stopped_costs_the_student_nothing(
    walled: Template, monkeypatch: pytest.MonkeyPatch, sign: int
) -> None:
    words = Worker._last_words
    with target(walled, "def f(x): os._exit(3)") as student:
        supervisor, worker = started(walled, lambda: ask(student, "good"))
        os.kill(supervisor, sign)
        with suppress(ProcessLookupError):  # it may have ended with its supervisor
            os.kill(worker, signal.SIGKILL)

        def unheard(each: Worker, seconds: float) -> bytes:
            return words(each, seconds if each is not watched else 0.01)

        watched = student._workers[CHAPTER]
        monkeypatch.setattr(Worker, "_last_words", unheard)
        assert ask(student, "good") == 2
        assert "exit status 3" in lost(student).message.text
    if sign == signal.SIGSTOP:
        os.kill(supervisor, signal.SIGCONT)


def test_a_template_that_is_stopped_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handles, "_READY_SECONDS", 0.1)
    restart = Template._restart

    def patiently(made: Template) -> None:
        monkeypatch.setattr(handles, "_GRACE_SECONDS", 0.1)
        restart(made)
        monkeypatch.setattr(handles, "_GRACE_SECONDS", PATIENCE)
        monkeypatch.setattr(handles, "_READY_SECONDS", PATIENCE)

    monkeypatch.setattr(Template, "_restart", patiently)
    with Template(TOY, started=cold(TOY)) as made, target(made) as student:
        below = descendants(made.started.process.pid) | {made.started.process.pid}
        for process in below:
            os.kill(process, signal.SIGSTOP)
        assert ask(student, "good") == 2


def test_a_supervisor_that_vanishes_again_and_again_ends_the_run(
    walled: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = Worker.wait_until_ready

    def vanished(worker: Worker) -> None:
        wait(worker)
        raise EOFError

    monkeypatch.setattr(Worker, "wait_until_ready", vanished)
    with target(walled) as student, pytest.raises(SandboxLostError, match="vanished twice"):
        ask(student, "good")


def test_the_end_of_processor_time_is_told_as_that_though_the_kernel_kills(walled: Template) -> None:
    text = "def f(x):\n    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n    while True: pass\n"
    submission = one_chapter("ada", CHAPTER, GOOD + text)
    with SandboxTarget(walled, submission, replace(AT_EASE, budget_seconds=1)) as student:
        _, worker = started(walled, lambda: ask(student, "good"))
        resource.prlimit(worker, resource.RLIMIT_CPU, (1, 1))
        student._budget.seconds = PATIENCE
        failed = lost(student)
    assert (failed.status, "used up the processor time" in failed.message.text) == ("timeout", True)


@pytest.mark.parametrize(
    ("code", "is_stopped", "is_spent", "says"),
    [
        (0, False, False, b"E\x00"),
        (3, False, True, b"E\x03"),
        (-signal.SIGSEGV, False, True, b"K\x0b"),
        (-signal.SIGKILL, False, False, b"K\x09"),
        (-signal.SIGKILL, False, True, b"K" + bytes([signal.SIGXCPU])),
        (-signal.SIGKILL, True, True, b"K" + bytes([signal.SIGSTOP])),
    ],
)
def test_a_supervisor_tells_one_kill_from_another(code: int, is_stopped: bool, is_spent: bool, says: bytes) -> None:
    assert template._ending(code, is_stopped, is_spent) == says
