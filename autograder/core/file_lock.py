"""A lock on a file, which ends with the process that holds it, however that ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:

    def _lock(file: int) -> None:
        with suppress(ModuleNotFoundError):  # a system without it has no such locks
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


TRIES, WAIT_SECONDS = 4, 0.05
"""`is_held` of another process takes the lock for a moment."""


@contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Lock the file at `path` while the code inside runs; yield False where another holds it.

    Where the file system knows no locks, nobody holds one.

    Raises:
        OSError: the file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        yield _is_locked(file.fileno())


def is_held(path: Path) -> bool:
    """Return whether some process holds the lock on the file at `path`."""
    with suppress(OSError):
        if path.is_file():
            with lock(path) as mine:
                return not mine
    return False


def _is_locked(file: int) -> bool:
    """Lock an open file; return False if another holds it."""
    for left in reversed(range(TRIES)):
        try:
            _lock(file)
        except (BlockingIOError, PermissionError):
            if left:
                time.sleep(WAIT_SECONDS)
        except OSError:
            return True
        else:
            return True
    return False
