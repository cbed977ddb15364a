"""One state of torch for all checks: what differs between a worker, a judge and a student's machine is set here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.internals.compiler import uncompiled, without_algebra, without_compiler
from autograder.internals.kernels import native_kernels

_is_on = False


@contextmanager
def grading_mode() -> Iterator[None]:
    """Within this context torch is as in grading, wherever a check runs; inside another such context it does nothing.

    `torch.compile` leaves functions as they are, which decides what an answer gives. Common kernels for tensors without
    data are those in C++, which decides the words of some errors, and takes a hundredth of the time. Neither the
    compiler nor sympy is loaded, which takes as long as torch itself.
    """
    global _is_on
    if _is_on:
        yield
        return
    _is_on = True
    try:
        with without_compiler(), without_algebra(), uncompiled(), native_kernels():
            yield
    finally:
        _is_on = False
