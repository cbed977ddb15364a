"""The contents of a download, a folder or a zip: names at once, submissions opened one by one."""

from __future__ import annotations

import os
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from io import BytesIO
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from autograder.core.text import join_names, one_line
from autograder.intake import archive
from autograder.intake import submissions as intake
from autograder.intake.archive import Budget, Found, Listing
from autograder.platforms.class_zip import ROOT, ClassZip

ZIPS = 10  # that are opened in one submission


@dataclass(frozen=True)
class Child:
    """An entry of a folder; `is_strange` marks a link or a special file, which is not read."""

    name: str
    is_folder: bool
    is_strange: bool = False

    @property
    def is_hidden(self) -> bool:
        return archive.is_hidden(PurePosixPath(self.name))


class Tree(ABC):
    """A folder of a download; `shown` is its name in messages."""

    shown: str

    @property
    @abstractmethod
    def children(self) -> Sequence[Child]:
        """All entries by name, hidden ones too; none if the folder cannot be read or is not there."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Sentences on what cannot be read at all."""
        return ()

    @abstractmethod
    def below(self, name: str) -> Tree:
        """Return the folder `name` in it."""

    def at(self, path: str) -> Tree:
        """Return the folder at a path with "/" between its names; "" is this one."""
        return reduce(lambda tree, name: tree.below(name), filter(None, path.split("/")), self)

    @abstractmethod
    def opened(self, name: str) -> AbstractContextManager[Listing]:
        """Open the folder or zip `name` in it, which is one submission, and return its files."""

    @abstractmethod
    def found(self, name: str, path: PurePosixPath, budget: Budget) -> Found:
        """Return the file `name` in it, as the file at `path` of a submission."""

    @abstractmethod
    def listing(self, budget: Budget) -> Listing:
        """Return all files in it, as one submission."""

    def visible(self) -> list[Child]:
        return [child for child in self.children if not child.is_hidden]

    def folders(self) -> list[str]:
        """Return the names of the folders in it that are neither hidden nor links."""
        return [child.name for child in self.visible() if child.is_folder and not child.is_strange]

    def load(self, name: str) -> bytes:
        """Return the bytes of the file `name` in it.

        Raises:
            UnreadableError: it cannot be read.
        """
        return self.found(name, PurePosixPath(name), Budget()).load()

    def gathered(
        self, parts: Mapping[str, str], versions: Mapping[str, str] = MappingProxyType({})
    ) -> AbstractContextManager[Listing]:
        """Open a submission that is spread over several entries, and return its files, with its zips opened.

        Args:
            parts: files and folders here, by their paths, and their paths in the submission; "" is its top.
            versions: as of a `Found`, by the same paths.
        """
        return assembled([self.part(path, place, versions.get(path, "")) for path, place in parts.items()])

    def part(self, path: str, place: str, version: str = "") -> DownloadPart:
        """Return the file or folder at `path` as a part of a submission."""
        above, _, name = path.rpartition("/")
        return DownloadPart(self.at(above), name, place, version)

    @contextmanager
    def versions(self, names: Sequence[str]) -> Iterator[Listing]:
        """Yield the files of several folders and zips of one student, each of them a version of the submission."""
        with ExitStack() as stack:
            opened = {name: stack.enter_context(self.opened(name)) for name in names}
            files, notes = list[Found](), list[str]()
            for name, listing in opened.items():
                files += [Found(PurePosixPath(name) / found.path, found.load, name) for found in listing.files]
                notes += [f"{one_line(name)} {listing.damage}"] if listing.damage else []
                notes += [f"{one_line(name)}: {note}" for note in listing.notes]
            unread = next(iter(opened.values())) if all(each.damage for each in opened.values()) else None
            yield unread or Listing(tuple(sorted(files, key=lambda found: found.path)), tuple(notes))


class DownloadPart(NamedTuple):
    """A file or folder `name` of a download, and its path in a submission; `version` as of a `Found`."""

    tree: Tree
    name: str
    place: str
    version: str = ""

    @property
    def is_folder(self) -> bool:
        return any(child.name == self.name and child.is_folder for child in self.tree.children)


@contextmanager
def assembled(parts: Sequence[DownloadPart]) -> Iterator[Listing]:
    """Yield the files of a submission that is put together of these parts, with its zips opened."""
    budget, files, notes = Budget(), list[Found](), list[str]()
    for part in parts:
        place = PurePosixPath(part.place)
        if part.is_folder:
            listing = part.tree.below(part.name).listing(budget)
            files += [Found(place / found.path, found.load, part.version) for found in listing.files]
            notes += listing.notes
        else:
            files.append(replace(part.tree.found(part.name, place, budget), version=part.version))
    with _with_zips(Listing(tuple(sorted(files, key=lambda found: found.path)), tuple(notes)), budget) as opened:
        yield opened


@contextmanager
def _with_zips(listing: Listing, budget: Budget) -> Iterator[Listing]:
    """Yield `listing` with the zips at its top opened; a lone zip is the submission itself."""
    zips = [found for found in listing.files if archive.is_zip(found.path) and len(found.path.parts) == 1]
    with ExitStack() as stack:
        inner = {found.path: stack.enter_context(_inner(found, budget)) for found in zips[:ZIPS]}
        if archive.lone_zip(listing) and inner:
            (only,) = inner.values()
            yield replace(only, notes=(*listing.notes, *only.notes))
            return
        files = [found for found in listing.files if found.path not in inner]
        versions = {found.path: found.version for found in zips}
        notes = list(listing.notes)
        for path, each in inner.items():
            files += [Found(path / found.path, found.load, versions[path]) for found in each.files]
            notes += [f"{one_line(str(path))} {each.damage}"] if each.damage else []
            notes += [f"{one_line(str(path))}: {note}" for note in each.notes]
        if unopened := [found.path.name for found in zips[ZIPS:]]:
            notes.append(f"only {ZIPS} zips of a submission are opened; not read: {join_names(unopened)}")
        yield Listing(tuple(files), tuple(notes))


@contextmanager
def _inner(found: Found, budget: Budget) -> Iterator[Listing]:
    """Yield the files of a zip in a download, opened in memory."""
    with archive.zipped(lambda: BytesIO(found.load()), budget) as listing:
        yield replace(listing, name=found.path.name)


class FolderTree(Tree):
    """A folder on disk."""

    def __init__(self, root: Path) -> None:
        self.root, self.shown = root, str(root)

    @cached_property
    def children(self) -> Sequence[Child]:
        try:
            with os.scandir(self.root) as entries:
                return [_child(entry) for entry in sorted(entries, key=lambda entry: entry.name)]
        except OSError:
            return []

    def below(self, name: str) -> Tree:
        return FolderTree(self.root / name)

    @contextmanager
    def opened(self, name: str) -> Iterator[Listing]:
        with intake.opened(self.root / name) as listing:
            yield replace(listing, name=name)

    def found(self, name: str, path: PurePosixPath, budget: Budget) -> Found:
        return Found(path, archive.file_loader(self.root / name, path, budget))

    def listing(self, budget: Budget) -> Listing:
        return archive.folder(self.root, budget)


def _child(entry: os.DirEntry[str]) -> Child:
    is_link = entry.is_symlink()
    try:
        return Child(entry.name, entry.is_dir(), is_link or not (entry.is_dir() or entry.is_file()))
    except OSError:  # a link to itself: whose it is, its name still tells
        return Child(entry.name, not entry.name.lower().endswith(intake.KINDS[1:]), is_strange=True)


class ZipTree(Tree):
    """A folder in a zip, which is never unpacked."""

    def __init__(self, held: ClassZip, shown: str, place: PurePosixPath = ROOT) -> None:
        self.held, self.shown, self.place = held, shown, place

    @property
    def problems(self) -> tuple[str, ...]:
        return self.held.problems

    @cached_property
    def children(self) -> Sequence[Child]:
        return [Child(name, member is None) for name, member in sorted(self.held.folders.get(self.place, {}).items())]

    def below(self, name: str) -> Tree:
        return ZipTree(self.held, f"{self.shown}/{name}", self.place / name)

    @contextmanager
    def opened(self, name: str) -> Iterator[Listing]:
        budget = Budget()
        if self.place / name in self.held.folders:
            listing = self.below(name).listing(budget)
            inner = archive.lone_zip(listing)
            with _inner(inner, budget) if inner else nullcontext(listing) as files:
                yield replace(files, name=files.name or name)
        elif archive.is_zip(PurePosixPath(name)):
            with _inner(self.found(name, PurePosixPath(name), budget), budget) as files:
                yield files
        else:
            yield replace(intake.NEITHER, name=name)

    def found(self, name: str, path: PurePosixPath, budget: Budget) -> Found:
        member = self.held.folders[self.place][name]
        assert member, f"{name} is a folder"
        return Found(path, archive.member_loader(self.held.archive, member, path, budget))

    def listing(self, budget: Budget) -> Listing:
        files, more = list[Found](), ""
        for seen, (path, member) in enumerate(self._below(self.place)):
            if seen >= archive.COUNT_LIMIT:
                more = f"only the first {archive.COUNT_LIMIT} files were looked at"
                break
            files.append(Found(path, archive.member_loader(self.held.archive, member, path, budget)))
        return Listing(tuple(sorted(files, key=lambda found: found.path)), (more,) if more else ())

    def _below(self, folder: PurePosixPath) -> Iterator[tuple[PurePosixPath, zipfile.ZipInfo]]:
        """Yield the files below `folder` that are not hidden, level by level."""
        level = [folder]
        while level:
            deeper = []
            for place in level:
                for name, member in sorted(self.held.folders[place].items()):
                    if archive.is_hidden(PurePosixPath(name)):
                        continue
                    if member is None:
                        deeper.append(place / name)
                    else:
                        yield (place / name).relative_to(self.place), member
            level = deeper
