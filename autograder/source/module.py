"""A module's answers: the exercises and what they need, on the lines where the student wrote them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec

from autograder.core.submission import ChapterSource, Problem
from autograder.core.text import join_names, one_line
from autograder.source.extract import Manifest
from autograder.source.kinds import MARKDOWN, kind_of, kind_of_json
from autograder.source.notebook import Cell, without_exported_magics, without_magics
from autograder.source.parsing import DEFINITIONS, must_compile, parse, segment, shared_tree
from autograder.source.slips import doubled
from autograder.source.sound import Broken, passed_over, sound
from autograder.source.statements import IMPORTS, binds, is_guard, is_silent, is_text, needed, pieces_of, standing
from autograder.source.stub import is_stub_answer
from autograder.source.syntax_problems import explain

MOST_NAMED = 5  # places in one note
PLAIN = (ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.UnaryOp, ast.BinOp)
"""Expressions that do nothing but give a value."""


def read_module(text: str, manifest: Manifest, name: str) -> tuple[ChapterSource, tuple[str, ...]]:
    """Return the answers in the module `text`, handed in as the file `name`, and notes on what was left out."""
    source, notes = read_pieces(text, manifest, name)
    if source.problem:
        return source, notes
    rest, more = without_experiments(source.text, {*manifest.exercises, *manifest.names}, name, manifest.stub)
    twice = [
        f"{name} defines {exercise} in lines {join_names(map(str, lines))}; line {lines[-1]} counts"
        for exercise, lines in doubled(shared_tree(rest), manifest.exercises)
    ]
    return replace(source, text=rest), (*notes, *more, *twice)


def read_pieces(text: str, manifest: Manifest, name: str) -> tuple[ChapterSource, tuple[str, ...]]:
    """Return all that compiles of the module `text`, what does not by exercise, and notes on the rest of that."""
    chapter = manifest.chapter
    if kind := kind_of_json(text):
        return ChapterSource(chapter, text, name, Problem("syntax", f"{name} is {kind}")), ()
    try:
        tree, rest, broken, notes = compiling(without_exported_magics(text), name)
    except SyntaxError as error:
        return ChapterSource(chapter, text, name, explain(error, text, name)), ()
    if not broken:
        return ChapterSource(chapter, rest, name), notes
    answered = {each for node in tree.body for each in _defined(node) if not _is_stub(node, rest, manifest.stub)}
    own = {
        exercise: explain(part.error, part.padded, name, exercise)
        for part in reversed(broken)
        for exercise in part.names
        if exercise in manifest.exercises and exercise not in answered
    }
    passed = tuple(passed_over(broken, manifest.exercises, name))
    return ChapterSource(chapter, rest, name, broken=own, passed=passed), (*notes, *map(str, passed))


def compiling(text: str, name: str) -> tuple[ast.Module, str, tuple[Broken, ...], tuple[str, ...]]:
    """Return the tree of all that compiles, its text, the pieces that do not, and notes on those without a name.

    Raises:
        SyntaxError: nothing is defined, and no definition begun; or the text is something else than Python.
    """
    try:
        must_compile(text)
        return shared_tree(text), text, (), ()
    except SyntaxError as first:
        error = first
    if kind_of(text) not in ("", MARKDOWN):
        raise error
    plain, magics = without_magics(text)
    rest, broken = sound(plain)
    rest = _as_above(rest, broken)
    tree = parse(rest)
    if not any(isinstance(node, DEFINITIONS) for node in tree.body) and not any(part.names for part in broken):
        raise error
    loose = [(part.first, part.first + part.text.rstrip().count("\n")) for part in broken if not part.names]
    notes = [f"{name}: lines for IPython (%, ! or ?) were left out"] if magics else []
    notes += [f"{name}: {_lines(loose)} {_was(loose)} passed over, as Python cannot read it"] if loose else []
    return tree, rest, broken, tuple(notes)


def _as_above(text: str, broken: Sequence[Broken]) -> str:
    """Return the module without definitions that take the place of others, below quotes that are never closed.

    To Python these are text, so not even a stub gives way to them: it is unclear whether they were meant.
    """
    ends = min((part.first for part in broken if part.is_endless), default=None)
    if ends is None:
        return text
    body = parse(text).body
    above = {name for node in body if node.lineno < ends for name in _defined(node)}
    return without(text, [node for node in body if node.lineno > ends and not above.isdisjoint(_defined(node))])


def without_experiments(text: str, wanted: Collection[str], name: str, stub: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the module `text` with blank lines in place of all that no `wanted` name needs, and a note on it.

    A definition that is still as it is in `stub` does not count where another one of its name does.
    """
    tree = shared_tree(text)
    if _is_ordinary(tree.body):
        return text, ()
    pieces = pieces_of(Cell(1, "", "", text, tree), tree)
    stubs = {id(piece) for piece in pieces if _is_stub(piece.node, text, stub)}
    answered = {name for piece in pieces if id(piece) not in stubs for name in _defined(piece.node)}
    current = [piece for piece in pieces if id(piece) not in stubs or answered.isdisjoint(_defined(piece.node))]
    kept = {id(piece.node) for piece in needed(standing(current), wanted)}
    left = [node for node in tree.body if id(node) not in kept and not is_guard(node) and not is_text(node)]
    told = [(node.lineno, node.end_lineno or node.lineno) for node in left if not is_silent(node)]
    note = f"{name}: no exercise needs {_lines(told)}, which {_was(told)} not run"
    return without(text, left), (note,) if told else ()


def _is_ordinary(body: Sequence[ast.stmt]) -> bool:
    """Return whether nothing could be left out: each name is defined once, and all else is harmless."""
    names = [name for node in body for name in (binds(node) if isinstance(node, IMPORTS) else _defined(node))]
    return len(names) == len(set(names)) and all(map(_is_harmless, body))


def _is_harmless(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(part, PLAIN) for part in ast.walk(node.value) if isinstance(part, ast.expr))
    if isinstance(node, IMPORTS):
        return not _is_absent(node)
    return isinstance(node, DEFINITIONS) or is_silent(node) or is_guard(node)


def _is_absent(node: ast.Import | ast.ImportFrom) -> bool:
    """Return whether an import fails here, as its library is not installed."""
    named = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    return (isinstance(node, ast.ImportFrom) and node.level > 0) or not all(_is_here(each) for each in named)


@lru_cache(maxsize=1024)
def _is_here(module: str) -> bool:
    try:
        return find_spec(module.split(".")[0]) is not None
    except (ImportError, ValueError):
        return True  # installed in an unusual way


def _defined(node: ast.stmt) -> set[str]:
    """Return the name of a definition, or the names that an assignment gives a value."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _is_stub(node: ast.stmt, text: str, stub: str) -> bool:
    return isinstance(node, DEFINITIONS) and is_stub_answer(segment(node, text.split("\n")), stub, node.name)


def without(text: str, nodes: Iterable[ast.stmt]) -> str:
    """Return the module without these statements, all others on their lines."""
    lines = [line.encode() for line in text.split("\n")]  # offsets of ast count UTF-8 bytes
    for node in sorted(nodes, key=lambda each: (each.lineno, each.col_offset), reverse=True):
        decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
        first = min([node.lineno, *(each.lineno for each in decorators)]) - 1
        last = (node.end_lineno or node.lineno) - 1
        before, after = lines[first][: node.col_offset].rstrip(), lines[last][node.end_col_offset :].strip()
        lines[first : last + 1] = [b""] * (last - first + 1)
        if before or after.startswith(b";"):  # it shares the line with other statements
            lines[first] = b" ".join(filter(None, [before, b"pass"]))
            lines[last] += after if last == first else b"pass" + after
    return b"\n".join(lines).decode()


def _lines(ranges: Sequence[tuple[int, int]]) -> str:
    """Return "line 3", or "lines 3 to 5, 9 and 2 more"; ranges that touch are one."""
    joined = list[tuple[int, int]]()
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            first, last = joined[-1][0], max(last, joined.pop()[1])
        joined.append((first, last))
    shown = [str(first) if first == last else f"{first} to {last}" for first, last in joined]
    word = "line" if len(shown) == 1 and shown[0].isdigit() else "lines"
    return one_line(f"{word} {join_names(shown, MOST_NAMED)}", 200)


def _was(ranges: Sequence[tuple[int, int]]) -> str:
    return "was" if len({line for each in ranges for line in each}) == 1 else "were"
