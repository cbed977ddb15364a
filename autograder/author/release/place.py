"""Write a release to disk: the folder is refreshed file by file, and the archive is always complete."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.core import files as disk
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.course.folders import refuse_bad_place

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
    """Return the absolute path of the folder to release into.

    Raises:
        UsageError: the folder belongs to a course, holds other files, was changed by hand, or cannot be written to.
    """
    root = directory.expanduser().resolve()
    try:
        _refuse_foreign(root)
        _refuse_changed(root, _manifest(root))
    except OSError as error:
        raise UsageError(f"{root} cannot be used ({error.strerror}); choose a folder you may write to") from error
    return root


def place(root: Path, files: Files) -> Placed:
    """Write `files` into the folder, remove other files of an earlier release, and make the archive.

    An interrupted run leaves the old archive and no half-written file; running it again completes the release.
    """
    before = _manifest(root)
    fresh = {path: [_sha(data)] for path, data in files.items()}
    archive = root.with_name(f"{root.name}.zip")
    try:
        _write_manifest(root, {path: before.get(path, []) + fresh.get(path, []) for path in {*before, *fresh}})
        removed = sum(_removed(root, path) for path in before if path not in files)
        written = sum(disk.write(disk.inside(root, path.as_posix()), data) for path, data in files.items())
        _write_manifest(root, fresh)
        disk.write(archive, disk.zipped({root.name / path: data for path, data in files.items()}))
    except OSError as error:
        raise UsageError(f"{root} cannot be written ({error.strerror}); choose a folder you may write to") from error
    return Placed(root, archive, written, removed)


def _removed(root: Path, path: PurePosixPath) -> bool:
    """Remove a file and the folders that this leaves empty; return whether the file existed."""
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
    """Return the files of an earlier release, each with its possible digests; none without a readable manifest."""
    try:
        rows = decoded(contents(root / MANIFEST), dict[str, list[str]])
    except (OSError, ValueError):
        return {}
    for path in rows:
        disk.inside(root, path)
    return {PurePosixPath(path): digests for path, digests in rows.items()}


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
