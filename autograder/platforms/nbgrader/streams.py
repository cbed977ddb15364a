"""Redirect output while answers are checked: nbgrader takes all points of a cell that writes to stderr."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, suppress
from typing import TextIO

STDOUT, STDERR = 1, 2


@contextmanager
def stderr_as_stdout() -> Iterator[None]:
    """Show whatever is written to stderr, by any means, as if it had been printed."""
    with tempfile.TemporaryFile() as kept:  # a kernel's own pipe could deliver it to the next cell
        try:
            with ExitStack() as stack:
                stack.enter_context(_written_to(sys.stderr, sys.stdout))
                stack.enter_context(redirect_stderr(sys.stdout))
                stack.enter_context(_descriptor(STDERR, kept.fileno()))
                yield
        finally:
            kept.seek(0)
            sys.stdout.write(kept.read().decode(errors="replace"))


@contextmanager
def silenced() -> Iterator[None]:
    """Discard everything that is written, displayed or printed."""
    from IPython.utils.capture import capture_output

    with ExitStack() as stack, open(os.devnull, "wb") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            stack.enter_context(_written_to(stream, io.StringIO()))
        for descriptor in (STDOUT, STDERR):
            stack.enter_context(_descriptor(descriptor, nowhere.fileno()))
        stack.enter_context(capture_output())
        yield


@contextmanager
def _written_to(stream: TextIO, other: TextIO) -> Iterator[None]:
    """Redirect `stream` itself, for those that hold it, such as a `logging` handler from an earlier cell."""
    stream.flush()
    stream.write = other.write  # type: ignore[method-assign]
    try:
        yield
    finally:
        del stream.write


@contextmanager
def _descriptor(number: int, other: int) -> Iterator[None]:
    """Redirect a descriptor, for output from outside Python; some kernels (on Windows) have no such descriptors."""
    saved = None
    with suppress(OSError):
        saved = os.dup(number)
        os.dup2(other, number)
    try:
        yield
    finally:
        if saved is not None:
            os.dup2(saved, number)
            os.close(saved)
