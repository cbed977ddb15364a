"""What an answer leaves armed reaches its worker in a call, and not between two calls."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from autograder.calls.records import Call
from autograder.core.errors import CheckFailed
from autograder.core.submission import one_chapter
from autograder.sandbox.handles import Ending, Template
from autograder.sandbox.messages import ended
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import CHAPTER, TOY
from tests.autograder.processes import AT_EASE

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(sys.platform != "linux", reason="signals reach a worker as Linux does it"),
]
START = """
import _thread, inspect, signal, sys, threading
def refuse(*_): raise TimeoutError("my own limit is over")
def within(name):
    frame = sys._current_frames()[threading.main_thread().ident]
    while frame and frame.f_code.co_name != name: frame = frame.f_back
    return frame is not None
def outside(frame, event, _):
    if frame.f_code.co_name == "_read": raise ValueError(event)
state = ["new"]
def interrupt(number):
    while not within("_read"): pass
    _thread.interrupt_main(number)
    state.append("sent")
def begin(number):
    state.append("waiting")
    threading.Thread(target=interrupt, args=(number,)).start()
def last(): return state[-1]
def good(x): return x + 1
def armed(): return [signal.getitimer(n)[0] > 0 for n in (0, 1, 2)]
def alarm_handler(): return signal.getsignal(signal.SIGALRM) is refuse
"""
HANDLER = "signal.signal(signal.SIGALRM, refuse)\n"
LEFT = {
    "a profile function that raises": "sys.setprofile(outside)",
    "a trace function that raises": "sys.settrace(outside)",
    "a low limit of recursion": "sys.setrecursionlimit(len(inspect.stack()) + 3)",
}
INTERRUPTS = {
    "an interrupt": "begin(signal.SIGINT)",
    "a signal with a handler": "signal.signal(40, refuse); begin(40)",
}


@pytest.fixture(scope="module")
def walled() -> Iterator[Template]:
    with Template(TOY) as made:
        yield made


def target(template: Template, text: str = "") -> SandboxTarget:
    return SandboxTarget(template, one_chapter("ada", CHAPTER, START + text), AT_EASE)


def ask(student: SandboxTarget, name: str, *given: object) -> object:
    return student.observe(CHAPTER, Call(name, given, once=True)).result


@pytest.mark.parametrize("way", LEFT)
def test_what_is_left_on_does_not_end_the_conversation(walled: Template, way: str) -> None:
    with target(
        walled, f"def f(x):\n    y = x + 1\n    state.append('asked')\n    {LEFT[way]}\n    return y\n"
    ) as student:
        ask(student, "f", 1)  # what is left may still reach the end of its own call
        assert (ask(student, "good", 1), ask(student, "last")) == (2, "asked")  # by the same worker


@pytest.mark.parametrize("way", INTERRUPTS)
def test_what_a_thread_sends_between_two_calls_is_not_heard(walled: Template, way: str) -> None:
    text = f"def f(x):\n    {INTERRUPTS[way]}\n    return x\n"
    with target(walled, text) as student:
        ask(student, "f", 1)
        while (said := ask(student, "last")) not in ("sent", "new"):
            pass
        assert said == "sent"  # by the same worker
        assert ask(student, "good", 1) == 2


def test_no_timer_goes_on_after_its_call(walled: Template) -> None:
    text = "def f(x):\n    for n in (0, 1, 2): signal.setitimer(n, 1000)\n    return armed()\n"
    with target(walled, HANDLER + text) as student:
        assert [ask(student, "f", 1), ask(student, "armed")] == [[True] * 3, [False] * 3]


def test_a_handler_of_ones_own_is_kept_and_none_is_the_graders(walled: Template) -> None:
    text = "def f(x): return signal.getsignal(signal.SIGALRM) == signal.SIG_DFL\n"
    with target(walled, text) as student:
        assert [ask(student, "f", 1), ask(student, "f", 2)] == [True, True]
    with target(walled, HANDLER) as student:
        assert [ask(student, "alarm_handler"), ask(student, "alarm_handler")] == [True, True]


FULL = """
kept = []
def f(x):
    n = 1 << 26
    while n > 4:
        try: kept.append(bytearray(n))
        except MemoryError: n //= 2
    return 1
def takes(x): return len(bytearray(1 << 25))
"""


def test_an_answer_that_keeps_all_memory_is_told_that_it_is_short_of_it(walled: Template) -> None:
    submission = one_chapter("ada", CHAPTER, START + FULL)
    said = []
    with SandboxTarget(walled, submission, replace(AT_EASE, memory_bytes=1 << 28)) as student:
        for name in ("f", "takes", "f", "takes"):
            try:
                said.append(ask(student, name, *([torch.zeros(1 << 20)] if name == "takes" else [1])))
            except CheckFailed as failed:
                said.append(failed.status)
    assert said in ([1, "memory"] * 2, ["memory", 1 << 25] * 2)


@pytest.mark.parametrize(
    ("kind", "code", "says"),
    [
        ("stopped", signal.SIGKILL, "ended its conversation with the grader: an error or a signal reached it"),
        ("signalled", signal.SIGALRM, "ended the whole Python process by SIGALRM"),
        ("signalled", signal.SIGSEGV, "crash (SIGSEGV or abort)"),
        ("signalled", signal.SIGABRT, "crash (SIGABRT)"),
    ],
)
def test_an_ending_is_told_with_every_cause_that_it_may_have(kind: str, code: int, says: str) -> None:
    assert says in ended("f", Ending(kind, code)).message.text  # type: ignore[arg-type]
