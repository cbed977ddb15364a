"""Download IMDB's archive: once, with its checksum, and resuming where an earlier try broke off."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from rich import get_console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from autograder.core import files
from autograder.core.errors import UsageError

WHERE = "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"
SHA256 = "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe"
PATIENCE = 30.0  # seconds without a byte
PIECE = 1 << 16


def fetched(path: Path, where: str = WHERE, sha256: str = SHA256) -> Path:
    """Return `path`, after downloading it from `where` if it is missing.

    Raises:
        UsageError: the download failed, and its part stays for the next try; or it is another file, and was removed.
    """
    if path.is_file():
        return path
    part = path.with_name(f"{path.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        _fetch_rest(where, part)
    except (OSError, HTTPException) as error:
        says = f"{where} could not be fetched ({error}); once that is solved, the same command goes on from here"
        raise UsageError(says) from error
    with part.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        part.unlink()
        raise UsageError(f"what {where} gave is not the known archive, and was removed; fetch it yourself, --data PATH")
    files.replace(part, path)
    return path


def _fetch_rest(where: str, part: Path) -> None:
    begun = part.stat().st_size if part.is_file() and not part.is_symlink() else 0
    try:
        answer = urlopen(Request(where, headers={"Range": f"bytes={begun}-"}), timeout=PATIENCE)
    except HTTPError as error:
        error.close()
        if error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE or not begun:
            raise
        return  # all of it is there
    with answer:
        begun = begun if answer.status == HTTPStatus.PARTIAL_CONTENT else 0
        size = int(answer.headers.get("Content-Length") or 0)
        with part.open("ab") if begun else files.created(part) as file:
            _copy(answer, file, begun, begun + size)


def _copy(answer: IO[bytes], file: IO[bytes], begun: int, total: int) -> None:
    columns = (TextColumn("fetching IMDB"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=get_console()) as bar:
        task = bar.add_task("", total=total or None, completed=begun)
        while piece := answer.read(PIECE):
            file.write(piece)
            bar.advance(task, len(piece))
    if total and file.tell() < total:
        raise OSError(f"it broke off after {file.tell():,} of {total:,} bytes")
