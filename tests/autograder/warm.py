"""Templates that stay: to start one takes seconds, and it keeps nothing of what its workers do."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from autograder.sandbox import client, launch
from autograder.sandbox.control import Setup

_kept: dict[tuple[str, ...], launch.Started] = {}
_start, _end = launch._start, client._end


@contextmanager
def warm_walls() -> Iterator[None]:
    """Let templates with the same walls be one process, which stays when one of them is closed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_start", _kept_or_started)
        patch.setattr(client, "_end", _end_unless_kept)
        yield


def _kept_or_started(
    command: list[str], setup: Setup, outer: str, reason: str, meanwhile: Callable[[], None]
) -> launch.Started:
    walls = (*command, repr(setup))
    if walls in _kept and _kept[walls].process.poll() is None:
        meanwhile()
    else:
        _kept[walls] = _start(command, setup, outer, reason, meanwhile)
        atexit.register(_end, _kept[walls])
    return replace(_kept[walls], reason=reason)


def _end_unless_kept(started: launch.Started) -> None:
    if not any(started.process is each.process for each in _kept.values()):
        _end(started)
