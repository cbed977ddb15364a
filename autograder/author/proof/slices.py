"""The code that an exercise's proof depends on: its checks, its reference, its known mistakes, and what these use."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.author.parsed import definitions, mistake_marks, words_of
from autograder.author.release.cut import RULES, only
from autograder.course.course import Course
from autograder.source.parsing import syntax_tree

PROPERTIES = ("satisfies", "relates")
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.ClassDef)


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
