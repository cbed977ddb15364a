"""The files of a submission in a folder or a zip: read as bytes, never unpacked, and links are not followed."""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from autograder.core.reading import beginning
from autograder.core.text import join_names, one_line

MIB = 1024 * 1024
READ_LIMIT = {
    **{".py": 2 * MIB, ".ipynb": 20 * MIB, ".safetensors": 16 * MIB, ".zip": 64 * MIB},
    ".yml": 64 * MIB,  # Gradescope's list of a class, not a submission
}
TOTAL_LIMIT = 64 * MIB  # bytes read from one submission
COUNT_LIMIT = 10_000  # files looked at in one submission
DEPTH_LIMIT = 20  # parts of a path, the file itself among them
TOO_DEEP = f"not read, because they lie below more than {DEPTH_LIMIT - 1} folders"
ZIP_LIMIT = 64 * MIB
LIST_LIMIT = 4 * MIB  # of a zip's own list of its files, which may fill the zip
# LZMA members may demand gigabytes of memory before the first byte; every zip program can write these two.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
INNER_ZIPS = 10  # that are opened in one submission
INNER_DEPTH = 2
DRIVE = re.compile(r"[A-Za-z]:(?! )")  # "C:" leads out of a zip, a folder "A: attention" does not


class UnreadableError(Exception):
    """A file of a submission cannot be read; the message ends the sentence "NAME ..."."""


@dataclass(frozen=True)
class Found:
    """One file of a submission: its path inside, and a function that returns its bytes.

    `version` tells apart what a student handed in several times, where nothing says which came last; else it is "".
    """

    path: PurePosixPath
    load: Callable[[], bytes]
    version: str = ""


@dataclass(frozen=True)
class Listing:
    """The files of a submission.

    `damage` ends the sentence "NAME ..." where nothing can be read at all; `name` is its subject where that is not the
    submission's own name.
    """

    files: tuple[Found, ...] = ()
    notes: tuple[str, ...] = ()
    damage: str = ""
    name: str = ""


class Budget:
    """A count of the bytes that may still be read from one submission."""

    def __init__(self) -> None:
        self.left = TOTAL_LIMIT

    def spend(self, data: bytes, path: PurePosixPath) -> bytes:
        """Return `data`, which was read with a limit one byte above the allowed one.

        Raises:
            UnreadableError: the file, or everything read so far, is too large.
        """
        self.check(len(data), path)
        self.left -= len(data)
        return data

    def check(self, size: int, path: PurePosixPath) -> None:
        """Check that a file of `size` bytes may be read.

        Raises:
            UnreadableError: it, or everything read so far with it, is too large.
        """
        limit = read_limit(path)
        if size > limit:
            remedy = (
                "; clear its outputs and save it again" if path.suffix == ".ipynb" else "; keep only your answers in it"
            )
            raise UnreadableError(f"is larger than {limit // MIB} MiB{remedy}")
        if size > self.left:
            raise UnreadableError(f"is one too many: only {TOTAL_LIMIT // MIB} MiB of a submission are read")


def read_limit(path: PurePosixPath) -> int:
    return READ_LIMIT.get(path.suffix.lower(), READ_LIMIT[".py"])


@contextmanager
def opened(path: Path) -> Iterator[Listing]:
    """Open the folder or zip at `path`; the bytes of its files can be loaded while the context lasts."""
    if path.is_symlink():
        yield Listing(damage="is a link, and links are not followed; put the folder itself there")
    elif path.is_dir():
        listing = folder(path, Budget())
        inner = lone_zip(listing)
        with _zip(path / inner.path) if inner else nullcontext(listing) as files:
            yield files
    else:
        with _zip(path) as files:
            yield files


def lone_zip(listing: Listing) -> Found | None:
    """Return the zip that is the only file of a folder: course platforms put an uploaded zip into one."""
    return listing.files[0] if len(listing.files) == 1 and is_zip(listing.files[0].path) else None


def is_zip(path: PurePosixPath) -> bool:
    return path.suffix.lower() == ".zip"


def is_hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") or part in ("__MACOSX", "__pycache__") for part in path.parts)


def folder(root: Path, budget: Budget) -> Listing:
    """Return the files of a folder, which is not a link."""
    files, deep, strange, cut = list[Found](), list[str](), list[str](), False
    for seen, entry in enumerate(_walk(root)):
        path = PurePosixPath(Path(entry.path).relative_to(root).as_posix())
        if seen >= COUNT_LIMIT:
            cut = True
            break
        if entry.is_file(follow_symlinks=False):
            files.append(Found(path, file_loader(Path(entry.path), path, budget)))
        elif not entry.is_dir(follow_symlinks=False):
            strange.append(str(path))
        elif len(path.parts) == DEPTH_LIMIT and _entries(entry.path):
            deep.append(str(path))
    return _listing(files, (), deep, strange, cut=cut)


def _listing(
    files: Iterable[Found], unsafe: Sequence[str], deep: Sequence[str], strange: Sequence[str], *, cut: bool
) -> Listing:
    """Return the files in order, with notes on the others.

    Args:
        unsafe: names that lead out of a zip.
        deep: files below too many folders, or the last of these.
        strange: links and special files.
        cut: whether there are more files than the limit.
    """
    notes = [
        f"not read, because their names lead out of the zip: {join_names(unsafe)}" if unsafe else "",
        f"{TOO_DEEP}: {join_names(deep)}" if deep else "",
        f"not followed, because links and special files are not read: {join_names(strange)}" if strange else "",
        f"only the first {COUNT_LIMIT} files were looked at" if cut else "",
    ]
    return Listing(tuple(sorted(files, key=lambda found: found.path)), tuple(filter(None, notes)))


def unread(named: Sequence[Found]) -> list[str]:
    """Return a note on files of one name, of which the first counts; none for a single file."""
    if len(named) < 2:
        return []
    others = join_names([str(found.path) for found in named[1:]], 3)
    return [f"{one_line(str(named[0].path))} counts, {others} {'was' if len(named) == 2 else 'were'} not read"]


def _walk(root: Path) -> Iterator[os.DirEntry[str]]:
    """Yield everything below `root`, level by level, so that a limit on the count keeps the shallow files."""
    level = [str(root)]
    for _ in range(DEPTH_LIMIT):
        deeper = []
        for folder in level:
            for entry in _entries(folder):
                if is_hidden(PurePosixPath(entry.name)):
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    deeper.append(entry.path)
        level = deeper


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []  # nothing in an unreadable folder can be graded


def file_loader(file: Path, path: PurePosixPath, budget: Budget) -> Callable[[], bytes]:
    """Return a function that reads the regular file `file`, which lies at `path` in its submission."""
    # O_NONBLOCK and the check after opening: the file may have become a fifo, or a link, since it was listed.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

    def load() -> bytes:
        try:
            descriptor = os.open(file, flags)
            with open(descriptor, "rb") as stream:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise UnreadableError("is not a regular file")
                return budget.spend(beginning(stream, read_limit(path)), path)
        except OSError as error:
            raise UnreadableError(f"cannot be opened ({error.strerror})") from error

    return load


class Frugal(io.BufferedReader):
    """An archive whose list of members is limited: `zipfile` reads it at once, and needs ten times its size."""

    def __init__(self, raw: io.FileIO | io.BytesIO, list_limit: int = LIST_LIMIT) -> None:
        super().__init__(raw)
        self.list_limit: int | None = list_limit  # None once the list was read

    def read(self, size: int | None = -1, /) -> bytes:
        if self.list_limit is not None and size is not None and size > self.list_limit:
            raise UnreadableError(f"its list of files is larger than {self.list_limit // MIB} MiB")
        return super().read(size)


@contextmanager
def zipped(get: Callable[[], io.FileIO | io.BytesIO], budget: Budget) -> Iterator[Listing]:
    """Open the zip that `get` returns."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Frugal(get()))
            archive = stack.enter_context(zipfile.ZipFile(file))
            file.list_limit = None
        except Exception as error:  # zipfile raises a dozen kinds of exceptions on hostile bytes
            why = one_line(str(error)) or type(error).__name__
            yield Listing(damage=f"cannot be read as a zip file ({why}); zip the folder again and hand it in again")
            return
        yield _members(archive, budget)


def _zip(path: Path) -> AbstractContextManager[Listing]:
    def get() -> io.FileIO:
        if not path.is_file() or path.stat().st_size > ZIP_LIMIT:
            raise UnreadableError(f"it is not a file of at most {ZIP_LIMIT // MIB} MiB")
        return io.FileIO(path)

    return zipped(get, Budget())


def _members(archive: zipfile.ZipFile, budget: Budget) -> Listing:
    files, unsafe, deep, strange = dict[PurePosixPath, Found](), list[str](), list[str](), list[str]()
    members = archive.infolist()
    for member in members[:COUNT_LIMIT]:
        path = inner_path(member.orig_filename)
        if path is None:
            unsafe.append(member.orig_filename or "one without a name")
        elif is_folder(member.orig_filename) or is_hidden(path):
            continue
        elif is_too_deep(path):
            deep.append(str(path))
        elif is_special(member):
            strange.append(str(path))
        else:
            files.setdefault(path, Found(path, member_loader(archive, member, path, budget)))
    return _listing(files.values(), unsafe, deep, strange, cut=len(members) > COUNT_LIMIT)


def is_folder(member: str) -> bool:
    return member.endswith(("/", "\\"))


def is_special(member: zipfile.ZipInfo) -> bool:
    """Return whether it is a link or a special file."""
    return stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG)


def inner_path(member: str) -> PurePosixPath | None:
    """Return the path of a member inside the zip; None for a name that leads out of it."""
    name = member.replace("\\", "/")
    parts = name.split("/")
    leads_out = name.startswith("/") or ".." in parts or DRIVE.match(name)
    if leads_out or "\0" in name or name in ("", "."):
        return None
    return PurePosixPath(name)


def is_too_deep(path: PurePosixPath) -> bool:
    """Return whether it lies below more folders than are looked into."""
    return len(path.parts) > DEPTH_LIMIT


def member_loader(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: PurePosixPath, budget: Budget
) -> Callable[[], bytes]:
    """Return a function that reads a member, which lies at `path` in its submission."""

    def load() -> bytes:
        if member.flag_bits & 1:
            raise UnreadableError("is locked with a password; zip it again without one")
        if member.compress_type not in METHODS:
            raise UnreadableError("is packed by an unusual method; zip it again with ordinary settings")
        budget.check(member.file_size, path)  # nothing is unpacked beyond the size that a member claims
        try:
            with archive.open(member) as stream:
                data = stream.read(read_limit(path) + 1)
        except Exception as error:  # zlib, struct and zipfile errors of many kinds, on hostile bytes
            raise UnreadableError("is damaged inside the zip; zip it again") from error
        return budget.spend(data, path)

    return load


@contextmanager
def unzipped(listing: Listing) -> Iterator[Listing]:
    """Yield `listing` with the files of its zips in place of these, and a note on each zip."""
    budget, opened = Budget(), 0
    with ExitStack() as stack:
        for _ in range(INNER_DEPTH):
            zips = [found for found in listing.files if is_zip(found.path)]
            inner = {found: stack.enter_context(_opened_inside(found, budget)) for found in zips[: INNER_ZIPS - opened]}
            opened += len(inner)
            listing = _with_inner(listing, inner)
        left = [str(found.path) for found in listing.files if is_zip(found.path)]
        says = f"not read, because only {INNER_ZIPS} zips of a submission are opened, {INNER_DEPTH} deep"
        yield replace(listing, notes=(*listing.notes, *([f"{says}: {join_names(left, 3)}"] if left else [])))


def _with_inner(listing: Listing, inner: dict[Found, Listing]) -> Listing:
    files = [found for found in listing.files if found not in inner]
    notes = list(listing.notes)
    for outer, each in inner.items():
        path = one_line(str(outer.path), 200)
        files += [Found(outer.path / found.path, found.load, outer.version) for found in each.files]
        notes.append(f"{path} {each.damage}" if each.damage else f"{path}, a zip in the submission, was opened")
        notes += [f"{path}: {note}" for note in each.notes]
    return replace(listing, files=tuple(sorted(files, key=lambda found: found.path)), notes=tuple(notes))


@contextmanager
def _opened_inside(found: Found, budget: Budget) -> Iterator[Listing]:
    with zipped(lambda: io.BytesIO(found.load()), budget) as listing:
        yield listing
