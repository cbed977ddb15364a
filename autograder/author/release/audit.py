"""`attend release --audit`: no file of a release may earn a point when a student hands it in as an answer."""

from __future__ import annotations

import ast
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from rich.console import Console

from autograder.core.errors import AttendError
from autograder.core.progress_bar import steps
from autograder.core.records import SubmissionResult
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.core.text import rounded
from autograder.course import debriefs
from autograder.course.course import Course
from autograder.course.effort import draft_line, efforts
from autograder.judging.coordinator import Coordinator
from autograder.judging.process import Orders
from autograder.judging.wall import Wall
from autograder.report.outputs import faults
from autograder.source.notebook import read_cells
from autograder.source.parsing import syntax_tree

SEED = 20  # not a seed whose inputs a sealed release holds
TOLD = ("hints.json", debriefs.NAME)
IMPORTABLE = ("reference.blocks", "autograder.")  # available where students' code runs
CODE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SNIPPET = re.compile(r"```\w*\n(.*?)```|`([^`]+)`", re.DOTALL)
Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Copy:
    """A file of the release, made into a chapter that may answer `exercises`."""

    file: str
    chapter: str
    exercises: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Audit:
    """The result of an audit: how much was tried, the tier of the wall, and the points `earned` by file and exercise.

    `drafts` says which exercises have checks without a proof; "" if none has.
    """

    copies: int
    files: int
    tier: str
    earned: Mapping[str, Mapping[str, float]]
    drafts: str = ""

    def text(self) -> str:
        """Return the audit in words."""
        lines = [f"audit of {self.files} files: {self.copies} copies of them graded as answers (sandbox: {self.tier})"]
        for file, by in sorted(self.earned.items()):
            exercises = ", ".join(f"{name} {rounded(score)}" for name, score in by.items())
            lines.append(f"{file} earns {rounded(sum(by.values()))}: {exercises}")
        lines.append(f"{len(self.earned)} files hold answers" if self.earned else "none of them earns a point")
        return "\n".join(filter(None, [*lines, self.drafts]))


class Holding:
    """The code of a file of the release."""

    def __init__(self, file: PurePosixPath, data: bytes) -> None:
        self.file = file
        self.text = "\n".join(_python(file, data))
        self.body = syntax_tree(self.text).body
        self.definitions = [each for each in self.body if isinstance(each, Definition)]
        self.bound = {name for statement in self.body for name in _binds(statement)}

    @property
    def module(self) -> str:
        """The module's name for a student's import; "" if it cannot be imported."""
        name = ".".join(self.file.with_suffix("").parts)
        return name if self.file.suffix == ".py" and name.startswith(IMPORTABLE) else ""

    def borrowed(self, name: str) -> str:
        """Return the definition of `name` and what it needs from the same file, without decorators."""
        needed, before, kept = {name}, set[str](), list[ast.stmt]()
        while needed != before:
            before = {*needed}
            kept = [statement for statement in self.body if needed & {*_binds(statement)}]
            needed |= {used for statement in kept for used in _names(statement)}
        return "\n".join([*map(_guarded, self.body), *map(_undecorated, kept)])


def _python(file: PurePosixPath, data: bytes) -> Iterator[str]:
    """Yield the texts of a module, of a notebook's cells or of fenced blocks that are Python."""
    text, found = data.decode("utf-8", errors="replace"), list[str]()
    if file.suffix == ".ipynb" and not isinstance(cells := read_cells(data, file.name), Problem):
        found = [cell.source for cell in cells]
    elif file.suffix in {".py", ".md"}:
        found = [text] if file.suffix == ".py" else CODE.findall(text)
    for each in found:
        with suppress(SyntaxError):
            syntax_tree(each)
            yield each


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif not isinstance(statement, ast.Import | ast.ImportFrom):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        yield from (node.id for node in names if isinstance(node.ctx, ast.Store))


def _names(statement: ast.stmt) -> Iterator[str]:
    return (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def _guarded(node: ast.stmt) -> str:
    """Return an import that may fail, as not every module exists where students' code runs; "" for other statements."""
    if not isinstance(node, ast.Import | ast.ImportFrom) or getattr(node, "module", "") == "__future__":
        return ""
    return f"try:\n    {ast.unparse(node)}\nexcept Exception:\n    pass"


def _undecorated(statement: ast.stmt) -> str:
    if isinstance(statement, Definition):
        statement.decorator_list = []
    return ast.unparse(statement)


def _parameters(node: Definition) -> list[str]:
    """Return the parameters of a function, or of a class's `forward`; none for a class without one."""
    methods = (
        [each for each in node.body if isinstance(each, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else []
    )
    function = node if isinstance(node, ast.FunctionDef) else next((m for m in methods if m.name == "forward"), None)
    return [each.arg for each in function.args.args] if function else []


def _fits(found: Definition, asked: Definition) -> bool:
    """Return whether `found` may answer `asked`: it has the same kind, and the same name or parameters."""
    same = found.name.replace("_", "").lower() == asked.name.replace("_", "").lower()
    return type(found) is type(asked) and (same or _parameters(found) == _parameters(asked) != [])


def copies(course: Course, files: Mapping[PurePosixPath, bytes]) -> Iterator[Copy]:
    """Yield every file as each chapter that it may answer, whole and definition by definition."""
    holdings = [Holding(file, data) for file, data in files.items()]
    hints = [(str(file), json.loads(data)) for file, data in files.items() if file.name in TOLD]
    for chapter in course.chapters:
        exercises = [each.name for each in course.of(chapter)]
        stub = Holding(PurePosixPath(f"{chapter}.py"), course.stub(chapter).read_bytes())
        for holding in holdings:
            if named := tuple(name for name in exercises if name in holding.bound):
                yield Copy(str(holding.file), chapter, named, holding.text)
            for asked in (each for each in stub.definitions if each.name in exercises):
                for text in _dressed(holding, asked):
                    yield Copy(str(holding.file), chapter, (asked.name,), f"{stub.text}\n{text}")
        for file, said in hints:
            for name in exercises:
                yield from (Copy(file, chapter, (name,), text) for text in _hinted(stub, name, said.get(name, ())))


def _dressed(holding: Holding, asked: Definition) -> Iterator[str]:
    """Yield answers to `asked` made from each definition that fits: copied, imported, assigned, called and derived."""
    for found in (each for each in holding.definitions if _fits(each, asked)):
        name, own = asked.name, found.name
        yield holding.borrowed(own) + ("" if own == name else f"\n{name} = {own}")
        if holding.module:
            yield f"from {holding.module} import {own} as {name}"
            module = f"import {holding.module} as handed_out\n"
            yield f"{module}{name} = handed_out.{own}"
            yield f"{module}def {name}(*a, **k):\n    return handed_out.{own}(*a, **k)"
            if isinstance(found, ast.ClassDef):
                yield f"{module}class {name}(handed_out.{own}):\n    pass"


def _hinted(stub: Holding, exercise: str, told: str | Sequence[str | None]) -> Iterator[str]:
    """Yield the stub with the code of each hint, or of the debrief, as the exercise's answer."""
    for hint in filter(None, [told] if isinstance(told, str) else told):  # None if the instructor keeps it
        body: list[ast.stmt] = []
        for block, snippet in SNIPPET.findall(hint):
            with suppress(SyntaxError):
                body += syntax_tree(block or snippet).body
        if body:
            if isinstance(last := body[-1], ast.Expr):
                body[-1] = ast.Return(last.value)
            yield "\n".join(ast.unparse(_Answered(exercise, body).visit(each)) for each in syntax_tree(stub.text).body)


class _Answered(ast.NodeTransformer):
    """Replaces the stub's NotImplementedError for the exercise by an answer."""

    def __init__(self, exercise: str, answer: list[ast.stmt]) -> None:
        self.exercise, self.answer = exercise, answer

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt] | ast.Raise:
        ours = f"NotImplementedError('{self.exercise}" in ast.unparse(node)
        return self.answer if ours else node


def audit(course: Course, archive: Path, console: Console) -> Audit:
    """Grade copies of every file in a released archive behind the wall, and compare them with the untouched stubs.

    Args:
        course: the course that the archive was made from, with the chapters that were released.

    Raises:
        AttendError: the grader failed, so the result is unknown.
    """
    with zipfile.ZipFile(archive) as packed:
        files = {PurePosixPath(*PurePosixPath(name).parts[1:]): packed.read(name) for name in packed.namelist()}
    tried = list({replace(each, file=""): each for each in copies(course, files)}.values())
    stubs = [
        Copy("", chapter, (chapter,), course.stub(chapter).read_text(encoding="utf-8")) for chapter in course.chapters
    ]
    results, tier = _graded(course, [*stubs, *tried], console)
    given = {each.exercise: each.score for result in results[: len(stubs)] for each in result.exercises}
    earned: dict[str, dict[str, float]] = {}
    for copy, result in zip(tried, results[len(stubs) :], strict=True):
        for each in result.exercises:
            before = earned.get(copy.file, {}).get(each.exercise, given[each.exercise])
            if each.score > before:
                earned.setdefault(copy.file, {})[each.exercise] = each.score
    return Audit(len(tried), len(files), tier, earned, draft_line(course.exercises, efforts(course)))


def _graded(course: Course, found: Sequence[Copy], console: Console) -> tuple[list[SubmissionResult], str]:
    """Return the result of each copy, and the tier of the wall."""
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
