"""A class of the toy course as each platform would give it: what lies where, to be put into a folder or a zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from autograder.classroom.person import Attempt, Download, Person
from autograder.core.submission import Submission
from autograder.course.course import Course
from autograder.intake.submissions import HandIn, read_submission

COURSE = Course(Path(__file__).parent / "toy")
CHAPTER = "ch01_toy"
FILE = f"{CHAPTER}.py"
MEAN = "def mean_and_sum(x):\n    return x.mean(-1), x.sum(-1)\n"
RIGHT = f"def double(x):\n    return 2 * x\n\n\n{MEAN}"
SQUARED = f"def double(x):\n    return x ** 2\n\n\n{MEAN}"
HALF = "def double(x):\n    return x + x\n"

ADA = Person("Ada Lovelace", "11", "ada", "ada@uni.edu")
BEN = Person("Ben O'Brien", "12", "ben", "ben@uni.edu")
ZOE = Person("Zoë Müller", "13", "zoe", "zoe@uni.edu")
ANSWERS = {ADA: RIGHT, BEN: SQUARED, ZOE: HALF}

Files = Mapping[str, str | bytes]


def plain() -> Files:
    return {f"{person.login}/{FILE}": text for person, text in ANSWERS.items()}


def canvas_name(person: Person, file: str, late: str = "", number: int = 900) -> str:
    """How Canvas names a file: from "O'Brien, Ben" comes "obrienben"."""
    first, last = person.name.split(" ")
    squashed = "".join(filter(str.isalnum, last + first)).lower()
    return f"{squashed}{late}_{person.id}_{number}_{file}"


def canvas() -> Files:
    return {canvas_name(person, FILE): text for person, text in ANSWERS.items()}


def moodle() -> Files:
    return {f"{person.name}_{person.id}_assignsubmission_file_/{FILE}": text for person, text in ANSWERS.items()}


def moodle_flat() -> Files:
    return {f"{person.name}_{person.id}_assignsubmission_file_{FILE}": text for person, text in ANSWERS.items()}


def metadata(submissions: Mapping[str, tuple[Person, ...]]) -> str:
    """Gradescope's list of a class."""
    lines = ["---"]
    for name, people in submissions.items():
        lines += [f"{name}:", "  :submitters:"]
        for person in people:
            lines += [f"  - :name: {person.name}", f"    :sid: '{person.id}'", f"    :email: {person.email}"]
        lines += ["  :created_at: 2026-11-20 22:59:00.000000000 Z", "  :score: 1.0", "  :history: []"]
    return "\n".join(lines) + "\n"


def gradescope() -> Files:
    names = {f"submission_{number}": person for number, person in enumerate(ANSWERS, start=501)}
    listed = metadata({name: (person,) for name, person in names.items()})
    answers = {f"{name}/{FILE}": ANSWERS[person] for name, person in names.items()}
    return {
        f"assignment_7_export/{name}": text for name, text in {"submission_metadata.yml": listed, **answers}.items()
    }


def blackboard_attempt(person: Person, text: str, stamp: str = "2026-11-20-23-59-00", title: str = "Week_1") -> Files:
    attempt = f"{title}_{person.login}_attempt_{stamp}"
    receipt = (
        f"Name: {person.name} ({person.login})\nAssignment: {title}\n"
        "Date Submitted: Friday, 20 November 2026 23:59:00 o'clock GMT\nCurrent Mark: Needs Marking\n\n"
        "Submission Field:\nThere is no student submission text data for this assignment.\n\n"
        "Comments:\nThere are no student comments for this assignment.\n\n"
        f"Files:\n\tOriginal filename: {FILE}\n\tFilename: {attempt}_{FILE}\n\n"
    )
    return {f"{attempt}.txt": receipt, f"{attempt}_{FILE}": text}


def blackboard() -> Files:
    return {name: data for person, text in ANSWERS.items() for name, data in blackboard_attempt(person, text).items()}


def nbgrader() -> Files:
    files: dict[str, str | bytes] = {"nbgrader_config.py": "", "source/ch01/x.ipynb": ""}
    for person, text in ANSWERS.items():
        files[f"submitted/{person.login}/ch01/{FILE}"] = text
        files[f"submitted/{person.login}/ch01/timestamp.txt"] = "2026-11-20 22:59:00.000000 UTC"
    return files


def github() -> Files:
    files: dict[str, str | bytes] = {}
    for person, text in ANSWERS.items():
        files[f"home-work-1-{person.login}/exercises/{FILE}"] = text
        files[f"home-work-1-{person.login}/.git/HEAD"] = "ref: refs/heads/main\n"
    return files


def turned(person: Person, between: str) -> str:
    """A name with the last word first, in letters that every platform can write."""
    first, last = person.name.replace("ë", "e").replace("ü", "u").split(" ")
    return f"{last}{between}{first}"


def brightspace_upload(person: Person, when: str = "Nov 20, 2026 926 PM") -> str:
    """How Brightspace calls an upload; its number of the user is in no roster."""
    return f"{397000 + int(person.id)}-2557369 - {person.name} - {when}"


def brightspace(answers: Mapping[Person, str] = ANSWERS) -> Files:
    return {"index.html": ""} | {f"{brightspace_upload(who)}/{FILE}": text for who, text in answers.items()}


def sakai_student(person: Person) -> str:
    return f"{turned(person, ', ')}({person.login})"


def sakai(answers: Mapping[Person, str] = ANSWERS) -> Files:
    files: dict[str, str | bytes] = {"Chapter 1/grades.csv": ""}
    for person, text in answers.items():
        folder = f"Chapter 1/{sakai_student(person)}"
        files[f"{folder}/Submission attachment(s)/{FILE}"] = text
        files[f"{folder}/timestamp.txt"] = "2026-11-20T22:59:00Z"
        files[f"{folder}/comments.txt"] = ""
    return files


def ilias_student(person: Person) -> str:
    return f"{turned(person, '_')}_{person.login}_{person.id}"


def ilias(answers: Mapping[Person, str] = ANSWERS) -> Files:
    return {f"Blatt 01/Abgaben/{ilias_student(who)}/{FILE}": text for who, text in answers.items()}


def olat(answers: Mapping[Person, str] = ANSWERS) -> Files:
    files: dict[str, str | bytes] = {f"ita_Week_1/solutions/{FILE}": RIGHT}
    for person, text in answers.items():
        folder = f"ita_Week_1/{turned(person, '_')}_{person.login}"
        files[f"{folder}/1_task/{FILE}"] = "def double(x):\n    raise NotImplementedError\n"
        files[f"{folder}/2_submissions/{FILE}"] = text
    return files


FORMS: Mapping[str, Callable[[], Files]] = {
    "folder": plain,
    "Canvas": canvas,
    "Moodle": moodle,
    "Moodle, flat": moodle_flat,
    "Gradescope": gradescope,
    "Blackboard": blackboard,
    "nbgrader": nbgrader,
    "GitHub Classroom": github,
    "Brightspace": brightspace,
    "Sakai": sakai,
    "ILIAS": ilias,
    "OpenOlat": olat,
}


def data(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def folder(place: Path, files: Files) -> Path:
    """These files in a folder; a name that ends in "/" is an empty one."""
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = place / name
        if name.endswith("/"):
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data(content))
    return place


def packed(files: Files) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, data(content))
    return stream.getvalue()


def zipped(place: Path, files: Files) -> Path:
    """These files in a zip."""
    place.parent.mkdir(parents=True, exist_ok=True)
    path = place.with_name(f"{place.name}.zip")
    path.write_bytes(packed(files))
    return path


def submission(attempt: Attempt) -> Submission:
    """What the grader reads of an attempt."""
    entry = HandIn(attempt.key, attempt.key, Path(attempt.key), attempt.notes, attempt.opened)
    return read_submission(entry, COURSE)


def texts(download: Download) -> dict[str, str]:
    """By what the download calls the student, the text of the chapter."""
    read = {attempt.key: submission(attempt).chapters for attempt in download.attempts}
    return {key: chapters[CHAPTER].text if CHAPTER in chapters else "" for key, chapters in read.items()}


def paths(attempt: Attempt) -> list[str]:
    """What lies in an attempt."""
    with attempt.opened() as listing:
        return [str(found.path) for found in listing.files]


def roster(place: Path, text: str | bytes) -> Path:
    """A file with this table."""
    path = place / "roster.csv"
    path.write_bytes(data(text))
    return path
