"""Ctrl-C ends a command in one line: at once while it is being loaded, and then as the command wants it."""

from __future__ import annotations

import os
import signal

SAYS = "attend: interrupted before it was done; the same command can be run again"


def end(*_: object) -> None:
    """End the process: while modules are loaded, an exception may come out as another one, or as none."""
    os.write(2, f"{SAYS}\n".encode())
    os._exit(130)


def end_while_loading() -> None:
    """Let Ctrl-C end the process, unless it is switched off, as in a run in the background."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


def raise_from_here_on() -> None:
    """Undo `end_while_loading`: from here on Ctrl-C is a KeyboardInterrupt."""
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, signal.default_int_handler)
