"""Proofs and measurements in JSON files of the course, from which pages are written."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.core import files
from autograder.core.errors import UsageError

Kind = TypeVar("Kind", bound=msgspec.Struct)


def read(path: Path, kind: type[Kind], remedy: str) -> Kind:
    """Return the figures in `path`; empty ones where the file is missing.

    Args:
        remedy: how to repair a damaged file, for the error.

    Raises:
        UsageError: the file is damaged.
    """
    if not path.is_file():
        return kind()
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is damaged ({error}); {remedy}") from error


def write(path: Path, figures: msgspec.Struct) -> None:
    """Write the figures to `path`.

    Raises:
        UsageError: `path` cannot be written.
    """
    files.write(path, msgspec.json.format(msgspec.json.encode(figures), indent=1).decode() + "\n")
