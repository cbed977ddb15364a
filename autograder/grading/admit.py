"""Prepare a class for grading: match submissions with students, choose the exercises, read the policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from autograder.classroom import by_hand, policy
from autograder.classroom import late as late_report
from autograder.classroom import register as registers
from autograder.classroom.enrol import enrol
from autograder.classroom.person import NOBODY, Download, Person
from autograder.classroom.register import Register
from autograder.classroom.roster import Roster
from autograder.core.errors import AttendError, UsageError
from autograder.core.submission import Submission
from autograder.core.text import counted, join_names
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.intake.submissions import HandIn
from autograder.report.outputs import drop_result


class ClassOptions(NamedTuple):
    """Whom to grade, and on what.

    Args:
        names: chapters and exercises; if empty, those of the last run.
        roster: a table of the people in the class.
        late: Canvas's report of late work.
        layout: the pattern that the download was read by, "" if its form was recognised.
        in_groups: whether one member's submission counts for the whole group.
        drop_departed: whether to drop the grades of students who are no longer among the submissions.
    """

    names: Sequence[str] = ()
    roster: Path | None = None
    late: Path | None = None
    layout: str = ""
    in_groups: bool = False
    drop_departed: bool = False

    @property
    def given(self) -> tuple[str, ...]:
        """The options that tell more about the class than the download does."""
        options = {
            "--roster": self.roster,
            "--late": self.late,
            "--layout": self.layout,
            "--groups": self.in_groups,
        }
        return tuple(name for name, value in options.items() if value)


FEW = 3  # people without work; fewer are nothing to ask about
DEFAULT_CLASS_OPTIONS = ClassOptions()


@dataclass(frozen=True)
class Admitted:
    """A class to grade; `remarks` are sentences about what arrived.

    `doubt` says that nobody can be matched, or asks whether it is the right class, where most of the roster handed in
    nothing; else it is "".
    """

    register: Register
    entries: Sequence[HandIn]
    exercises: Sequence[Exercise]
    remarks: Sequence[str]
    doubt: str = ""


def admit(course: Course, download: Download, out: Path, options: ClassOptions) -> Admitted:
    """Return the class in `download`, ready for grading into `out`.

    Raises:
        UsageError: a file cannot be read or names unknown students, `out` holds another class, or a student graded
            there is missing from `download` without `drop_departed`.
    """
    before = None
    with suppress(AttendError):  # a damaged register is written anew
        before = registers.read(out)
    chosen = tuple(options.names) or (before.only if before else ())
    exercises = course.select(chosen)
    rules = policy.read(out)
    roster = Roster.read(options.roster) if options.roster else None
    if options.in_groups and not (roster and roster.groups):
        raise UsageError(
            "--groups needs a roster with each student's group, in a column group or group_name, such as Moodle's "
            "grading worksheet of an assignment for groups"
        )
    chapters = list(dict.fromkeys(each.chapter for each in exercises))
    late = late_report.read(options.late, chapters) if options.late else {}
    register, entries = enrol(download, roster, rules.attempt, in_groups=options.in_groups, late=late)
    points = {each.name: each.points for each in exercises}
    left = {each.name for each in course.exercises} - points.keys()
    try:
        rules = rules.resolved(register.everybody).without(left.__contains__)
        rules.check([row.student for row in register.everybody], points)
        rules, precedence = by_hand.added(rules, out, register.everybody, points, left.__contains__)
    except UsageError as error:
        if says := _other_roster(before, register, options):
            raise UsageError(f"{says}\n{error}") from error
        raise
    entries = [replace(entry, wanted=rules.files(entry.student, chapters)) for entry in entries]
    register = replace(register, policy=rules, only=chosen, given=options.given)
    apart = _nothing_shared(download, roster, register)
    unmatched = () if apart else register.unmatched
    remarks = [
        *_choice(course, before, options.names, register),
        *register.problems,
        *unmatched,
        register.undated,
        register.local_times,
    ]
    remarks += precedence
    remarks.append(_drop_gone(out, before, register, drop_departed=options.drop_departed))
    remarks += roster.remarks if roster else ()
    return Admitted(register, entries, exercises, list(filter(None, remarks)), apart or _doubt(register, roster))


def _nothing_shared(download: Download, roster: Roster | None, register: Register) -> str:
    """Return a sentence if download and roster say nothing of the same kind about people, "" if they do."""
    if (
        not roster
        or len(register.absent) < len(roster.people)
        or any(each.person == NOBODY for each in download.attempts)
    ):
        return ""
    ours, theirs = _kinds(each.person for each in download.attempts), _kinds(roster.people)
    if not ours or not theirs or ours.keys() & theirs.keys():
        return ""
    return (
        f"nobody can be matched: the download tells students by {join_names(ours)}, and the roster by "
        f"{join_names(theirs)} alone; give a roster that has {join_names(ours, last='or')} too"
    )


def _kinds(people: Iterable[Person]) -> dict[str, None]:
    """Return what is known about any of these people, in words."""
    known = {"numbers": "", "logins": "", "addresses": "", "names": ""}
    for each in people:
        known["numbers"] += each.id + each.sis
        known["logins"] += each.login
        known["addresses"] += each.email
        known["names"] += each.name
    return dict.fromkeys(kind for kind, text in known.items() if text)


def _other_roster(before: Register | None, register: Register, options: ClassOptions) -> str:
    """Return in which way the roster is not that of the last run, "" if it is or that had none."""
    if not before or "--roster" not in before.given:
        return ""
    if options.roster is None:
        return "this run has no --roster, and the last one had: give it again, or else correct what follows"
    here = {row.person for row in register.everybody}
    gone = [row.student for row in before.everybody if row.person not in here]
    if not gone:
        return ""
    lacks = f"{counted(len(gone), 'student')} of that, {join_names(gone, 3)}"
    says = f"{options.roster} is not the roster of the last run: it lacks {lacks}"
    return f"{says}; give that one, or else correct what follows"


def _doubt(register: Register, roster: Roster | None) -> str:
    """Return a question if most people on the roster handed in nothing, "" if not."""
    absent, everybody = len(register.absent), len(roster.people) if roster else 0
    if absent < FEW or 2 * absent <= everybody:
        return ""
    arrived = len({row.student for row in register.rows})
    return (
        f"is this the right class? {absent} of {everybody} people on the roster handed in nothing. The download was "
        f"recognised as {register.form}, with {counted(arrived, 'student')}. If these are others, give their roster "
        "with --roster; if it was read wrongly, say with --layout how its paths tell whose each is"
    )


def _choice(course: Course, before: Register | None, names: Sequence[str], register: Register) -> Iterator[str]:
    chosen = register.only
    if before and not names and chosen:
        yield f"as before: --only {' --only '.join(chosen)}; to change that, give --only, or choose another --out"
    elif before and not _is_same(course, chosen, before.only):
        yield "these are not the same exercises as before, so all grades change"
    yield _forgotten(before, register)


def _is_same(course: Course, chosen: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether both choices mean the same exercises, whatever words they take."""
    with suppress(AttendError):  # the course may have changed since
        return course.select(chosen) == course.select(before)
    return False


def _forgotten(before: Register | None, register: Register) -> str:
    """Return a sentence about options of the last run that told more about the class and are not there now, or ""."""
    left = [name for name in (before.given if before else ()) if name not in register.given]
    return f"not given this time: {join_names(left)}, and what that told of the class no longer counts" if left else ""


def _drop_gone(out: Path, before: Register | None, register: Register, *, drop_departed: bool) -> str:
    """Remove the results of students who have left; return a sentence about them, "" if there are none."""
    if not before:
        return ""
    known, there = ({row.stem for row in each.rows} for each in (before, register))
    if known and there and not known & there:
        raise UsageError(f"{out} holds the grades of another class; choose another folder with --out")
    left = [row.student for row in before.rows if row.attempt == row.attempts and row.stem not in there]
    if left and not drop_departed:
        count = f"{len(left)} student{'' if len(left) == 1 else 's'}"
        gone = f"{count} graded in {out} {'is' if len(left) == 1 else 'are'} not among the submissions now"
        says = "; ".join(filter(None, (_forgotten(before, register), gone)))
        raise UsageError(
            f"{says}: {join_names(left)}. Give the whole class (what has not changed is kept), or choose another "
            "--out; if they left the class, or you renamed their folders, add --drop-departed, and these grades go"
        )
    for stem in known - there:
        drop_result(out, stem)
    return f"no longer among the submissions, so their results were removed: {join_names(left)}" if left else ""


def unwanted(submissions: Mapping[str, Submission], exercises: Sequence[Exercise]) -> str:
    """Return a sentence about chapters that no submission holds; "" if there are none.

    Raises:
        UsageError: no submission holds any chapter.
    """
    chapters = list(dict.fromkeys(exercise.chapter for exercise in exercises))
    there = {chapter for submission in submissions.values() for chapter in submission.chapters}
    missing = [chapter for chapter in chapters if chapter not in there]
    if missing == chapters:
        names = join_names([f"{each}.py" for each in chapters], 2, last="or")
        wanted = f"no submission ({len(submissions)} in all) holds {names}"
        raise UsageError(f"{wanted}, or a notebook of that name; is it the right download?")
    if not missing:
        return ""
    only = " ".join(f"--only {chapter}" for chapter in chapters if chapter in there)
    count = f"{len(missing)} chapter{'' if len(missing) == 1 else 's'}"
    return f"no student handed in {join_names(missing, 3)} ({count}), so these count as 0; to leave them out: {only}"
