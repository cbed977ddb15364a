"""Read a chapter's source, solutions/chNN_name.py in percent format, and refuse one that would not build."""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jupytext

from autograder.author.misconceptions import Known, known, refuse_mistakes, refuse_shared_ids
from autograder.author.parsed import definitions, meant, parsed, refuse_unknown
from autograder.author.regions import stub_of
from autograder.core.errors import AttendError
from autograder.course.course import Course
from autograder.course.effort import HARDEST, Effort
from autograder.course.undefined_names import module_names
from autograder.source.notebook import FORMAT
from autograder.source.parsing import syntax_tree

HINTS = 3
LONGEST_NAME = 40  # leaves room for the rest of a cell id, which nbformat caps at 64
_HEADER = re.compile(r"\s*#\s*%%")
_ITEM = re.compile(r"^(\d+)\.[ \t]+", re.MULTILINE)
Exercises = Mapping[str, int]
"""The line of a chapter's source that each of its exercises begins in, by the exercise's name."""
RULES = ("RETURNS", "FORBIDDEN", "WELCOME")
"""Tables of a suite whose keys are exercises."""


@dataclass(frozen=True)
class LessonCell:
    """One cell: `kind` is "markdown" or "code", `line` is the number of its first line of text in the file.

    `stub` is the text that a student gets: `text` itself, except in an exercise. Below a cell with a `picture`, a
    notebook shows it. `gap` is the number of blank lines
    below the cell; None if it is the number that jupytext would choose.
    """

    kind: str
    text: str
    line: int = 0
    exercise: str | None = None
    stub: str = ""
    picture: str | None = None
    gap: int | None = None


@dataclass(frozen=True)
class Chapter:
    """A chapter: its cells, and what belongs to each exercise.

    `cells` leaves out hints and debriefs. `hints` has three texts for each exercise, the vaguest first; `efforts` has
    one entry for each. Students read the `debriefs` after the pass; one under the chapter's name follows the last pass.
    `mistakes` are the known mistakes, which come from files of their own.
    """

    stem: str
    title: str
    cells: tuple[LessonCell, ...]
    hints: Mapping[str, tuple[str, ...]]
    efforts: Mapping[str, Effort]
    debriefs: Mapping[str, str] = field(default_factory=dict)
    mistakes: tuple[Known, ...] = ()

    @property
    def exercises(self) -> Mapping[str, int]:
        """The line that each exercise begins in, by its name."""
        return {cell.exercise: cell.line for cell in self.cells if cell.exercise}


def read_all(course: Course) -> list[Chapter]:
    """Return every chapter of the course, in order.

    Raises:
        AttendError: a source, a suite or a name is wrong; the message gives the file, the line and the remedy.
    """
    sources = {path.stem for path in course.solutions_dir.glob("ch*.py")}
    for stem in sorted(sources - set(course.chapters)):
        raise AttendError(
            f"solutions/{stem}.py has no suite; write tests/exercises/test_{stem}.py or remove the source"
        )
    for stem in course.chapters:
        if stem not in sources:
            raise AttendError(f"tests/exercises/test_{stem}.py has no source; write solutions/{stem}.py")
    chapters = [read(course, stem) for stem in course.chapters]
    match_chapters(course, {chapter.stem: chapter.exercises for chapter in chapters})
    refuse_shared_ids(mistake for chapter in chapters for mistake in chapter.mistakes)
    return chapters


def read(course: Course, stem: str) -> Chapter:
    """Return one chapter, checked against its suite and its known mistakes. Raises: AttendError, as `read_all`."""
    path = course.solution(stem)
    chapter = parse(stem, _text_of(path), f"solutions/{path.name}")
    match(course, stem, chapter.exercises)
    _refuse_absent_answers(course, stem, chapter.exercises)
    mistakes = known(course, stem)
    refuse_mistakes(mistakes, chapter.exercises, stem)
    return replace(chapter, mistakes=tuple(mistakes))


def parse(stem: str, text: str, origin: str) -> Chapter:
    """Return the chapter in `text`; messages call the file `origin`. Raises: AttendError, as `read_all`."""
    cells: list[LessonCell] = []
    hints: dict[str, tuple[str, ...]] = {}
    efforts: dict[str, Effort] = {}
    hinted_in: dict[str, int] = {}
    debriefs: dict[str, str] = {}
    debriefed_in: dict[str, int] = {}
    for cell, marks in _cells(text, origin):
        where = f"{origin}:{cell.line}"
        if hinted := marks.get("hints"):
            if hinted in hints:
                raise AttendError(f"{where}: there are hints for '{hinted}' already; keep one list")
            hinted_in[hinted] = cell.line
            hints[hinted] = _three_hints(cell, hinted, where)
            efforts[hinted] = _effort(marks, hinted, where)
            continue
        if passed := marks.get("debrief"):
            if passed in debriefs:
                raise AttendError(f"{where}: there is a debrief of '{passed}' already; keep one")
            debriefs[passed] = _debrief(cell, passed, where)
            debriefed_in[passed] = cell.line
            continue
        if cell.exercise and cell.exercise in {other.exercise for other in cells}:
            raise AttendError(f"{where}: there is an exercise '{cell.exercise}' already; rename one of the two")
        cells.append(_checked(cell, origin))
    chapter = Chapter(stem, _title(cells, origin), tuple(cells), hints, efforts, debriefs)
    _refuse_unknown("there are hints for", hinted_in, chapter, origin)
    debriefed_in.pop(stem, None)
    _refuse_unknown("there is a debrief of", debriefed_in, chapter, origin)
    _refuse_unhinted(chapter, origin)
    return chapter


def plain_cells(text: str) -> list[LessonCell]:
    """Return the cells of a student's percent-format module, without hints and debriefs; nothing is checked."""
    return [cell for cell, marks in _cells(text, "the module") if not {"hints", "debrief"} & marks.keys()]


def _cells(text: str, origin: str) -> Iterator[tuple[LessonCell, dict[str, Any]]]:
    """Yield each cell with the marks in its header."""
    read = jupytext.reads(text, fmt=FORMAT | {"cell_metadata_filter": "all"}).cells
    lines = text.split("\n")
    for source, line in zip(read, _first_lines(lines), strict=False):
        marks = _marks(source.metadata, f"{origin}:{line}")
        gap = source.metadata.get("lines_to_next_cell")
        exercise, picture = marks.get("exercise"), marks.get("picture")
        cell = LessonCell(source.cell_type, source.source, line, exercise, source.source, picture, gap)
        yield cell, marks


def _first_lines(lines: list[str]) -> Iterator[int]:
    """Yield the number of each cell's first line of text, counted from 1."""
    filled = [number for number, line in enumerate(lines, 1) if line.strip()]
    if filled and not _HEADER.match(lines[filled[0] - 1]):
        yield filled[0]
    for number, line in enumerate(lines, 1):
        if _HEADER.match(line):
            yield next((later for later in filled if later > number), number)
    while True:  # where a header inside a string was miscounted, the last line is close enough
        yield len(lines)


def _marks(metadata: Mapping[str, Any], where: str) -> dict[str, Any]:
    if "incorrectly_encoded_metadata" in metadata:
        raise AttendError(f'{where}: the header above cannot be read; write # %% exercise="name", with the quotes')
    marks = {key: metadata[key] for key in ("exercise", "hints", "debrief", "picture") if key in metadata}
    for key, name in marks.items():
        if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
            raise AttendError(f"{where}: {key}={name!r} is no name of a function or class; use letters, digits and _")
        if len(name) > LONGEST_NAME:
            raise AttendError(f"{where}: the name '{name}' is longer than {LONGEST_NAME} characters; shorten it")
    if (own := marks.get("exercise")) and hasattr(builtins, own):
        raise AttendError(
            f"{where}: the name '{own}' is Python's own, and the whole chapter may call that; choose another"
        )
    return marks | {key: metadata[key] for key in ("difficulty", "minutes", "core") if key in metadata}


def _checked(cell: LessonCell, origin: str) -> LessonCell:
    if cell.kind == "markdown":
        if cell.exercise:
            raise AttendError(f"{origin}:{cell.line}: exercise '{cell.exercise}' stands in markdown; drop [markdown]")
        return cell
    stub = stub_of(cell.text, cell.exercise, origin, cell.line)
    body = _parsed(cell.text, origin, cell.line).body
    _refuse_absent(body, origin, cell.line)
    if cell.exercise:
        _refuse_other_definitions(body, cell.exercise, origin, cell.line)
        _parsed(stub, origin, cell.line, "once its answer is taken out")
    return replace(cell, stub=stub)


def _refuse_absent(body: list[ast.stmt], origin: str, line: int) -> None:
    """Raise AttendError if the cell imports a package that is not installed."""
    nodes = (node for statement in body for node in ast.walk(statement))
    for node in (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        for package in filter(None, (name.partition(".")[0] for name in names)):
            if find_spec(package) is None:
                raise AttendError(
                    f"{origin}:{line + node.lineno - 1}: this imports {package}, which is not installed; "
                    "correct the name, or install it: what you release lists it for students"
                )


def _refuse_other_definitions(body: list[ast.stmt], name: str, origin: str, line: int) -> None:
    kinds = (ast.FunctionDef, ast.ClassDef)
    for node in body:
        if not (isinstance(node, kinds) and node.name == name):
            found = f"defines '{node.name}'" if isinstance(node, kinds) else "has another statement"
            raise AttendError(
                f"{origin}:{line + node.lineno - 1}: the cell of exercise '{name}' {found}; "
                f"it must define {name} and nothing else, so put the rest into a cell of its own"
            )
    if len(body) != 1:
        raise AttendError(f"{origin}:{line}: the cell of exercise '{name}' must define {name} exactly once")


def _parsed(source: str, origin: str, line: int, when: str = "as it stands") -> ast.Module:
    try:
        return syntax_tree(source)
    except SyntaxError as error:
        at = line + (error.lineno or 1) - 1
        raise AttendError(f"{origin}:{at}: this cell is no Python {when} ({error.msg}); fix its syntax") from error


def _three_hints(cell: LessonCell, name: str, where: str) -> tuple[str, ...]:
    before, *parts = _ITEM.split(cell.text)
    numbers, items = parts[::2], parts[1::2]
    wanted = [str(number) for number in range(1, HINTS + 1)]
    if cell.kind != "markdown" or before.strip() or numbers != wanted or not all(item.strip() for item in items):
        raise AttendError(f"{where}: the hints for '{name}' must be a markdown list of three items, 1. 2. 3.")
    return tuple(_unwrapped(item) for item in items)


def _effort(marks: Mapping[str, Any], name: str, where: str) -> Effort:
    difficulty, minutes = marks.get("difficulty", 0), marks.get("minutes", 0)
    if difficulty not in range(1, HARDEST + 1) or not isinstance(minutes, int) or minutes < 1:
        fix = f'# %% [markdown] hints="{name}" difficulty=2 minutes=15'
        raise AttendError(f"{where}: the hints for '{name}' lack difficulty (1 to {HARDEST}) or minutes: {fix}")
    core = marks.get("core", False)
    if not isinstance(core, bool) and core != "last":
        fix = 'write core=true, or core="last"'
        raise AttendError(f"{where}: core={core!r} in the header above is neither true, false nor last; {fix}")
    return Effort(difficulty, minutes, bool(core), last=core == "last")


def _debrief(cell: LessonCell, name: str, where: str) -> str:
    if cell.kind != "markdown" or not cell.text.strip():
        raise AttendError(f"{where}: the debrief of '{name}' must be markdown with two to four sentences")
    return _unwrapped(cell.text)


def _unwrapped(item: str) -> str:
    """Return a hint without its indentation, and without soft line breaks unless it holds code."""
    first, _, rest = item.partition("\n")
    text = f"{first}\n{textwrap.dedent(rest)}".strip()
    if "```" in text:
        return text
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text))


def _title(cells: Iterable[LessonCell], origin: str) -> str:
    for cell in cells:
        if cell.kind == "markdown":
            heading = cell.text.split("\n", 1)[0]
            if heading.startswith("# "):
                return heading.removeprefix("# ").strip()
            break
    raise AttendError(
        f"{origin}:1: the chapter has no title; begin with a markdown cell that reads # Chapter N · Title"
    )


def _refuse_unknown(what: str, named_in: Mapping[str, int], chapter: Chapter, origin: str) -> None:
    for name, line in named_in.items():
        if name not in chapter.exercises:
            remedy = meant(name, chapter.exercises, "correct the name")
            raise AttendError(f"{origin}:{line}: {what} '{name}', which is no exercise here; {remedy}")


def _refuse_unhinted(chapter: Chapter, origin: str) -> None:
    for name, line in chapter.exercises.items():
        if name not in chapter.hints:
            raise AttendError(
                f"{origin}:{line}: exercise '{name}' has no hints; "
                f'add a cell # %% [markdown] hints="{name}" with a list of three'
            )


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AttendError(f"{path} cannot be read ({error}); it must be a UTF-8 text") from error


def match(course: Course, stem: str, exercises: Exercises) -> None:
    """Check that a chapter's suite and its exercises fit together.

    Raises:
        AttendError: they do not; the message gives the file, the line and the remedy.
    """
    source, path = f"solutions/{stem}.py", course.suite(stem)
    suite = f"tests/exercises/{path.name}"
    graded = [exercise.name for exercise in course.of(stem)]
    for name in graded:
        if name not in exercises:
            remedy = meant(name, exercises, f'give its cell the header # %% exercise="{name}"')
            line = next(check.line for check in course.checks[stem] if check.exercise == name)
            where = f"{suite}:{line}"
            raise AttendError(f"{where} checks '{name}', which is no exercise of {source}; {remedy}")
    for name, line in exercises.items():
        if name not in graded:
            raise AttendError(f"{source}:{line}: exercise '{name}' has no check; add one to {suite}")
    tree = parsed(path, suite)
    refuse_unknown(tree, suite, RULES, exercises, f"of {source}")
    _refuse_unasked(tree, suite, {check.function for check in course.checks[stem]})


def _refuse_unasked(tree: ast.Module, suite: str, asked: Collection[str]) -> None:
    """Raise AttendError if a test of a suite is no check: nobody would be asked it, and its points would be gone."""
    for node in definitions(tree):
        if node.name.startswith("test_") and node.name not in asked:
            raise AttendError(
                f"{suite}:{node.lineno}: {node.name} is no check, so nobody is graded on it; write "
                '@exercise("NAME", points=1, level="values") above it, or begin its name with another word'
            )


def _refuse_absent_answers(course: Course, stem: str, exercises: Exercises) -> None:
    """Raise AttendError if the reference of a chapter, where there is one, lacks the answer to an exercise."""
    origin = f"reference/{stem}.py"
    if not (course.home / origin).is_file():
        return
    names = module_names(parsed(course.home / origin, origin))
    absent = [name for name in exercises if name not in names] if names is not None else []
    if names is not None and absent:
        remedy = meant(absent[0], names, "write its right answer there")
        raise AttendError(f"{origin} does not define '{absent[0]}'; {remedy}")


def match_chapters(course: Course, chapters: Mapping[str, Exercises]) -> None:
    """Check that no two chapters share an exercise's name, and that scenes name exercises. Raises: AttendError."""
    _refuse_shared_names(chapters)
    scenes = Path("reference", "scenes.py")
    if (course.root / scenes).is_file():
        names = [name for exercises in chapters.values() for name in exercises]
        tree = parsed(course.root / scenes, scenes.as_posix())
        refuse_unknown(tree, scenes.as_posix(), ("SCENES",), names, "of the course")


def _refuse_shared_names(chapters: Mapping[str, Exercises]) -> None:
    seen: dict[str, str] = {}
    for stem, exercises in chapters.items():
        for name, line in exercises.items():
            other = seen.setdefault(name.lower(), stem)
            if other != stem:
                raise AttendError(
                    f"solutions/{stem}.py:{line}: exercise '{name}' has the name of one in {other}, "
                    "and names find exercises in the whole course; rename one of the two"
                )
