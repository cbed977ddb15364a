"""Templates that stay, for this process and its forks: one takes seconds to start, and keeps nothing of its workers."""

from __future__ import annotations

import atexit
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from autograder.sandbox import handles, launch
from autograder.sandbox.control import Setup, Walls
from tests.autograder.processes import alive

_kept: dict[tuple[str, ...], launch.RunningTemplate] = {}
_Started, _end = launch._Started, handles._end


@contextmanager
def warm_walls() -> Iterator[None]:
    """Let templates with the same walls be one process, which stays when one of them is closed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_Started", _Warm)
        patch.setattr(handles, "_end", _end_unless_kept)
        yield


@contextmanager
def cold_walls() -> Iterator[None]:
    """Start a template that is nobody else's, and end it when it is closed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_Started", _Started)
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


class _Warm:
    """Stands in for a process that starts: it is one that runs already, or stays once it has started."""

    def __init__(self, command: list[str]) -> None:
        self._command = command

    def agree(self, setup: Setup) -> Walls:
        walls = (*self._command, repr(setup))
        if walls not in _kept or not alive(_kept[walls].process.pid):
            fresh = _Started(self._command)
            _kept[walls] = launch.RunningTemplate(fresh.process, fresh.socket, fresh.agree(setup), "", "")
            atexit.register(_end, _kept[walls])
        kept = _kept[walls]
        self.socket, self.process = kept.socket, cast("subprocess.Popen[bytes]", _Shared(kept.process.pid))
        return kept.walls

    def end(self) -> None:
        """Do nothing: it stays."""


def _end_unless_kept(started: launch.RunningTemplate) -> None:
    if not isinstance(started.process, _Shared):
        _end(started)
