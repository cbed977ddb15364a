"""Waiting for processes, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil

from autograder.commands.traces import descendants
from autograder.sandbox.limits import Limits

PATIENCE = 300.0  # seconds; it only ends a hang
AT_EASE = Limits(call_seconds=PATIENCE, load_seconds=PATIENCE, budget_seconds=PATIENCE)
"""Time enough for answers that come to their end."""
ENDLESS_WHERE_MARKED = """

class Loaded:
    import resource, time
    if resource.getrlimit(resource.RLIMIT_MSGQUEUE)[0] == 0:
        time.sleep(1e6)
"""
"""Lines of an answer, which looks for what `mark` leaves: a limit is all that it sees from behind a wall."""


def mark(process: int) -> None:
    """Let answers that run in a process, or in what it starts, know it."""
    import resource  # which is not on every system

    for each in {process} | descendants(process):
        resource.prlimit(each, resource.RLIMIT_MSGQUEUE, (0, 0))


def soon(condition: Callable[[], bool]) -> bool:
    """Whether it comes true, however busy the machine is."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def alive(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:  # it may have ended between the two questions
        return False
