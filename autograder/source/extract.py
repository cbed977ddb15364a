"""A notebook's answers as one module: the exercises and what they need, without experiments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.core.submission import ChapterSource, PassedOver, Problem
from autograder.core.text import join_names
from autograder.source.notebook import Cell
from autograder.source.parsing import DEFINITIONS, SOURCE_LIMIT, parse
from autograder.source.sound import passed_over
from autograder.source.statements import Piece, binds, calls_one_of, is_silent, needed, pieces_of, standing
from autograder.source.stub import is_stub_answer
from autograder.source.syntax_problems import explain, syntax_problem


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


def extract(cells: Sequence[Cell], manifest: Manifest, name: str) -> tuple[ChapterSource, tuple[str, ...]]:
    """Return the module made of the notebook `name`, and notes on what was left out."""
    if sum(len(cell.source) for cell in cells) > SOURCE_LIMIT:
        says = f"{name} holds more than {SOURCE_LIMIT // 1024} KiB of code; keep the exercises and what they need"
        return ChapterSource(manifest.chapter, "", name, Problem("syntax", says)), ()
    pieces = [piece for cell in cells if cell.tree for piece in pieces_of(cell, cell.tree)]
    winners, notes = _winners(cells, pieces, manifest, name)
    claimed = [(exercise, cell) for cell in reversed(cells) for exercise in claims(cell, manifest)]
    broken = {exercise: why_broken(cell, exercise, name) for exercise, cell in claimed if exercise not in winners}
    pieces = [piece for piece in pieces if _is_current(piece, winners, broken, manifest)]
    kept = needed(standing(pieces), {*manifest.exercises, *manifest.names})
    text = module_text(kept)
    notes += _left_out(cells, pieces, kept, manifest, name)
    passed = tuple(passed_over_in(cells, manifest, name))
    return ChapterSource(manifest.chapter, text, name, syntax_problem(text, name), broken, passed=passed), notes


def passed_over_in(cells: Sequence[Cell], manifest: Manifest, name: str) -> Iterator[PassedOver]:
    """Yield the pieces of cells that do not compile and bind what exercises may need."""
    for cell in cells:
        yield from passed_over(cell.broken, manifest.exercises, name, f"code cell {cell.number}, ")


def _defines(piece: Piece, exercise: str) -> bool:
    """Return whether the piece defines the exercise; `Exercise.forward = f` only changes it."""
    if isinstance(piece.node, ast.Assign) and not calls_one_of(piece.node.value, [exercise]):
        return any(isinstance(target, ast.Name) and target.id == exercise for target in piece.node.targets)
    return isinstance(piece.node, DEFINITIONS) and piece.node.name == exercise


def _winners(
    cells: Sequence[Cell], pieces: Sequence[Piece], manifest: Manifest, name: str
) -> tuple[dict[str, Cell], tuple[str, ...]]:
    """Return the cell that counts for each exercise: its own if changed, else the last changed one, else the last."""
    winners, notes = dict[str, Cell](), list[str]()
    broken = {exercise for cell in cells for exercise in claims(cell, manifest)}
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


def claims(cell: Cell, manifest: Manifest) -> list[str]:
    """Return the exercises of an unreadable cell, or of the unreadable parts of one.

    A cell is known by its id, its metadata, or the words `def NAME`.
    """
    if cell.tree is not None:
        return [name for part in cell.broken for name in part.names if name in manifest.exercises]
    exercise = manifest.owners.get(cell.identifier) or cell.exercise
    if exercise not in manifest.exercises:
        named = re.search(r"^[ \t]*(?:def|class)[ \t]+(\w+)", cell.source, re.MULTILINE)
        exercise = named[1] if named else ""
    return [exercise] if cell.error and exercise in manifest.exercises else []


def why_broken(cell: Cell, exercise: str, name: str) -> Problem:
    """Return why the exercise's cell, or its part of a cell, does not compile."""
    for part in cell.broken:
        if exercise in part.names:
            return explain(part.error, part.padded, name, f"cell of {exercise}")
    assert cell.error
    return explain(cell.error, cell.source, name, f"cell of {exercise}")


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
    run = [piece.cell for piece in pieces if id(piece) not in held and not is_silent(piece.node)]
    magics = [cell for cell in cells if cell.magics]
    broken = [cell for cell in cells if cell.error and not claims(cell, manifest)]
    kinds = [
        (run, "only definitions are graded; prints, loops and experiments were left out"),
        (magics, "lines for IPython (%, ! or ?) were left out"),
        (broken, "cells that are not Python were left out"),
    ]
    return tuple(
        f"{name}: {says} (code cell{'s' * (len(numbers) > 1)} {join_names(map(str, numbers))})"
        for dropped, says in kinds
        if (numbers := dict.fromkeys(cell.number for cell in dropped if cell.source not in manifest.sources))
    )
