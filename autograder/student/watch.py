"""`attend watch`: check answers as they are saved, in a process that has everything loaded already."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text
from watchfiles import Change
from watchfiles import watch as changes_in

from autograder.core.errors import UsageError
from autograder.core.records import ExerciseResult, SubmissionResult
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.course.effort import efforts
from autograder.course.model import Exercise
from autograder.intake.misnamed import SUFFIXES
from autograder.intake.submissions import read_folder
from autograder.source.fingerprints import fingerprints
from autograder.student.cell_lines import result_in_file
from autograder.student.check import ALL_PRINTS, Printer, is_to_do, load, points, print_dim, print_notes, stopped
from autograder.student.core_path import ahead
from autograder.student.debrief import finished, first_words, newly_passed
from autograder.student.misnamed_files import misnamed_files
from autograder.student.prints import Prints
from autograder.student.saved_progress import Progress

if TYPE_CHECKING:  # it loads torch, and the first message must not wait for that
    from autograder.judging.judge import Job

QUIET_MS = 50  # an editor may remove, write and rename several times for one save
LOOK_MS = 1000  # some drives send no notifications

Stamps = dict[Path, tuple[int, int, int]]


def watch(course: Course, exercises: Sequence[Exercise], folder: Path, seed: int | None, console: Console) -> None:
    """Check answers to `exercises` as they are saved in `folder`, without end.

    Ctrl-C stops a running check and watching goes on; if none is running, or it does not stop, the process ends.

    Raises:
        UsageError: the folder has gone.
    """
    chosen = secrets.randbits(32) if seed is None else seed
    print_notes(console, misnamed_files(course))
    watched = _Watch(course, exercises, folder, console, chosen)
    signal.signal(signal.SIGINT, watched.interrupt)
    what = f"{len(watched.known)} chapters" if len(watched.known) > 1 else next(iter(watched.known))
    console.print(Text(f"watching {folder}: {what}, with the same inputs each time (--seed {chosen})"))
    console.print(Text("save an answer to see it checked; Ctrl-C ends this"))
    load()
    from autograder.judging.judge import judge

    while True:
        try:
            judge(course, exercises, watched.jobs(), chosen, watched.loaded, on_exercise=watched.add)
        except KeyboardInterrupt as stop:
            watched.stop(stop)


@dataclass
class _Watch:
    """The sources of the chapters, and the results of their exercises.

    `seen` holds fingerprints of the answers that were last checked, at first of those found at the start;
    `fresh` holds those of the answers that are being checked now, to the exercises `checking`.
    """

    course: Course
    exercises: Sequence[Exercise]
    folder: Path
    console: Console
    seed: int
    known: dict[str, ChapterSource | None] = field(init=False)
    seen: dict[str, dict[str, str]] = field(init=False)
    printer: Printer = field(init=False)
    progress: Progress = field(init=False)
    fresh: dict[str, str] = field(default_factory=dict)
    checking: Sequence[Exercise] = ()
    results: dict[str, ExerciseResult] = field(default_factory=dict)
    asked: bool = False
    said: set[str] = field(default_factory=set)
    prints: Prints = field(default_factory=partial(Prints, ALL_PRINTS))

    def __post_init__(self) -> None:
        chapters = tuple(dict.fromkeys(exercise.chapter for exercise in self.exercises))
        read = read_folder(self.folder, replace(self.course, only=chapters))
        self.known = {chapter: read.chapters.get(chapter) for chapter in chapters}
        self.seen = {chapter: self._fingerprints(chapter) for chapter in chapters}
        self.progress = Progress.load(self.course)
        self.results = {name: row.result for name, row in self.progress.still(read, self.exercises).items()}
        homes = ((self.folder / source.origin).parent for source in read.chapters.values())
        self._saves = iter(Saves(sorted({self.folder, *(home for home in homes if home.is_dir())}), chapters))

    def interrupt(self, _: int, __: FrameType | None) -> None:
        """Handle Ctrl-C: the first stops a check, another ends the process, as code may catch any exception."""
        if not self.checking or self.asked:
            os.write(sys.stdout.fileno(), b"\n")
            os._exit(0)
        self.asked = True
        raise KeyboardInterrupt

    def stop(self, stop: KeyboardInterrupt) -> None:
        """Report a stopped check and forget its sources, so that saving the same text checks it again."""
        self.prints.end()
        place = stopped(stop, filter(None, self.known.values()))
        self.console.print(Text(f"{place}; save again to check again, Ctrl-C ends this", style="yellow"))
        self.known.update(dict.fromkeys(exercise.chapter for exercise in self.checking))
        self.checking = ()

    def jobs(self) -> Iterator[Job]:
        """Yield a job for each chapter that is saved."""
        for saved in self._saves:
            for chapter in dict.fromkeys(path.stem for path in saved):
                read = read_folder(self.folder, replace(self.course, only=(chapter,)))
                source = read.chapters.get(chapter)
                if source is None:  # an editor may remove a file before it writes it anew
                    continue
                if source != self.known[chapter]:
                    self.known[chapter] = source
                    yield from self._check(chapter, read)
                elif all(path.name != Path(source.origin).name for path in saved):
                    print_notes(self.console, [note for note in read.notes if f"{source.origin} counts" in note])

    def _check(self, chapter: str, read: Submission) -> Iterator[Job]:
        """Yield a job for the answers that changed, then one for those of the chapter that have no result yet."""
        own = self._own(chapter)
        self.console.print(Text(f"\n{time.strftime('%H:%M:%S')} {chapter}", style="bold"))
        print_notes(self.console, read.notes)
        self.said = {*read.notes}
        self.printer = Printer(self.console, own, heading=chapter)
        self.fresh = self._fingerprints(chapter)
        changed = [each for each in own if not self.fresh or self.fresh[each.name] != self.seen[chapter].get(each.name)]
        others = [each for each in own if each not in changed and each.name not in self.results]
        if not changed and not others:
            self.console.print(Text("  no answer has changed since it was checked", style="dim"))
        before, passed = dict(self.results), self.progress.passed
        for turn in (changed, others):
            if turn:
                yield from self._turn(turn, read)
        if left := [each for each in own if is_to_do(self.results[each.name])]:
            self.console.print(Text(f"  · {len(left)} still to do", style="dim"))
        self.console.print(points([self.results[each.name] for each in own]))
        if not self.fresh:  # the chapter does not compile, so no answer was checked
            self.results = before
            return
        fresh = [self.results[each.name] for each in (*changed, *others)]
        print_dim(self.console, first_words(self.course, newly_passed(fresh, passed)))
        for line in finished(self.course, passed, self.progress.passed):
            self.console.print(Text(line, style="green"))
        if all(self.results[each.name].status == "passed" for each in changed):
            self.console.print(self._next())

    def _turn(self, turn: Sequence[Exercise], read: Submission) -> Iterator[Job]:
        """Yield the job for some exercises of a chapter, and remember their results."""
        from autograder.calls.local import LocalTarget

        submission = replace(read, only=tuple(each.name for each in turn))
        self.checking, self.asked = turn, False
        yield submission, LocalTarget(submission, self.prints)
        self.checking = ()
        if self.fresh:
            self.progress.add(submission, [self.results[each.name] for each in turn], self.seed)

    def _next(self) -> Text:
        """Return the next exercise to do, as the map proposes it."""
        done = {name for name, result in self.results.items() if result.status == "passed"}
        proposed = ahead(self.exercises, done, efforts(self.course))
        if proposed is None:
            return Text("all of it is done", style="green")
        where = f"{proposed.name} in {proposed.chapter}, {proposed.points:g} points"
        return Text(f"next: {where}; attend hint {proposed.name}")

    def add(self, result: ExerciseResult) -> None:
        """Keep a result and print it, unless the exercise is still to do: those are counted at the end."""
        self.prints.end()
        result = result_in_file(result, self.known[result.chapter])
        self.results[result.exercise] = result
        self.seen[result.chapter].update({name: now for name, now in self.fresh.items() if name == result.exercise})
        if not is_to_do(result):
            self.printer.add(result)

    def loaded(self, result: SubmissionResult) -> None:
        """Print what was passed over when the file was loaded."""
        print_notes(self.console, [note for note in result.notes if note not in self.said])
        self.said.update(result.notes)

    def _own(self, chapter: str) -> list[Exercise]:
        return [exercise for exercise in self.exercises if exercise.chapter == chapter]

    def _fingerprints(self, chapter: str) -> dict[str, str]:
        """Return the fingerprint of each answer; none if the chapter does not compile."""
        source = self.known[chapter]
        if source is None or source.problem:
            return {}
        return fingerprints(source, [exercise.name for exercise in self._own(chapter)])


class Saves:
    """The saves of chapters' files directly in `folders`, from the system's notifications and a look each second."""

    def __init__(self, folders: Sequence[Path], chapters: Collection[str]) -> None:
        self._folders = folders
        self._chapters = chapters
        self._seen = self._stamps()

    def __iter__(self) -> Iterator[list[Path]]:
        """Yield the files of each save as soon as it is complete, without end.

        Raises:
            UsageError: a folder has gone.
        """
        wakes = changes_in(
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
