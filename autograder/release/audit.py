"""`attend release --audit`: nothing that is handed out may earn a point when it is handed in as an answer."""

from __future__ import annotations

import ast
import json
import os
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from rich.console import Console

from autograder.course import Course, Exercise
from autograder.errors import AttendError
from autograder.grading.coordinator import Coordinator
from autograder.grading.judge_process import Orders
from autograder.grading.notebook import read_cells
from autograder.grading.outputs import faults
from autograder.grading.wall import Wall
from autograder.markup import points
from autograder.progress import steps
from autograder.records import SubmissionResult
from autograder.submission import ChapterSource, Problem, Submission

SEED = 20  # not one of those that a sealed release shows the inputs of
HINTS = "hints.json"
IMPORTABLE = ("reference.blocks", "autograder.")  # where students' code runs
CODE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SNIPPET = re.compile(r"`([^`]+)`")
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Copy:
    """A file that is handed out, dressed up as a chapter; it may answer `exercises`."""

    file: str
    chapter: str
    exercises: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Audit:
    """What was tried, and by file what each exercise got for it; the tier is that of the wall."""

    copies: int
    files: int
    tier: str
    earned: Mapping[str, Mapping[str, float]]

    def text(self) -> str:
        """The same for a person."""
        lines = [f"{file} earns {points(sum(by.values()))}: {_listed(by)}" for file, by in sorted(self.earned.items())]
        tried = (
            f"audit: {self.copies} copies of what {self.files} files hold were graded as answers (wall: {self.tier})"
        )
        end = f"{len(self.earned)} files hold answers" if self.earned else "none of them earns a point"
        return "\n".join([*lines, f"{tried}; {end}"])


def _listed(earned: Mapping[str, float]) -> str:
    return ", ".join(f"{exercise} {points(value)}" for exercise, value in earned.items())


class Holding:
    """The code of a file that is handed out."""

    def __init__(self, file: PurePosixPath, data: bytes) -> None:
        self.file = file
        self.body = [*_statements(file, data)]

    @property
    def module(self) -> str:
        """What a student's file may import it as; "" if it cannot."""
        name = ".".join(self.file.with_suffix("").parts)
        return name if self.file.suffix == ".py" and name.startswith(IMPORTABLE) else ""

    @cached_property
    def bound(self) -> dict[str, list[ast.stmt]]:
        """The statements that bind each name, but for imports."""
        found: dict[str, list[ast.stmt]] = defaultdict(list)
        for statement in self.body:
            for name in _binds(statement):
                found[name].append(statement)
        return found

    def definitions(self) -> Iterator[Definition]:
        return (each for each in self.body if isinstance(each, Definition))

    def borrowed(self, name: str) -> str:
        """The definition of `name`, with what it needs of the same file, and without decorators."""
        needed, waiting = set[str](), [name]
        while waiting:
            if (current := waiting.pop()) not in needed:
                needed.add(current)
                waiting += [used for statement in self.bound.get(current, ()) for used in _names(statement)]
        kept = [statement for statement in self.body if needed & {*_binds(statement)}]
        imports = [_guarded(each) for each in self.body if isinstance(each, ast.Import | ast.ImportFrom)]
        return "\n".join([*filter(None, imports), *map(_undecorated, kept)])


def _statements(file: PurePosixPath, data: bytes) -> Iterator[ast.stmt]:
    """Those of a module, of a notebook's cells or of the fenced blocks of a text, as far as they are Python."""
    for text in _texts(file, data):
        with suppress(*UNREADABLE):
            yield from ast.parse(text).body


def _texts(file: PurePosixPath, data: bytes) -> Sequence[str]:
    text = data.decode("utf-8", errors="replace")
    if file.suffix == ".ipynb":
        cells = read_cells(data, file.name)
        return [] if isinstance(cells, Problem) else [cell.source for cell in cells]
    return [text] if file.suffix == ".py" else CODE.findall(text) if file.suffix == ".md" else []


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif not isinstance(statement, ast.Import | ast.ImportFrom):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        yield from (node.id for node in names if isinstance(node.ctx, ast.Store))


def _names(statement: ast.stmt) -> Iterator[str]:
    return (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def _guarded(node: ast.Import | ast.ImportFrom) -> str:
    """An import that may fail: not everything is there where students' code runs."""
    ahead = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return "" if ahead else f"try:\n    {ast.unparse(node)}\nexcept Exception:\n    pass"


def _undecorated(statement: ast.stmt) -> str:
    if isinstance(statement, Definition):
        statement.decorator_list = []
    return ast.unparse(statement)


def _parameters(node: Definition) -> list[str]:
    """The names of what a function, or a class's `forward`, takes; a class without one takes nothing."""
    methods = (
        [each for each in node.body if isinstance(each, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else []
    )
    function = node if isinstance(node, ast.FunctionDef) else next((m for m in methods if m.name == "forward"), None)
    return [each.arg for each in function.args.args] if function else []


def _fits(found: Definition, asked: Definition) -> bool:
    """Whether a definition may be the answer to an exercise: it has that name, or takes the same arguments."""
    same = found.name.replace("_", "").lower() == asked.name.replace("_", "").lower()
    return type(found) is type(asked) and (same or _parameters(found) == _parameters(asked) != [])


def copies(course: Course, files: Mapping[PurePosixPath, bytes]) -> Iterator[Copy]:
    """Every file as each chapter that it may answer, whole and definition by definition."""
    holdings = [Holding(file, data) for file, data in files.items()]
    stubs = {
        chapter: Holding(PurePosixPath("stub.py"), course.stub(chapter).read_bytes()) for chapter in course.chapters
    }
    for exercise in course.exercises:
        stub = ast.unparse(ast.Module(stubs[exercise.chapter].body, []))
        asked = next(each for each in stubs[exercise.chapter].definitions() if each.name == exercise.name)
        for holding in holdings:
            texts = [f"{stub}\n{text}" for found in holding.definitions() for text in _dressed(holding, found, asked)]
            yield from (Copy(str(holding.file), exercise.chapter, (exercise.name,), text) for text in texts)
        for file in (each for each in files if each.name == HINTS):
            for text in _hinted(stub, exercise, json.loads(files[file])):
                yield Copy(str(file), exercise.chapter, (exercise.name,), text)
    for chapter in course.chapters:
        for holding in holdings:
            if named := [each.name for each in course.of(chapter) if each.name in holding.bound]:
                text = "\n".join(_texts(holding.file, files[holding.file]))
                yield Copy(str(holding.file), chapter, tuple(named), text)


def _dressed(holding: Holding, found: Definition, asked: Definition) -> Iterator[str]:
    """The answer `asked` made of `found`: copied under its name, imported, derived, assigned and called."""
    if not _fits(found, asked):
        return
    name, own = asked.name, found.name
    yield holding.borrowed(own) + ("" if own == name else f"\n{name} = {own}")
    if holding.module:
        yield f"from {holding.module} import {own} as {name}"
        yield f"import {holding.module} as handed_out\n{name} = handed_out.{own}"
        yield f"import {holding.module} as handed_out\ndef {name}(*a, **k):\n    return handed_out.{own}(*a, **k)"
        if isinstance(found, ast.ClassDef):
            yield f"import {holding.module} as handed_out\nclass {name}(handed_out.{own}):\n    pass"


def _hinted(stub: str, exercise: Exercise, hints: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The stub with the code of each hint as the exercise's answer."""
    for hint in hints.get(exercise.name, ()):
        body: list[ast.stmt] = []
        for snippet in SNIPPET.findall(hint):
            with suppress(*UNREADABLE):
                body += ast.parse(snippet).body
        if body:
            if isinstance(last := body[-1], ast.Expr):
                body[-1] = ast.Return(last.value)
            yield "\n".join(ast.unparse(_Answered(exercise.name, body).visit(each)) for each in ast.parse(stub).body)


class _Answered(ast.NodeTransformer):
    """Puts an answer where a stub says that there is none."""

    def __init__(self, exercise: str, answer: list[ast.stmt]) -> None:
        self.exercise, self.answer = exercise, answer

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt] | ast.Raise:
        ours = f"NotImplementedError('{self.exercise}" in ast.unparse(node)
        return self.answer if ours else node


def audit(course: Course, archive: Path, console: Console) -> Audit:
    """Grade every copy of what is in a released archive, behind the wall, beside the untouched stubs.

    Args:
        course: that the archive was made from, with the chapters that were released.

    Raises:
        AttendError: the grader failed, so that nothing is known.
    """
    with zipfile.ZipFile(archive) as packed:
        names = [name for name in packed.namelist() if not name.endswith("/")]
        files = {PurePosixPath(*PurePosixPath(name).parts[1:]): packed.read(name) for name in names}
    tried = {copy.text: copy for copy in copies(course, files)}
    found = list(tried.values())
    for chapter in course.chapters:
        text = course.stub(chapter).read_text(encoding="utf-8")
        found.append(Copy("", chapter, (chapter,), text))
    results, tier = _graded(course, found, console)
    stubs = {
        each.exercise: each.score
        for copy, result in zip(found, results, strict=True)
        if not copy.file
        for each in result.exercises
    }
    earned: dict[str, dict[str, float]] = defaultdict(dict)
    for copy, result in zip(found, results, strict=True):
        for each in result.exercises:
            if each.score > max(stubs[each.exercise], earned[copy.file].get(each.exercise, 0)):
                earned[copy.file][each.exercise] = each.score
    return Audit(len(tried), len(files), tier, {file: by for file, by in earned.items() if by})


def _graded(course: Course, found: Sequence[Copy], console: Console) -> tuple[list[SubmissionResult], str]:
    """What each copy comes to, and the tier of the wall."""
    graded: dict[str, SubmissionResult] = {}
    with steps(console) as progress, Wall(course, "auto") as wall:
        task = progress.add_task("grading copies", total=len(found))

        def accept(result: SubmissionResult) -> None:
            graded[result.student] = result
            progress.update(task, advance=1, refresh=True)

        handed_in = [_submission(str(number), copy) for number, copy in enumerate(found)]
        orders = Orders(course, course.exercises, SEED)
        Coordinator(orders, wall.hand, accept, lambda: None).grade(handed_in, os.cpu_count() or 1)
        tier = wall.tier
    results = [graded[each.student] for each in handed_in]
    if why := faults(results):
        raise AttendError(why)
    return results, tier


def _submission(student: str, copy: Copy) -> Submission:
    source = ChapterSource(copy.chapter, copy.text, f"{copy.chapter}.py")
    return Submission(student, {copy.chapter: source}, only=copy.exercises)
