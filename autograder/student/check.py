"""`attend check`: check the exercises of a working copy in this process, and show the results."""

from __future__ import annotations

import gc
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.core.errors import UsageError
from autograder.core.message import Line, Message, still_to_do
from autograder.core.records import CheckResult, ExerciseResult, SubmissionResult, causes
from autograder.core.submission import ChapterSource, Submission
from autograder.course.course import Course
from autograder.course.effort import efforts
from autograder.course.model import Exercise
from autograder.course.sealed_facts import checked_here
from autograder.intake.submissions import read_folder
from autograder.student.cell_lines import line_in_file, result_in_file
from autograder.student.core_path import ahead, next_steps
from autograder.student.debrief import finished, first_words, newly_passed
from autograder.student.not_lent import not_lent
from autograder.student.prints import Prints
from autograder.student.saved_progress import Progress, Remembered

SYMBOLS = {"passed": ("✓", "green"), "missing": ("·", "yellow")}
FAILED = ("✗", "red")
CPU = "cpu"
ALL_PRINTS = "; `pytest tests/exercises -k {} -s` shows all"
InSource = Callable[[Line | None, ChapterSource], Line | None]
"""Turns a line into a line of the student's source."""


def check(
    course: Course,
    exercises: Sequence[Exercise],
    folder: Path,
    seed: int | None,
    console: Console,
    *,
    again: bool,
    device: str = CPU,
) -> Sequence[ExerciseResult] | None:
    """Check `exercises` in `folder`, printing each exercise as soon as its last check has run.

    Exercises that have not changed since their last check are shown from memory, unless `again`, `seed` or another
    `device` than the CPU is given. What a check on another device shows is not remembered. Of several chapters, what
    is still to do and what had passed before is only counted.

    Returns:
        The results; None if the run was interrupted.

    Raises:
        UsageError: there is no such device.
    """
    if device != CPU and course.is_sealed:
        raise UsageError(f"this course holds answers that were computed on the CPU: leave out --device {device}")
    elsewhere = course.elsewhere(exercises)
    exercises = checked_here(exercises)
    chapters = tuple(dict.fromkeys(exercise.chapter for exercise in exercises))
    submission = read_folder(folder, replace(course, only=chapters))
    print_notes(console, submission.notes)
    progress = Progress.load(course)
    before = progress.passed
    known = {} if again or seed is not None or device != CPU else progress.still(submission, exercises)
    printer = Printer(console, exercises, course=None if course.is_copy else course)
    listing = _Listing(printer, exercises, known, submission, is_brief=len(chapters) > 1)
    chosen = secrets.randbits(32) if seed is None else seed
    todo, loaded = [exercise for exercise in exercises if exercise.name not in known], list[str]()
    if todo:
        load()  # where Ctrl-C just ends: half of torch cannot say where it was stopped
    try:
        if todo:
            loaded = judge_here(course, todo, submission, chosen, listing.add, listing.prints, device)
    except KeyboardInterrupt as stop:
        listing.prints.end()
        place = stopped(stop, submission.chapters.values())
        console.print(Text(f"{place}; exercises that are not listed were not checked", style="yellow"))
        return None
    finally:
        if device == CPU:
            progress.add(submission, listing.fresh, chosen)
    results = listing.complete()
    print_notes(console, loaded)
    total(console, results, _seed_of(results, known, chosen))
    print_dim(console, listing.left_out())
    print_dim(console, first_words(course, newly_passed(listing.fresh, before)))
    for line in finished(course, before, progress.passed):
        console.print(Text(line, style="green"))
    if steps := _steps(listing, progress) if course.is_copy else _two_sides(results, folder):
        console.print(Text(steps))
    if device != CPU:
        console.print(Text("a check on another device is not remembered", style="dim"))
    print_dim(console, filter(None, [*not_lent(course, submission, results), elsewhere]))
    if not all(is_to_do(each.result) for each in known.values()):
        console.print(Text("everything again, with new inputs: --again", style="dim"))
    return results


def _steps(listing: _Listing, progress: Progress) -> str:
    """Return what to do next: of several chapters what comes next, else where to begin; "" if nothing is left."""
    if listing.is_brief:
        known = efforts(progress.course)
        proposed = ahead(listing.exercises, progress.passed, known)
        return next_steps(progress.course, proposed, known, listing.submission) if proposed else ""
    first = next(filter(is_to_do, listing.results), None)
    return f"attend hint {first.exercise} helps to begin" if first else ""


def _two_sides(results: Sequence[ExerciseResult], folder: Path) -> str:
    """Return which two answers an author's check has compared; "" if it found no difference."""
    differ = any(each.status not in ("passed", "missing") for each in results)
    return f"expected is what reference/ gives, got what {folder} gives" if differ else ""


def judge_here(
    course: Course,
    todo: Sequence[Exercise],
    submission: Submission,
    seed: int,
    on_exercise: Callable[[ExerciseResult], None],
    prints: Prints | None = None,
    device: str = CPU,
) -> list[str]:
    """Judge the exercises `todo` in this process, on a device, calling `on_exercise` with each result.

    Returns:
        Notes on what was passed over when the files were loaded.

    Raises:
        UsageError: there is no such device.
    """
    load()
    from autograder.calls.device_transfer import calls_on, device_for_checks
    from autograder.calls.local import LocalTarget
    from autograder.internals.grading_mode import grading_mode
    from autograder.judging.judge import judge

    with grading_mode(), calls_on(device_for_checks(device)):
        jobs, results = [(submission, LocalTarget(submission, prints))], list[SubmissionResult]()
        judge(course, todo, jobs, seed, results.append, on_exercise=on_exercise)
    return new_notes(results, submission)


def new_notes(results: Iterable[SubmissionResult], submission: Submission) -> list[str]:
    """Return the notes that came with results: on what was passed over when the files were loaded."""
    return [note for result in results for note in result.notes if note not in submission.notes]


@dataclass
class _Listing:
    """Prints fresh and `known` results together, in the order of the exercises.

    Where it `is_brief`, what is still to do and what had passed before is only counted.
    """

    printer: Printer
    exercises: Sequence[Exercise]
    known: Mapping[str, Remembered]
    submission: Submission
    is_brief: bool
    prints: Prints = field(default_factory=partial(Prints, ALL_PRINTS))
    fresh: list[ExerciseResult] = field(default_factory=list)
    results: list[ExerciseResult] = field(default_factory=list)

    def add(self, result: ExerciseResult) -> None:
        """Print a fresh result, and the known ones before it."""
        self.prints.end()
        self._known_before(result.exercise)
        self.fresh.append(result_in_file(result, self.submission.chapters.get(result.chapter)))
        self._add(self.fresh[-1])

    def complete(self) -> Sequence[ExerciseResult]:
        """Print the known results that are left, and return all results."""
        self._known_before("")
        return self.results

    def _known_before(self, name: str) -> None:
        for exercise in self.exercises[len(self.results) :]:
            if exercise.name == name:
                break
            self._add(self.known[exercise.name].result, "not changed since it was checked")

    def _add(self, result: ExerciseResult, note: str = "") -> None:
        self.results.append(result)
        if not (self.is_brief and (is_to_do(result) or self._passed_before(result))):
            self.printer.add(result, note)

    def _passed_before(self, result: ExerciseResult) -> bool:
        return result.status == "passed" and result.exercise in self.known

    def left_out(self) -> list[str]:
        """Return a line on what was only counted, if anything was."""
        before, left = sum(map(self._passed_before, self.results)), sum(map(is_to_do, self.results))
        counts = [*([f"{before} passed before"] if before else []), *([f"{left} still to do"] if left else [])]
        return [f"{', '.join(counts)}: attend list shows them all"] if self.is_brief and counts else []


def load() -> None:
    """Load torch and the judge, and exempt what they load from garbage collection, as it stays to the end."""
    gc.disable()
    import_module("autograder.judging.judge")
    gc.freeze()
    gc.enable()


def print_notes(console: Console, notes: Sequence[str]) -> None:
    """Print the notes on the files that were read."""
    for note in notes:
        console.print(Text(f"note: {note}", style="yellow"))


def print_dim(console: Console, lines: Iterable[str]) -> None:
    """Print lines of lesser importance."""
    for line in lines:
        console.print(Text(line, style="dim"))


def line_of(stop: KeyboardInterrupt) -> Line | None:
    """Return the student's line that was running, or the loop that it was in; None if there was none."""
    from autograder.calls.patience import line_of_loop

    return line_of_loop(stop)


def stopped(stop: KeyboardInterrupt, sources: Iterable[ChapterSource], in_source: InSource = line_in_file) -> str:
    """Return "stopped", with the exercise and the line in one of `sources` if an answer was running."""
    line = line_of(stop)
    for source in sources:
        line = in_source(line, source)
    return " ".join(["stopped", *getattr(stop, "__notes__", []), *([f"in {line}"] if line else [])])


class Printer:
    """Prints each exercise when it is complete, under the name of its chapter."""

    def __init__(
        self, console: Console, exercises: Sequence[Exercise], heading: str = "", course: Course | None = None
    ) -> None:
        """Print on `console`, in columns as wide as the longest of `exercises`.

        Args:
            heading: the chapter whose name was printed already, if any.
            course: for its author, who has no hints, and reads which check of its suites has failed.
        """
        self._course = course
        self._console = console
        self._width = max(len(exercise.name) for exercise in exercises)
        self._chapter = heading
        self._printed: set[Message] = set()

    def add(self, result: ExerciseResult, note: str = "") -> None:
        """Print one more exercise, with its first cause in full."""
        if result.chapter != self._chapter:
            self._chapter = result.chapter
            self._console.print(Text(result.chapter, style="bold"))
        if result.status == "syntax" and result.exercise not in result.checks[0].message.headline:
            self._print_syntax(result)
            return
        symbol, style = SYMBOLS.get(result.status, FAILED)
        line = Text(f"  {symbol} {result.exercise:<{self._width}}  ", style=style)
        line.append(f"{result.score:g}/{result.max_score:g}")
        remark = why_missing(result) if result.status == "missing" else note or result.but_for.replace("`", "")
        line.append(f"  {remark}" if remark else "", style="dim")
        self._console.print(line)
        message = next((check.message for check in result.checks if check.status != "passed"), Message())
        # A broken file has one message for all its exercises.
        if result.status not in ("passed", "missing") and message not in self._printed:
            self._printed.add(message)
            self._print_checks([check for check in result.checks if check.status != "passed"])

    def _print_syntax(self, result: ExerciseResult) -> None:
        """Print why a file cannot be read, once for all its exercises."""
        message = next(check.message for check in result.checks if check.status == "syntax")
        if message not in self._printed:
            self._printed.add(message)
            self._console.print(Text(f"  ✗ {message.headline}", style="red"))
            if message.excerpt:
                self._console.print(Padding(Text(message.excerpt), (0, 0, 0, 4)))
            self._console.print(Text("    nothing in it can be checked until this is fixed", style="dim"))

    def _print_checks(self, failed: Sequence[CheckResult]) -> None:
        """Print the first cause in full, and the first line of each other one."""
        for number, cause in enumerate(causes(failed)):
            title = Text(f"✗ {cause.title} ", style="red")
            title.append(f"({', '.join(cause.statuses)}, 0/{cause.points:g})", style="dim")
            self._console.print(Padding(title, (0, 0, 0, 4)))
            message = cause.first.message
            self._console.print(Padding(Text(message.headline), (0, 0, 0, 6)))
            if number == 0:
                more = [("more", f"`attend explain {name}`") for name in cause.first.misconceptions[:1]]
                if message.excerpt:
                    self._console.print(Padding(Text(message.excerpt), (0, 0, 0, 8)))
                rows = _for_author(message, cause.first, self._course, self._chapter) if self._course else message.rows
                self._console.print(Padding(laid_out([*rows, *more]), (0, 0, 0, 8)))


def _for_author(message: Message, failed: CheckResult, course: Course, chapter: str) -> list[tuple[str, str]]:
    """Return the rows of a message without the hint for students, and with the check that failed."""
    rows = [row for row in message.rows if not row[1].startswith("`attend hint ")]
    return [*rows, ("check", f"{course.suite(chapter).relative_to(course.root).as_posix()}: {failed.name}")]


def laid_out(rows: Sequence[tuple[str, str]]) -> Table:
    """Lay labels and texts out in two columns, which fold in a narrow terminal."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in rows:
        table.add_row(label, Text(text))
    return table


def why_missing(result: ExerciseResult) -> str:
    """Return why an exercise is missing, without repeating its name."""
    message = next(check.message for check in result.checks if check.status == "missing")
    if message.headline == still_to_do(result.exercise).headline:
        return "still to do"
    where = str(message.line or "").removesuffix(":")
    return f"{message.headline} ({where})" if where else message.headline


def is_to_do(result: ExerciseResult) -> bool:
    """Return whether the answer is still the stub, and not missing for another reason."""
    return result.status == "missing" and why_missing(result) == "still to do"


def points(exercises: Sequence[ExerciseResult]) -> Text:
    """Return the line with the total of points."""
    score, most = sum(each.score for each in exercises), sum(each.max_score for each in exercises)
    return Text(f"{score:g} of {most:g} points", style="bold green" if score == most else "bold")


def _seed_of(results: Sequence[ExerciseResult], known: Mapping[str, Remembered], seed: int) -> int | None:
    """Return the seed of all exercises that were not passed; None if they have several."""
    failed = [result.exercise for result in results if result.status not in ("passed", "missing")]
    seeds = {known[name].seed if name in known else seed for name in failed}
    return seeds.pop() if len(seeds) == 1 else None


def total(console: Console, exercises: Sequence[ExerciseResult], seed: int | None) -> None:
    """Print the points of all exercises, and how to repeat a run whose inputs came from one `seed`."""
    console.print(points(exercises))
    if seed is not None and any(exercise.status not in ("passed", "missing") for exercise in exercises):
        console.print(Text(f"the same inputs again: --seed {seed}", style="dim"))
