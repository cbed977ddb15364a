"""Zips inside a submission, opened in memory: at most a few, two deep, within one budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from io import BytesIO

from autograder.core.text import join_names, one_line
from autograder.intake import archive
from autograder.intake.archive import Budget, Found, Listing

ZIPS = 10  # that are opened in one submission
DEPTH = 2


@contextmanager
def unzipped(listing: Listing) -> Iterator[Listing]:
    """Yield `listing` with the files of its zips in place of these, and a note on each zip."""
    budget, opened = Budget(), 0
    with ExitStack() as stack:
        for _ in range(DEPTH):
            zips = [found for found in listing.files if archive.is_zip(found.path)]
            inner = {found: stack.enter_context(_opened(found, budget)) for found in zips[: ZIPS - opened]}
            opened += len(inner)
            listing = _with(listing, inner)
        left = [str(found.path) for found in listing.files if archive.is_zip(found.path)]
        says = f"not read, because only {ZIPS} zips of a submission are opened, {DEPTH} deep: {join_names(left, 3)}"
        yield replace(listing, notes=(*listing.notes, *([says] if left else [])))


def _with(listing: Listing, inner: dict[Found, Listing]) -> Listing:
    files = [found for found in listing.files if found not in inner]
    notes = list(listing.notes)
    for outer, each in inner.items():
        path = one_line(str(outer.path), 200)
        files += [Found(outer.path / found.path, found.load) for found in each.files]
        notes.append(f"{path} {each.damage}" if each.damage else f"{path}, a zip in the submission, was opened")
        notes += [f"{path}: {note}" for note in each.notes]
    return replace(listing, files=tuple(sorted(files, key=lambda found: found.path)), notes=tuple(notes))


@contextmanager
def _opened(found: Found, budget: Budget) -> Iterator[Listing]:
    with archive.zipped(lambda: BytesIO(found.load()), budget) as listing:
        yield listing
