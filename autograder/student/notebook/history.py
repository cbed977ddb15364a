"""The cells that the running kernel has run, in that order, read as a student's answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from IPython.core.getipython import get_ipython

from autograder.core.errors import UsageError
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.course.course import Course
from autograder.intake import archive
from autograder.intake.artefacts import of_copy
from autograder.intake.chapter_source import manifest_of
from autograder.intake.own_modules import with_beside
from autograder.source.extract import Manifest, claims, extract, module_text, passed_over_in, why_broken
from autograder.source.notebook import Cell
from autograder.source.parsing import DEFINITIONS, SOURCE_LIMIT
from autograder.source.statements import IMPORTS, Piece, needed, pieces_of
from autograder.source.stub import is_stub_answer
from autograder.source.syntax_problems import syntax_problem
from autograder.student.notebook import stale
from autograder.student.notebook.kernel_session import as_cell_once, ended
from autograder.student.notebook.stale import Kernel

ORIGIN = "this notebook"
_KIT = "autograder"


def submission(course: Course, chapter: str) -> Submission:
    """Return the chapter's answers as the cells that were run define them; of several definitions the last counts.

    Names that the kernel does not hold, as after a failed import or a `del`, are left out.

    Raises:
        UsageError: no IPython is running here.
    """
    kernel = kernel_here()
    found = of_kernel(kernel, manifest_of(course, chapter)).chapters[chapter]
    undefined = {name for name, problem in found.broken.items() if problem.status == "missing"}
    told = stale.undefined(course, chapter, kernel, undefined) if undefined else {}
    source = replace(found, broken={**found.broken, **told}, artefacts=of_copy(course, chapter))
    return Submission("you", {chapter: source})


def every_cell(course: Course, chapter: str) -> Submission:
    """Return the chapter's answers in all cells that were run, as if they had been handed in as a notebook.

    What a cell defines counts even if it failed here, as where it stands above the imports.

    Raises:
        UsageError: no IPython is running here.
    """
    cells = [as_cell_once(number, text) for number, text in kernel_here().texts.items()]
    read, notes = extract(cells, manifest_of(course, chapter), ORIGIN)
    with archive.opened(Path.cwd()) as listing:
        read, more = with_beside(read, PurePosixPath(), listing.files)
    return Submission("you", {chapter: replace(read, artefacts=of_copy(course, chapter))}, notes=(*notes, *more))


def kernel_here() -> Kernel:
    """Return what the running kernel has run.

    Raises:
        UsageError: no IPython is running here.
    """
    shell = get_ipython()
    if shell is None or shell.history_manager is None:
        raise UsageError("this works in a notebook; in a terminal `attend check` does the same")
    texts = {number: text for number, text in enumerate(shell.history_manager.input_hist_raw) if text}
    return Kernel(texts, ended(shell), shell.user_ns)


def of_kernel(kernel: Kernel, manifest: Manifest) -> Submission:
    """Return the submission made of the cells that a kernel has run, in that order."""
    cells = [as_cell_once(number, text) for number, text in kernel.texts.items()]
    pieces = [piece for cell in cells for piece in pieces_once(cell) if _counts(piece, kernel)]
    kept = current(needed(pieces, {*manifest.exercises, *manifest.names}))
    text = module_text(kept)
    wrong = syntax_problem(text, ORIGIN)
    if len(text) > SOURCE_LIMIT:
        wrong = Problem("syntax", f"{ORIGIN} holds more than {SOURCE_LIMIT // 1024} KiB of code; restart the kernel")
    broken = _not_run(kept, manifest) | _broken(cells, kept, manifest)
    passed = tuple(passed_over_in(cells, manifest, ORIGIN))
    read = ChapterSource(manifest.chapter, text, ORIGIN, wrong, broken, passed=passed)
    return Submission("you", {manifest.chapter: read})


@lru_cache(maxsize=4096)
def pieces_once(cell: Cell) -> tuple[Piece, ...]:
    """Return the cell's statements; none if it is no Python."""
    return tuple(pieces_of(cell, cell.tree)) if cell.tree else ()


def _counts(piece: Piece, kernel: Kernel) -> bool:
    """Return whether the kernel holds what the piece binds, and it is no import of the course's tools."""
    if isinstance(piece.node, IMPORTS) and _KIT in _packages(piece.node):
        return False
    cell = kernel.ended.get(piece.cell.number)
    if cell and isinstance(piece.node, DEFINITIONS) and piece.node.name in cell.unmade:
        return False
    return all(name in kernel.names or name == "*" for name in piece.binds)


def _packages(node: ast.Import | ast.ImportFrom) -> set[str]:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    return {name.split(".")[0] for name in names}


def current(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without those that a later one replaces before any other reads them."""
    binders: dict[str, list[Piece]] = {}
    for piece in pieces:
        for name in piece.binds:
            binders.setdefault(name, []).append(piece)
    kept: list[Piece] = []
    replaced = set[str]()  # names that the pieces kept so far bind anew before they read them
    for piece in reversed(pieces):
        if piece.binds and piece.binds <= replaced:
            continue
        kept.append(piece)
        replaced |= set(_made_anew(piece))
        replaced -= _reads(piece, binders)
    return kept[::-1]


def _made_anew(piece: Piece) -> Iterator[str]:
    """Yield the names that the piece gives a new value; `Name.forward = f` only changes one."""
    node = piece.node
    if isinstance(node, DEFINITIONS + IMPORTS):
        yield from piece.binds
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _reads(piece: Piece, binders: Mapping[str, Sequence[Piece]]) -> set[str]:
    """Return every name that may be read while the piece runs, through any number of calls."""
    seen, todo = set[str](), [*piece.now, *(piece.binds - {*_made_anew(piece)})]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(need for binder in binders.get(name, ()) for need in binder.now | binder.later)
    return seen


def _not_run(kept: Sequence[Piece], manifest: Manifest) -> dict[str, Problem]:
    """Return a problem for each exercise that the kernel does not define."""
    bound = {name for piece in kept for name in piece.binds}
    text = "{} is not defined yet: run its cell, then check again"
    return {name: Problem("missing", text.format(name)) for name in manifest.exercises if name not in bound}


def _broken(cells: Sequence[Cell], kept: Sequence[Piece], manifest: Manifest) -> dict[str, Problem]:
    """Return a problem for each exercise whose cell does not compile and which has no other answer."""
    answered = {
        name
        for piece in kept
        for name in piece.binds & {*manifest.exercises}
        if not is_stub_answer(piece.text, manifest.stub, name)
    }
    return {
        exercise: why_broken(cell, exercise, ORIGIN)
        for cell in cells
        for exercise in claims(cell, manifest)
        if exercise not in answered
    }
