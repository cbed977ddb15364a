"""Digests of everything that decides a verdict, and of the smaller part that decides a submission's replies."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from autograder.core import files
from autograder.core.submission import Submission
from autograder.core.versions import versions
from autograder.course.course import Course
from autograder.sandbox.limits import Limits

ENGINE = Path(__file__).parents[1]
_IMPORT = re.compile(rf"^[ \t]*(?:from|import) ({ENGINE.name}(?:\.\w+)*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)
_NAME = re.compile(r"\w+")
WORKER = ENGINE / "sandbox" / "template.py"
JUDGES = (ENGINE / "judging" / "judge.py", ENGINE / "sandbox" / "target.py", ENGINE / "suite" / "__init__.py")


@dataclass(frozen=True)
class Digests:
    """Keys for the parts of submissions; a part is one chapter.

    Args:
        tier: the tier of the sandbox.
        chosen: the graded exercises by chapter.
    """

    course: Course
    limits: Limits
    tier: str
    chosen: dict[str, Sequence[str]]
    _cache: dict[str, str] = field(default_factory=dict)

    def verdict(self, part: Submission) -> str:
        """Return a digest of everything that decides a part's points and feedback."""
        (chapter,) = part.only
        return _digest(
            [self.replies(part), self._course(chapter), part.absent, self.chosen[chapter], part.seed, self.limits]
        )

    def replies(self, part: Submission) -> str:
        """Return a digest of what decides the code's answers: source, worker, versions, limits and tier."""
        return _digest([part.chapters, self._worker(), versions(), replace(self.limits, budget_seconds=0), self.tier])

    def _course(self, chapter: str) -> str:
        if chapter not in self._cache:
            suite, stub = self.course.suite(chapter), self.course.stub(chapter)
            own = [suite, *([stub] if stub.is_file() else [])]
            lent = self.course.right_answers(chapter)
            self._cache[chapter] = _digest([_engine(), self._reference(), _files(own, self.course.root), lent])
        return self._cache[chapter]

    def _reference(self) -> str:
        """Return a digest of all chapters' references and their data, as they and suites may use any of them."""
        if "reference" not in self._cache:
            self._cache["reference"] = _files(files.under(self.course.home / "reference"), self.course.home)
        return self._cache["reference"]

    def _worker(self) -> str:
        """Return a digest of a worker without the source: its part of the engine, and the blocks for imports."""
        if WORKER.name not in self._cache:
            blocks = (self.course.root / "reference" / "blocks").rglob("*.py")
            parts = [_files(_needed(WORKER), ENGINE), _files(blocks, self.course.root)]
            self._cache[WORKER.name] = _digest(parts)
        return self._cache[WORKER.name]


def work(submission: Submission) -> str:
    """Return a digest of what was handed in, the same for every student."""
    return _digest(submission.chapters)


def look() -> str:
    """Return a digest of the part of the engine that turns results into pages."""
    report, classroom = ENGINE / "report", ENGINE / "classroom"
    code = [ENGINE / "core" / "markup.py", *classroom.glob("*.py"), *report.glob("*.py")]
    return _files([*code, *report.glob("templates/*.*")], ENGINE)


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


@cache
def _engine() -> str:
    """Return a digest of the part of the engine that decides verdicts."""
    return _files({file for path in JUDGES for file in _needed(path)}, ENGINE)


def _files(paths: Iterable[Path], root: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.as_posix().removeprefix(root.as_posix()).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _needed(start: Path) -> set[Path]:
    """Return a file of the engine, all files of the engine that it imports, and what these import."""
    found: set[Path] = set()
    waiting = [start]
    while waiting:
        file = waiting.pop()
        if file not in found and file.is_file():
            found.add(file)
            waiting += _imported(file)
    return found


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """Return where the modules of the engine may lie that a file imports."""
    parts = [name.split(".") for name in names(file.read_text(encoding="utf-8"))]
    return tuple(path for each in parts for path in _places(ENGINE.parent.joinpath(*each)))


def names(text: str) -> Iterator[str]:
    """Yield the modules of the engine that a file of it imports, and the names imported from them, maybe modules too.

    Each run reads half of the engine, and parsing it would take a second.
    """
    for found in _IMPORT.finditer(text):
        yield found[1]
        yield from (f"{found[1]}.{name}" for name in _NAME.findall(found[2] or ""))


def _places(path: Path) -> Iterator[Path]:
    """Yield the file of a module or package, and the packages around it, which are loaded before it."""
    yield path.with_suffix(".py")
    yield from (each / "__init__.py" for each in (path, *path.parents) if each.is_relative_to(ENGINE))
