"""The code cells of a notebook, read as text: no kernel starts, and outputs are ignored."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from autograder.core.submission import Problem
from autograder.core.text import one_line
from autograder.source.parsing import parse
from autograder.source.sound import Broken, sound
from autograder.source.syntax_problems import MERGE

BRACKETS_LIMIT = 1_000_000  # each makes a Python object of 60 bytes or more; plots of honest notebooks make 100,000
CELLS_LIMIT = 2000  # honest notebooks have a hundred
MAGIC = re.compile(r"^([ \t]*)(?:[%!?]|[\w.]+\?{1,2}[ \t]*$|[\w.]+[ \t]*=[ \t]*[%!]).*$")
# Cell magics whose cell is Python all the same; any other (%%bash, %%html, ...) takes its cell with it.
PYTHON_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
RUN = re.compile(r"^([ \t]*)%run[ \t]+(?:-\w+[ \t]+)*(?:\./)?([\w/]+)\.(?:py|ipynb)[ \t]*$")
TIME = re.compile(r"^([ \t]*)%time[ \t]+(?=[^\s-])")
PROMPT = re.compile(r"^(?:>>>|\.\.\.|In \[\d+\]:|[ \t]*\.{3,}:)(?: |$)")
EXPORTED_CELL = re.compile(
    rf"^get_ipython\(\)\.run_cell_magic\((['\"](?:{'|'.join(PYTHON_MAGICS).replace('%', '')})['\"],.*)\)[ \t]*$",
    re.MULTILINE,
)
EXPORTED_TIME = re.compile(r"^([ \t]*)get_ipython\(\)\.run_line_magic\((['\"]time['\"],.*)\)[ \t]*$", re.MULTILINE)
EXPORTED_RUN = re.compile(r"^([ \t]*)get_ipython\(\)\.run_line_magic\(['\"]run['\"], ['\"](.*)['\"]\)", re.MULTILINE)
WRITES = re.compile(r"%%writefile[ \t]+(-a[ \t]+)?(?:\./)?(\w+\.py)")
OURS = re.compile(
    r"^[ \t]*%(?:ask|check|hint|explain|show|picture|train|load_ext[ \t]+autograder)\b"
)  # not worth a note
PICTURE = "%picture"
# The percent format: a Python file whose comments mark the cells.
FORMAT = {
    "extension": ".py",
    "format_name": "percent",
    "comment_magics": False,  # "# ls" stays a comment: a chapter is plain Python
    "notebook_metadata_filter": "-all",
    "cell_metadata_filter": "exercise,-all",
}
GENERATED = "# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:"


def short(stem: str) -> str:
    """Return the chapter's number as people type it: "ch03" for "ch03_attention"."""
    return stem.partition("_")[0]


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among the code cells (from 1), its id, the exercise in its metadata, its text.

    `tree` is None where nothing of the cell compiles; `error` says why. Where parts of it do not, `broken` has these,
    and `source` blank lines in their place. `magics` counts dropped lines of IPython that are not the course's own.
    """

    number: int
    identifier: str
    exercise: str
    source: str
    tree: ast.Module | None = None
    error: SyntaxError | None = None
    magics: int = 0
    broken: tuple[Broken, ...] = ()


def read_cells(data: bytes, name: str) -> tuple[Cell, ...] | Problem:
    """Return the code cells of the notebook file `data`, which may be slightly invalid, or why it has none."""
    raw = raw_cells(data, name)
    if isinstance(raw, Problem):
        return raw
    code = [cell for cell in raw if cell.get("cell_type") == "code"]
    return tuple(_cell(number, cell) for number, cell in enumerate(code, 1) if not _is_test(cell))


def content_of(data: bytes, name: str) -> dict[str, Any] | Problem:
    """Return the notebook's JSON, to be changed and written back, or why it cannot be; its cells are objects."""
    cells = raw_cells(data, name)
    if isinstance(cells, Problem):
        return cells
    content: dict[str, Any] = json.loads(data.decode("utf-8-sig"))
    if "cells" not in content:
        return Problem("syntax", f"{name} has the format of an old Jupyter; open it in Jupyter and save it anew")
    return {**content, "cells": cells}


def raw_cells(data: bytes, name: str) -> list[dict[str, Any]] | Problem:
    """Return the cells of the notebook's JSON, without compiling them, or why there are none."""
    if not data.strip(b"\xef\xbb\xbf \t\r\n\f"):
        return Problem("missing", f"{name} is empty")
    if data.count(b"[") + data.count(b"{") > BRACKETS_LIMIT:
        return Problem("syntax", f"{name} is too large to read; clear its outputs, save it and hand it in again")
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        return _unreadable(name, "its JSON is too deeply nested")
    except UnicodeDecodeError:
        return _unreadable(name, "it is not UTF-8 text")
    except ValueError as error:
        return _unreadable(name, _json_says(data.decode("utf-8-sig"), error))
    return _listed(content, name)


def _json_says(text: str, error: ValueError) -> str:
    merge = next((number for number, line in enumerate(text.split("\n"), 1) if MERGE.match(line)), None)
    if merge is not None:
        return f"line {merge} holds a merge conflict"
    return one_line(str(error), 120) if isinstance(error, json.JSONDecodeError) else "it holds a broken number"


def _unreadable(name: str, why: str) -> Problem:
    advice = "if it is still open in Jupyter, save it there again, else restore it from a copy"
    return Problem("syntax", f"{name} is no readable notebook: {why}; {advice}")


def _listed(content: Any, name: str) -> list[dict[str, Any]] | Problem:
    raw = content.get("cells", _of_old_format(content)) if isinstance(content, dict) else None
    if not isinstance(raw, list):
        return _unreadable(name, "it has no cells")
    if len(raw) > CELLS_LIMIT:
        says = f"{name} has more than {CELLS_LIMIT} cells; keep the exercises and what they need"
        return Problem("syntax", says)
    return [cell for cell in raw if isinstance(cell, dict)]


def _of_old_format(content: Mapping[str, Any]) -> list[Any] | None:
    """Return the cells of format 3, in which code cells call their source `input`."""
    sheets = content.get("worksheets")
    if not isinstance(sheets, list) or not sheets:
        return None
    listed = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)]
    cells = [cell for each in listed for cell in each if isinstance(cell, dict)]
    return [{**cell, "source": cell.get("input", cell.get("source", ""))} for cell in cells]


def _is_test(raw: dict[str, Any]) -> bool:
    """Return whether it is a test cell of nbgrader, which is not part of an answer."""
    marks = metadata_of(raw).get("nbgrader")
    return isinstance(marks, dict) and marks.get("grade") is True and marks.get("solution") is False


def _cell(number: int, raw: dict[str, Any]) -> Cell:
    text = source_of(raw).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return as_cell(number, _text(raw.get("id")), _text(metadata_of(raw).get("exercise")), text)


def metadata_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a cell in a notebook's JSON; none where it is malformed."""
    found = raw.get("metadata")
    return found if isinstance(found, dict) else {}


def source_of(raw: Mapping[str, Any]) -> str:
    """Return the text of a cell in a notebook's JSON, which may be a list of lines; "" where it is malformed."""
    source = raw.get("source", "")
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return _text(source)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def as_cell(number: int, identifier: str, exercise: str, source: str) -> Cell:
    """Return the cell with its tree; magics are replaced only where the cell is not Python as it stands."""
    try:
        return Cell(number, identifier, exercise, source, tree=parse(source))
    except SyntaxError as first:
        text, magics = without_magics(source)
        if text == source:
            return _in_parts(Cell(number, identifier, exercise, source, error=first))
    try:
        return Cell(number, identifier, exercise, text, tree=parse(text), magics=magics)
    except SyntaxError as error:
        return _in_parts(Cell(number, identifier, exercise, text, error=error, magics=magics))


def _in_parts(cell: Cell) -> Cell:
    """Return a cell that does not compile, with the tree of what compiles of it."""
    try:
        rest, broken = sound(cell.source)
        tree = parse(rest)
    except SyntaxError:
        return cell
    if not tree.body or any(part.is_endless for part in broken):
        return cell
    return replace(cell, source=rest, tree=tree, broken=broken)


def without_magics(source: str) -> tuple[str, int]:
    """Replace every line of IPython's own language by `pass`, and count those that are not the course's.

    `%run helpers.py` becomes an import of all names, `%time x = f()` is the statement, and prompts are removed.
    """
    first = source.lstrip().split("\n", 1)[0]
    if first.startswith("%%") and first.split()[0] not in PYTHON_MAGICS:
        return "", 1
    lines = source.split("\n")
    if PROMPT.match(first.lstrip()):
        lines = [PROMPT.sub("", line) for line in lines]
    run = [TIME.sub(r"\1", RUN.sub(_imported, line)) for line in lines]
    kept = [MAGIC.sub(r"\1pass", line) for line in run]
    return "\n".join(kept), sum(a != b and not OURS.match(a) for a, b in zip(run, kept, strict=True))


def without_exported_magics(text: str) -> str:
    """Return a module that was a notebook, with the code of its `%%time` and `%time`, and the imports of its `%run`."""
    if "get_ipython()" not in text:
        return text
    text = EXPORTED_CELL.sub(r"exec((lambda *given: given[-1])(\1))", text)
    text = EXPORTED_TIME.sub(r"\1exec((lambda *given: given[-1])(\2))", text)
    return EXPORTED_RUN.sub(lambda run: RUN.sub(_imported, f"{run[1]}%run {run[2]}"), text)


def _imported(run: re.Match[str]) -> str:
    return f"{run[1]}from {run[2].replace('/', '.')} import *"


def written_files(data: bytes) -> dict[str, str]:
    """Return the modules that the notebook's `%%writefile` cells write, by name."""
    raw = raw_cells(data, "")
    found: dict[str, str] = {}
    for cell in [] if isinstance(raw, Problem) else raw:
        head, _, text = source_of(cell).partition("\n")
        if cell.get("cell_type") == "code" and (match := WRITES.fullmatch(head.strip())):
            found[match[2]] = (found.get(match[2], "") if match[1] else "") + text + "\n"
    return found
