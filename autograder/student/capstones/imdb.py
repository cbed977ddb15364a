"""IMDB's reviews, from the archive, its folder, or a table with labels."""

from __future__ import annotations

import csv
import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import torch

from autograder.core.errors import UsageError
from autograder.student.capstones.data import is_held_out

SIDES = {"pos": 1, "neg": 0}
TAKES = "give aclImdb_v1.tar.gz, the folder aclImdb, or a .csv (or .csv.gz) with the columns label and review"


def reviews(place: Path) -> tuple[list[str], torch.Tensor, torch.Tensor]:
    """Return texts, labels (N,) and the mask of those held out (N,): IMDB's test half, or every fifth row of a table.

    Raises:
        UsageError: `place` holds no such reviews.
    """
    try:
        if place.is_dir() or place.name.endswith(".tar.gz"):
            found = [*(_of_folder(place) if place.is_dir() else _of_archive(place))]
            held = torch.tensor([part == "test" for _, _, part in found], dtype=torch.bool)
        else:
            found = [*_of_table(place)]
            held = is_held_out(len(found))
    except (OSError, EOFError, tarfile.TarError, csv.Error, KeyError, ValueError) as error:
        raise UsageError(f"{place} cannot be read as IMDB ({error}); {TAKES}") from error
    if not found or held.all() or not held.any():
        raise UsageError(f"{place} holds no reviews to learn from and to hold out; {TAKES}")
    return [text.replace("<br />", " ") for text, _, _ in found], torch.tensor([label for _, label, _ in found]), held


def _of_folder(place: Path) -> Iterator[tuple[str, int, str]]:
    for path in sorted(place.rglob("*.txt")):
        part, side = path.parts[-3:-1]
        if part in ("train", "test") and side in SIDES:
            yield path.read_text(encoding="utf-8"), SIDES[side], part


def _of_archive(place: Path) -> Iterator[tuple[str, int, str]]:
    with tarfile.open(place) as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts
            if len(parts) == 4 and parts[1] in ("train", "test") and parts[2] in SIDES and member.isfile():
                file = archive.extractfile(member)
                assert file is not None
                yield file.read().decode("utf-8"), SIDES[parts[2]], parts[1]


def _of_table(place: Path) -> Iterator[tuple[str, int, str]]:
    data = place.read_bytes()
    text = (gzip.decompress(data) if place.suffix == ".gz" else data).decode("utf-8")
    yield from ((row["review"], int(row["label"]), "") for row in csv.DictReader(io.StringIO(text)))
