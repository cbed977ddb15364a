"""Proofs and measurements in JSON files of the course, from which pages are written."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded

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
        return decoded(contents(path), kind)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is damaged ({error}); {remedy}") from error


def write(path: Path, figures: msgspec.Struct) -> None:
    """Write the figures to `path`.

    Raises:
        UsageError: `path` cannot be written.
    """
    files.write(path, msgspec.json.format(msgspec.json.encode(figures), indent=1).decode() + "\n")
