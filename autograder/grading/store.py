"""The store of a class in one SQLite file: results, the replies of submissions' code, and the submissions.

A result is that of one part, that is, one chapter of one submission; equal parts share one. Only one process at a time
can open the store. A killed run loses nothing that was kept before.
"""

from __future__ import annotations

import errno
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import msgspec

from autograder.core.encoded import as_json
from autograder.core.errors import AttendError, UsageError
from autograder.core.reading import decoded
from autograder.core.records import ExerciseResult, SubmissionResult, upgraded
from autograder.core.submission import Submission
from autograder.sandbox.tape import Lost, RecordedCall, digest

FORMAT = 1
_TABLES = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE run (seed INTEGER NOT NULL, exercises BLOB NOT NULL);
CREATE TABLE submission (stem TEXT PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE verdict (key TEXT PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE heard (source TEXT, call BLOB, time INTEGER, reply BLOB NOT NULL, PRIMARY KEY (source, call, time))
    WITHOUT ROWID;
CREATE TABLE reply (digest BLOB PRIMARY KEY, frame BLOB NOT NULL) WITHOUT ROWID;
"""


class _Kept(TypedDict):
    """What a row of `verdict` holds of a result; its key is a digest of all the rest."""

    exercises: tuple[ExerciseResult, ...]
    seconds: float
    notes: NotRequired[tuple[str, ...]]


class DamagedStoreError(AttendError):
    """The file is not a store, is of another version, or is damaged in places."""


class Store:
    """The store in the file `path`, which is created if it is missing.

    Raises:
        DamagedStoreError: it cannot be read.
        UsageError: another process holds it, or it cannot be written to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _complaints(path):
            self._base = sqlite3.connect(path, isolation_level=None, timeout=1)
        try:
            with _complaints(path):
                self._prepare()
        except BaseException:
            self._base.close()  # else the file stays locked
            raise

    def _prepare(self) -> None:
        self._base.executescript(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        )
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._base.executescript(f"BEGIN EXCLUSIVE; {_TABLES} COMMIT;")
        elif version != FORMAT:
            raise DamagedStoreError(f"its format is {version}, not {FORMAT}")

    def close(self) -> None:
        """Close the file, so that another process can open it."""
        self._base.close()

    @property
    def seed(self) -> int | None:
        """The seed of the last run."""
        row = self._one("SELECT seed FROM run")
        if row is not None and not isinstance(row[0], int):
            raise DamagedStoreError("its seed is no number")
        return None if row is None else row[0]

    @property
    def exercises(self) -> tuple[str, ...]:
        """Names of the exercises of the last run."""
        row = self._one("SELECT exercises FROM run")
        return () if row is None else _decoded(row[0], tuple[str, ...])

    def begin(self, seed: int, exercises: Sequence[str], submissions: Mapping[str, Submission]) -> None:
        """Record a new run over these submissions, by stem."""
        rows = [(stem, as_json(each)) for stem, each in submissions.items()]
        with self._change() as base:
            base.execute("DELETE FROM run")
            base.execute("INSERT INTO run VALUES (?, ?)", (seed, msgspec.json.encode(exercises)))
            base.execute("DELETE FROM submission")
            base.executemany("INSERT INTO submission VALUES (?, ?)", rows)

    def submissions(self) -> dict[str, Submission]:
        """Return the submissions of the last run, by stem."""
        rows = self._all("SELECT stem, record FROM submission ORDER BY stem")
        return {str(stem): _decoded(record, Submission) for stem, record in rows}

    def result(self, key: str) -> SubmissionResult | None:
        """Return what was kept of a part's result: its exercises, seconds and notes; None if there is none."""
        row = self._one("SELECT record FROM verdict WHERE key = ?", key)
        if row is None:
            return None
        kept: _Kept = _decoded(row[0], _Kept)
        return SubmissionResult.of(key, kept["exercises"], notes=kept.get("notes", ()), seconds=kept["seconds"])

    def keep(self, result: SubmissionResult) -> None:
        """Keep the result of a part, whose `student` is the part's key."""
        kept = _Kept(exercises=result.exercises, seconds=result.seconds, notes=result.notes)
        with self._change() as base:
            base.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?)", (result.student, as_json(kept)))

    def replies(self, source: str) -> tuple[RecordedCall, ...]:
        """Return the replies of a source; several replies to the same call are in order."""
        rows = self._all(
            "SELECT call, frame, digest FROM heard JOIN reply ON reply = digest WHERE source = ? ORDER BY call, time",
            source,
        )
        if not all(isinstance(each, bytes) for row in rows for each in row):
            raise DamagedStoreError("it holds a text in place of an answer")
        frames = [(call, frame) for call, frame, known in rows if digest(frame) == known]
        return tuple(RecordedCall(call, msgspec.msgpack.decode(frame, type=bytes | Lost)) for call, frame in frames)

    def keep_replies(self, source: str, replies: Iterable[RecordedCall]) -> None:
        """Keep the replies of a source; equal replies of all sources are stored once."""
        times: Counter[bytes] = Counter()
        frames: dict[bytes, bytes] = {}
        rows: list[tuple[str, bytes, int, bytes]] = []
        for each in replies:
            frame = msgspec.msgpack.encode(each.reply)
            frames[same := digest(frame)] = frame
            rows.append((source, each.call, times[each.call], same))
            times[each.call] += 1
        with self._change() as base:
            base.executemany("INSERT OR IGNORE INTO reply VALUES (?, ?)", frames.items())
            base.executemany("INSERT OR REPLACE INTO heard VALUES (?, ?, ?, ?)", rows)

    def forget(self, but: Iterable[str]) -> None:
        """Drop the replies of all sources except those in `but`."""
        with self._change() as base:
            base.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (source TEXT PRIMARY KEY)")
            base.execute("DELETE FROM wanted")
            base.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", [(source,) for source in but])
            base.execute("DELETE FROM heard WHERE source NOT IN (SELECT source FROM wanted)")
            base.execute("DELETE FROM reply WHERE digest NOT IN (SELECT reply FROM heard)")

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._all(query, *values)), None)

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with _complaints(self.path), closing(self._base.execute(query, values)) as cursor:
            return list(cursor)

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction."""
        with _complaints(self.path):
            self._base.execute("BEGIN")
            try:
                yield self._base
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise


def _decoded(record: Any, kind: Any) -> Any:
    try:
        try:
            return decoded(record, kind)
        except ValueError:  # it may be of version 1
            return decoded(record, kind, upgraded)
    except (ValueError, TypeError) as error:
        raise DamagedStoreError(str(error)) from error


@contextmanager
def _complaints(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
            raise UsageError(f"{path} cannot be written") from OSError(errno.ENOSPC, "no space left on device")
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise UsageError(f"another run is grading into {path.parent}; wait until it has ended") from error
        if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # a table or a column is missing, or is there already
            raise DamagedStoreError(str(error)) from error
        raise UsageError(f"{path} cannot be used ({error}); choose another folder with --out") from error
    except sqlite3.DatabaseError as error:
        raise DamagedStoreError(str(error)) from error
