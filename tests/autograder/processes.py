"""Which processes there are, on Linux."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def descendants(process: int) -> set[int]:
    """Processes below `process` that have not ended."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            parents[int(folder.name)] = int(parent) if state != "Z" else -1
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def soon(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 3
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def alive(process: int) -> bool:
    with suppress(OSError):
        return (Path(f"/proc/{process}") / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
