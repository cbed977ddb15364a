"""Waiting for processes to end."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil

PATIENCE = 300.0  # seconds; it only ends a hang


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
