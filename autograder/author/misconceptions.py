"""Read the known mistakes of a chapter without importing them, and refuse slips that nothing else would notice."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from autograder.author.parsed import Definition, definitions, meant, mistake_marks, parsed, words_of
from autograder.core.errors import AttendError, UsageError
from autograder.course.course import Course
from autograder.course.undefined_names import refuse_undefined


class Known(NamedTuple):
    """A known mistake, or a pair of them: its name, place and exercise, its id or ids, and its text for the student."""

    name: str
    where: str
    exercise: str
    identifiers: tuple[str, ...]
    says: str | None


def known(course: Course, stem: str) -> list[Known]:
    """Return every function and class that the chapter marks as a known mistake, in order; nothing is imported.

    Raises:
        AttendError: a file is not Python, a marker is malformed, two definitions in a file have the same name, or one
            uses a name that is defined nowhere.
    """
    try:
        paths = course.misconception_files(stem)
    except UsageError:
        return []
    found: list[Known] = []
    for path in paths:
        origin = path.relative_to(course.home).as_posix()
        tree = parsed(path, origin)
        nodes = definitions(tree)
        _refuse_two_of_one_name(nodes, origin)
        found += [mistake for node in nodes for mistake in _marked(node, origin)]
        refuse_undefined(tree, origin)
    return found


def refuse_mistakes(mistakes: Sequence[Known], exercises: Collection[str], stem: str) -> None:
    """Check that a chapter's known mistakes fit its exercises.

    Raises:
        AttendError: a mistake names no exercise of the chapter or has no docstring, or a pair names an unknown mistake.
    """
    single = {name for mistake in mistakes if len(mistake.identifiers) == 1 for name in mistake.identifiers}
    for mistake in mistakes:
        if mistake.exercise not in exercises:
            remedy = meant(mistake.exercise, exercises, "correct the name")
            raise AttendError(f"{mistake.where}: '{mistake.exercise}' is no exercise of {stem}; {remedy}")
        if len(mistake.identifiers) == 1 and not mistake.says:
            raise AttendError(
                f"{mistake.where}: {mistake.name} has no docstring; "
                "name the mistake to the student in one sentence, and what to look at in a second paragraph"
            )
        for name in mistake.identifiers if len(mistake.identifiers) > 1 else ():
            if name not in single:
                remedy = meant(name, single, "write that mistake by itself too")
                raise AttendError(f"{mistake.where}: a pair is of '{name}', which is no known mistake; {remedy}")


def refuse_shared_ids(mistakes: Iterable[Known]) -> None:
    """Raise AttendError if two mistakes of the course have the same id."""
    first: dict[str, str] = {}
    for mistake in mistakes:
        name = "+".join(mistake.identifiers)
        if name in first:
            raise AttendError(f"{mistake.where}: {first[name]} has the id '{name}' already; rename one of the two")
        first[name] = mistake.where


def _marked(node: Definition, origin: str) -> Iterator[Known]:
    says = ast.get_docstring(node)
    written_for = ""
    for mark in mistake_marks(node):
        where, words = f"{origin}:{mark.lineno}", words_of(mark)
        if len(words) < 2 or len(words) < len(mark.args):
            raise AttendError(f'{where}: write @misconception("EXERCISE", "id") instead of @{ast.unparse(mark)}')
        if written_for and re.search(rf"\b{written_for}\b", says or ""):
            raise AttendError(
                f"{where}: {node.name} tells students of '{words[0]}' about '{written_for}'; "
                "leave that name out of its docstring, or write the two mistakes out"
            )
        written_for = written_for or words[0]
        yield Known(node.name, where, words[0], words[1:], says)


def _refuse_two_of_one_name(nodes: Iterable[Definition], origin: str) -> None:
    first: dict[str, int] = {}
    for node in nodes:
        if node.name in first:
            raise AttendError(
                f"{origin}:{node.lineno}: {node.name} takes the place of that name in line {first[node.name]}; "
                "rename one of the two"
            )
        first[node.name] = node.lineno
