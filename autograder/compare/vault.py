"""Known mistakes that a sealed chapter holds, and those that a student's own answers have opened."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from autograder.calls.records import Observation, Opaque, Raised
from autograder.compare.locks import PARTS, Features, unsealed
from autograder.compare.recording import Asked, Mistake, Reader
from autograder.core.errors import UsageError
from autograder.core.files import inside, write
from autograder.core.reading import contents, decoded
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.course.sealed_facts import not_here

PLACE = Path(".attend", "opened.json")
_Key = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})+$")]

UNLIKE = Observation(Opaque("something else"))
RAISED = Observation(Raised("", (), ""))


@dataclass(frozen=True)
class Opened:
    """A known mistake that may be read."""

    misconception: Misconception
    record: Mistake
    base: Reader

    def shown(self, asked: int, right: Observation, seen: Observation, *, rounded: bool) -> Observation:
        """Return a stand-in for the mistake's answer to a call: `right`, the answer that was `seen`, or neither."""
        mark = self.record.marks[asked]
        if mark is None:
            return right
        if mark.fits(Features.of(seen, *PARTS), rounded=rounded):
            return seen
        return RAISED if mark.raised else UNLIKE

    def example(self) -> Observation:
        """Return what the mistake shows on its example call."""
        return Reader(self.record.sheet, self.base).seen(0)


class Vault:
    """The sealed records of a chapter. What was opened stays open in this copy: `.attend/` keeps the keys."""

    def __init__(self, course: Course, chapter: str, reader: Reader) -> None:
        """
        Args:
            reader: of the chapter's record, whose public part anyone may read.
        """
        self._course, self._chapter, self._reader = course, chapter, reader
        self._exercises = [each.exercise for known in (course.misconceptions, course.pairs) for each in known(chapter)]
        self._opened: dict[int, Opened] = {}
        for place, key in _kept(course.root).items():
            known, _, number = place.partition("/")
            if known == chapter and number in map(str, range(len(self._exercises))):
                self._open(int(number), bytes.fromhex(key))

    @property
    def opened(self) -> list[Misconception]:
        """The known mistakes whose records are open."""
        return [each.misconception for each in self._opened.values()]

    def forget(self) -> None:
        """Lock everything again."""
        self._opened.clear()

    def of(self, mistake: Misconception) -> Opened:
        """Return the record of an opened mistake, whatever is said of it: "only where `mask` is given: ..."."""
        asked = mistake.exercise, mistake.identifier
        found = ((each, each.misconception) for each in self._opened.values())
        return next(each for each, known in found if (known.exercise, known.identifier) == asked)

    def candidates(self, numbers: Sequence[int], asked: Asked, seen: Observation) -> list[Misconception]:
        """Return the open mistakes among these numbers, after opening those whose answer is `seen`."""
        features: Callable[[str], Features] = cache(lambda part: Features.of(seen, part))
        for lock in asked.locks:
            if lock.mistake in numbers and lock.mistake not in self._opened:
                salt, record = salt_of(self._chapter, self._exercises[lock.mistake]), self._sealed(lock.mistake)
                key = lock.opened(features(lock.part), salt, record)
                if key is not None and self._open(lock.mistake, key):
                    self._keep(lock.mistake, key)
        return [self._opened[number].misconception for number in numbers if number in self._opened]

    def _sealed(self, number: int) -> bytes:
        return self._reader.sheet.sealed[number]

    def _open(self, number: int, key: bytes) -> bool:
        plain = unsealed(key, self._sealed(number))
        if plain is None:  # the key belongs to an earlier release
            return False
        found = msgspec.msgpack.decode(zlib.decompress(plain), type=Mistake)
        words = Misconception(found.identifier, self._exercises[number], not_here, found.says, found.advice, found.cure)
        self._opened[number] = Opened(words, found, self._reader)
        return True

    def _keep(self, number: int, key: bytes) -> None:
        rows = _kept(self._course.root) | {f"{self._chapter}/{number}": key.hex()}
        with contextlib.suppress(UsageError):  # where the folder is read-only, the mistake is named all the same
            write(inside(self._course.root, PLACE), json.dumps(rows, indent=1, sort_keys=True) + "\n")


def salt_of(chapter: str, exercise: str) -> bytes:
    """Return a salt, which makes guesses about one exercise useless for another."""
    return f"{chapter}/{exercise}".encode()


def _kept(root: Path) -> dict[str, str]:
    """Return the keys by chapter and number; none if the file is missing or damaged."""
    with contextlib.suppress(OSError, ValueError, UsageError):
        return decoded(contents(inside(root, PLACE)), dict[str, _Key])
    return {}
