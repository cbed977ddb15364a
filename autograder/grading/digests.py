"""What decides a result, as digests: a verdict is kept under all of it, what a submission's code said under less."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from autograder.core.submission import Submission
from autograder.core.versions import versions
from autograder.course.course import Course
from autograder.sandbox.limits import Limits

ENGINE = Path(__file__).parents[1]
WORKER = ENGINE / "sandbox" / "template.py"
JUDGES = (ENGINE / "judging" / "judge.py", ENGINE / "sandbox" / "target.py", ENGINE / "suite" / "__init__.py")


@dataclass(frozen=True)
class Digests:
    """Keys for the parts of submissions; a part is one chapter.

    Args:
        tier: how far the sandbox holds.
        chosen: the chapters' exercises that are graded.
    """

    course: Course
    limits: Limits
    tier: str
    chosen: dict[str, Sequence[str]]
    _said: dict[str, str] = field(default_factory=dict)

    def verdict(self, part: Submission) -> str:
        """Everything that decides what a part is worth, and what its author reads."""
        (chapter,) = part.only
        return _digest(
            [self.replies(part), self._course(chapter), part.absent, self.chosen[chapter], part.seed, self.limits]
        )

    def replies(self, part: Submission) -> str:
        """What decides how the code answers a call: the source, the engine's part of a worker, versions, the walls."""
        return _digest([part.chapters, self._worker(), versions(), replace(self.limits, budget_seconds=0), self.tier])

    def _course(self, chapter: str) -> str:
        if chapter not in self._said:
            suite, stub = self.course.suite(chapter), self.course.stub(chapter)
            files = [suite, *([stub] if stub.is_file() else [])]
            self._said[chapter] = _digest([_engine(), self._reference(), _files(files, self.course.root)])
        return self._said[chapter]

    def _reference(self) -> str:
        """All chapters' together: they use each other's, and a suite may be about another chapter than its own."""
        if "reference" not in self._said:
            self._said["reference"] = _files((self.course.home / "reference").rglob("*.py"), self.course.home)
        return self._said["reference"]

    def _worker(self) -> str:
        """What is in a worker besides the source: a part of the engine, and the blocks that chapters may import."""
        if WORKER.name not in self._said:
            blocks = (self.course.root / "reference" / "blocks").rglob("*.py")
            files = [_files(_needed(WORKER), ENGINE), _files(blocks, self.course.root)]
            self._said[WORKER.name] = _digest(files)
        return self._said[WORKER.name]


def work(submission: Submission) -> str:
    """What a student handed in, whoever it was."""
    return _digest(submission.chapters)


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()


@cache
def _engine() -> str:
    """The part of the engine that comes to verdicts."""
    return _files({file for path in JUDGES for file in _needed(path)}, ENGINE)


def _files(paths: Iterable[Path], root: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.as_posix().removeprefix(root.as_posix()).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _needed(start: Path) -> set[Path]:
    """A file of the engine, all that it imports of the engine, and what these import."""
    found: set[Path] = set()
    waiting = [start]
    while waiting:
        file = waiting.pop()
        if file not in found and file.is_file():
            found.add(file)
            names = _names(ast.parse(file.read_text(encoding="utf-8")))
            waiting += [path for name in names for path in _places(ENGINE.parent.joinpath(*name.split(".")))]
    return found


def _names(tree: ast.Module) -> Iterator[str]:
    """Modules that are imported, and what is imported from them, which may be modules too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _places(path: Path) -> Iterator[Path]:
    """The module; or the package, and those around either, which are loaded before it."""
    yield path.with_suffix(".py")
    yield from (each / "__init__.py" for each in (path, *path.parents) if each.is_relative_to(ENGINE))
