"""Results on disk and on the terminal: one JSON file per submission, one CSV and one table per class."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Table
from rich.text import Text

from autograder.classroom.by_hand import NAME as BY_HAND
from autograder.classroom.grades import Grade
from autograder.classroom.lost_files import held
from autograder.classroom.policy import NAME as POLICY
from autograder.classroom.register import NAME as CLASS
from autograder.core import files
from autograder.core.decimals import half_up
from autograder.core.encoded import as_json
from autograder.core.errors import AttendError, UsageError
from autograder.core.reading import contents, decoded
from autograder.core.records import FORMAT_VERSION, READABLE, SubmissionResult, upgraded
from autograder.core.table import harmless
from autograder.core.text import join_names, one_line, rounded, shortened
from autograder.report.analysis import ATTENTION, UNNAMED, incidents, percent
from autograder.report.junit import NAME as JUNIT
from autograder.report.unread import decided, readable

STORE = "store.sqlite"
ABOUT = ("name", "id", "login", "email", "sis")  # of a person
NAME, SHORT_NAME = 24, 8
TABLES = ("grades.csv", JUNIT, "report.html", "students.html", "similar.json")
SHEETS, KEY = "questions.html", "questions-key.html"
OURS = ("results", "feedback", STORE, *TABLES, SHEETS, KEY, CLASS, POLICY, BY_HAND)


def prepare_out(out: Path) -> None:
    """Make the folders for results, and check before anything is graded that they can be written to.

    Half-written files of an interrupted run are removed.

    Raises:
        UsageError: the folders cannot be written to, or `out` holds something other than results.
    """
    _refuse_foreign(out)
    try:
        for folder in (out / "results", out / "feedback"):
            folder.mkdir(parents=True, exist_ok=True)
            files.inside(out, folder.name)
            probe = folder / ".probe"
            files.created(probe).close()
            probe.unlink()
        for folder in (out, out / "results", out / "feedback"):
            for part in folder.glob(".*.part"):
                part.unlink()
    except FileExistsError as error:
        raise UsageError(f"{error.filename} is a file; choose another folder with --out") from error
    except OSError as error:
        why = error.strerror
        raise UsageError(f"{out} cannot be written to ({why}); choose another folder with --out") from error


def _refuse_foreign(out: Path) -> None:
    if not out.is_dir() or (out / STORE).exists():
        return
    foreign = sorted(path.name for path in out.iterdir() if path.name not in OURS and not path.name.startswith("."))
    if foreign:
        remedy = "choose a new or empty folder, or one of earlier results, with --out"
        raise UsageError(f"{out} holds {join_names(foreign, 3)}, and no results; {remedy}")


def result_path(out: Path, stem: str) -> Path:
    return out / "results" / f"{stem}.json"


def feedback_path(out: Path, stem: str) -> Path:
    return out / "feedback" / f"{stem}.html"


def drop_result(out: Path, stem: str) -> None:
    """Remove one submission's result and page, if they exist.

    Raises:
        UsageError: they cannot be removed.
    """
    try:
        for path in (result_path(out, stem), feedback_path(out, stem)):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be removed ({error.strerror}); remove it yourself") from error


def write_result(out: Path, stem: str, result: SubmissionResult) -> None:
    """Write one submission's result whole or not at all.

    Raises:
        UsageError: the place cannot be written to.
    """
    is_final = result.is_final and not held(result.exercises)
    record: dict[str, Any] = {"version": result.version, "final": is_final, **msgspec.to_builtins(result)}
    files.write(result_path(out, stem), msgspec.json.format(as_json(record), indent=2).decode() + "\n")


def read_result(path: Path) -> SubmissionResult:
    """Read a result that `write_result` wrote.

    Raises:
        AttendError: it is missing, damaged, or of another version of the format.
    """
    try:
        result = decoded(contents(path), SubmissionResult, upgraded)
    except OSError as error:
        raise AttendError(f"{path} cannot be read ({error.strerror}); grade that submission again") from error
    except ValueError as error:
        raise AttendError(f"{path} is damaged ({one_line(str(error))}); grade that submission again") from error
    if result.version not in READABLE:
        raise AttendError(f"{path} has format {result.version}, not {FORMAT_VERSION}; grade that submission again")
    return replace(result, version=FORMAT_VERSION)


def write_csv(out: Path, grades: Sequence[Grade]) -> None:
    """Write grades.csv: a row per student, with points per exercise, remarks, and what a person should look at.

    Raises:
        UsageError: the place cannot be written to.
    """
    found = [each for grade in grades if grade.result for each in grade.result.exercises]
    exercises = {f"{each.chapter}.{each.exercise}": each.exercise for each in found}
    columns = {title: partial(_points, name) for title, name in exercises.items()}
    files.write(out / "grades.csv", csv_text(grades, columns))


def _points(name: str, grade: Grade) -> float | str:
    return grade.exercises.get(name, "")


def csv_text(grades: Sequence[Grade], columns: Mapping[str, Callable[[Grade], float | str]]) -> str:
    """Return a CSV with a row per student: who it is, the sums, then these columns, remarks, what to look at.

    Where points are missing, as the grader failed on an exercise or it waits for a decision, every sum over it is an
    empty cell, so that no gradebook counts it.
    """
    about = [name for name in ABOUT if any(getattr(grade.person, name) for grade in grades)]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    sums = ("score", "max_score", "percent")
    writer.writerow(map(cell, ("student", *about, *sums, *columns, "remarks", "attention")))
    for grade in grades:
        share = float(half_up(percent(grade.score, grade.max_score), 1))
        counted = [grade.score, grade.max_score, share] if grade.is_final else [""] * len(sums)
        points = [of(grade) for of in columns.values()]
        person = [getattr(grade.person, name) for name in about]
        row = [grade.student, *person, *counted, *points, " ".join(grade.remarks + grade.comments), attention(grade)]
        writer.writerow(map(cell, row))
    return stream.getvalue()


def cell(value: Any) -> Any:
    """Return text that no spreadsheet takes for a formula, and numbers as they are, 2.0 as 2."""
    if isinstance(value, float):
        return round(value, 6) if value % 1 else int(value)
    return harmless(value) if isinstance(value, str) else value


def attention(grade: Grade) -> str:
    """Return what a person should look at, gravest first, such as "grader_error: softmax"; "" if nothing."""
    if grade.result is None:
        return "; ".join(grade.open) or "nothing handed in"
    found: Mapping[str, list[str]] = {
        status: [each.exercise for each in readable(grade.result).exercises if each.status == status]
        for status in ATTENTION
    }
    grave = [f"{status}: {', '.join(exercises)}" for status, exercises in found.items() if exercises]
    return "; ".join([*grave, *grade.open, *(each.says for each in decided([grade]))])


def summary_table(grades: Sequence[Grade], room: int = 80) -> Table:
    """Return a table of the class. On a narrow terminal, names and remarks are cut to keep the numbers whole."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    scores = [f"{rounded(grade.score)}{'' if grade.is_final else '+?'}/{rounded(grade.max_score)}" for grade in grades]
    width = max(map(len, [*scores, "score"]))
    # If the columns were wider than the room, rich would shrink all of them, the numbers first.
    left = min(room, 80) - width - len("100") - 6
    name = max(SHORT_NAME, min(NAME, left // 2))
    table.add_column("student", max_width=name, no_wrap=True, overflow="ellipsis")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("%", justify="right", no_wrap=True)
    table.add_column("to look at", max_width=max(1, left - name), no_wrap=True, overflow="ellipsis")
    names = shortened([grade.student for grade in grades], name)
    for grade, score, shown in zip(grades, scores, names, strict=True):
        share = f"{half_up(percent(grade.score, grade.max_score), 0)}" if grade.is_final else "?"
        # Text objects, because a name such as "[red]" would be markup in a plain string.
        table.add_row(Text(shown), score, share, _remark(grade))
    return table


def faults(results: Sequence[SubmissionResult]) -> str:
    """Return which students the grader failed on and what to do about it; "" if there are none."""
    found = [incident for incident in incidents(results) if incident.status == "grader_error"]
    if not found:
        return ""
    who, why = join_names([incident.student for incident in found], 3), found[0].headline
    return (
        f"the grader failed on {who}, which costs them nothing: {one_line(why, 300)}\n"
        "run the same command again; if it fails again, first fix what the message names"
    )


def _remark(grade: Grade) -> Text:
    result, grave = grade.result, attention(grade)
    if result is None or grave:
        return Text(one_line(grave), style="red" if result else "dim")
    if grade.remarks:
        return Text(one_line(grade.remarks[0]), style="yellow")
    named = dict.fromkeys(name for exercise in result.exercises for name in exercise.misconceptions[:1])
    unnamed = [each.exercise for each in result.exercises if each.status in UNNAMED and not each.misconceptions]
    remarks = [*named, *([f"wrong: {', '.join(unnamed)}"] if unnamed else [])]
    if remarks:
        return Text(one_line("; ".join(remarks)), style="yellow")
    missing = sum(exercise.status == "missing" for exercise in result.exercises)
    notes = [f"{missing} missing", *result.notes[:1]] if missing else []
    return Text(one_line("; ".join(notes)), style="dim")
