"""What was proven, kept in `docs/proof.json` until what it was proven of changes."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from autograder.author.splice import definition_lines
from autograder.core import figures
from autograder.course.course import Course
from autograder.course.model import Exercise

PLACE = Path("docs", "proof.json")
PROPERTIES = ("satisfies", "relates")


class Named(msgspec.Struct, frozen=True):
    """Wrong answers, how many of them are named, and how many of these by a name that is not theirs."""

    answers: int = 0
    named: int = 0
    wrongly: int = 0


class Proof(msgspec.Struct, frozen=True):
    """What is known of one exercise; nothing fails the checks `idle`, `left_out` is each known mistake left out."""

    of: str = ""
    killed: int = 0
    survived: int = 0
    equivalent: int = 0
    idle: tuple[str, ...] = ()
    mutants: Named = Named()
    left_out: Named = Named()


class Gallery(msgspec.Struct, frozen=True):
    """How the right answers did: gradings of a whole chapter, checks in them, and how many of these were lost."""

    of: str = ""
    answers: int = 0
    seeds: int = 0
    gradings: int = 0
    checks: int = 0
    lost: int = 0


class Record(msgspec.Struct):
    """The file."""

    exercises: dict[str, Proof] = {}
    galleries: dict[str, Gallery] = {}


def read(course: Course) -> Record:
    """The record of a course; an empty one if there is none.

    Raises:
        UsageError: the file is damaged.
    """
    return figures.read(course.root / PLACE, Record, "run `make mutants` and `make gallery`")


def write(course: Course, record: Record) -> None:
    """Put it down, the exercises in the order of the course."""
    names = [each.name for each in course.exercises if each.name in record.exercises]
    chapters = [chapter for chapter in course.chapters if chapter in record.galleries]
    ordered = Record({n: record.exercises[n] for n in names}, {c: record.galleries[c] for c in chapters})
    figures.write(course.root / PLACE, ordered)


def digest(course: Course, exercise: Exercise) -> str:
    """What a proof is of: the answer, the chapter's suite, its reference and its known mistakes."""
    solution = course.solution(exercise.chapter).read_text(encoding="utf-8")
    first, last = definition_lines(solution, exercise.name)
    answer = "\n".join(solution.split("\n")[first:last])
    return _hash(answer.encode(), *_of_chapter(course, exercise.chapter))


def gallery_digest(course: Course, chapter: str, answers: list[Path]) -> str:
    """What a gallery's grading is of: the answers, the suite and the reference."""
    return _hash(*(path.read_bytes() for path in answers), *_of_chapter(course, chapter)[:2])


def _of_chapter(course: Course, chapter: str) -> list[bytes]:
    reference = course.root / "reference" / f"{chapter}.py"
    said = [course.suite(chapter), *course.misconception_files(chapter)]
    suite, *known = (_without_words(path.read_bytes()) for path in said)
    return [suite, reference.read_bytes(), *known]


def _without_words(code: bytes) -> bytes:
    """A suite or known mistakes without what is said of them: which answers pass, and which are named, stays the same.

    How lines are broken does not count either, as that changes with the words.
    """
    return json.dumps(_shape(_Silent().visit(ast.parse(code)))).encode()


class _Silent(ast.NodeTransformer):
    """Takes out docstrings, the sentence of a property, and what shows that it does not hold."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "says":
            node.value = ast.Constant("")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PROPERTIES:
            del node.args[:1]
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "shows"]
        return node


def _shape(node: Any) -> Any:
    """A tree as lists; what is empty is left out, as versions of Python differ in it."""
    if isinstance(node, ast.AST):
        fields = [[name, _shape(value)] for name, value in ast.iter_fields(node) if value is not None and value != []]
        return [type(node).__name__, *fields]
    return [_shape(each) for each in node] if isinstance(node, list) else repr(node)


def _hash(*pieces: bytes) -> str:
    found = hashlib.blake2b(digest_size=8)
    for piece in pieces:
        found.update(len(piece).to_bytes(8, "little") + piece)
    return found.hexdigest()
