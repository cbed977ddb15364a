"""What a working copy remembers: the last result of each exercise, and a digest of all it depended on."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from autograder.core import files, reading
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.core.records import ExerciseResult, upgraded
from autograder.core.submission import Submission
from autograder.core.versions import versions
from autograder.course.check_list import MOST_POINTS
from autograder.course.course import Course
from autograder.course.effort import efforts
from autograder.course.folders import require_copy
from autograder.course.model import Exercise
from autograder.intake.artefacts import asked_for
from autograder.source.fingerprints import fingerprints
from autograder.student.core_path import ahead

PLACE = Path(".attend", "progress.json")
ENGINE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Remembered:
    """A result, with digests of the `answer` and of the `text` of its file, and the `seed` of its inputs."""

    result: ExerciseResult
    answer: str
    text: str
    seed: int

    @property
    def is_sound(self) -> bool:
        """Return whether its points can be those of a check."""
        points, most = self.result.score, self.result.max_score
        return 0 <= points <= most <= MOST_POINTS and (bool(self.result.checks) or self.result.status == "passed")


@dataclass
class Progress:
    """The last result of each exercise. Only a working copy remembers them.

    The file holds no absolute path, so the copy may be moved.
    """

    course: Course
    last: dict[str, Remembered] = field(default_factory=dict)

    @classmethod
    def load(cls, course: Course) -> Self:
        """Read the record; one that is lost or damaged counts as empty."""
        with contextlib.suppress(OSError, ValueError, UsageError):
            rows = decoded(contents(files.inside(course.root, PLACE)), dict[str, Remembered], upgraded)
            return cls(course, {name: row for name, row in rows.items() if row.is_sound})
        return cls(course)

    @property
    def passed(self) -> frozenset[str]:
        """Exercises that their last check passed."""
        return frozenset(name for name, known in self.last.items() if known.result.status == "passed")

    def still(self, submission: Submission, exercises: Iterable[Exercise]) -> dict[str, Remembered]:
        """Return the results that hold: their answer is unchanged, and any lines they name have not moved."""
        found: dict[str, Remembered] = {}
        for name, answer, text in self._digests(submission, exercises):
            known = self.last.get(name)
            if known and answer == known.answer and (text == known.text or not _names_lines(known.result)):
                found[name] = known
        return found

    def changed(self, submission: Submission, exercises: Iterable[Exercise]) -> frozenset[str]:
        """Return the exercises that were checked, and whose answer is now another one or cannot be read."""
        now = {name: answer for name, answer, _ in self._digests(submission, exercises)}
        return frozenset(name for name, known in self.last.items() if now.get(name) != known.answer)

    def add(self, submission: Submission, results: Iterable[ExerciseResult], seed: int) -> None:
        """Remember new results of `submission`, if this is a working copy."""
        fresh = {result.exercise: result for result in results}
        if not fresh or not self.course.is_copy:
            return
        exercises = [exercise for exercise in self.course.exercises if exercise.name in fresh]
        for name, answer, text in self._digests(submission, exercises):
            self.last[name] = Remembered(_slim(fresh[name]), answer, text, seed)
        self.keep()

    def forget(self, name: str) -> None:
        """Remove an exercise from the record."""
        if self.last.pop(name, None):
            self.keep()

    def keep(self) -> None:
        """Write the record, if the folder allows it."""
        rows = {name: asdict(row) for name, row in sorted(self.last.items())}
        with contextlib.suppress(UsageError):  # in a read-only folder, results are shown all the same
            files.write(files.inside(self.course.root, PLACE), json.dumps(rows, indent=1, ensure_ascii=False) + "\n")

    def _digests(self, submission: Submission, exercises: Iterable[Exercise]) -> Iterator[tuple[str, str, str]]:
        """Yield name, digest of the answer and digest of the file, except for chapters that cannot be read."""
        chapters: dict[str, list[str]] = {}
        for exercise in exercises:
            chapters.setdefault(exercise.chapter, []).append(exercise.name)
        engine = _stamps([*ENGINE.rglob("*.py"), *(self.course.home / "reference").rglob("*.py")])
        for chapter, names in chapters.items():
            source = submission.chapters.get(chapter)
            if source is None or source.problem:
                continue
            common = [engine, versions(), reading.text(self.course.suite(chapter))]
            answers = fingerprints(source, [each.name for each in self.course.of(chapter)])
            models = asked_for(self.course.suite(chapter))
            for name in names:
                trained = hashlib.sha256(source.artefacts.get(models.get(name, ""), b"")).hexdigest()
                yield name, _digest([common, name, answers[name], trained]), _digest([source.origin, source.text])


def _slim(result: ExerciseResult) -> ExerciseResult:
    """Return the result without the patches, which only pages show."""
    return replace(result, checks=tuple(replace(check, patch=None) for check in result.checks))


def _names_lines(result: ExerciseResult) -> bool:
    """Return whether the result may name lines of the file."""
    if result.status == "missing":
        return any(check.message.line for check in result.checks)
    return result.status != "passed"


def _stamps(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    """Return name, size and time of each file, without reading it."""
    return [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(paths)]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def current(course: Course) -> Exercise:
    """Return the first exercise that was tried and not passed, in the file saved last; else the next one to do.

    Raises:
        UsageError: this is no working copy, or everything is passed.
    """
    require_copy(course)
    progress = Progress.load(course)
    proposed = ahead(course.exercises, progress.passed, efforts(course))
    if proposed is None:
        raise UsageError("every exercise is passed; say which one is meant")
    tried = {name for name, known in progress.last.items() if known.result.status not in ("passed", "missing")}
    left = [each for each in course.exercises if each.checks and each.name in tried]
    return max(left, key=lambda each: _saved(course, each.chapter), default=proposed)


def _saved(course: Course, chapter: str) -> float:
    """Return when the chapter was last saved, in either form."""
    paths = [course.exercises_dir / f"{chapter}{suffix}" for suffix in (".py", ".ipynb")]
    return max((path.stat().st_mtime for path in paths if path.is_file()), default=0.0)
