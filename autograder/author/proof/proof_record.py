"""The record of proofs, `docs/proof.json`; a proof holds until the code that it is about changes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

import msgspec

from autograder.author.proof.right_answers import answers
from autograder.author.proof.slices import slices, slices_of_mistakes, without_words
from autograder.author.splice import definition_lines
from autograder.core import figures
from autograder.course.course import Course
from autograder.course.model import Exercise

PLACE = Path("docs", "proof.json")


class Named(msgspec.Struct, frozen=True):
    """The number of wrong answers, how many of them get a name, and for how many of these the name is wrong."""

    answers: int = 0
    named: int = 0
    wrongly: int = 0


class Proof(msgspec.Struct, frozen=True):
    """The proof of one exercise; `of` is the digest of what it is about.

    Nothing fails the checks `idle`. `left_out` counts how known mistakes are named when the catalogue lacks them.
    """

    of: str = ""
    killed: int = 0
    survived: int = 0
    equivalent: int = 0
    idle: tuple[str, ...] = ()
    mutants: Named = Named()
    left_out: Named = Named()


class Gallery(msgspec.Struct, frozen=True):
    """The results of the right answers to some exercises: gradings, checks in them, and how many checks were lost."""

    of: str = ""
    exercises: tuple[str, ...] = ()
    answers: int = 0
    seeds: int = 0
    gradings: int = 0
    checks: int = 0
    lost: int = 0


class ProofRecord(msgspec.Struct):
    """The content of the file; a gallery has the name of its chapter, or of the one exercise that it is about."""

    exercises: dict[str, Proof] = {}
    galleries: dict[str, Gallery] = {}

    def with_gallery(self, name: str, gallery: Gallery) -> ProofRecord:
        """Return the record with a gallery added, and without those that cover only exercises of the new one."""
        kept = {old: each for old, each in self.galleries.items() if {*each.exercises} - {*gallery.exercises}}
        return ProofRecord(self.exercises, kept | {name: gallery})


def read(course: Course) -> ProofRecord:
    """Return the record of a course; an empty one if there is none.

    Raises:
        UsageError: the file is damaged.
    """
    return figures.read(course.root / PLACE, ProofRecord, "run `make mutants` and `make gallery`")


def write(course: Course, record: ProofRecord) -> None:
    """Write the record, with the exercises in the order of the course."""
    names = [each.name for each in course.exercises if each.name in record.exercises]
    called = (*course.chapters, *(each.name for each in course.exercises))
    galleries = {name: record.galleries[name] for name in called if name in record.galleries}
    ordered = ProofRecord({name: record.exercises[name] for name in names}, galleries)
    figures.write(course.root / PLACE, ordered)


def digest(course: Course, exercise: Exercise) -> str:
    """Return the digest of what a proof is about: the answer, and its part of suite, reference and known mistakes."""
    solution = course.solution(exercise.chapter).read_text(encoding="utf-8")
    first, last = definition_lines(solution, exercise.name)
    answer = "\n".join(solution.split("\n")[first:last])
    held = slices(course, exercise.chapter, [exercise.name])
    known = slices_of_mistakes(course, exercise.chapter, exercise.name)
    return _hash(without_words(answer), *held, *known)


def gallery_digest(course: Course, chapter: str, exercises: Collection[str]) -> str:
    """Return the digest of what a gallery is about: right answers, and the exercises' part of suite and reference."""
    paths = {answer.path for answer in answers(course, chapter) if {*exercises} & {*answer.exercises}}
    return _hash(*(path.read_bytes() for path in sorted(paths)), *slices(course, chapter, exercises))


def _hash(*pieces: bytes) -> str:
    found = hashlib.blake2b(digest_size=8)
    for piece in pieces:
        found.update(len(piece).to_bytes(8, "little") + piece)
    return found.hexdigest()
