"""The record of proofs, `docs/proof.json`; a proof holds until the code that it is about changes.

That is an exercise's answer, its checks, its reference, its known mistakes, and what these use.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from autograder.author.parsed import definitions, mistake_marks, words_of
from autograder.author.proof.right_answers import answers
from autograder.author.release.cut import RULES, only
from autograder.author.splice import definition_lines
from autograder.core import figures
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.source.parsing import syntax_tree

PLACE = Path("docs", "proof.json")

PROPERTIES = ("satisfies", "relates")
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.ClassDef)


class Named(msgspec.Struct, frozen=True):
    """The number of wrong answers, how many of them get a name, and for how many of these the name is wrong."""

    answers: int = 0
    named: int = 0
    wrongly: int = 0


class Proof(msgspec.Struct, frozen=True):
    """The proof of one exercise; `of` is the digest of what it is about.

    Nothing fails the checks `idle`. `left_out` counts how known mistakes are named when the catalogue lacks them. Of
    the `spoilers`, `unpromised` break nothing that the exercise promises. `only` has for a check the wrong answer that
    fails no other one.
    """

    of: str = ""
    killed: int = 0
    survived: int = 0
    equivalent: int = 0
    idle: tuple[str, ...] = ()
    mutants: Named = Named()
    left_out: Named = Named()
    spoilers: int = 0
    unpromised: int = 0
    only: dict[str, str] = {}

    @property
    def failed(self) -> bool:
        """Return whether a change of the answer lost no points, or a check cannot fail."""
        return bool(self.survived or self.idle)


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
    return figures.read(course.root / PLACE, ProofRecord, "run `attend prove --mutants --gallery`")


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


def slices(course: Course, chapter: str, exercises: Collection[str]) -> Iterator[bytes]:
    """Yield the parts of a chapter's suite and reference that belong to some exercises, without words for people."""
    names = {*exercises}
    suite = _simplified(course.suite(chapter))
    own = {check.function for check in course.checks[chapter] if check.exercise in names}
    part = only(_with_rules_of(only(suite, own | RULES), names), own | RULES)
    yield without_words(part)
    yield from _reference(course, chapter, names | _borrowed(part, chapter))


def slices_of_mistakes(course: Course, chapter: str, exercise: str) -> Iterator[bytes]:
    """Yield an exercise's known mistakes and the parts of the reference that they use, without words for people."""
    for path in course.misconception_files(chapter):
        if exercise not in path.read_text(encoding="utf-8"):
            continue  # no need to parse it
        text = _simplified(path)
        if own := {name for name, mistaken in _mistakes(text) if mistaken == exercise}:
            part = only(text, own)
            yield without_words(_with_marks_of(part, exercise))
            yield from _reference(course, chapter, _borrowed(part, chapter))


@lru_cache(maxsize=32)
def _mistakes(text: str) -> Sequence[tuple[str, str]]:
    """Return the known mistakes of a file, each with an exercise that it is a mistake in."""
    return [(node.name, words_of(mark)[0]) for node in definitions(syntax_tree(text)) for mark in mistake_marks(node)]


def _with_marks_of(mistakes: str, exercise: str) -> str:
    """Return a module of known mistakes that are marked for one exercise alone."""
    tree = syntax_tree(mistakes)
    for node in definitions(tree):
        others = [mark for mark in mistake_marks(node) if words_of(mark)[0] != exercise]
        node.decorator_list = [each for each in node.decorator_list if each not in others]
    return ast.unparse(tree)


def _reference(course: Course, chapter: str, names: Collection[str]) -> Iterator[bytes]:
    """Yield the reference's code that defines `names`; all of it if one of them is the chapter itself."""
    if names:
        text = _simplified(course.home / "reference" / f"{chapter}.py")
        yield without_words(text if chapter in names else only(text, names))


def _borrowed(text: str, chapter: str) -> set[str]:
    """Return the names that a module imports from the chapter's reference; the chapter's own if it imports all."""
    found = set()
    for node in ast.walk(syntax_tree(text)):
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
        else:
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
        found |= {name.rpartition(".")[2] for name in names if name.startswith(f"reference.{chapter}")}
    return found


def _simplified(path: Path) -> str:
    """Return a module with one statement for each import."""
    return _as_simple(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=32)
def _as_simple(text: str) -> str:
    tree = syntax_tree(text)
    tree.body = [single for node in tree.body for single in _singly(node)]
    return ast.unparse(tree)


def _with_rules_of(suite: str, names: Collection[str]) -> str:
    """Return a suite whose rules cover only some exercises."""
    tree = syntax_tree(suite)
    for node in tree.body:
        targets = {each.id for each in getattr(node, "targets", ()) if isinstance(each, ast.Name)}
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and RULES & targets:
            node.value = _of(node.value, names)
    return ast.unparse(tree)


def _singly(node: ast.stmt) -> list[ast.stmt]:
    if isinstance(node, ast.Import):
        return [ast.Import([alias]) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
    return [node]


def _of(rules: ast.Dict, names: Collection[str]) -> ast.Dict:
    """Return a dictionary without the rows about other exercises."""
    rows = zip(rules.keys, rules.values, strict=True)
    kept = [row for row in rows if not isinstance(row[0], ast.Constant) or row[0].value in names]
    return ast.Dict([key for key, _ in kept], [value for _, value in kept])


def without_words(code: str) -> bytes:
    """Return the code without the words for people, which decide neither what passes nor what is named.

    Line breaks do not count either, as they change with the words.
    """
    return json.dumps(_shape(_Silent().visit(syntax_tree(code)))).encode()


class _Silent(ast.NodeTransformer):
    """Removes docstrings, the sentences of properties, and what a message shows if a property does not hold."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "says":
            node.value = ast.Constant("")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PROPERTIES:
            del node.args[:1]
            node.keywords = [keyword for keyword in node.keywords if keyword.arg != "shows"]
        return node


def _shape(node: Any) -> Any:
    """Return a tree as lists without empty fields, as versions of Python differ in these."""
    if isinstance(node, ast.AST):
        fields = [[name, _shape(value)] for name, value in ast.iter_fields(node) if value is not None and value != []]
        return [type(node).__name__, *fields]
    return [_shape(each) for each in node] if isinstance(node, list) else repr(node)
