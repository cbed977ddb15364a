"""Waiting for processes to end, on Linux."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PATIENCE = 300.0  # seconds; it only ends a hang


def soon(condition: Callable[[], bool]) -> bool:
    """Whether it comes true, however busy the machine is."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def alive(process: int) -> bool:
    with suppress(OSError):
        return (Path(f"/proc/{process}") / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
