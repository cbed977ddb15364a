"""A chapter's two forms, module and notebook: the cells they share, and how to put those of one into the other."""

from __future__ import annotations

import ast
import hashlib
import json
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from itertools import count, takewhile
from typing import Any

import jupytext
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.core.submission import Problem
from autograder.source.decoding import decode
from autograder.source.extract import Manifest, extract
from autograder.source.notebook import FORMAT, GENERATED, Cell, content_of, metadata_of, read_cells, short, source_of
from autograder.source.parsing import DEFINITIONS, syntax_tree
from autograder.source.syntax_problems import syntax_problem

PERCENT = FORMAT | {"cell_metadata_filter": "all"}  # a student's own headers stay as they are
# Under "attend" in a cell's metadata. TOOL: it loads or checks. MODULE: it came from the module, so it is shared whole.
TOOL, MODULE = "tool", "module"
QUOTES = ('"""', "'''")  # text may stand between these instead of behind #

RawCell = dict[str, Any]


@dataclass(frozen=True)
class SharedCell:
    """A cell that both forms share; `exercise` is the one it defines, "" if none."""

    kind: str
    text: str
    exercise: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Identifies the part in the other form; that of an exercise does not change with its answer."""
        return ("exercise", self.exercise) if self.exercise else (self.kind, self.text)

    def is_like(self, other: SharedCell) -> bool:
        """Return whether the cell of one part may take the text of the other."""
        return (self.kind, self.exercise) == (other.kind, other.exercise)


@dataclass(frozen=True)
class ChapterForm:
    """One form as it was read: its cells, each with its part, or None if the other form does not share it.

    `head` is the text above a module's first cell; `content` is a notebook's JSON.
    """

    cells: tuple[tuple[RawCell, SharedCell | None], ...]
    head: str = ""
    content: RawCell | None = None

    @property
    def parts(self) -> tuple[SharedCell, ...]:
        return tuple(part for _, part in self.cells if part)

    @property
    def digest(self) -> str:
        parts = json.dumps([(part.kind, part.text, part.exercise) for part in self.parts])
        return hashlib.sha256(parts.encode()).hexdigest()

    def answer(self, exercise: str) -> str:
        """Return the text of the cell that defines an exercise; "" if there is none."""
        return next((part.text for part in self.parts if part.exercise == exercise), "")


def read_module(data: bytes, name: str, manifest: Manifest) -> ChapterForm | Problem:
    """Read the module in `data`; return why, if it cannot be read."""
    decoded = decode(data, name)
    if isinstance(decoded, Problem):
        return decoded
    if wrong := syntax_problem(decoded.text, name):
        return wrong
    head, body = _split(decoded.text)
    cells = jupytext.reads(_with_code_apart(body), fmt=PERCENT).cells
    parts = ((cell, cell["cell_type"], cell["source"]) for cell in cells)
    return ChapterForm(tuple(_parted(parts, manifest)), head)


def _split(text: str) -> tuple[str, str]:
    """Return the stub's first comment, which is no cell, and the rest."""
    lines = text.splitlines(keepends=True) if text.startswith(GENERATED) else []
    head = "".join(takewhile(lambda line: not line.strip() or (line[0] == "#" and line[:4] != "# %%"), lines))
    return head, text.removeprefix(head)


def _with_code_apart(body: str) -> str:
    """Return `body` with a header above code that follows text, which jupytext would take for text too."""
    lines = list[str]()
    in_words = False
    for line in body.split("\n"):
        if line.startswith("# %%"):
            in_words = line.startswith(("# %% [markdown]", "# %% [md]"))
        elif in_words and line.strip() and line[0] != "#":
            if not line.startswith(QUOTES):
                lines.append("# %%")
            in_words = False
        lines.append(line)
    return "\n".join(lines)


def read_notebook(data: bytes, name: str, manifest: Manifest) -> ChapterForm | Problem:
    """Read the notebook in `data`; return why, if it cannot be read. Its shared code is what grading counts."""
    code = read_cells(data, name)
    if isinstance(code, Problem):
        return code
    source, _ = extract(code, manifest, name)
    if wrong := source.problem or next(iter(source.broken.values()), None):
        return wrong
    content = content_of(data, name)
    if isinstance(content, Problem):
        return content
    numbered = {cell.number: cell for cell in code}
    counts = {ast.dump(node) for node in syntax_tree(source.text).body}
    texts = _texts(content["cells"], numbered, counts, manifest)
    return ChapterForm(tuple(_parted(texts, manifest)), content=content)


def _texts(
    cells: Iterable[RawCell], code: Mapping[int, Cell], counts: Collection[str], manifest: Manifest
) -> Iterator[tuple[RawCell, str, str]]:
    """Yield each cell with its kind and the text that a module would hold: no tools, magics or experiments.

    Args:
        code: the student's code cells, by their number among all code cells.
    """
    numbers = count(1)
    for raw in cells:
        kind = raw.get("cell_type", "")
        text = ""
        if kind == "code" and (cell := code.get(next(numbers))):
            text = cell.source if _is_whole(raw, cell, manifest) else _without_experiments(cell, counts)
        elif kind == "markdown" and raw.get("id") != f"{short(manifest.chapter)}-how-to-check":
            text = source_of(raw)
        yield raw, kind, text


def _is_whole(raw: RawCell, cell: Cell, manifest: Manifest) -> bool:
    """Return whether the whole cell is shared, whatever its statements do; never if it defines an exercise."""
    mark = metadata_of(raw).get("attend")
    is_given = cell.source in manifest.sources and not set(_defined(cell.source)) & set(manifest.exercises)
    return mark == MODULE or (mark != TOOL and is_given)


def _without_experiments(cell: Cell, counts: Collection[str]) -> str:
    """Return a cell's text without the statements that do not count; "" if none is left."""
    body = cell.tree.body if cell.tree else []
    held = [node for node in body if ast.dump(node) in counts or _is_text(node)]
    stay = {line for node in held for line in _lines(node)}
    go = {line for node in body if node not in held for line in _lines(node)} - stay
    kept = (line for number, line in enumerate(cell.source.split("\n"), 1) if number not in go)
    return "\n".join(kept) if held else ""


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _lines(node: ast.stmt) -> range:
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _parted(cells: Iterable[tuple[RawCell, str, str]], manifest: Manifest) -> list[tuple[RawCell, SharedCell | None]]:
    """Return the cells with their parts; if several define an exercise, the last one bears its name."""
    free = list(manifest.exercises)
    parted: list[tuple[RawCell, SharedCell | None]] = []
    for raw, kind, text in reversed(list(cells)):
        lean = text.replace("\r\n", "\n").strip("\n")
        exercise = next((name for name in free if kind == "code" and name in _defined(lean)), "")
        if exercise:
            free.remove(exercise)
        parted.append(
            (raw, SharedCell(kind, lean, exercise) if lean.strip() and kind in ("markdown", "code") else None)
        )
    return parted[::-1]


def _body(text: str) -> list[ast.stmt]:
    try:
        return syntax_tree(text).body
    except SyntaxError:  # a cell of a module that compiles only as a whole
        return []


def _defined(text: str) -> list[str]:
    return [node.name for node in _body(text) if isinstance(node, DEFINITIONS)]


def with_answers(parts: Sequence[SharedCell], other: ChapterForm, names: Collection[str]) -> list[SharedCell]:
    """Return `parts` with the answers to `names` as another form has them; those without a place come last."""
    answers = {part.exercise: part for part in other.parts if part.exercise in names}
    kept = [answers.pop(part.exercise, part) for part in parts]
    return [*kept, *answers.values()]


def module_text(form: ChapterForm, parts: Sequence[SharedCell]) -> str:
    """Return the text of the module `form` with `parts`; unchanged cells keep their headers and blank lines."""
    notebook = new_notebook(cells=_merged(form, parts, _module_cell))
    return form.head + str(jupytext.writes(notebook, fmt=PERCENT))


def _module_cell(old: RawCell | None, part: SharedCell) -> RawCell:
    make: Callable[..., RawCell] = new_markdown_cell if part.kind == "markdown" else new_code_cell
    metadata = {"exercise": part.exercise} if part.exercise else {}
    return make(part.text, metadata=metadata | (old["metadata"] if old else {}))


def notebook_text(form: ChapterForm, parts: Sequence[SharedCell], chapter: str) -> str:
    """Return the text of the notebook `form` with `parts`; unchanged cells keep their ids and outputs."""
    content = dict(form.content or {})
    used = {str(raw["id"]) for raw, _ in form.cells if "id" in raw}
    content["cells"] = _merged(form, parts, partial(_notebook_cell, short(chapter), used))
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"  # as Jupyter writes it


def _notebook_cell(prefix: str, used: set[str], old: RawCell | None, part: SharedCell) -> RawCell:
    """Return a cell that holds `part`, in place of `old`; it gets an id only if the others have ids."""
    cell = dict(old or {"cell_type": part.kind})
    cell["metadata"] = metadata_of(cell) | ({"exercise": part.exercise} if part.exercise else {})
    cell["source"] = part.text.splitlines(keepends=True)
    if part.kind == "code":
        cell |= {"outputs": [], "execution_count": None}
        if not _is_certain(part.text):
            cell["metadata"]["attend"] = MODULE
    if used and "id" not in cell:
        wanted = f"{prefix}-{part.exercise}"
        cell["id"] = wanted if part.exercise and wanted not in used else uuid.uuid4().hex[:8]
        used.add(cell["id"])
    return cell


def _is_certain(text: str) -> bool:
    """Return whether all of it counts in any notebook, where an assignment, import or print may be an experiment."""
    body = _body(text)
    return bool(body) and all(isinstance(node, DEFINITIONS) or _is_text(node) for node in body)


def _merged(
    form: ChapterForm, wanted: Sequence[SharedCell], renewed: Callable[[RawCell | None, SharedCell], RawCell]
) -> list[RawCell]:
    """Return the form's cells with `wanted` in place of its own parts; other cells stay behind their neighbour."""
    first, *groups = _groups(form)
    cells = [raw for raw, _ in first]
    keys = [group[0][1].key for group in groups if group[0][1]]
    matcher = SequenceMatcher(None, keys, [part.key for part in wanted], autojunk=False)
    for _, start, stop, from_, to in matcher.get_opcodes():
        ahead = list(wanted[from_:to])
        for (old, part), *others in groups[start:stop]:
            if part and ahead:
                new = ahead.pop(0)
                cells.append(old if part == new else renewed(old if part.is_like(new) else None, new))
            cells += [raw for raw, _ in others]
        cells += [renewed(None, part) for part in ahead]
    return cells


def _groups(form: ChapterForm) -> list[list[tuple[RawCell, SharedCell | None]]]:
    """Return the cells before the first part, then each part with the unshared cells behind it."""
    groups: list[list[tuple[RawCell, SharedCell | None]]] = [[]]
    for raw, part in form.cells:
        if part:
            groups.append([])
        groups[-1].append((raw, part))
    return groups
