"""Results on disk and on the terminal: one JSON file per submission, one CSV and one table per class."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Table
from rich.text import Text

from autograder import files
from autograder.errors import AttendError, UsageError
from autograder.grading.analysis import ATTENTION, incidents, percent
from autograder.grading.names import listed, one_line, plain
from autograder.grading.store import NAME as STORE
from autograder.records import FORMAT_VERSION, SubmissionResult

# A spreadsheet takes a cell that starts with one of these for a formula, and would run it.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NAME = 24
UNNAMED = ("failed", "error")
OURS = ("results", "feedback", STORE, "grades.csv", "report.html")


def prepare_out(out: Path) -> None:
    """Make the folders that results go to, and see that they can be written to, before anything is graded.

    What an interrupted run left half-written is removed.

    Raises:
        UsageError: they cannot, or `out` holds something else than results.
    """
    _refuse_foreign(out)
    try:
        for folder in (out / "results", out / "feedback"):
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".probe"
            probe.write_bytes(b"")
            probe.unlink()
        for part in (*out.glob(".*.part"), *out.glob("*/.*.part")):
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
        mend = "choose a new or empty folder, or one of earlier results, with --out"
        raise UsageError(f"{out} holds {listed(foreign, 3)}, and no results; {mend}")


def result_path(out: Path, stem: str) -> Path:
    return out / "results" / f"{stem}.json"


def feedback_path(out: Path, stem: str) -> Path:
    return out / "feedback" / f"{stem}.html"


def drop_result(out: Path, stem: str) -> None:
    """Remove one submission's result and page, where they are.

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
    record: dict[str, Any] = {"version": result.version, "final": result.is_final, **msgspec.to_builtins(result)}
    text = json.dumps(record, ensure_ascii=False, indent=2)
    # A student's message may hold a lone surrogate, which no UTF-8 file can.
    files.write(result_path(out, stem), text.encode("utf-8", "replace").decode() + "\n")


def read_result(path: Path) -> SubmissionResult:
    """A result that `write_result` wrote.

    Raises:
        AttendError: it is missing, damaged, or of another version of the format.
    """
    try:
        result = msgspec.json.decode(path.read_bytes(), type=SubmissionResult)
    except OSError as error:
        raise AttendError(f"{path} cannot be read ({error.strerror}); grade that submission again") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise AttendError(f"{path} is damaged ({one_line(str(error))}); grade that submission again") from error
    if result.version != FORMAT_VERSION:
        raise AttendError(f"{path} has format {result.version}, not {FORMAT_VERSION}; grade that submission again")
    return result


def write_csv(out: Path, results: Sequence[SubmissionResult]) -> None:
    """Write grades.csv: a row per student, a column per exercise, and what a person should look at.

    What the grader failed on, and every sum over it, is an empty cell: no gradebook can take it for a grade.

    Raises:
        UsageError: the place cannot be written to.
    """
    columns = dict.fromkeys((each.chapter, each.exercise) for result in results for each in result.exercises)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    named = [f"{chapter}.{exercise}" for chapter, exercise in columns]
    writer.writerow([_cell(name) for name in ("student", "score", "max_score", "percent", *named, "attention")])
    for result in results:
        graded = [each for each in result.exercises if each.status != "grader_error"]
        scores = {(each.chapter, each.exercise): each.score for each in graded}
        share = round(percent(result.score, result.max_score), 1)
        sums = [result.score, result.max_score, share] if result.is_final else [""] * 3
        cells = [result.student, *sums, *(scores.get(column, "") for column in columns), _attention(result)]
        writer.writerow(map(_cell, cells))
    files.write(out / "grades.csv", stream.getvalue())


def _cell(value: Any) -> Any:
    """Text that no spreadsheet takes for a formula; numbers as they are, 2.0 as 2."""
    if isinstance(value, float):
        return round(value, 6) if value % 1 else int(value)
    if not isinstance(value, str):
        return value
    text = plain(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def _attention(result: SubmissionResult) -> str:
    """The gravest statuses of a result, such as "grader_error: softmax"; "" where all is ordinary."""
    found: Mapping[str, list[str]] = {
        status: [each.exercise for each in result.exercises if each.status == status] for status in ATTENTION
    }
    return "; ".join(f"{status}: {', '.join(exercises)}" for status, exercises in found.items() if exercises)


def summary_table(results: Sequence[SubmissionResult]) -> Table:
    """The class at a glance, for a terminal of 80 columns or more."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    scores = [f"{result.score:g}{'' if result.is_final else '+?'}/{result.max_score:g}" for result in results]
    width = max(map(len, [*scores, "score"]))
    table.add_column("student", max_width=NAME, no_wrap=True, overflow="ellipsis")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("%", justify="right", no_wrap=True)
    # Together no wider than 80: rich would shrink every column, the numbers first, to make room for the last.
    table.add_column("to look at", max_width=80 - NAME - width - len("100") - 6, no_wrap=True, overflow="ellipsis")
    for result, score in zip(results, scores, strict=True):
        share = f"{percent(result.score, result.max_score):.0f}" if result.is_final else "?"
        # Text objects, because a name such as "[red]" would be markup in a plain string.
        table.add_row(Text(one_line(result.student)), score, share, _remark(result))
    return table


def faults(results: Sequence[SubmissionResult]) -> str:
    """What to say and to do where the grader failed; "" where it did not."""
    found = [incident for incident in incidents(results) if incident.status == "grader_error"]
    if not found:
        return ""
    who, why = listed([incident.student for incident in found], 3), found[0].message.partition("\n")[0]
    return (
        f"the grader failed on {who}, which costs them nothing: {one_line(why, 300)}\n"
        "run the same command again; if the failure stays, mend what it names first"
    )


def _remark(result: SubmissionResult) -> Text:
    if attention := _attention(result):
        return Text(one_line(attention), style="red")
    named = dict.fromkeys(name for exercise in result.exercises for name in exercise.misconceptions[:1])
    unnamed = [each.exercise for each in result.exercises if each.status in UNNAMED and not each.misconceptions]
    remarks = [*named, *([f"wrong: {', '.join(unnamed)}"] if unnamed else [])]
    if remarks:
        return Text(one_line("; ".join(remarks)), style="yellow")
    missing = sum(exercise.status == "missing" for exercise in result.exercises)
    said = [f"{missing} missing", *result.notes[:1]] if missing else []
    return Text(one_line("; ".join(said)), style="dim")
