"""A submitted notebook in a form that nbgrader can read; it is read as JSON and never run."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from autograder.core.reading import beginning
from autograder.core.submission import Problem
from autograder.core.text import join_names
from autograder.intake.archive import READ_LIMIT
from autograder.platforms.nbgrader.gradebook import MarkedCell
from autograder.source.notebook import metadata_of, raw_cells, source_of

NOTES = "attend-notes"
IDENTIFIER = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MAKERS: Mapping[str, Any] = {
    "code": new_code_cell,
    "markdown": new_markdown_cell,
    "raw": new_raw_cell,
}


def read(path: Path) -> list[dict[str, Any]] | Problem:
    """Return the raw cells of the notebook at `path`, or why they cannot be read."""
    name, limit = path.name, READ_LIMIT[".ipynb"]
    if path.is_symlink() or not path.is_file():
        return Problem("missing", f"{name} was not handed in")
    with path.open("rb") as file:
        data = beginning(file, limit)
    if len(data) > limit:
        return Problem("missing", f"{name} is larger than {limit // 2**20} MiB; clear its outputs and save it again")
    return raw_cells(data, name)


def staged(raw: Sequence[Mapping[str, Any]], known: Sequence[MarkedCell], notes: Iterable[str]) -> Any:
    """Return the notebook of `raw` cells: without outputs, each known cell once and with the gradebook's marks.

    A missing cell is added after the one it follows in the assignment. Notes are in a cell at the top.
    """
    chosen = _chosen(raw, {cell.name: cell for cell in known})
    names = {index: name for name, index in chosen.items()}
    marked = {cell.name: cell for cell in known}
    cells: list[Any] = [_cell(each, marked.get(names.get(index, ""))) for index, each in enumerate(raw)]
    missing = [cell for cell in known if cell.name not in chosen]
    _add(cells, known)
    notes = [*notes, *_remarks(raw, marked, missing if raw else [])]
    if notes:
        lines = "\n".join(f"- {html.escape(note)}" for note in notes)
        cells.insert(0, new_markdown_cell(f"**About this notebook**\n\n{lines}", id=NOTES))
    _make_distinct(cells)
    notebook = new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})
    notebook.nbformat_minor = 5
    return notebook


def code(text: str) -> Mapping[str, Any]:
    """Return a raw code cell, for an answer that did not come in a notebook."""
    return {"cell_type": "code", "source": text}


def _chosen(raw: Sequence[Mapping[str, Any]], known: Mapping[str, MarkedCell]) -> dict[str, int]:
    """Return the index of each known cell; of several copies, the last one that was changed, else the last."""
    places: dict[str, list[int]] = {}
    for index, cell in enumerate(raw):
        if (name := _grade_id(cell)) in known:
            places.setdefault(name, []).append(index)
    changed = {
        name: [index for index in found if _source(raw[index]).strip() != known[name].source.strip()]
        for name, found in places.items()
    }
    return {name: (changed[name] or found)[-1] for name, found in places.items()}


def _grade_id(cell: Mapping[str, Any]) -> str:
    marks = metadata_of(cell).get("nbgrader")
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return name if isinstance(name, str) else ""


def _source(cell: Mapping[str, Any]) -> str:
    return _writable(source_of(cell))


def _writable(text: str) -> str:
    """Return the text with "?" for lone surrogates, which JSON can hold but UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _cell(raw: Mapping[str, Any], known: MarkedCell | None) -> Any:
    """Return the cell without outputs, and with no metadata but the gradebook's."""
    kind, source = str(raw.get("cell_type")), _source(raw)
    if known:
        kind, source = known.kind, known.source if known.locked else source
    cell = MAKERS.get(kind, new_raw_cell)(source)
    cell.id = identifier if isinstance(identifier := raw.get("id"), str) and IDENTIFIER.fullmatch(identifier) else ""
    if known:
        cell.metadata["nbgrader"] = known.marks
    if kind == "markdown" and (pictures := _pictures(raw.get("attachments"))):
        cell.attachments = pictures
    return cell


def _pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """Return the pictures that were pasted into the text, without malformed ones."""
    named = attachments.items() if isinstance(attachments, dict) else ()
    return {
        _writable(name): {_writable(kind): _writable(data) for kind, data in bundle.items() if isinstance(data, str)}
        for name, bundle in named
        if isinstance(bundle, dict)
    }


def _add(cells: list[Any], known: Sequence[MarkedCell]) -> None:
    """Insert each known cell that is missing."""
    place = -1
    for cell in known:
        at = next((index for index, each in enumerate(cells) if _grade_id(each) == cell.name), None)
        if at is None:
            added = MAKERS[cell.kind](cell.source, metadata={"nbgrader": cell.marks})
            added.id = ""
            at = place + 1
            cells.insert(at, added)
        place = at


def _remarks(
    raw: Sequence[Mapping[str, Any]], known: Mapping[str, MarkedCell], missing: Sequence[MarkedCell]
) -> Iterator[str]:
    """Yield sentences on what was repaired."""
    counted = [name for cell in raw if (name := _grade_id(cell)) in known]
    if twice := [name for name in known if counted.count(name) > 1]:
        yield f"more than one cell was marked {join_names(twice)}; the last that was changed has the mark"
    if missing:
        yield f"missing cells were added again: {join_names(cell.name for cell in missing)}"


def _make_distinct(cells: Iterable[Any]) -> None:
    """Give an id to each cell that has none, or one that another cell has."""
    seen = {""}
    for number, cell in enumerate(cells, 1):
        if cell.id in seen:
            cell.id = next(name for extra in range(10**6) if (name := f"cell-{number}-{extra}") not in seen)
        seen.add(cell.id)
