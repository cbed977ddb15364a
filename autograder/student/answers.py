"""`attend reset` brings a stub back, `attend solution` shows the course's answer."""

from __future__ import annotations

import ast
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.core import files, reading
from autograder.core.errors import UsageError
from autograder.core.submission import Problem
from autograder.course.course import PRISTINE, Course
from autograder.course.folders import require_copy
from autograder.course.model import Exercise
from autograder.source.notebook import Cell, content_of, read_cells, source_of
from autograder.source.parsing import syntax_tree
from autograder.student.saved_progress import Progress

KEPT = Path(".attend", "answers")
NO_SOLUTIONS = "this course was given out without its solutions; ask your instructor"
_MARKER = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True)
class Reset:
    """The exercise that was reset, the files that changed, and the files that keep the old answers."""

    exercise: str
    changed: tuple[Path, ...]
    kept: tuple[Path, ...]

    def text(self) -> str:
        if not self.changed:
            return f"{self.exercise} is as it was handed out already"
        where, kept = (" and ".join(map(str, paths)) for paths in (self.changed, self.kept))
        return f"{self.exercise} is as it was handed out again, in {where}\nyour answer is kept in {kept}"


def reset(course: Course, name: str) -> Reset:
    """Put the stub of the exercise `name` back into both forms of its chapter, and keep the answer.

    Raises:
        UsageError: this is no working copy, or a file cannot be read or lacks the exercise.
    """
    require_copy(course)
    exercise = course.one(name)
    changed: list[Path] = []
    kept: list[Path] = []
    forms = [*_renewed(course, exercise)]  # nothing is written unless both can be
    if not forms:
        raise UsageError(f"there is no file of {exercise.chapter} to reset; copy one from .attend/stubs to exercises")
    for path, answer, text in forms:
        if answer:
            kept.append(_keep(course, exercise, answer))
            files.write(path, text.replace("\n", _line_end(path)))
            changed.append(path.relative_to(course.root))
    if changed:
        Progress.load(course).forget(exercise.name)
    return Reset(exercise.name, tuple(changed), tuple(kept))


def _renewed(course: Course, exercise: Exercise) -> Iterator[tuple[Path, str, str]]:
    """Yield each form of the chapter with the answer in it ("" if it is the stub), and its text with the stub."""
    for suffix, renewed in ((".py", _module_reset), (".ipynb", _notebook_reset)):
        path = files.inside(course.root, Path("exercises", f"{exercise.chapter}{suffix}"))
        pristine = files.inside(course.root, PRISTINE / path.name)
        if path.is_file() and pristine.is_file():
            yield path, *renewed(_read(path), _read(pristine), exercise, path)


def _line_end(path: Path) -> str:
    """Return how the lines of a file end: as on Windows, if its first one does."""
    with path.open(encoding="utf-8", newline="") as file:
        return "\r\n" if file.readline().endswith("\r\n") else "\n"


def solution(course: Course, name: str, *, anyway: bool) -> str:
    """Return the course's answer to the exercise `name`: after a pass, or `anyway`.

    Raises:
        UsageError: this is no working copy, the exercise is not passed yet, or the course has no solutions.
    """
    require_copy(course)
    exercise = course.one(name)
    if course.is_release:
        raise UsageError(NO_SOLUTIONS)
    last = Progress.load(course).last.get(exercise.name)
    if not anyway and not (last and last.result.status == "passed"):
        raise UsageError(
            f"{exercise.name} is not passed yet, and you remember best what you find out yourself; "
            f"`attend hint {exercise.name}` gives a hint. To see it now: attend solution {exercise.name} --anyway"
        )
    path = course.known_solution(exercise.chapter)
    if path is None:
        raise UsageError(NO_SOLUTIONS)
    text = _MARKER.sub("", _read(path))
    return definition(text, exercise, path)[2]


def _module_reset(text: str, pristine: str, exercise: Exercise, path: Path) -> tuple[str, str]:
    """Return the answer ("" if it is the stub) and the module with the stub in its place."""
    first, last, answer = definition(text, exercise, path)
    stub = definition(pristine, exercise, path)[2]
    lines = text.split("\n")
    return "" if answer == stub else answer, "\n".join([*lines[:first], stub, *lines[last:]])


def _notebook_reset(text: str, pristine: str, exercise: Exercise, path: Path) -> tuple[str, str]:
    """Return the same for a notebook, whose cell is marked as the exercise's or is the first to define it."""
    content = content_of(text.encode(), path.name)
    if isinstance(content, Problem):
        raise UsageError(content.message)
    stub = _stub_cell(pristine, exercise, path)
    head = re.compile(rf"^(?:def|class) {exercise.name}\b", re.MULTILINE)
    read = _cells(text, path.name)
    found = [cell for cell in read if cell.exercise == exercise.name] or [
        cell for cell in read if head.search(cell.source)
    ]
    if not found:
        raise UsageError(f"{path.name} has no cell for {exercise.name} any more; add one, or delete the notebook")
    raw = [cell for cell in content["cells"] if cell.get("cell_type") == "code"][found[0].number - 1]
    answer = source_of(raw)
    raw |= {"source": stub.source.splitlines(keepends=True), "outputs": [], "execution_count": None}
    same = answer.strip("\n") == stub.source
    return "" if same else answer, json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _stub_cell(pristine: str, exercise: Exercise, path: Path) -> Cell:
    """Return the cell of an exercise in the notebook that was handed out."""
    name = f"the stub of {path.name}"
    found = [cell for cell in _cells(pristine, name) if cell.exercise == exercise.name]
    if not found:
        fix = "`attend update` brings it back, or what you were given, unpacked once more"
        raise UsageError(f"{name} has no cell for {exercise.name}; {fix}")
    return found[0]


def _cells(text: str, name: str) -> tuple[Cell, ...]:
    cells = read_cells(text.encode(), name)
    if isinstance(cells, Problem):
        raise UsageError(cells.message)
    return cells


def definition(text: str, exercise: Exercise, path: Path) -> tuple[int, int, str]:
    """Return the first line (from 0), the line after the last, and the text of the exercise's definition.

    Raises:
        UsageError: `text` does not compile, or does not define the exercise.
    """
    try:
        body = syntax_tree(text).body
    except SyntaxError as error:
        raise UsageError(f"{path} does not compile (line {error.lineno}: {error.msg}); fix that line first") from error
    for node in body:
        if _defines(node, exercise.name):
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
            first = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
            lines, last = text.split("\n"), node.end_lineno or node.lineno
            while last < len(lines) and lines[last].lstrip().startswith("#") and lines[last][:1].isspace():
                last += 1  # an indented comment below the last statement
            return first, last, "\n".join(lines[first:last])
    raise UsageError(f"{path} does not define {exercise.name}; put its `def` or `class` back, as in .attend/stubs")


def _defines(node: ast.stmt, name: str) -> bool:
    """Return whether a statement defines `name`, as a function, a class or `name = ...`."""
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name


def _keep(course: Course, exercise: Exercise, answer: str) -> Path:
    number = 1
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    while (course.root / (place := KEPT / f"{exercise.name}-{stamp}-{number}.py")).exists():
        number += 1
    files.write(files.inside(course.root, place), answer.rstrip("\n") + "\n")
    return place


def _read(path: Path) -> str:
    try:
        return reading.text(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}); save it as UTF-8 text") from error
