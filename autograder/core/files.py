"""Write a file whole or not at all, and make archives that depend on their contents alone."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from autograder.core.errors import UsageError

MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the earliest that a zip can hold."""


def write(path: Path, content: str | bytes) -> bool:
    """Write bytes or text to `path`, and return whether the file changed.

    Text becomes UTF-8, a lone surrogate "?". A missing folder is made. A reader, or an interrupted run, sees the old
    file or the new one.

    Raises:
        UsageError: `path` cannot be written.
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
    """Return whether `path` is a file with exactly these bytes."""
    return path.is_file() and path.read_bytes() == data


def under(folder: Path) -> list[Path]:
    """Return the files in a folder and in those below it, except hidden ones and what Python caches."""
    parts = ((path, path.relative_to(folder).parts) for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path, names in parts if not any(name == "__pycache__" or name.startswith(".") for name in names)]


def zipped(contents: Mapping[PurePosixPath, bytes], programs: Collection[PurePosixPath] = ()) -> bytes:
    """Return a zip of these files, of which `programs` are executable; equal files give equal bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(str(path), MOMENT)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3  # as on Linux, wherever it is made
            entry.external_attr = (0o100755 if path in programs else 0o100644) << 16
            archive.writestr(entry, data)
    return made.getvalue()
