"""A student's own modules that a chapter imports, found among the files handed in: read as text, never run here."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from autograder.core.submission import ChapterSource, PassedOver, Problem
from autograder.core.text import join_names, one_line
from autograder.intake.archive import Found, UnreadableError
from autograder.intake.contents import is_notebook
from autograder.intake.misnamed import LIBRARIES, SUFFIXES
from autograder.source.decoding import as_utf8, decode
from autograder.source.extract import module_text
from autograder.source.module import compiling, without_experiments
from autograder.source.notebook import read_cells
from autograder.source.parsing import SOURCE_LIMIT, shared_tree
from autograder.source.sound import passed_over
from autograder.source.statements import pieces_of
from autograder.source.syntax_problems import explain

MOST = 20  # modules beside one chapter
GIVEN = LIBRARIES | sys.stdlib_module_names | {"handed_in"}
"""Modules that keep their meaning, whatever was handed in."""
IMPORTED = re.compile(r"^[^\n#]*?\b(?:import|from)[ \t]+([\w., \t]+)", re.MULTILINE)
DEEPEST = 6  # folders
INIT = "__init__"


@dataclass
class _Reading:
    """The modules that were found, by dotted name: their texts, and the names that their importers speak of."""

    home: PurePosixPath
    files: Mapping[str, Sequence[Found]]
    texts: dict[str, str] = field(default_factory=dict)
    spoken: dict[str, set[str]] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    passed: list[PassedOver] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def with_beside(
    read: ChapterSource, home: PurePosixPath, files: Sequence[Found], wanted: Iterable[str] = ()
) -> tuple[ChapterSource, list[str]]:
    """Return the chapter with its student's own modules that it imports, directly or not, and notes.

    Args:
        home: the folder of the chapter's file.
        wanted: the chapter's exercises, which such a module may bind.
    """
    code = [each.path for each in files if each.path.suffix in SUFFIXES and each.path.stem != read.chapter]
    if read.problem or not _may_import(read.text, {part for path in code for part in (*path.parts[:-1], path.stem)}):
        return read, []
    imported = _imports(shared_tree(read.text))
    reading = _Reading(home, _by_name(files, read.chapter))
    if reading.files.keys().isdisjoint(imported):
        return read, []
    _follow(reading, shared_tree(read.text), {*wanted})
    beside = {name: _reduced(reading, name) for name in reading.texts}
    if reading.origins:
        of = join_names(dict.fromkeys(reading.origins.values()), MOST)
        reading.notes.insert(0, f"{of} {'was' if len(reading.origins) == 1 else 'were'} read with {read.origin}")
    return replace(read, beside=beside, passed=(*read.passed, *reading.passed)), reading.notes


def _may_import(text: str, names: Collection[str]) -> bool:
    """Return whether a text seems to import one of `names`, without parsing it."""
    found = [each.strip() for match in IMPORTED.finditer(text) for each in match[1].split(",")]
    return any(each.startswith(".") or re.split(r"\W", each, maxsplit=1)[0] in names for each in found)


def _imports(tree: ast.Module, package: Sequence[str] = ()) -> set[str]:
    """Return the dotted names of all modules that a text may import, with those of the packages around them.

    Args:
        package: the parts of the name of the text's own package.
    """
    names = {name for node in ast.walk(tree) for name in _imported(node, package)}
    parts = [name.split(".") for name in names]
    return {".".join(each[:length]) for each in parts for length in range(1, len(each) + 1)}


def _imported(node: ast.AST, package: Sequence[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level <= len(package) + 1:
        around = package[: len(package) + 1 - node.level] if node.level else ()
        parts = [*around, *filter(None, [node.module])]
        yield from filter(None, [".".join(parts)])
        yield from (".".join([*parts, alias.name]) for alias in node.names)


def _by_name(files: Sequence[Found], chapter: str) -> dict[str, list[Found]]:
    """Return the files that a dotted name may mean: `utils.tools` for any `.../utils/tools.py`."""
    found: dict[str, list[Found]] = {}
    for each in files:
        if each.path.suffix in SUFFIXES and each.path.stem != chapter:
            parts = each.path.with_suffix("").parts
            parts = parts[:-1] if parts[-1] == INIT else parts
            for length in range(1, min(len(parts), DEEPEST) + 1):
                found.setdefault(".".join(parts[-length:]), []).append(each)
    modules = {name: [each for each in here if not is_notebook(each)] or here for name, here in found.items()}
    return {name: here for name, here in modules.items() if name.partition(".")[0] not in GIVEN}


def _follow(reading: _Reading, chapter: ast.Module, wanted: Collection[str]) -> None:
    """Read all modules that the chapter imports, and those that they import."""
    todo = list[tuple[ast.Module, Sequence[str]]]([(chapter, ())])
    while todo:
        tree, package = todo.pop()
        words = _words(tree).union(wanted)
        for name in sorted(_imports(tree, package) & reading.files.keys()):
            reading.spoken.setdefault(name, set()).update(words)
            if name not in reading.origins and (text := _read(reading, name)) is not None:
                parts = name.split(".")
                is_package = PurePosixPath(reading.origins[name]).stem == INIT
                todo.append((shared_tree(text), parts if is_package else parts[:-1]))


def _words(tree: ast.Module) -> set[str]:
    """Return all names that a text speaks of."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | attributes | {node.name for node in nodes if isinstance(node, ast.alias)}


def _read(reading: _Reading, name: str) -> str | None:
    """Read the module of a name; None where it cannot be read, which a note tells."""
    files = reading.files[name]
    found = _nearest(reading.home, files)
    if found is None:
        paths = join_names([str(each.path) for each in files], 3)
        reading.notes.append(f"{paths} may each be {name}, so none of them was read")
        return None
    path = one_line(str(found.path), 200)
    text: str | Problem | None = _compiling(reading, found, path) if len(reading.origins) < MOST else None
    length = len(text) if isinstance(text, str) else 0
    if text is None or sum(map(len, reading.texts.values())) + length > SOURCE_LIMIT:
        says = f"only {MOST} files with {SOURCE_LIMIT // 1024} KiB together are read beside a chapter"
        reading.notes.append(f"{path} was not read: {says}")
        return None
    reading.origins[name] = path
    if isinstance(text, Problem):  # an empty module takes its place
        reading.passed.append(PassedOver(f"the import of {name}", ("*",), text.message))
        reading.notes.append(text.message)
    reading.texts[name] = "" if isinstance(text, Problem) else text
    return reading.texts[name]


def _compiling(reading: _Reading, found: Found, path: str) -> str | Problem:
    """Return all that compiles of a file, or why nothing does."""
    try:
        data, _ = as_utf8(found.load(), path)
    except UnreadableError as why:
        return Problem("missing", f"{path} {why}")
    if found.path.stem == INIT and not data.strip():
        return ""
    text = _of_cells(data, path) if is_notebook(found) else _decoded(data, path)
    if isinstance(text, Problem):
        return text
    try:
        _, rest, broken, notes = compiling(text, path)
    except SyntaxError as error:
        return explain(error, text, path)
    reading.notes += notes
    reading.passed += passed_over(broken, (), path)
    return rest


def _decoded(data: bytes, path: str) -> str | Problem:
    decoded = decode(data, path)
    return decoded if isinstance(decoded, Problem) else decoded.text


def _of_cells(data: bytes, path: str) -> str | Problem:
    """Return all code of a notebook that compiles."""
    cells = read_cells(data, path)
    if isinstance(cells, Problem):
        return cells
    return module_text([piece for cell in cells if cell.tree for piece in pieces_of(cell, cell.tree)])


def _nearest(home: PurePosixPath, files: Sequence[Found]) -> Found | None:
    """Return the file in the chapter's own folder, else the only one that is nearest to the top; None for several."""
    ranked = sorted((not each.path.is_relative_to(home), len(each.path.parts)) for each in files)
    best = [each for each in files if (not each.path.is_relative_to(home), len(each.path.parts)) == ranked[0]]
    return best[0] if len(best) == 1 else None


def _reduced(reading: _Reading, name: str) -> str:
    """Return a module's text without what no importer can need."""
    text = reading.texts[name]
    reduced, notes = without_experiments(text, reading.spoken[name], reading.origins[name])
    reading.notes += notes
    return reduced
