"""Write a file whole or not at all, and make archives that depend on their contents alone."""

from __future__ import annotations

import io
import os
import re
import tempfile
import time
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from autograder.core.errors import UsageError

_ODD = re.compile(
    r"""[\\:*?"<>|\x00-\x1f\ud800-\udfff]|[. ]\Z|^(?:con|prn|aux|nul|com\d|lpt\d|con(?:in|out)\$)(?:\.|\Z)""",
    re.IGNORECASE,
)
"""A part of a path that leads up, or that Windows reads as a drive, a device or another name."""
_IS_WINDOWS = os.name == "nt"
TRIES = 20 if _IS_WINDOWS else 1
WAIT_SECONDS = 0.05
"""On Windows no file can be replaced while a program reads it, such as an editor, a scanner of viruses or a backup."""
_REMEDY = f"{'close the program that holds it, or ' if _IS_WINDOWS else ''}choose a folder you may write to"
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
            with created(part) as file:
                file.write(data)
            replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error
    return True


def require_writable(folder: Path) -> None:
    """Make a folder if it is missing, and raise a UsageError unless files can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be written ({error.strerror}); {_REMEDY}")


def replace(part: Path, path: Path) -> None:
    """Put the file `part` in the place of `path`, once nothing holds either any more.

    Raises:
        OSError: it cannot be moved there.
    """
    for _ in range(TRIES - 1):
        try:
            return os.replace(part, path)
        except PermissionError:
            time.sleep(WAIT_SECONDS)
    return os.replace(part, path)


def created(path: Path) -> BinaryIO:
    """Open a new file for writing. A link, a pipe or a file that lies at `path` is removed, and never written through.

    Raises:
        OSError: `path` is a folder, or the file cannot be made.
    """
    path.unlink(missing_ok=True)
    return path.open("xb")


def holds(path: Path, data: bytes) -> bool:
    """Return whether `path` is a file with exactly these bytes."""
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data


def inside(root: Path, path: Path | str) -> Path:
    """Return where `path` lies in the folder `root`.

    Raises:
        UsageError: it leads out of `root`, by its name or by a link, or its name means something else on some system.
    """
    name = path if isinstance(path, str) else path.as_posix()
    place = PurePosixPath(name)
    if not place.parts or place.is_absolute() or any(map(_ODD.search, place.parts)):
        raise UsageError(f"{name!r} is no name of a file in {root}; remove what names it")
    found = root / place
    try:
        is_inside = found.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # links that lead in a circle
        is_inside = False
    if not is_inside:
        raise UsageError(f"{found} is a link that leads out of {root}; put a file or folder of its own there")
    return found


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
