"""Read files that may hold anything, as those of a folder that someone else filled.

No pipe is waited for. Whatever is not of the form that is asked for is an OSError or a ValueError, and nothing else.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, TypeVar

import msgspec

T = TypeVar("T")
Identifier = Annotated[str, msgspec.Meta(pattern=r"\A[^\W\d]\w*\Z")]
"""A name in Python, which no terminal and no file system reads as anything else."""
MOST_BYTES: Final = 64 << 20
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def contents(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        OSError: it is missing, is no regular file, cannot be read, or has more than `most` bytes.
    """
    descriptor = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        with open(descriptor, "rb", closefd=False) as stream:
            data = beginning(stream, most)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB", str(path))
    return data


def beginning(stream: BinaryIO, most: int) -> bytes:
    """Return the bytes of a file, of a longer one the first `most` + 1; no more memory is asked for than they fill."""
    size = min(os.fstat(stream.fileno()).st_size, most)
    data = stream.read(size + 1)
    return data + stream.read(most + 1 - len(data)) if len(data) > size else data  # it has grown, or has no size


def text(path: Path) -> str:
    """Return a text file in UTF-8, its lines ending in newlines.

    Raises:
        OSError: as for `contents`.
        ValueError: it is not UTF-8.
    """
    return contents(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def decoded(data: bytes, kind: type[T], upgrade: Callable[[Any], Any] | None = None) -> T:
    """Return what JSON says, as an object of `kind`.

    Args:
        upgrade: turns decoded JSON of an earlier form into that of `kind`.

    Raises:
        ValueError: it is no JSON, or not of this kind.
    """
    try:
        if upgrade is None:
            return msgspec.json.decode(data, type=kind)
        return msgspec.convert(upgrade(msgspec.json.decode(data)), kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("it is too deeply nested") from error


def settings(words: str) -> dict[str, Any]:
    """Return what TOML says.

    Raises:
        ValueError: it is no TOML; `tomllib.TOMLDecodeError` is one.
    """
    try:
        return tomllib.loads(words)
    except RecursionError as error:
        raise ValueError("it is too deeply nested") from error
