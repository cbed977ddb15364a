"""The oracle of a sealed course, which has a record instead of the reference and the known mistakes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import torch

from autograder.calls.records import Call, Observation, duplicate
from autograder.compare.draw import Draw
from autograder.compare.oracle import NOT_RECORDED, Oracle, digest
from autograder.compare.recording import Asked, Notes, Reader
from autograder.compare.vault import Vault
from autograder.core.errors import CheckFailed, UsageError
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.course.sealed_facts import AGAIN, FOLDER, facts

T = TypeVar("T")


class SealedOracle(Oracle):
    """Answers from the files of `recorded/`."""

    def __init__(self, course: Course) -> None:
        super().__init__(course)
        self._records: dict[str, Record] = {}

    def function(self, chapter: str, exercise: str) -> Callable[..., Any]:  # noqa: ARG002 - none can be called
        """Raise: what is not recorded cannot be called.

        Raises:
            CheckFailed: always.
        """
        raise CheckFailed("grader_error", NOT_RECORDED)

    def parameters(self, chapter: str, exercise: str, method: str) -> tuple[str, ...]:
        return tuple(self._record(chapter).notes(exercise).signatures.get(method, ()))

    def reference(self, chapter: str, exercise: str) -> None:
        """Return None: what is not recorded cannot be called."""

    def draw(self, seed: int, check: str) -> Draw:
        """Return the recorded numbers of one of the recorded seeds."""
        record = self._record(check.partition("/")[0])
        return SealedDraw(record.seed_for(seed), check, record)

    def recorded(self, check: str, seed: int) -> Iterator[Call]:
        record = self._record(check.partition("/")[0])
        return record.calls(check, record.seed_for(seed))

    def right(self, chapter: str, call: Call) -> Observation:
        record, asked = self._found(chapter, call)
        return record.reader.seen(record.asked(call.name, asked).right)

    def candidates(
        self,
        known: Sequence[Misconception],
        call: Call,
        seen: Observation,
        *,
        rounded: bool,  # noqa: ARG002 - a record is opened either way
    ) -> Sequence[Misconception]:
        """Return the mistakes whose records this answer or an earlier one has opened."""
        if not known:
            return []
        record, asked = self._found(self._chapter_of(known[0]), call)
        return record.vault.candidates([int(each.identifier) for each in known], record.asked(call.name, asked), seen)

    def shown(
        self, known: Sequence[Misconception], call: Call, seen: Observation, *, rounded: bool
    ) -> list[Observation]:
        if not known:
            return []
        record, asked = self._found(self._chapter_of(known[0]), call)
        right = record.reader.seen(record.asked(call.name, asked).right)
        return [record.vault.of(each).shown(asked, right, seen, rounded=rounded) for each in known]

    def wrong(self, known: Sequence[Misconception], call: Call) -> list[Observation]:  # noqa: ARG002
        """Raise: the answers of mistakes are recognised when they are seen, but not recorded."""
        return [_recorded(None) for _ in known]

    def example(self, mistake: Misconception) -> tuple[Call, Observation, Observation] | None:
        """Return an opened mistake's example: a call, the right answer, and the mistake's; None if it has none."""
        record = self._record(self._chapter_of(mistake))
        opened, exercise = record.vault.of(mistake), mistake.exercise
        if opened.record.example < 0:
            return None
        right = record.reader.seen(record.asked(exercise, opened.record.example).right)
        return record.call(exercise, opened.record.example), right, opened.example()

    def opened(self, chapter: str) -> list[Misconception]:
        """Return the known mistakes of a chapter that answers in this copy have opened."""
        return self._record(chapter).vault.opened

    def forget(self) -> None:
        """Lock every opened mistake again."""
        for record in self._records.values():
            record.vault.forget()

    def _found(self, chapter: str, call: Call) -> tuple[Record, int]:
        record = self._record(chapter)
        return record, _recorded(record.index(call.name).get(self.digest(call)))

    def _chapter_of(self, mistake: Misconception) -> str:
        return next(each.chapter for each in self._course.exercises if each.name == mistake.exercise)

    def _record(self, chapter: str) -> Record:
        if chapter not in self._records:
            self._records[chapter] = Record(self._course, chapter)
        return self._records[chapter]


class Record:
    """The record of one chapter; its calls are read exercise by exercise."""

    def __init__(self, course: Course, chapter: str) -> None:
        """
        Raises:
            UsageError: the record is missing, or was changed since it was handed out.
        """
        known, path = facts(course.root, chapter), course.root / FOLDER / f"{chapter}.bin"
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UsageError(f"{path} is missing; {AGAIN}") from error
        if hashlib.sha256(data).hexdigest() != known.sha256:
            raise UsageError(f"{path} is not as it was handed out; {AGAIN}")
        self.seeds = known.seeds
        self.reader = Reader(data)
        self.vault = Vault(course, chapter, self.reader)
        self._calls: dict[str, list[tuple[Asked, Call]]] = {}
        self._index: dict[str, dict[bytes, int]] = {}

    def notes(self, exercise: str) -> Notes:
        """Return the notes on an exercise."""
        return _recorded(self.reader.sheet.exercises.get(exercise))

    def seed_for(self, seed: int) -> int:
        """Return the recorded seed that stands for any other."""
        return seed if seed in self.seeds else self.seeds[seed % len(self.seeds)]

    def calls(self, check: str, seed: int) -> Iterator[Call]:
        """Yield the calls of a check with a recorded seed, in the order in which it makes them."""
        for exercise, notes in self.reader.sheet.exercises.items():
            for number in notes.plans.get(f"{seed}/{check}", ()):
                yield self.call(exercise, number)

    def asked(self, exercise: str, number: int) -> Asked:
        """Return what was recorded about a call."""
        return self.notes(exercise).asked[number]

    def call(self, exercise: str, number: int) -> Call:
        """Return a recorded call."""
        return self._all(exercise)[number][1]

    def index(self, exercise: str) -> Mapping[bytes, int]:
        """Return the number of each call, by its digest."""
        if exercise not in self._index:
            self._index[exercise] = {digest(call): number for number, (_, call) in enumerate(self._all(exercise))}
        return self._index[exercise]

    def _all(self, exercise: str) -> list[tuple[Asked, Call]]:
        if exercise not in self._calls:
            asked = self.notes(exercise).asked
            self._calls[exercise] = [(each, duplicate(self.reader.call(each.call))) for each in asked]
        return self._calls[exercise]


class SealedDraw(Draw):
    """Draws the numbers that were drawn for the record, to which a property may refer.

    Another version of torch, or another machine, may draw others.
    """

    def __init__(self, seed: int, check: str, record: Record) -> None:
        super().__init__(seed, check)
        self._recorded = record.reader.sheet.drawn.get(f"{seed}/{check}", {})
        self._reader = record.reader
        self._number = 0

    def _drawn(self, make: Callable[[], torch.Tensor]) -> torch.Tensor:
        fresh = make()
        number = self._recorded.get(drawing(self._number, fresh))
        self._number += 1
        kept: torch.Tensor = fresh if number is None else self._reader.value(number)
        return kept


def drawing(number: int, drawn: torch.Tensor) -> str:
    """Return the key of a check's drawing."""
    return f"{number} {drawn.dtype} {list(drawn.shape)}"


def _recorded(found: T | None) -> T:
    """Return what was found.

    Raises:
        CheckFailed: nothing was.
    """
    if found is None:
        raise CheckFailed("grader_error", NOT_RECORDED)
    return found
