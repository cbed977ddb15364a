"""Random submissions behind the walls: none costs a `grader_error`, raises in the judge, or harms the next one.

    python -m tests.autograder.fuzz_walls --seconds 600

A seed decides a submission. One that is found wanting is made again by `--seed SEED --cases 1`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import pytest

from autograder.calls.target import Target
from autograder.core.records import Status, SubmissionResult
from autograder.core.submission import Submission, one_chapter
from autograder.course.course import Course
from autograder.judging.judge import judge, warm_up
from autograder.sandbox import handles, launch
from autograder.sandbox import target as home
from autograder.sandbox.handles import Template
from autograder.sandbox.limits import Limits
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import CHAPTER, TOY, in_place_of_the_real
from tests.autograder.processes import AT_EASE

RIGHT = (TOY / "solutions" / f"{CHAPTER}.py").read_text(encoding="utf-8")
ACTS = (Path(__file__).parent / "hostile_acts.py").read_text(encoding="utf-8")
SHORT = Limits(call_seconds=0.3, load_seconds=2.0, budget_seconds=2.0, memory_bytes=1 << 28, reply_bytes=1 << 20)
"""A hostile submission may run out of time."""
_SCRIPT = """
import os, socket, sys
from autograder.sandbox import template, walls
walls._namespaces = lambda: 0
template.main(socket.socket(fileno=int(sys.argv[1])))
os._exit(0)
"""
WITHOUT_NAMESPACES = [sys.executable, "-s", "-P", "-B", "-c", _SCRIPT]
"""The command of a template on a machine that has none, as in many containers."""
WALLS = ("all", "no bubblewrap", "no namespaces")
"""Behind which walls: all that there are, and fewer."""


@dataclass(frozen=True)
class Came:
    """What came of a submission: its statuses, and what is wrong with that, "" if nothing is."""

    name: str
    statuses: frozenset[Status]
    wrong: str


def hostile(seed: int) -> str:
    """The text of a submission: right answers, and acts that spoil them."""
    ends = ACTS.replace("from __future__ import annotations\n", "")
    return f"{RIGHT}\n{ends}\n\nclass Loaded:\n    begin({seed})\n"


@contextmanager
def behind(walls: str) -> Iterator[Template]:
    """Start a template with these walls; it is ended afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        if walls != WALLS[0]:
            patch.setattr("shutil.which", lambda _: None)
        if walls == WALLS[2]:
            patch.setattr(launch, "plain_command", lambda: WITHOUT_NAMESPACES)
        with Template(TOY) as template:
            yield template


def graded(template: Template, texts: Iterable[tuple[str, str]]) -> list[Came]:
    """Grade submissions, by name and text, with a right one after each."""
    course = Course(TOY)
    results: list[SubmissionResult] = []
    with pytest.MonkeyPatch.context() as patch, in_place_of_the_real(course):
        patch.setattr(handles, "_NOTICE_SECONDS", 0.05)
        patch.setattr(home, "_SETTLE_SECONDS", 0.05)
        warm_up()
        judge(course, course.exercises, _jobs(template, texts), 1, results.append)
    return [Came(each.student, _statuses(each), _wrong(each)) for each in results]


def _jobs(template: Template, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[Submission, Target]]:
    for name, text in texts:
        for student, source, limits in ((name, text, SHORT), (f"after {name}", RIGHT, AT_EASE)):
            submission = one_chapter(student, CHAPTER, source)
            with SandboxTarget(template, submission, limits, name="partial") as target:
                yield submission, target


def _statuses(result: SubmissionResult) -> frozenset[Status]:
    return frozenset(check.status for exercise in result.exercises for check in exercise.checks)


def _wrong(result: SubmissionResult) -> str:
    for exercise in result.exercises:
        for check in exercise.checks:
            if check.status == "grader_error":
                return check.message.text
    if result.student.startswith("after ") and result.score != result.max_score:
        return f"a right submission has {result.score:g} of {result.max_score:g} points"
    return ""


def main(words: Sequence[str] | None = None) -> int:
    """Fuzz for so long, print what is found, and return 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--cases", type=int, default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--walls", choices=WALLS, default=WALLS[0])
    options = parser.parse_args(words)
    seeds = islice(count(options.seed), options.cases)
    ends, bad, tally = time.monotonic() + options.seconds, 0, Counter[Status]()
    with behind(options.walls) as template:
        print(f"{options.walls}: {template.started.outer}, {template.started.walls}", flush=True)
        while time.monotonic() < ends and (some := list(islice(seeds, 20))):
            for each in graded(template, [(f"seed {seed}", hostile(seed)) for seed in some]):
                tally.update(each.statuses)
                bad += bool(each.wrong)
                if each.wrong:
                    print(f"{each.name}: {each.wrong}", flush=True)
    print(f"{bad} found among {tally}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
