"""Results of chapters of which nothing could be graded, and a class in which some have one."""

from __future__ import annotations

from pathlib import Path

from autograder.calls.records import Raised
from autograder.classroom import policy as policies
from autograder.classroom import register
from autograder.classroom.grades import Grade, grades
from autograder.classroom.policy import Adjustment, Policy
from autograder.classroom.register import Register, RegisterRow
from autograder.core.errors import WorkerLost
from autograder.core.records import ExerciseResult, Status, SubmissionResult
from autograder.report.outputs import write_result
from autograder.sandbox import messages
from autograder.sandbox.handles import Ending
from tests.autograder.graded_class import PEOPLE
from tests.autograder.test_analysis import exercise, handed_in

FILE, MEMORY = "ch01_toy.py", 2**30
ABSENT = Raised(
    "ModuleNotFoundError", ("ModuleNotFoundError", "ImportError"), "No module named 'my_utils'", 1, "import"
)
STOPS = f"{FILE} stops when it is loaded: NameError: name 'trainer' is not defined"
NEEDS_NEWER = f"{FILE} needs Python 3.12: line 3 has an f-string that 3.11 cannot read"
NOT_COMPILED = f"{FILE} does not compile: line 3: invalid syntax"
UNDEFINED = "`{}` could not be defined: line 12 of ch01_toy.py stopped: NameError: name 'F' is not defined"
LACKING = "`{}` could not be defined: line 12 of ch01_toy.py stopped: ModuleNotFoundError: No module named 'my_utils'"


def lost(what: str) -> dict[str, WorkerLost]:
    """What grading says where `what`, a file or an exercise, gave nothing to grade, by a reason of the class report."""
    walls = [
        messages.wall_met(what, Raised(kind, (kind, base), text), MEMORY)
        for kind, base, text in (
            ("MemoryError", "Exception", ""),
            ("PermissionError", "OSError", "[Errno 13] Permission denied: '/x'"),
        )
    ]
    assert walls[0]
    assert walls[1]
    return {
        "it needs too much memory": walls[0],
        "it reaches for a file, the network or another process": walls[1],
        "it ends the Python process": messages.ended(what, Ending("exited", 0)),
        "it takes too long to load": messages.ended(what, Ending("signalled", 24)),
        "its answer cannot be read": messages.unreadable(what, "it answers another question"),
    }


def not_loaded() -> dict[str, WorkerLost]:
    """The same where only a file can be meant."""
    return {
        "it stops when it is loaded": messages.not_loaded(FILE, Raised("NameError", (), "x", 1), compiled=True),
        "it needs a module that is not there": messages.not_loaded(FILE, ABSENT, compiled=True),
        "it takes too long to load": messages.slow_import(FILE, 10),
    }


def chapter(*answers: tuple[Status, str], of: str = "ch01_toy") -> list[ExerciseResult]:
    """Exercises double, mean, scale and so on of a chapter, each with what all its checks say."""
    names = ("double", "mean", "scale") if of == "ch01_toy" else ("encode", "decode", "mask")
    return [exercise(name, status, chapter=of, says=says) for name, (status, says) in zip(names, answers, strict=False)]


def graded(*exercises: ExerciseResult, notes: tuple[str, ...] = (), **decided: object) -> Grade:
    """The grade of Ada, who handed this in, with what a person decided about her."""
    found = handed_in("ada", *exercises)
    found = SubmissionResult(**{**vars(found), "notes": notes})
    rules = Policy(students={"ada": Adjustment(**decided)}) if decided else Policy()  # type: ignore[arg-type]
    return grades(Register("", (RegisterRow("ada", "ada"),), policy=rules), {"ada": found})[0]


RIGHT: tuple[Status, str] = ("passed", "")
NOT_DONE: tuple[Status, str] = ("missing", "mean is still to do")
RESULTS = {
    "obrien": chapter(RIGHT, RIGHT),
    "mueller": chapter(("error", STOPS), NOT_DONE),
    "li": chapter(("syntax", NOT_COMPILED), ("syntax", NOT_COMPILED)),
    "fred": chapter(RIGHT, ("syntax", NEEDS_NEWER)),
    "formula": chapter(RIGHT, ("error", LACKING.format("mean"))),
}


def write_class(out: Path, policy: str = "") -> list[Grade]:
    """Fill the folder `out` as `attend grade` would, and return the grades."""
    out.mkdir(exist_ok=True)
    (out / policies.NAME).write_text(policy, encoding="utf-8")
    rows = tuple(RegisterRow(stem, PEOPLE[stem].name, PEOPLE[stem]) for stem in RESULTS)
    rules = policies.read(out)
    known = Register("", rows, policy=rules)
    register.write(out, known)
    found = {row.stem: handed_in(row.student, *RESULTS[row.stem]) for row in rows}
    for stem, result in found.items():
        write_result(out, stem, result)
    return grades(known, found)
