"""The table of what each exercise is held against: checks, known mistakes, independent right answers."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from autograder.author.chapter import Chapter
from autograder.course import Course
from autograder.errors import UsageError

RIGHT = Path("tests", "promises", "right")


class _Row(NamedTuple):
    """How many checks, known mistakes and right answers an exercise has."""

    chapter: str
    exercise: str
    counts: tuple[int, int, int]


def coverage(course: Course, chapters: list[Chapter]) -> str:
    """The page docs/coverage.md."""
    rows = [row for chapter in chapters for row in _rows(course, chapter)]
    total = [sum(row.counts[column] for row in rows) for column in range(3)]
    lines = [f"| `{row.exercise}` | {row.chapter} | {' | '.join(map(str, row.counts))} |" for row in rows]
    return f"""# Coverage

What each exercise is held against. `attend build` counts; `make test` tries every one of them: each known mistake is
put into a copy of the solution, must lose points, and must be the first that is named; each right answer, written
independently of the solution, must earn everything, with several seeds.

| exercise | chapter | checks | known mistakes | right answers |
|---|---|---:|---:|---:|
{chr(10).join(lines)}
| {len(rows)} exercises | {len(chapters)} chapter{"s" * (len(chapters) != 1)} | {total[0]} | {total[1]} | {total[2]} |
"""


def _rows(course: Course, chapter: Chapter) -> Iterator[_Row]:
    wrong = Counter(_misconceptions(course, chapter.stem))
    right = Counter(name for path in (course.root / RIGHT / chapter.stem).glob("*.py") for name in _defined(path))
    for exercise in course.of(chapter.stem):
        counts = (exercise.checks, wrong[exercise.name], right[exercise.name])
        yield _Row(chapter.stem, exercise.name, counts)


def _misconceptions(course: Course, stem: str) -> Iterator[str]:
    """The exercise of each known mistake, read from the decorators: nothing is imported."""
    try:
        paths = course.misconception_files(stem)
    except UsageError:
        return
    for node in (node for path in paths for node in _definitions(path)):
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("misconception"):
                yield str(ast.literal_eval(decorator.args[0]))


def _defined(path: Path) -> set[str]:
    return {node.name for node in _definitions(path)}


def _definitions(path: Path) -> list[ast.FunctionDef | ast.ClassDef]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
