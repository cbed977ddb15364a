"""Grades for a platform: its own table, read, filled in and written back, each grade in the row of its student.

The formats are described in the module `export` of each platform, one screen each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from pathlib import Path

from autograder.classroom.grades import Grade
from autograder.classroom.person import Person
from autograder.core import files, table
from autograder.core.decimals import half_up, scaled
from autograder.core.errors import UsageError
from autograder.core.table import Table
from autograder.core.text import counted, join_names, one_line, rounded
from autograder.course.titles import assignment_names
from autograder.grading import sums
from autograder.grading.book import Book
from autograder.platforms.blackboard.export import BLACKBOARD
from autograder.platforms.brightspace.export import BRIGHTSPACE
from autograder.platforms.canvas.export import CANVAS
from autograder.platforms.ilias.export import ILIAS
from autograder.platforms.moodle.export import MOODLE
from autograder.platforms.olat.export import OLAT
from autograder.platforms.row_match import matched
from autograder.platforms.sakai.export import SAKAI
from autograder.platforms.sheet import GradeSheet, Platform, cell, column_of, number
from autograder.report.outputs import cell as guarded
from autograder.report.unread import what_waits

PLATFORMS = (MOODLE, BRIGHTSPACE, SAKAI, ILIAS, OLAT, BLACKBOARD, CANVAS)
"""In the order in which a table is tried: Blackboard needs least."""

LANGUAGES = "Moodle's in English, German, French and Spanish, OLAT's in English and German, the others in English"
MOST_TITLES = 2  # lines above a header

NAMED = 5  # mistakes named in a comment
HELD = "No grade yet"
OURS = re.compile(rf"\d[\d.]* of \d[\d.]* points|{HELD}: ")


@dataclass(frozen=True)
class Exported:
    """The table that was written, sentences about it, the students without a row, and those whose grade was held.

    `waits` says what the held ones wait for, and how to decide.
    """

    path: Path
    sentences: Sequence[str]
    unmatched: Sequence[str]
    held: Sequence[str] = ()
    waits: str = ""

    def text(self) -> str:
        lines = [f"{self.path}: {self.sentences[0]}", *self.sentences[1:]]
        if self.held:
            says = f"held back, as something is undecided: {join_names(self.held)} ({len(self.held)})"
            lines.append(
                f"{says}; students.html says what, and --no-hold writes these grades too, unless the grader failed"
            )
            lines += [self.waits] if self.waits else []
        if self.unmatched:
            count = len(self.unmatched)
            lines.append(
                f"without a row of their own in the table: {join_names(self.unmatched)} ({count}); make sure that each "
                "is there once, by number, login, address or name, and export again"
            )
        return "\n".join(lines)


def undecided(graded: Path) -> list[str]:
    """Return the students in the folder `graded` whose grades wait for a decision, or for the grader."""
    return [grade.student for grade in sums.read(graded).grades if is_undecided(grade)]


def export(graded: Path, file: Path, column: str | None, out: Path | None, *, hold: bool = False) -> Exported:
    """Fill the grades from the folder `graded`, of one run or of sums, into the table that a platform exported.

    Args:
        column: the name of the assignment or a part of it; by default, the only one that fits.
        out: the file to write; by default, one in `graded` with the platform's name.
        hold: whether grades with something undecided stay out.

    Raises:
        AttendError: the table is of no known platform, several columns fit or none, or a file cannot be read.
    """
    class_ = sums.read(graded)
    refuse_unfinished(graded, class_)
    grades = class_.grades
    platform, found = _recognised(file)
    read_as = f"{file} is read as {platform.name}'s table, {platform.table}"
    try:
        sheet = platform.sheet(found, column, assignment_names(chapters_of(grades)))
    except UsageError as error:
        raise UsageError(f"{read_as}: {error}") from error
    _refuse_strangers(sheet, [grade for grade in grades if _something(grade)], graded, read_as)
    found, sheet, resaved = _as_exported(platform, found, sheet)
    filled = fill(found, sheet, grades, hold=hold)
    path = out or graded / f"{platform.stem}{_suffix(file)}"
    if path.is_dir():
        raise UsageError(f"{path} is a folder; --out takes the name of a file")
    if path.resolve() == file.resolve():
        raise UsageError(f"{file} is the table that the platform exported; choose another file with --out")
    _refuse_foreign(path, platform)
    before = path.exists()
    is_new = files.write(path, filled.table.encoded())
    replaced = [f"an earlier {path.name} with other contents was replaced"] if before and is_new else []
    waits = _waits([grade for grade in grades if grade.student in filled.held], graded)
    then = [platform.then] if platform.then else []
    return Exported(path, [*filled.sentences, *resaved, *replaced, *then], filled.unmatched, filled.held, waits)


def _waits(held: Sequence[Grade], graded: Path) -> str:
    """Return what the held grades wait for, and how to decide; decisions are made in the folders of a sum."""
    folders = sums.summed(graded)
    if held and folders:
        return f"decide in {' or '.join(map(str, folders))}, then run the same `attend grades` again"
    return what_waits(held, graded)


def _refuse_strangers(sheet: GradeSheet, ours: Sequence[Grade], graded: Path, read_as: str) -> None:
    """Check that the table has a row for someone with a grade.

    Raises:
        UsageError: it has none; the message shows a person of each side.
    """
    if not ours or matched(sheet.people, ours):
        return
    people = list(sheet.people.values())
    there = f"its {counted(len(people), 'row')}, such as {_described(people[0])}" if people else "its rows"
    here = f"{counted(len(ours), 'graded student')} in {graded}, such as {_described(ours[0].person, ours[0].student)}"
    raise UsageError(
        f"{read_as}. Nothing was written: none of the {here}, is in {there}. Give the table of this class, exported "
        "with the students' numbers, logins or addresses; or grade with that table as --roster"
    )


def _described(person: Person, student: str = "") -> str:
    """Return a person's name with the number, login and address that are known."""
    known = dict.fromkeys(filter(None, (person.id, person.sis, person.login, person.email)))
    name = one_line(student or person.name)
    return " ".join(filter(None, [name, f"({', '.join(map(one_line, known))})" if known else ""]))


def _as_exported(platform: Platform, found: Table, sheet: GradeSheet) -> tuple[Table, GradeSheet, list[str]]:
    """Return table and sheet with the platform's own commas and points where a spreadsheet saved them otherwise.

    The third is a sentence that says so, if it did.
    """
    if not platform.has_points or found.dialect.delimiter == ",":
        return found, sheet, []
    column, rows, before = sheet.scores, [list(row) for row in found.rows], list[str]()
    for row in rows:
        if number(text := cell(row, column)) is not None:
            before.append(text)
            row[column] = text.replace(",", ".")
    commas = any("," in text for text in before)
    between = "semicolons" if found.dialect.delimiter == ";" else "tabs"
    says = (
        f"the table has {between}{' and decimal commas' * commas}, as a spreadsheet saves it: what is written "
        f"has commas{' and decimal points' * commas}, as {platform.name} exports it"
    )
    own = replace(found.dialect, delimiter=",")
    return replace(found, rows=rows, dialect=own), replace(sheet, has_comma=False), [says]


def _refuse_foreign(path: Path, platform: Platform) -> None:
    with suppress(UsageError):  # what is there cannot be read as a table
        if not path.exists() or any(not platform.lacking(found.header) for found in _readings(path)):
            return
    raise UsageError(f"{path} is there already, and is no table of {platform.name}; choose another name with --out")


def _readings(file: Path) -> list[Table]:
    """Return the table by each delimiter and with each header that it may have, most likely first."""
    found = table.read(file)
    return [each.below(lines) for lines in range(MOST_TITLES + 1) for each in found if len(each.rows) > lines]


def _recognised(file: Path) -> tuple[Platform, Table]:
    readings = _readings(file)
    for found in readings:
        for platform in PLATFORMS:
            if not platform.lacking(found.header):
                return platform, found
    known = "; ".join(f"{platform.name}: {platform.table}" for platform in PLATFORMS)
    raise UsageError(
        f"{file} has no header of a table that is known{_nearest(readings)}. Known are {known}; {LANGUAGES}"
    )


def _nearest(readings: Sequence[Table]) -> str:
    """Return which platform's table this is most like, and which column is not there; "" if it is like none."""
    pairs = [(found.header, platform) for found in readings for platform in PLATFORMS]
    header, platform = min(
        pairs, key=lambda pair: len(pair[1].lacking(pair[0])) / len(pair[1].needs), default=((), CANVAS)
    )
    there = [header[at].strip() for titles in platform.needs if (at := column_of(header, *titles)) is not None]
    if not there:
        return ""
    lacking = join_names(platform.lacking(header), last="or")
    return f"; like {platform.name}'s it has {join_names(there)}, but no column {lacking}"


def _suffix(file: Path) -> str:
    return file.suffix.lower() if file.suffix.lower() in (".xls", ".txt", ".tsv") else ".csv"


def refuse_unfinished(graded: Path, class_: Book) -> None:
    """Check that every student is graded.

    Raises:
        UsageError: someone is not.
    """
    if class_.ungraded:
        who = join_names(class_.ungraded, 3)
        raise UsageError(f"{graded} is not graded to its end, without {who}: run the same `attend grade` again first")


def chapters_of(grades: Sequence[Grade]) -> set[str]:
    """Return the names of the chapters that were graded."""
    return {each.chapter for grade in grades if grade.result for each in grade.result.exercises}


@dataclass(frozen=True)
class Filled:
    """The table with the grades, sentences about it, the students without a row, and those whose grade was held."""

    table: Table
    sentences: Sequence[str]
    unmatched: Sequence[str]
    held: Sequence[str] = ()


def fill(table: Table, sheet: GradeSheet, grades: Sequence[Grade], *, hold: bool = False) -> Filled:
    """Put each final grade into its row; all other cells of the columns that are kept stay as they were.

    Args:
        hold: whether grades with something to decide stay out; the comment then says why, where the table has one.
    """
    found = matched(sheet.people, grades)
    held = {row: grade for row, grade in found.items() if hold and is_undecided(grade) and row not in sheet.locked}
    found = {row: grade for row, grade in found.items() if row not in held}
    ready = {row: grade for row, grade in found.items() if _counts(grade, hold=hold) and row not in sheet.locked}
    rows = [list(row) for row in table.rows]
    values = {row: _value(grade, sheet) for row, grade in ready.items()}
    replaced = [row for row, value in values.items() if _put(rows[row], sheet, value)]
    said = {row: comment(grade) for row, grade in ready.items()} | {row: why_held(held[row]) for row in held}
    kept = [row for row, text in said.items() if not _comment(rows[row], sheet.comments, text)]
    for row, (column, text) in product(said, sheet.stamps.items()):
        _write(rows[row], column, text)
    shown = [[row[n] for n in sheet.keep if n < len(row)] for row in rows]
    there = {id(grade) for grade in (*found.values(), *held.values())}
    unmatched = [grade.student for grade in grades if _something(grade) and id(grade) not in there]
    sentences = [
        *_written(table, sheet, grades, ready.values(), len(replaced)),
        *_left(sheet, found),
        *_others(sheet, found | held, ready, [(found | held)[row].student for row in kept]),
    ]
    return Filled(replace(table, rows=shown), sentences, unmatched, [grade.student for grade in held.values()])


def is_undecided(grade: Grade) -> bool:
    """Return whether the grader failed on a part, or the grade waits for the teacher, as for an unreadable file."""
    return _something(grade) and (not grade.is_final or bool(grade.held))


def why_held(grade: Grade) -> str:
    """Return the student's sentence about a grade that is held back."""
    failed = ["the grader failed on a part, which costs you nothing"] if grade.is_failed else []
    return f"{HELD}: {'; '.join([*failed, *grade.held]).rstrip('.')}."


def _something(grade: Grade) -> bool:
    """Return whether there is a grade: work was handed in, or the instructor gave points."""
    return grade.result is not None or bool(grade.remarks)


def _counts(grade: Grade, *, hold: bool) -> bool:
    """Return whether a grade is written: one that waits for a decision counts as it is where nothing is held back."""
    return _something(grade) and not grade.is_failed and (grade.is_final or not hold)


def _value(grade: Grade, sheet: GradeSheet) -> float:
    most = sheet.most
    value = scaled(grade.score, grade.max_score, most) if most and grade.max_score else grade.score
    return min(float(half_up(value, 2)), most if most and sheet.is_capped else inf)


def _put(row: list[str], sheet: GradeSheet, value: float) -> bool:
    """Write a grade, unless the same number is there already; return whether another grade was replaced."""
    column, before = sheet.scores, cell(row, sheet.scores)
    if number(before) == value:
        return False
    _write(row, column, rounded(value).replace(".", "," if sheet.has_comma else "."))
    return bool(before) and before != "-"


def _comment(row: list[str], column: int | None, text: str) -> bool:
    """Write the comment; return False if the cell holds a comment by someone else, which stays."""
    before = cell(row, column)
    if column is None:
        return True
    if before and not OURS.match(before):
        return False
    _write(row, column, guarded(text))
    return True


def _write(row: list[str], column: int, text: str) -> None:
    row.extend([""] * (column + 1 - len(row)))
    row[column] = text


def comment(grade: Grade) -> str:
    """Return the score, each chapter's score, the mistakes that were named and the remarks, on one line."""
    chapters: dict[str, list[float]] = {}
    for each in grade.result.exercises if grade.result else ():
        points = chapters.setdefault(each.chapter, [0.0, 0.0])
        points[0] += grade.exercises.get(each.exercise, 0.0)
        points[1] += each.max_score
    parts = [f"{rounded(grade.score)} of {rounded(grade.max_score)} points."]
    parts += [f"{chapter}: {rounded(got)} of {rounded(most)}." for chapter, (got, most) in chapters.items()]
    mistakes = list(_mistakes(grade))
    parts += mistakes[:NAMED]
    parts += [f"{len(mistakes) - NAMED} more in your feedback."] if len(mistakes) > NAMED else []
    return " ".join([*parts, *grade.remarks, *grade.comments])


def _mistakes(grade: Grade) -> Iterator[str]:
    seen: set[str] = set()
    for each in grade.result.exercises if grade.result else ():
        lost = [check for check in each.checks if check.status not in ("passed", "missing", "grader_error")]
        named = [check for check in lost if check.misconceptions] or lost
        if named and grade.exercises.get(each.exercise, 0.0) < each.max_score:
            headline = one_line(named[0].message.headline, 300)
            if headline not in seen:  # all exercises of a file that does not compile have the same one
                yield f"{each.exercise}: {headline.rstrip('.')}."
            seen.add(headline)


def _written(
    table: Table, sheet: GradeSheet, grades: Sequence[Grade], ready: Collection[Grade], replaced: int
) -> Iterator[str]:
    again = f", {replaced} of them in place of another grade" if replaced else ""
    yield f"{counted(len(ready), 'grade')} in '{one_line(table.header[sheet.scores].strip())}'{again}"
    ours = max((grade.max_score for grade in grades), default=0.0)
    if not sheet.most:
        yield "the table does not give the highest grade, so nothing is scaled"
    elif ours and sheet.most != ours:
        yield f"scaled from {rounded(ours)} points to the {rounded(sheet.most)} of the table"
    if above := join_names([grade.student for grade in ready if _over(grade)]):
        if sheet.is_capped and sheet.most:
            yield f"points above the highest grade, which the platform would refuse, are cut off for {above}"
        else:
            yield f"points above the highest grade are written for {above}; {sheet.above}"


def _over(grade: Grade) -> bool:
    return grade.score > grade.max_score


def _left(sheet: GradeSheet, found: Mapping[int, Grade]) -> Iterator[str]:
    """Yield sentences on the cells that stay as they were, by reason."""
    reasons: dict[str, list[str]] = {}
    for row, grade in found.items():
        if not _something(grade) and grade.open:
            reasons.setdefault("one of the submissions that match nobody may be of", []).append(grade.student)
        elif not _something(grade):
            reasons.setdefault("nothing was handed in by", []).append(grade.student)
        elif grade.is_failed:
            reasons.setdefault("not final, as the grader failed on a part:", []).append(grade.student)
        elif row in sheet.locked:
            reasons.setdefault(f"in the table it is {sheet.locked[row]}", []).append(grade.student)
    for reason, students in reasons.items():
        yield f"left as it was: {reason} {join_names(students)}"


def _others(
    sheet: GradeSheet, found: Mapping[int, Grade], ready: Mapping[int, Grade], kept: Sequence[str]
) -> Iterator[str]:
    if kept:
        yield f"a comment from another source is kept for {join_names(kept)}"
    undecided = [grade.student for grade in ready.values() if grade.open]
    if undecided:
        yield f"written, but with an open decision: {join_names(undecided)} (see students.html)"
    without = [person.called for row, person in sheet.people.items() if row not in found]
    if without:
        yield f"no grade for {counted(len(without), 'row')}: {join_names(without)}"
