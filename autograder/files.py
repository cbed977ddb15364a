"""Write a file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.errors import UsageError


def write(path: Path, content: str | bytes) -> bool:
    """Put bytes, or text (UTF-8, LF), into `path` where they differ; whether anything was written.

    The folder is made when it is missing. A reader, or an interrupted run, sees the old or the new file.

    Raises:
        UsageError: the place cannot be written to.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    part = path.with_name(f".{path.name}.part")
    try:
        if holds(path, data):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(data)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); choose a folder you may write to") from error
    return True


def holds(path: Path, data: bytes) -> bool:
    """Whether `path` is a file with exactly these bytes."""
    return path.is_file() and path.read_bytes() == data
