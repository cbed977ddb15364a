"""`attend doctor --red-team`: grade hostile submissions, and compare each verdict with its file's first lines.

They are graded in one batch by one template, among right submissions and files with a secret.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
from ast import get_docstring
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from autograder.commands import traces
from autograder.core.errors import SandboxError, UsageError
from autograder.core.records import STATUSES, ExerciseResult, Status, SubmissionResult
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake.submissions import find_submissions, read_submission
from autograder.judging.coordinator import Coordinator
from autograder.judging.judge import warm_up
from autograder.judging.process import Orders
from autograder.sandbox import launch
from autograder.sandbox.doctor import Tier, prepare, verdict
from autograder.sandbox.handles import Template
from autograder.sandbox.limits import Limits
from autograder.sandbox.target import SandboxTarget
from autograder.source.parsing import syntax_tree

HOME: Final = launch.package_folder().parent / "tests" / "autograder" / "red_team"
ATTACKED, UNTOUCHED = "ch01_attacked", "ch02_untouched"
LIMITS: Final = Limits(call_seconds=1.0, load_seconds=3.0, memory_bytes=1 << 28, reply_bytes=1 << 20)
_NEIGHBOURS: Final = 8  # right submissions, spread among the others
_LINE = re.compile(r"^# (expects|says|earns): (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A hostile submission: its text, a sentence on what it does, and the verdict it must get.

    Args:
        expects: the statuses that the attacked exercise may get.
        says: text that one of its messages must contain.
        earns: the share of the exercise's points that it must get.
    """

    name: str
    what: str
    expects: tuple[Status, ...]
    says: str
    earns: float
    text: str

    @property
    def row(self) -> int:
        return int(self.name[1:3])

    @classmethod
    def read(cls, path: Path) -> Case:
        """Read a submission, without running it.

        Raises:
            UsageError: the file lacks its sentence or its expected status.
        """
        text = path.read_text(encoding="utf-8")
        stated = dict(_LINE.findall(text))
        expects = tuple(status for status in STATUSES if status in stated.get("expects", "").split(", "))
        what = get_docstring(syntax_tree(text))
        if not expects or not what:
            raise UsageError(f"{path} lacks its sentence, or a line such as `# expects: crash`")
        earns = float(stated.get("earns", expects == ("passed",)))
        return cls(path.stem, what.split("\n")[0], expects, stated.get("says", ""), earns, text)


@dataclass(frozen=True)
class Outcome:
    """The status that a case got; `wrong` says what is wrong with its verdict, "" if nothing is."""

    case: Case
    got: Status
    wrong: str


@dataclass(frozen=True)
class Aftermath:
    """A condition that was tested after grading, and what violates it."""

    what: str
    found: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """A course with a secret in each of its files, and the submissions of a class."""

    course: Course
    submissions: Path
    secret: str


def cases(home: Path = HOME) -> list[Case]:
    """Read all hostile submissions, by row.

    Raises:
        UsageError: there are none.
    """
    found = [Case.read(path) for path in sorted(home.glob("r[0-9][0-9]_*.py"))]
    if not found:
        raise UsageError(f"there are no hostile submissions in {home}; run this in a clone of the course's repository")
    return found


@contextmanager
def world(chosen: Sequence[Case], home: Path = HOME) -> Iterator[World]:
    """Set up the course, the class and the secret in a temporary folder."""
    secret = secrets.token_hex(8)
    with tempfile.TemporaryDirectory(prefix="attend-") as folder:
        course = Course(Path(folder) / "course")
        shutil.copytree(home / "course", course.root, ignore=shutil.ignore_patterns("__pycache__"))
        right = {name: course.solution(name).read_text(encoding="utf-8") for name in (ATTACKED, UNTOUCHED)}
        for path in course.root.rglob("*.py"):
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n# {secret}\n")
        submissions = Path(folder) / "submissions"
        for number in range(_NEIGHBOURS):
            _hand_in(submissions / f"r{number}9-neighbour", {**right, "notes": f"# {secret}\n"})
        for case in chosen:
            _hand_in(submissions / case.name, {**right, ATTACKED: case.text})
        (submissions / "roster.csv").write_text(f"ada,{secret}\n", encoding="utf-8")
        os.environ["ATTEND_SECRET"] = secret
        try:
            yield World(course, submissions, secret)
        finally:
            del os.environ["ATTEND_SECRET"]


def _hand_in(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def attack(
    here: World, chosen: Sequence[Case], on_outcome: Callable[[Outcome], None], level: str = "auto"
) -> list[Aftermath]:
    """Grade the class, pass each case's outcome to `on_outcome`, and return what is left afterwards.

    Raises:
        SandboxError: the wall is not whole, so hostile code must not run.
    """
    by_name = {case.name: case for case in chosen}
    harmed: list[str] = []
    before = traces.descendants(os.getpid())
    kept = _contents(here)

    def accept(result: SubmissionResult) -> None:
        case = by_name.get(result.student)
        if case:
            on_outcome(Outcome(case, _exercise(result, "soften").status, _wrong(case, result, here.secret)))
        elif result.score < result.max_score:
            harmed.append(f"{result.student}: {result.score:g} of {result.max_score:g} points")

    with traces.orphans_kept():
        _grade(here, level, accept)
        lasting = traces.processes(before)
    changed = [path for path, content in _contents(here).items() if kept.get(path) != content]
    return [
        Aftermath(f"{_NEIGHBOURS} right submissions among them have all their points", tuple(harmed)),
        Aftermath("no process is left", tuple(lasting)),
        Aftermath("no file is left", tuple(traces.files(here.course.root, here.submissions, HOME))),
        Aftermath("no file of the course and the class is changed", tuple(changed)),
        Aftermath("no program listens on a port", tuple(traces.ports())),
    ]


def _contents(here: World) -> dict[str, bytes]:
    folders = (here.course.root, here.submissions)
    paths = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    return {str(path): path.read_bytes() for path in paths if path.is_file()}


def _grade(here: World, level: str, accept: Callable[[SubmissionResult], None]) -> None:
    warm_up()
    submissions = [read_submission(entry, here.course) for entry in find_submissions(here.submissions, here.course)]
    template, tier = prepare(level, here.course.root)
    with template:
        if tier.open:
            state = verdict(tier, template.started.reason)
            raise SandboxError(f"hostile submissions run only behind the full wall, and this one is {state}")
        hand = _hand(template, tier)
        orders = Orders(here.course, here.course.exercises, seed=secrets.randbits(32))
        Coordinator(orders, lambda: hand, accept, lambda: None).grade(submissions, os.cpu_count() or 1)


def _hand(template: Template, tier: Tier) -> Callable[[Submission], SandboxTarget]:
    return lambda submission: SandboxTarget(template, submission, LIMITS, name=tier.name)


def _wrong(case: Case, result: SubmissionResult, secret: str) -> str:
    """Return the first thing that is wrong with the result of `case`; "" if nothing is."""
    attacked, untouched = _exercise(result, "soften"), _exercise(result, "double")
    messages = [check.message.text for check in attacked.checks]
    if attacked.status not in case.expects:
        return f"it got {attacked.status}: {next(filter(None, messages), '')[:200]}"
    if not any(case.says in message for message in messages):
        return f"no message says '{case.says}'; the first is: {next(filter(None, messages), '')[:200]}"
    if attacked.score != case.earns * attacked.max_score:
        return f"it earned {attacked.score:g} of {attacked.max_score:g} points"
    if untouched.score < untouched.max_score:
        return f"the other exercise lost points: {untouched.status}"
    return "a secret came out" if any(secret in message for message in messages) else ""


def _exercise(result: SubmissionResult, name: str) -> ExerciseResult:
    return next(each for each in result.exercises if each.exercise == name)


def show(console: Console) -> int:
    """Grade all hostile submissions, print their outcomes, and return the exit status of the command."""
    chosen = cases()
    outcomes: list[Outcome] = []
    with world(chosen) as here, Progress(console=console, auto_refresh=False) as progress:
        task = progress.add_task("attacking", total=len(chosen))

        def accept(outcome: Outcome) -> None:
            outcomes.append(outcome)
            progress.update(task, advance=1, refresh=True)

        aftermath = attack(here, chosen, accept)
    console.print(_table(sorted(outcomes, key=lambda outcome: outcome.case.name)))
    for each in aftermath:
        console.print(Text(f"{_sign(not each.found)} {each.what}" + "".join(f"\n    {it}" for it in each.found)))
    failed = sum(bool(outcome.wrong) for outcome in outcomes) + sum(bool(each.found) for each in aftermath)
    console.print(f"{len(outcomes)} hostile submissions: " + (f"{failed} surprises" if failed else "no surprise"))
    return 1 if failed else 0


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "row", "what it does", "expected", "got"):
        table.add_column(column, overflow="fold")
    for outcome in outcomes:
        case, wrong = outcome.case, outcome.wrong
        row = (_sign(not wrong), str(case.row), case.what, " or ".join(case.expects), wrong or outcome.got)
        table.add_row(*map(Text, row), style="red" if wrong else "")
    return table


def _sign(good: bool) -> str:
    return "✓" if good else "✗"
