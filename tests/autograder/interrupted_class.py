"""A class that is graded again and again, whatever happens meanwhile."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from autograder.calls.local import LocalTarget
from autograder.commands.grade_class import grade_and_show
from autograder.course.course import Course
from autograder.grading.run import GradingOptions
from autograder.judging.process import Hand
from autograder.judging.wall import load
from tests.autograder.conftest import CHAPTER, TOY

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
WRONG = RIGHT + "\n\ndef double(x):\n    return x ** 2\n"


class NoWall:
    """Grades in the judges themselves, which need no template."""

    sentence = "none"
    tier = "full"

    def __init__(self, course: Course, *_: object) -> None:
        load(course, course.chapters)

    def hand(self) -> Hand:
        return lambda submission: Named(submission)

    def __enter__(self) -> NoWall:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Named(LocalTarget):
    name = "full"


@dataclass
class Class:
    """A class in a folder, and what grading it says."""

    course: Course
    folder: Path
    out: Path
    status: int = 0

    def hand_in(self, name: str, text: str = RIGHT) -> None:
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / name / f"{CHAPTER}.py").write_text(text, encoding="utf-8")

    def grade(self, seed: int | None = 7, sandbox: str = "auto") -> str:
        stream = io.StringIO()
        console = Console(file=stream, width=100)
        self.status = grade_and_show(self.course, self.folder, self.out, GradingOptions(1, sandbox, seed=seed), console)
        return " ".join(stream.getvalue().split())

    def results(self) -> dict[str, dict]:  # type: ignore[type-arg]
        return results(self.out)


def results(out: Path) -> dict[str, dict]:  # type: ignore[type-arg]
    """All results but for how long they took."""
    read = [json.loads(path.read_text(encoding="utf-8")) for path in (out / "results").glob("*.json")]
    return {result["student"]: {**result, "seconds": 0} for result in read}


def known(said: str) -> int:
    """How many submissions were graded before; a verdict may have been kept whose file was not written any more."""
    found = re.search(r"(\d+) of \d+ are graded already", said)
    return int(found[1]) if found else 0


def times(out: Path) -> dict[str, int]:
    return {path.stem: path.stat().st_mtime_ns for path in (out / "results").glob("*.json")}
