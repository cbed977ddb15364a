"""Notice saved chapters: from the system's notifications, and by looking once a second."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from watchfiles import Change, watch

from autograder.core.errors import UsageError
from autograder.intake.misnamed import SUFFIXES

QUIET_MS = 50  # an editor may remove, write and rename several times for one save
LOOK_MS = 1000  # some drives send no notifications

Stamps = dict[Path, tuple[int, int, int]]


class Saves:
    """The chapters' files directly in `folders`, with their state at the last look."""

    def __init__(self, folders: Sequence[Path], chapters: Collection[str]) -> None:
        self._folders = folders
        self._chapters = chapters
        self._seen = self._stamps()

    def __iter__(self) -> Iterator[list[Path]]:
        """Yield the files of each save as soon as it is complete, without end.

        Raises:
            UsageError: a folder has gone.
        """
        wakes = watch(
            *self._folders,
            watch_filter=self._is_ours,
            step=QUIET_MS,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            recursive=False,
        )
        for _ in wakes:
            now = self._stamps()
            # An empty file is still being written.
            saved = [path for path, stamp in now.items() if self._seen.get(path) != stamp and stamp[1]]
            self._seen = now
            yield saved

    def _is_ours(self, _: Change, path: str) -> bool:
        return self._counts(Path(path))

    def _counts(self, path: Path) -> bool:
        return path.stem in self._chapters and path.suffix in SUFFIXES

    def _stamps(self) -> Stamps:
        return dict(stamped for folder in self._folders for stamped in _stamps(folder) if self._counts(stamped[0]))


def _stamps(folder: Path) -> Iterator[tuple[Path, tuple[int, int, int]]]:
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder} is not there any more ({error.strerror}); watch the folder it is now in") from error
    for path in paths:
        with suppress(OSError):  # an editor may have removed it since
            stat = path.stat()
            yield path, (stat.st_mtime_ns, stat.st_size, stat.st_ino)
