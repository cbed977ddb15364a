"""Figures in a JSON file of the course: proofs and measurements, which a page is then written from."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.core import files
from autograder.core.errors import UsageError

Kind = TypeVar("Kind", bound=msgspec.Struct)


def read(path: Path, kind: type[Kind], mend: str) -> Kind:
    """The figures in `path`; none if it is not there.

    Args:
        mend: what to do about a damaged file.

    Raises:
        UsageError: the file is damaged.
    """
    if not path.is_file():
        return kind()
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is damaged ({error}); {mend}") from error


def write(path: Path, figures: msgspec.Struct) -> None:
    """Put them down.

    Raises:
        UsageError: the place cannot be written to.
    """
    files.write(path, msgspec.json.format(msgspec.json.encode(figures), indent=1).decode() + "\n")
