"""Put a release where it belongs: a folder that is refreshed file by file, and an archive that is always whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.core import files as disk
from autograder.core.errors import UsageError
from autograder.course.place import refuse_bad_place

MANIFEST = Path(".attend", "release.json")
Files = dict[PurePosixPath, bytes]


@dataclass(frozen=True)
class Placed:
    """The folder, its archive, and how many files were written or removed."""

    root: Path
    archive: Path
    written: int
    removed: int


def checked(directory: Path) -> Path:
    """The folder to release into, made absolute.

    Raises:
        UsageError: it cannot be used: it is a course's own, holds something else, or was worked in.
    """
    root = directory.expanduser().resolve()
    try:
        _refuse_foreign(root)
        _refuse_changed(root, _manifest(root))
    except OSError as error:
        raise UsageError(f"{root} cannot be used ({error.strerror}); choose a folder you may write to") from error
    return root


def place(root: Path, files: Files) -> Placed:
    """Write `files` into the folder, remove those of an earlier release that are not among them, and archive them.

    An interrupted run leaves no half-written file and the old archive; a second one completes it.
    """
    before = _manifest(root)
    fresh = {path: [_sha(data)] for path, data in files.items()}
    archive = root.with_name(f"{root.name}.zip")
    try:
        _write_manifest(root, {path: before.get(path, []) + fresh.get(path, []) for path in {*before, *fresh}})
        removed = sum(_removed(root, path) for path in before if path not in files)
        written = sum(disk.write(root / path, data) for path, data in files.items())
        _write_manifest(root, fresh)
        disk.write(archive, disk.zipped({root.name / path: data for path, data in files.items()}))
    except OSError as error:
        raise UsageError(f"{root} cannot be written ({error.strerror}); choose a folder you may write to") from error
    return Placed(root, archive, written, removed)


def _removed(root: Path, path: PurePosixPath) -> bool:
    """Whether there was a file; its folder goes with it if it is empty then."""
    there = (root / path).is_file()
    (root / path).unlink(missing_ok=True)
    for folder in (root / path).parents:
        if folder == root or not folder.is_dir() or any(folder.iterdir()):
            break
        folder.rmdir()
    return there


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _manifest(root: Path) -> dict[PurePosixPath, list[str]]:
    """What was released into the folder before, each file with what it may hold; nothing if there is no record."""
    try:
        rows = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
        return {PurePosixPath(path): list(digests) for path, digests in rows.items()}
    except (FileNotFoundError, NotADirectoryError, ValueError, AttributeError):
        return {}


def _write_manifest(root: Path, rows: Mapping[PurePosixPath, list[str]]) -> None:
    text = json.dumps({str(path): digests for path, digests in sorted(rows.items())}, indent=1)
    disk.write(root / MANIFEST, text)


def _refuse_foreign(root: Path) -> None:
    refuse_bad_place(root, "the release", "~/attend-release")
    if (root / MANIFEST).is_file():
        return
    if root.is_dir() and any(root.iterdir()):
        raise UsageError(f"{root} holds other files and was not made by `attend release`; choose a new folder")
    if (archive := root.with_name(f"{root.name}.zip")).exists():
        raise UsageError(f"{archive} is there already and was not made by `attend release`; choose another name")


def _refuse_changed(root: Path, manifest: Mapping[PurePosixPath, list[str]]) -> None:
    for path, digests in manifest.items():
        if (root / path).is_file() and _sha((root / path).read_bytes()) not in digests:
            raise UsageError(
                f"{root / path} was changed since it was released; keep it elsewhere, or release into another folder"
            )
