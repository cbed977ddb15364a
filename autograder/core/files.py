"""Write a file whole or not at all, and pack files so that the same ones make the same archive."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from autograder.core.errors import UsageError

MOMENT = (1980, 1, 1, 0, 0, 0)
"""What an archive says of every file's time: the first that a zip can say."""


def write(path: Path, content: str | bytes) -> bool:
    """Put bytes, or text (UTF-8, LF, "?" for a lone surrogate), into `path` where they differ; whether it was.

    The folder is made when it is missing. A reader, or an interrupted run, sees the old or the new file.

    Raises:
        UsageError: the place cannot be written to.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
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


def zipped(contents: Mapping[PurePosixPath, bytes], programs: Collection[PurePosixPath] = ()) -> bytes:
    """A zip with these files, of which `programs` may be run; the same bytes for the same files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(str(path), MOMENT)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3  # as on Linux, wherever it is made
            entry.external_attr = (0o100755 if path in programs else 0o100644) << 16
            archive.writestr(entry, data)
    return made.getvalue()
