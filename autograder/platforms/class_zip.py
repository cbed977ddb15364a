"""The zip of a whole class, opened once and read member by member."""

from __future__ import annotations

import os
import weakref
import zipfile
from io import FileIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from autograder.core.errors import UsageError
from autograder.core.text import join_names, one_line
from autograder.intake import archive
from autograder.intake.archive import Frugal

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ROOT = PurePosixPath()
LIST_LIMIT = 16 * archive.MIB  # of the zip's directory: enough for 100,000 files
UTF8 = 0x800  # the flag of a member whose name is UTF-8
Members = dict[str, zipfile.ZipInfo | None]


class PositionedFile(FileIO):
    """A file with a position of its own in each process, so that forks can read it at the same time."""

    place = 0

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        if not hasattr(os, "pread"):  # such a system has no fork either
            return super().readinto(buffer) or 0
        with memoryview(buffer).cast("B") as room:
            data = os.pread(self.fileno(), len(room), self.place)
            room[: len(data)] = data
        self.place += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        if whence == os.SEEK_CUR:
            offset, whence = self.place + offset, os.SEEK_SET
        self.place = super().seek(offset, whence)
        return self.place

    def tell(self) -> int:
        return self.place if hasattr(os, "pread") else super().tell()


class ClassZip:
    """An open zip and its members by folder; a member that is None is a folder. Closed with its last reference."""

    def __init__(self, path: Path) -> None:
        try:
            file = Frugal(PositionedFile(path), LIST_LIMIT)
            self.archive = _archive(file)
        except Exception as error:  # zipfile raises a dozen kinds of exceptions on bytes that are no zip
            why = one_line(str(error)) or type(error).__name__
            fix = "download it again, or unpack it and give the folder"
            raise UsageError(f"{path} cannot be read as a zip file ({why}); {fix}") from error
        weakref.finalize(self, _close, self.archive, file)
        self.folders: dict[PurePosixPath, Members] = {ROOT: {}}
        self.unsafe, self.deep, self.strange, self.double = (list[str]() for _ in range(4))
        for member in self.archive.infolist():
            self._add(member)

    def _add(self, member: zipfile.ZipInfo) -> None:
        name = _name(member)
        path = archive.inner_path(name)
        if path is None:
            self.unsafe.append(name or "one without a name")
        elif archive.is_too_deep(path):
            self.deep += [] if archive.is_folder(name) else [str(path)]
        elif archive.is_folder(name):
            self._folder(path)
        elif archive.is_special(member):
            self.strange.append(str(path))
        elif not self._folder(path.parent) or path.name in self.folders[path.parent]:
            self.double.append(str(path))
        else:
            self.folders[path.parent][path.name] = member

    def _folder(self, path: PurePosixPath) -> bool:
        """Add a folder and its parents; return False if one of them is a file."""
        if path in self.folders:
            return True
        if not self._folder(path.parent) or path.name in self.folders[path.parent]:
            return False
        self.folders[path.parent][path.name] = None
        self.folders[path] = {}
        return True

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(
            f"{reason}: {join_names(names)}"
            for reason, names in (
                ("not read, because their names lead out of the zip", self.unsafe),
                (archive.TOO_DEEP, self.deep),
                ("not followed, because links and special files are not read", self.strange),
                ("not read, because the zip has another file of the same name", self.double),
            )
            if names
        )


def _archive(file: Frugal) -> zipfile.ZipFile:
    try:
        opened = zipfile.ZipFile(file)
    except BaseException:
        file.close()
        raise
    file.list_limit = None
    return opened


def _close(opened: zipfile.ZipFile, file: Frugal) -> None:
    opened.close()
    file.close()


def _name(member: zipfile.ZipInfo) -> str:
    """Return a member's name; many programs write UTF-8 without setting its flag."""
    name = member.orig_filename
    if not member.flag_bits & UTF8:
        try:
            return name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return name
