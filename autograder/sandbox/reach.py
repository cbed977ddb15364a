"""When signals, timers and tracing of a student may reach a worker: in a call, and not between two calls."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal.getsignal` takes much longer, for an enumeration
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

_NUMBERS: Final = tuple(map(int, signal.valid_signals()))
_TIMERS: Final = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_RECURSION_LIMIT: Final = sys.getrecursionlimit()
_TRIES: Final = 3  # what was left may interrupt the first
_HANDLERS: Final[dict[int, Callable[[int, FrameType | None], object]]] = {}
"""Python's handlers of signals, which are put back for the next call."""


@contextmanager
def reachable() -> Iterator[None]:
    """Let signals reach what runs within. Afterwards timers and tracing are off, and no handler is called."""
    while _HANDLERS:
        signal.signal(*_HANDLERS.popitem())
    try:
        yield
    finally:
        for _ in range(_TRIES):
            with suppress(BaseException):
                _quiet()
                break


def _quiet() -> None:
    sys.setprofile(None)
    sys.settrace(None)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    for timer in _TIMERS:
        signal.setitimer(timer, 0)
    for number in _NUMBERS:
        if callable(handler := _signal.getsignal(number)):
            _HANDLERS[number] = handler
            signal.signal(number, signal.SIG_IGN)
