"""A notebook's answers as one module: the exercises and what they need, without experiments."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.core.submission import ChapterSource, Problem
from autograder.core.text import join_names
from autograder.source.notebook import Cell
from autograder.source.stub import is_stub_answer
from autograder.source.text import DEFINITIONS, SOURCE_LIMIT, explain, parse, problem, segment

IMPORTS = (ast.Import, ast.ImportFrom)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


@dataclass(frozen=True)
class Manifest:
    """The facts about a chapter's stub: its exercises, their cells, and the original text."""

    chapter: str
    exercises: tuple[str, ...]
    stub: str  # the stub module, "" where there is none
    names: frozenset[str]  # what the stub binds at its top level
    owners: Mapping[str, str]  # cell id -> exercise
    sources: frozenset[str]  # texts of the stub notebook's cells

    @classmethod
    def of(cls, chapter: str, exercises: Sequence[str], stub: str, cells: Sequence[Cell]) -> Manifest:
        """Read the stub module's text and the stub notebook's cells; either may be empty."""
        body = parse(stub).body
        owners = {cell.identifier: name for cell in cells if cell.identifier and (name := _owner(cell, exercises))}
        names = frozenset(name for statement in body for name in binds(statement))
        return cls(chapter, tuple(exercises), stub, names, owners, frozenset(cell.source for cell in cells))


@dataclass(frozen=True)
class Piece:
    """One top-level statement: the names it binds, and those it needs when it runs and when it is called."""

    cell: Cell
    node: ast.stmt
    text: str
    binds: frozenset[str]
    now: frozenset[str]
    later: frozenset[str]


def extract(cells: Sequence[Cell], manifest: Manifest, name: str) -> tuple[ChapterSource, tuple[str, ...]]:
    """Return the module made of the notebook `name`, and notes on what was left out."""
    if sum(len(cell.source) for cell in cells) > SOURCE_LIMIT:
        says = f"{name} holds more than {SOURCE_LIMIT // 1024} KiB of code; keep the exercises and what they need"
        return ChapterSource(manifest.chapter, "", name, Problem("syntax", says)), ()
    pieces = [piece for cell in cells if cell.tree for piece in pieces_of(cell, cell.tree)]
    winners, notes = _winners(cells, pieces, manifest, name)
    broken = {
        exercise: explain(cell.error, cell.source, name, f"cell of {exercise}")
        for cell in reversed(cells)
        if cell.error and (exercise := claim(cell, manifest)) and exercise not in winners
    }
    pieces = [piece for piece in pieces if _is_current(piece, winners, broken, manifest)]
    kept = needed(pieces, {*manifest.exercises, *manifest.names})
    text = module_text(kept)
    notes += _left_out(cells, pieces, kept, manifest, name)
    return ChapterSource(manifest.chapter, text, name, problem(text, name), broken), notes


def pieces_of(cell: Cell, tree: ast.Module) -> list[Piece]:
    """Return the top-level statements of a cell."""
    lines = cell.source.split("\n")
    return [_piece(cell, node, lines) for node in tree.body]


def _piece(cell: Cell, node: ast.stmt, lines: list[str]) -> Piece:
    text = segment(node, lines)
    now, later = _needs(text) if isinstance(node, DEFINITIONS + ASSIGNMENTS + (ast.If, ast.Try)) else (set(), set())
    return Piece(cell, node, text, frozenset(binds(node)), frozenset(now), frozenset(later))


def _needs(text: str) -> tuple[set[str], set[str]]:
    """Return the global names that a statement reads when it runs, and when a function in it is called."""
    now, later = set[str](), set[str]()
    todo = [symtable.symtable(text, "<statement>", "exec")]
    while todo:
        table = todo.pop()
        todo.extend(table.get_children())
        if table.get_type() == "module":
            now |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
        else:
            found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
            (now if table.get_type() == "class" else later).update(found)
    return now, later


def binds(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds or changes."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    if isinstance(node, IMPORTS):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ASSIGNMENTS):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {root for target in targets for root in _roots(target)}
    if isinstance(node, (ast.If, ast.Try)) and _is_quiet(node):
        return {name for child in _children(node) for name in binds(child)}
    return set()


def _roots(target: ast.expr) -> set[str]:
    """Return `a` for `a`, `a.b` and `a[i]`: the names that an assignment to the target changes."""
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
        target = target.value
    if isinstance(target, (ast.Tuple, ast.List)):
        return {root for item in target.elts for root in _roots(item)}
    return {target.id} if isinstance(target, ast.Name) else set()


def _is_quiet(node: ast.If | ast.Try) -> bool:
    """Return whether all branches only import, define or assign, as `try: import x; except ...: x = None`."""
    quiet = DEFINITIONS + IMPORTS + ASSIGNMENTS + (ast.Pass,)
    return all(
        _is_quiet(child) if isinstance(child, (ast.If, ast.Try)) else isinstance(child, quiet)
        for child in _children(node)
    )


def _children(node: ast.If | ast.Try) -> list[ast.stmt]:
    if isinstance(node, ast.If):
        return [*node.body, *node.orelse]
    handled = [child for handler in node.handlers for child in handler.body]
    return [*node.body, *handled, *node.orelse, *node.finalbody]


def _defines(piece: Piece, exercise: str) -> bool:
    """Return whether the piece defines the exercise; `Exercise.forward = f` only changes it."""
    if isinstance(piece.node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == exercise for target in piece.node.targets)
    return isinstance(piece.node, DEFINITIONS) and piece.node.name == exercise


def _winners(
    cells: Sequence[Cell], pieces: Sequence[Piece], manifest: Manifest, name: str
) -> tuple[dict[str, Cell], tuple[str, ...]]:
    """Return the cell that counts for each exercise: its own if changed, else the last changed one, else the last."""
    winners, notes = dict[str, Cell](), list[str]()
    broken = {claim(cell, manifest) for cell in cells if cell.error}
    for exercise in manifest.exercises:
        defining = [piece for piece in pieces if _defines(piece, exercise)]
        changed = [piece for piece in defining if not is_stub_answer(piece.text, manifest.stub, exercise)]
        own = [piece for piece in changed if manifest.owners.get(piece.cell.identifier) == exercise]
        chosen = own or changed or ([] if exercise in broken else defining)
        if chosen:
            winners[exercise] = chosen[-1].cell
        numbers = dict.fromkeys(piece.cell.number for piece in changed)
        if len(numbers) > 1:
            where = join_names(map(str, numbers))
            notes.append(f"{name}: {exercise} is in code cells {where}; cell {winners[exercise].number} counts")
    return winners, tuple(notes)


def _is_current(piece: Piece, winners: Mapping[str, Cell], broken: Mapping[str, Problem], manifest: Manifest) -> bool:
    """Return whether the piece is not an outdated definition of an exercise."""
    defined = [exercise for exercise in manifest.exercises if _defines(piece, exercise)]
    return all(winners.get(exercise) is piece.cell and exercise not in broken for exercise in defined)


def _owner(cell: Cell, exercises: Sequence[str]) -> str:
    """Return the exercise of a stub's cell."""
    if cell.exercise in exercises:
        return cell.exercise
    body = cell.tree.body if cell.tree else []
    return next((name for name in exercises for node in body if name in binds(node)), "")


def claim(cell: Cell, manifest: Manifest) -> str:
    """Return the exercise of an unreadable cell: by its id, its metadata, or the words `def NAME`."""
    exercise = manifest.owners.get(cell.identifier) or cell.exercise
    if exercise in manifest.exercises:
        return exercise
    named = re.search(r"^[ \t]*(?:def|class)[ \t]+(\w+)", cell.source, re.MULTILINE)
    return named[1] if named and named[1] in manifest.exercises else ""


def needed(pieces: Sequence[Piece], roots: Iterable[str]) -> list[Piece]:
    """Return definitions, and the imports and assignments that the exercises depend on, directly or not.

    Other assignments are experiments (`out = train(model)`), which may be slow or fail. Other imports serve these, such
    as a plotting library that the grader lacks.
    """
    always = [piece for piece in pieces if isinstance(piece.node, DEFINITIONS) or brings_anything(piece.node)]
    binders: dict[str, list[Piece]] = {}
    for piece in pieces:
        for name in piece.binds:
            binders.setdefault(name, []).append(piece)
    wanted: set[str] = set()
    todo = [*roots, *(name for piece in always for name in piece.now)]
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo.extend(need for piece in binders.get(name, ()) for need in piece.now | piece.later)
    kept = {id(piece) for piece in always}
    return [piece for piece in pieces if id(piece) in kept or piece.binds & wanted]


def brings_anything(node: ast.stmt) -> bool:
    """Return whether an import brings unnamed names (`*`) or a rule for the whole module."""
    return isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == "*")


def module_text(pieces: Sequence[Piece]) -> str:
    """Join the pieces below comments with the numbers of their cells; `__future__` imports come first."""
    futures = [piece.text for piece in pieces if _is_future(piece.node)]
    blocks, number = list[str](), 0
    for piece in pieces:
        if _is_future(piece.node):
            continue
        if piece.cell.number != number:
            number = piece.cell.number
            blocks.append(f"# code cell {number}")
        blocks.append(piece.text)
    return "".join(block + "\n" for block in futures + blocks)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _left_out(
    cells: Sequence[Cell], pieces: Sequence[Piece], kept: Sequence[Piece], manifest: Manifest, name: str
) -> tuple[str, ...]:
    """Return one note for each kind of code that was dropped, but for code of the stub itself."""
    held = {id(piece) for piece in kept}
    run = [piece.cell for piece in pieces if id(piece) not in held and not _is_silent(piece.node)]
    magics = [cell for cell in cells if cell.magics]
    broken = [cell for cell in cells if cell.error and not claim(cell, manifest)]
    kinds = [
        (run, "only definitions are graded; prints, loops and experiments were left out"),
        (magics, "lines for IPython (%, ! or ?) were left out"),
        (broken, "cells that are not Python were left out"),
    ]
    return tuple(
        f"{name}: {says} (code cell {join_names(map(str, numbers))})"
        for dropped, says in kinds
        if (numbers := dict.fromkeys(cell.number for cell in dropped if cell.source not in manifest.sources))
    )


def _is_silent(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Pass, *IMPORTS)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
