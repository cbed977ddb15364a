"""Known mistakes that a sealed chapter holds, and those that a student's own answers have opened."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from autograder.calls.records import Observation, Opaque, Raised
from autograder.compare.locks import PARTS, Features, unsealed
from autograder.compare.recording import Asked, Mistake, Reader
from autograder.core.errors import UsageError
from autograder.core.files import write
from autograder.course.course import Course
from autograder.course.model import Misconception
from autograder.course.sealed_facts import not_here

PLACE = Path(".attend", "opened.json")


UNLIKE = Observation(Opaque("something else"))
RAISED = Observation(Raised("", (), ""))


@dataclass(frozen=True)
class Opened:
    """A known mistake that may be read."""

    misconception: Misconception
    record: Mistake
    base: Reader

    def shown(self, asked: int, right: Observation, seen: Observation, *, rounded: bool) -> Observation:
        """What stands for the mistake's answer to a call: what is `right`, the answer that was `seen`, or neither."""
        mark = self.record.marks[asked]
        if mark is None:
            return right
        if mark.fits(Features.of(seen, *PARTS), rounded=rounded):
            return seen
        return RAISED if mark.raised else UNLIKE

    def example(self) -> Observation:
        """What it shows on the call that is its example."""
        return Reader(self.record.sheet, self.base).seen(0)


class Vault:
    """The sealed records of a chapter. What was opened stays so, in this copy: keys are kept in `.attend/`."""

    def __init__(self, course: Course, chapter: str, reader: Reader) -> None:
        """
        Args:
            reader: of what everybody may read of the chapter.
        """
        self._course, self._chapter, self._reader = course, chapter, reader
        self._exercises = [each.exercise for known in (course.misconceptions, course.pairs) for each in known(chapter)]
        self._opened: dict[int, Opened] = {}
        for place, key in _kept(course.root / PLACE).items():
            known, _, number = place.partition("/")
            if known == chapter and number.isdecimal() and int(number) < len(self._exercises):
                self._open(int(number), bytes.fromhex(key))

    @property
    def opened(self) -> list[Misconception]:
        """All that may be read."""
        return [each.misconception for each in self._opened.values()]

    def forget(self) -> None:
        """Lock everything again."""
        self._opened.clear()

    def of(self, mistake: Misconception) -> Opened:
        """The record of an opened mistake."""
        return next(each for each in self._opened.values() if each.misconception == mistake)

    def candidates(self, numbers: Sequence[int], asked: Asked, seen: Observation) -> list[Misconception]:
        """Of the mistakes with these numbers those that are open; what an answer `seen` opens is open from now on."""
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
        if plain is None:  # the key is of an earlier release
            return False
        found = msgspec.msgpack.decode(zlib.decompress(plain), type=Mistake)
        words = Misconception(found.identifier, self._exercises[number], not_here, found.says, found.advice)
        self._opened[number] = Opened(words, found, self._reader)
        return True

    def _keep(self, number: int, key: bytes) -> None:
        place = self._course.root / PLACE
        rows = _kept(place) | {f"{self._chapter}/{number}": key.hex()}
        with contextlib.suppress(UsageError):  # a folder that cannot be written to costs no one a name
            write(place, json.dumps(rows, indent=1, sort_keys=True) + "\n")


def salt_of(chapter: str, exercise: str) -> bytes:
    """What makes guesses about one exercise useless for another."""
    return f"{chapter}/{exercise}".encode()


def _kept(place: Path) -> dict[str, str]:
    """Keys by chapter and number; a lost or spoilt file means none."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return dict(_keys(json.loads(place.read_text(encoding="utf-8"))))
    return {}


def _keys(rows: dict[str, object]) -> Iterator[tuple[str, str]]:
    for name, key in rows.items():
        if isinstance(key, str) and bytes.fromhex(key):
            yield name, key
