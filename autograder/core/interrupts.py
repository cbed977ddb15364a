"""Ctrl-C: it ends a command in one line while modules are loaded, and then as the command wants it.

Python ignores an exception that is raised in a callback, such as those around a fork. So Ctrl-C is noted as well, and
loops that must stop look at the note.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

SAYS = "attend: interrupted before it was done; the same command can be run again"
IMPORTS = "<frozen importlib"
LIBRARIES = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), "<frozen")
"""Where the code lies that is not a student's."""


@dataclass
class _CtrlC:
    """Whether there was a Ctrl-C that nobody has answered, and how many blocks hold it back or have results to keep."""

    noted: bool = False
    held: int = 0
    keeps: int = 0


_state = _CtrlC()


def end(*_: object) -> None:
    """End the process: while modules are loaded, an exception may come out as another one, or as none."""
    os.write(2, f"{SAYS}\n".encode())
    os._exit(130)


def end_while_loading() -> None:
    """Let Ctrl-C end the process, unless it is switched off, as in a run in the background."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


def raise_from_here_on() -> None:
    """Undo `end_while_loading`: from here on Ctrl-C is noted, and a KeyboardInterrupt unless a module is loaded."""
    forget()
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, on_ctrl_c)


def on_ctrl_c(_: int, frame: FrameType | None) -> None:
    """Answer Ctrl-C."""
    _state.noted = True
    if _state.held:
        return
    if not _is_loading(frame):
        raise KeyboardInterrupt
    if not _state.keeps:
        end()


def _is_loading(frame: FrameType | None) -> bool:
    """Return whether a library or the engine is being imported, and no code of a student is called by it."""
    while frame and frame.f_code.co_filename.startswith(LIBRARIES):
        if frame.f_code.co_filename.startswith(IMPORTS):
            return True
        frame = frame.f_back
    return False


@contextmanager
def held() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block; a process that is forked in it never raises KeyboardInterrupt."""
    _state.held += 1
    try:
        yield
    finally:
        _state.held -= 1
    raise_if_noted()


@contextmanager
def results_kept() -> Iterator[None]:
    """Never end the process at once: the block has results to keep, and looks at the note."""
    _state.keeps += 1
    try:
        yield
    finally:
        _state.keeps -= 1


def raise_if_noted() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was noted and nobody has answered it."""
    if _state.noted and not _state.held:
        forget()
        raise KeyboardInterrupt


def forget() -> None:
    """Drop the note: Ctrl-C was answered."""
    _state.noted = False
