"""`attend sync`: carry the work in a chapter's module over to its notebook, or the other way round."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.text import Text

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents, decoded
from autograder.core.submission import Problem
from autograder.core.text import join_names
from autograder.course.course import PRISTINE, Course
from autograder.course.folders import require_copy
from autograder.course.model import Exercise
from autograder.intake.chapter_source import manifest_of
from autograder.intake.submissions import read_folder
from autograder.source.extract import Manifest
from autograder.source.stub import is_stub_answer
from autograder.student.misnamed_files import misnamed_files

if TYPE_CHECKING:  # it needs jupytext, and wrong use must be reported without it too
    from autograder.student.chapter_forms import ChapterForm

SUFFIXES = {"py": ".py", "notebook": ".ipynb"}
COUNTS = "Where both hold answers, `attend check` and grading count the .py: sync after work in a notebook."


def sync(course: Course, names: Sequence[str], source: str | None, *, yes: bool, console: Console) -> int:
    """Bring both forms of the chapters together, and return the exit status of the command.

    Args:
        names: chapters; or exercises, of which only the answers are carried over.
        source: "py" or "notebook" if that form counts, whatever the other holds.
        yes: overwrite without asking.

    Raises:
        UsageError: the course is no working copy, a name or `source` is unknown, or a file cannot be written.
    """
    require_copy(course)
    if source not in (None, *SUFFIXES):
        raise UsageError(f"--from takes py or notebook, not '{source}'")
    chosen = course.select(names)
    chapters = dict.fromkeys(exercise.chapter for exercise in chosen)
    syncs = [_Sync(course, each, source, yes, console, _part(course, chosen, each)) for each in chapters]
    statuses = [each.run() for each in syncs]
    if written := [each for each in syncs if each.written]:
        console.print(Text(COUNTS, style="dim"))
    settled = sum(not status for status in statuses) - len(written)
    if settled:
        console.print(f"{settled} of {len(syncs)} chapters needed nothing: both forms agree on what you asked for")
    return max(statuses, default=0)


def _part(course: Course, chosen: Sequence[Exercise], chapter: str) -> tuple[str, ...]:
    """Return the names of the chosen exercises, if they are not the whole chapter."""
    names = tuple(exercise.name for exercise in chosen if exercise.chapter == chapter)
    return () if len(names) == len(course.of(chapter)) else names


@dataclass(frozen=True)
class _File:
    """One form of a chapter; `data` is None if there is no file, and then `form` is the stub's."""

    path: Path
    data: bytes | None
    stub: bytes
    form: ChapterForm
    changed: bool


class _Unreadable(Exception):
    """A file cannot be read; the message says why."""


@dataclass
class _Sync:
    """The work on one chapter, or on the exercises `only` of it; `run` returns its exit status."""

    course: Course
    chapter: str
    source: str | None
    yes: bool
    console: Console
    only: tuple[str, ...] = ()
    written: bool = False

    def run(self) -> int:
        try:
            pair = {kind: self._read(kind) for kind in SUFFIXES}
        except _Unreadable as why:
            return self._refuse(f"{why}\n  fix it and sync again; nothing was written")
        if renamed := misnamed_files(self.course, self.chapter):
            return self._refuse(f"{renamed[0]}, then sync again; nothing was written")
        if all(file.data is None for file in pair.values()):
            return self._refuse("there is no file of it; copy the form that you want from .attend/stubs to exercises")
        if self.source and pair[self.source].data is None:
            return self._refuse(f"there is no {pair[self.source].path.name} to take it from; nothing was written")
        if all(file.data is not None for file in pair.values()) and _same(pair):
            self._remember({kind: file.form for kind, file in pair.items()})
            return 0
        if self.only and all(file.data is not None for file in pair.values()):
            return self._exercises(pair)
        changed = [kind for kind, file in pair.items() if file.changed]
        if len(changed) > 1 and not self.source:
            return self._leave(pair)
        missing = [kind for kind, file in pair.items() if file.data is None]
        kind = self.source or next(iter(changed), "")
        if missing:
            kind = next(kind for kind in pair if kind not in missing)
        return self._carry(pair, kind) if kind else 0

    def _exercises(self, pair: dict[str, _File]) -> int:
        """Carry the exercises `only`, each from the form that answers it."""
        chosen: dict[str, list[str]] = {}
        for name in (each for each in self._different(pair) if each in self.only):
            by = [kind for kind, file in pair.items() if self._is_answered(file, name)]
            if len(by) != 1 and not self.source:
                ways = " or ".join(f"`attend sync {name} --from {kind}`" for kind in SUFFIXES)
                what = f"both forms answer {name}, each in its own way" if by else f"neither form answers {name} yet"
                return self._refuse(f"{what}; nothing was written: {ways}")
            chosen.setdefault(self.source or by[0], []).append(name)
        statuses = [self._carry(pair, kind, names) for kind, names in chosen.items()]
        now = {kind: self._read(kind) for kind in SUFFIXES}
        if _same(now):
            self._remember({kind: file.form for kind, file in now.items()})
        return max(statuses, default=0)

    def _read(self, kind: str) -> _File:
        """Read one form of the chapter.

        Raises:
            _Unreadable: the file or its stub cannot be read.
        """
        path = files.inside(self.course.root, Path("exercises", f"{self.chapter}{SUFFIXES[kind]}"))
        stub = files.inside(self.course.root, PRISTINE / path.name)
        try:
            original = contents(stub)
            data = contents(path) if path.exists() else None
        except OSError as error:
            said = f"{error.filename} cannot be read ({error.strerror})"
            raise _Unreadable(f"{said}; {self.course.remedy}") from error
        form = self._form(kind, original if data is None else data)
        known = self._remembered().get(path.name) or self._form(kind, original).digest
        return _File(path, data, original, form, data is not None and form.digest != known)

    def _form(self, kind: str, data: bytes) -> ChapterForm:
        from autograder.student.chapter_forms import read_module, read_notebook

        read = read_module if kind == "py" else read_notebook
        name = f"{self.chapter}{SUFFIXES[kind]}"
        try:
            form = read(data, name, self._manifest)
        except (RecursionError, MemoryError) as error:  # as in intake
            raise _Unreadable(f"{name} does not compile: its code is too deeply nested") from error
        if isinstance(form, Problem):
            raise _Unreadable(form.message)
        return form

    @property
    def _manifest(self) -> Manifest:
        return manifest_of(self.course, self.chapter)

    @property
    def _memory(self) -> Path:
        return files.inside(self.course.root, Path(".attend", "sync.json"))

    def _remembered(self) -> dict[str, str]:
        """Return the digest of each file when both forms were last the same; none if the record is lost."""
        try:
            return decoded(contents(self._memory), dict[str, str])
        except (OSError, ValueError):
            return {}

    def _remember(self, forms: dict[str, ChapterForm]) -> None:
        digests = {f"{self.chapter}{SUFFIXES[kind]}": form.digest for kind, form in forms.items()}
        files.write(self._memory, json.dumps(self._remembered() | digests, indent=2, sort_keys=True) + "\n")

    def _carry(self, pair: dict[str, _File], kind: str, only: Sequence[str] = ()) -> int:
        """Put the parts of the form `kind` into the other form; with `only` the answers to these alone."""
        from autograder.student.chapter_forms import module_text, notebook_text, with_answers

        other = "notebook" if kind == "py" else "py"
        source, target = pair[kind], pair[other]
        parts = with_answers(target.form.parts, source.form, only) if only else source.form.parts
        text = module_text(target.form, parts) if other == "py" else notebook_text(target.form, parts, self.chapter)
        try:
            written = self._form(other, text.encode())
        except _Unreadable as why:
            return self._refuse(f"what {source.path.name} says makes no {target.path.name}: {why}")
        if not self._may_overwrite(source, target, only):
            return 1
        if (contents(target.path) if target.path.exists() else None) != target.data:
            return self._refuse(f"{target.path.name} was saved in the meantime; nothing was written, sync again")
        kept = self._keep(target)
        self.written = files.write(target.path, text)
        if not only:
            self._remember({kind: source.form, other: written})
        what = join_names(only or self._different(pair)) or "cells beside the exercises"
        self._print(f"{target.path.name} written from {source.path.name} ({what})")
        if kept:
            self.console.print(Text(f"  as it was: {kept.relative_to(self.course.root)}", style="dim"))
        return 0

    def _may_overwrite(self, source: _File, target: _File, only: Sequence[str]) -> bool:
        """Ask before work of the student's is lost from both forms."""
        theirs = [name for name in only or self._manifest.exercises if self._is_answered(target, name)]
        lost = [name for name in theirs if not self._is_answered(source, name)]
        if target.changed:
            lost = [name for name in theirs if source.form.answer(name) != target.form.answer(name)]
        if not lost and (only or not target.changed):
            return True
        others = any(part not in source.form.parts for part in target.form.parts if not part.exercise)
        losses = [f"its answers to {join_names(lost)}"] * bool(lost) + ["cells that only it has"] * (
            others and target.changed and not only
        )
        self._print(f"{target.path.name} would lose {' and '.join(losses) or 'what was last done in it'}")
        if self.yes:
            return True
        if not sys.stdin.isatty():
            self.console.print("  nothing was written; the same command with --yes writes it")
            return False
        return typer.confirm(f"Overwrite {target.path.name}? A copy is kept.", default=False)

    def _keep(self, target: _File) -> Path | None:
        """Keep a copy of the student's own file, named by the current time."""
        if target.data is None or target.data == target.stub:
            return None
        now = time.time()
        stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now)) + f"-{now % 1 * 1e6:06.0f}"
        path = Path(".attend", "replaced", f"{self.chapter}-{stamp}{target.path.suffix}")
        try:
            files.write(files.inside(self.course.root, path), target.data)
        except UsageError as error:
            raise UsageError(f"{error}; nothing was overwritten") from error
        return self.course.root / path

    def _is_answered(self, file: _File, exercise: str) -> bool:
        answer = file.form.answer(exercise)
        return bool(answer) and not is_stub_answer(answer, self._manifest.stub, exercise)

    def _different(self, pair: dict[str, _File]) -> list[str]:
        module, notebook = (pair[kind].form for kind in SUFFIXES)
        return [name for name in self._manifest.exercises if module.answer(name) != notebook.answer(name)]

    def _leave(self, pair: dict[str, _File]) -> int:
        """Report how the forms differ, where both have changed and the student must decide."""
        self._print("both forms have changed, each in its own way; nothing was written")
        different = self._different(pair)
        for name in different:
            by = [file.path.name for file in pair.values() if self._is_answered(file, name)]
            self.console.print(f"  {name}: " + (f"only {by[0]} has an answer" if len(by) == 1 else "they differ"))
        if not different:
            self.console.print("  the exercises are the same, other cells differ")
        read = read_folder(self.course.exercises_dir, replace(self.course, only=(self.chapter,)))
        number = self.chapter.partition("_")[0]
        self.console.print(f"  `attend check` counts {read.chapters[self.chapter].origin}. Decide which form to keep:")
        for kind in SUFFIXES:
            self.console.print(f"    attend sync {number} --from {kind}")
        return 1

    def _refuse(self, why: str) -> int:
        self._print(why)
        return 1

    def _print(self, words: str) -> None:
        self.console.print(Text(f"{self.chapter}: {words}"), soft_wrap=True)


def _same(pair: dict[str, _File]) -> bool:
    module, notebook = (pair[kind].form for kind in SUFFIXES)
    return module.parts == notebook.parts
