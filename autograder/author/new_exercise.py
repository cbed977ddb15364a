"""Begin an exercise in an existing chapter: write five files with a small exercise that already works."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from autograder.author.chapter import LONGEST_NAME, parse
from autograder.author.misconceptions import known
from autograder.author.parsed import parsed
from autograder.author.proof.right_answers import FOLDER
from autograder.author.release.cut import bound
from autograder.author.skeletons import CHECKS, EXERCISE, MISTAKES, MISTAKES_HEAD, REFERENCE, RIGHT, SUITE
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import Course

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_HEADER = re.compile(r"^# %%.*$", re.MULTILINE)
_OF_EXERCISE = re.compile(r'\b(exercise|hints|debrief)="')
_OURS = ("reference", "autograder")


class _Import(NamedTuple):
    """Names that a skeleton imports with `line`, which goes below every import except those of the packages `but`."""

    line: str
    names: tuple[str, ...]
    but: tuple[str, ...]


_TORCH = _Import("import {}", ("torch",), _OURS)
_SUITE = _Import("from autograder.suite import {}", ("Agree", "Draw", "exercise"), ())


def new_exercise(course: Course, name: str, chapter: str) -> list[Path]:
    """Write a small exercise into the files of a chapter, and return their paths, source first.

    After `attend build` the exercise is a draft: its solution passes, and its two known mistakes are caught.

    Raises:
        AttendError: the name is invalid or taken, there is no such chapter, or the chapter does not build. Then
            nothing is written.
    """
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; run `attend new` in the course itself")
    _refuse_bad_name(course, name)
    texts = skeleton(course, name, _chapter(course, chapter))
    before = {path: path.read_bytes() for path in texts if path.exists()}
    try:
        for path, text in texts.items():
            files.write(path, text)
    except UsageError:
        for path in texts.keys() - before.keys():
            path.unlink(missing_ok=True)
        for path, data in before.items():
            files.write(path, data)
        raise
    return list(texts)


def _refuse_bad_name(course: Course, name: str) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"'{name}' cannot name an exercise; use ASCII letters, digits and _, as in scaled_scores")
    if hasattr(builtins, name):
        raise UsageError(f"the name '{name}' is Python's own, which the chapter may call; choose another name")
    if len(name) > LONGEST_NAME:
        raise UsageError(f"the name '{name}' is longer than {LONGEST_NAME} characters; shorten it")
    for other in course.exercises:
        if other.name.lower() == name.lower():
            raise UsageError(f"'{other.name}' is an exercise of {other.chapter} already; choose another name")


def _chapter(course: Course, name: str) -> str:
    chosen = course.select([name])
    if not chosen:
        raise UsageError(f"'{name}' has no exercises; `attend new chNN_name` begins a chapter with one")
    stem = chosen[0].chapter
    if len(chosen) < len(course.of(stem)):
        raise UsageError(f"'{name}' is an exercise; name its chapter: --in {stem}")
    return stem


def skeleton(course: Course, name: str, stem: str) -> dict[Path, str]:
    """Return the text that each file will hold.

    Raises:
        AttendError: a name is taken, or the chapter would not build.
    """
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    words = {"name": name, "snake": snake, "id": snake.replace("_", "-")}
    words |= {"heading": snake.replace("_", " ").capitalize(), "mistakes": f"What goes wrong in `{name}`."}
    source, reference, suite = course.solution(stem), course.root / "reference" / f"{stem}.py", course.suite(stem)
    mistakes, right = _place_of_mistakes(course, stem, snake), course.root / FOLDER / stem / f"{snake}.py"
    for path in (right, *([] if mistakes.stem == stem else [mistakes])):
        if path.exists():
            raise UsageError(f"{path} is there already and is left as it is; choose another name, or delete it first")
    if taken := {f"{words['id']}-squared", f"{words['id']}-two-more"} & _known_ids(course):
        raise UsageError(f"there is a known mistake '{min(taken)}' already; choose another name")
    texts = {
        source: _with_exercise(_grown(course, source, [name], _TORCH), EXERCISE.format(**words)),
        reference: _grown(course, reference, [name], _TORCH) + REFERENCE.format(**words),
        mistakes: MISTAKES_HEAD.format(**words),
        suite: _grown(course, suite, [each.format(**words) for each in CHECKS], _SUITE) + SUITE.format(**words),
        right: RIGHT.format(**words),
    }
    if mistakes.stem == stem:
        texts[mistakes] = _grown(course, mistakes, [f"{snake}_squared", f"{snake}_two_more"], _TORCH)
    texts[mistakes] += MISTAKES.format(**words)
    parse(stem, texts[source], f"solutions/{source.name}")
    return texts


def _place_of_mistakes(course: Course, stem: str, snake: str) -> Path:
    """Return the path of a new file in the chapter's folder, or of the chapter's only file if it has no folder."""
    folder = course.root / "reference" / "misconceptions" / stem
    return folder / f"{snake}.py" if folder.is_dir() else folder.with_suffix(".py")


def _known_ids(course: Course) -> set[str]:
    return {name for stem in course.chapters for each in known(course, stem) for name in each.identifiers}


def _grown(course: Course, path: Path, names: Collection[str], wanted: _Import) -> str:
    """Return a file's text with the wanted import.

    Raises:
        AttendError: it is not Python, or already has one of the names.
    """
    origin = path.relative_to(course.root).as_posix()
    tree, text = parsed(path, origin), path.read_text(encoding="utf-8")
    there = {name for node in tree.body for name in bound(node)}
    if taken := there & {*names}:
        raise UsageError(f"{origin} has the name '{min(taken)}' already; choose another name")
    lines = text.rstrip("\n").split("\n")
    if missing := [name for name in wanted.names if name not in there]:
        lines.insert(_below_imports(tree, wanted.but), wanted.line.format(", ".join(missing)))
    return "\n".join(lines) + "\n"


def _below_imports(tree: ast.Module, but: Collection[str]) -> int:
    """Return the number of lines down to the last import, or to the end of the docstring if there is none.

    Imports of the packages `but` do not count.
    """
    last = 0
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or node.names[0].name
            last = (node.end_lineno or last) if module.partition(".")[0] not in but else last
    docstring = tree.body[0].end_lineno if tree.body and ast.get_docstring(tree) is not None else 0
    return last or docstring or 0


def _with_exercise(source: str, exercise: str) -> str:
    """Return the source with the exercise inserted below the last one and its hints and debrief."""
    headers = [*_HEADER.finditer(source)]
    own = [number for number, header in enumerate(headers) if _OF_EXERCISE.search(header[0])]
    following = headers[own[-1] + 1 :] if own else []
    place = following[0].start() if following else len(source)
    return f"{source[:place].rstrip()}\n\n{exercise}\n{source[place:]}".rstrip() + "\n"
