"""Templates that stay, for this process and its forks: one takes seconds to start, and keeps nothing of its workers."""

from __future__ import annotations

import atexit
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from autograder.sandbox import handles, launch
from autograder.sandbox.control import Setup
from tests.autograder.processes import alive

_kept: dict[tuple[str, ...], launch.RunningTemplate] = {}
_start, _end = launch._start, handles._end


@contextmanager
def warm_walls() -> Iterator[None]:
    """Let templates with the same walls be one process, which stays when one of them is closed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_start", _kept_or_started)
        patch.setattr(handles, "_end", _end_unless_kept)
        yield


@contextmanager
def cold_walls() -> Iterator[None]:
    """Start a template that is nobody else's, and end it when it is closed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_start", _start)
        yield


def cold(course: Path) -> launch.RunningTemplate:
    """A template that is nobody else's, for a test that ends it."""
    with cold_walls():
        return launch.start(course)


class _Shared:
    """The process of a template, as its forks see it too: `Popen` takes any but its own child for ended."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        return None if alive(self.pid) else -signal.SIGKILL


def _kept_or_started(
    command: list[str], setup: Setup, outer: str, reason: str, meanwhile: Callable[[], None]
) -> launch.RunningTemplate:
    walls = (*command, repr(setup))
    if walls in _kept and alive(_kept[walls].process.pid):
        meanwhile()
    else:
        _kept[walls] = _start(command, setup, outer, reason, meanwhile)
        atexit.register(_end, _kept[walls])
    kept = _kept[walls]
    return replace(kept, reason=reason, process=cast("subprocess.Popen[bytes]", _Shared(kept.process.pid)))


def _end_unless_kept(started: launch.RunningTemplate) -> None:
    if not isinstance(started.process, _Shared):
        _end(started)
