"""A class that came from a platform, graded without grading, and whose each page in a zip is."""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from autograder.classroom import policy, register
from autograder.classroom.enrol import enrol
from autograder.classroom.grades import grade
from autograder.classroom.person import Person
from autograder.classroom.policy import Policy
from autograder.classroom.register import Register, RegisterRow
from autograder.classroom.roster import Roster
from autograder.core.records import ExerciseResult
from autograder.platforms.download import read
from autograder.report.outputs import feedback_path, write_result
from autograder.report.pages import feedback_page
from tests.autograder import arriving
from tests.autograder.arriving import COURSE, Files
from tests.autograder.held_class import RIGHT, STOPS, chapter
from tests.autograder.paging import TITLE
from tests.autograder.test_analysis import handed_in

LOST = chapter(("error", STOPS), ("error", STOPS))
FAULT = chapter(("grader_error", "a judge ended"), RIGHT)
Answers = Mapping[str, list[ExerciseResult]]
ALL_RIGHT: Answers = MappingProxyType({})
Owner = Callable[[str], str]


def graded(
    out: Path,
    files: Files,
    roster: Roster | None = None,
    answers: Answers = ALL_RIGHT,
    rules: str = "",
    *,
    groups: bool = False,
) -> Path:
    """The folder `out` as `attend grade` would leave it; `answers` by the student's name, all others are right."""
    class_, _ = enrol(read(arriving.zipped(out / "class", files), COURSE), roster, in_groups=groups)
    return fill(out / "grades", class_, answers, rules)


def fill(out: Path, class_: Register, answers: Answers = ALL_RIGHT, rules: str = "") -> Path:
    out.mkdir(parents=True)
    (out / policy.NAME).write_text(rules, encoding="utf-8")
    resolved = policy.read(out).resolved(class_.everybody)
    register.write(out, replace(class_, policy=resolved, unmatched=(), problems=()))
    for row in class_.rows:
        write_page(out, row, answers.get(row.student, chapter(RIGHT, RIGHT)), resolved)
    return out


def write_page(out: Path, row: RegisterRow, exercises: list[ExerciseResult], rules: Policy) -> None:
    result = handed_in(row.student, *exercises)
    write_result(out, row.stem, result)
    page = feedback_page(grade(row, result, rules), {}, TITLE)
    feedback_path(out, row.stem).parent.mkdir(exist_ok=True)
    feedback_path(out, row.stem).write_text(page, encoding="utf-8")


def many(number: int = 60) -> list[Person]:
    """A large class, some of whom are called alike."""
    return [Person(f"Student {n % 50}", str(1000 + n), f"s{n}", f"s{n}@uni.edu") for n in range(number)]


def inside(path: Path) -> dict[str, str]:
    """The pages in a zip, by their places."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def named(page: str) -> str:
    """Whom a page is for."""
    found = re.search(r"<h1>Feedback for <bdi>(.*?)</bdi>", page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def in_moodle(place: str) -> str:
    """The participant's number by which Moodle finds the user: of the first part of the path that has one."""
    parts = (part.split("_", 4) for part in place.split("/"))
    return next(part[1] for part in parts if len(part) >= 4 and part[1].isdigit())


def in_canvas(place: str) -> str:
    """The number of the user, by which Canvas finds it: the first of two numbers between "_"."""
    user, _ = [part for part in place.split("_") if re.fullmatch(r"\d+", part)][:2]
    return user


def in_ilias(place: str) -> str:
    """The number of the user at the end of the folder's name."""
    top, folder, _ = place.split("/")
    assert top.startswith("multi_feedback")
    return folder.split("_")[-1]


def in_sakai(place: str) -> str:
    """The login, in brackets in what follows the first "/"."""
    assert "/Feedback Attachment(s)/" in place
    folder = place[place.index("/") + 1 :].split("/")[0]
    return folder[folder.index("(") + 1 : folder.index(")")]
