"""A class of the toy course as more platforms would give it, with every version that a student handed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from autograder.classroom.person import Attempt, Download, Person
from autograder.platforms import download as downloads
from tests.autograder import arriving
from tests.autograder.arriving import ADA, ANSWERS, BEN, CHAPTER, COURSE, FILE, ZOE, Files

Versions = Mapping[Person, Sequence[str]]
"""What each student handed in, the oldest version first."""

ONCE: Versions = {person: [text] for person, text in ANSWERS.items()}
FIRST = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
"""When the first version was handed in; each other one came an hour later."""


def when(version: int) -> datetime:
    return FIRST + timedelta(hours=version - 1)


def last_first(person: Person, between: str = ", ") -> str:
    first, last = person.name.split(" ", 1)
    return f"{last}{between}{first}"


def numbered(versions: Versions) -> list[tuple[Person, int, str]]:
    """Each student's versions with their numbers, from 1."""
    return [(person, number, text) for person, all_ in versions.items() for number, text in enumerate(all_, start=1)]


def google(versions: Versions) -> Files:
    """Drive keeps no older version."""
    return {f"{person.name} - {FILE}": texts[-1] for person, texts in versions.items()}


def teams(versions: Versions) -> Files:
    submitted = {
        f"Submitted files/{person.name}/Homework 1/Version {number}/{FILE}": text
        for person, number, text in numbered(versions)
    }
    drafts = {f"Working files/{person.name}/Homework 1/{FILE}": "draft = True\n" for person in versions}
    return submitted | drafts


def schoology(versions: Versions) -> Files:
    return {
        f"{last_first(person)} - s{person.id}/Revision {number} - On time/{FILE}": text
        for person, number, text in numbered(versions)
    }


def submitty_settings(active: int, versions: int = 1, team: str = "") -> str:
    history = ", ".join(
        f'{{"version": {number}, "time": "{submitty_time(number)}", "who": "ada", "type": "upload"}}'
        for number in range(1, versions + 1)
    )
    return f'{{"active_version": {active}, "history": [{history}]{team}}}'


def submitty_time(number: int) -> str:
    return f"{when(number):%Y-%m-%d %H:%M:%S}+0000 Etc/UTC"


def submitty(versions: Versions) -> Files:
    files: dict[str, str | bytes] = {}
    for person, number, text in numbered(versions):
        place = f"submissions/{person.login}"
        files[f"{place}/user_assignment_settings.json"] = submitty_settings(number, number)
        files[f"{place}/{number}/{FILE}"] = text
        files[f"{place}/{number}/.submit.timestamp"] = f"{submitty_time(number)}\n"
    return files


def vpl(versions: Versions) -> Files:
    files: dict[str, str | bytes] = {"Report.txt": "Date: 2026-11-27T10:00:00+00:00\nNumber of users: 3\n"}
    for person, number, text in numbered(versions):
        place = f"{last_first(person, ' ')} 4{person.id} {person.login}/{when(number):%Y-%m-%d-%H-%M-%S}"
        files[f"{place}/{FILE}"] = text
        files[f"{place}.ceg/execution.txt"] = "Grade :=>> 5\n"
    return files


def autolab(versions: Versions) -> Files:
    """Autolab puts the address before the last two parts of `1_ch01_toy.py`."""
    return {f"{number}_{person.email}_{FILE}": text for person, number, text in numbered(versions)}


def autolab_plain(versions: Versions) -> Files:
    return {f"{person.email}_{number}_handin.py": text for person, number, text in numbered(versions)}


def prairielearn(versions: Versions) -> Files:
    """The last number is that of the submission in the whole database."""
    return {
        f"Homework1/{person.email}_1_attention_1_{number}_{95 + 60 * number + place}_{FILE}": text
        for place, (person, texts) in enumerate(versions.items())
        for number, text in enumerate(texts, start=1)
    }


def inbound(versions: Versions) -> Files:
    files: dict[str, str | bytes] = {}
    for person, number, text in numbered(versions):
        stamp = f"{when(number):%Y-%m-%d %H:%M:%S.%f} UTC"
        place = f"{person.login}+ch01+{stamp}+c2FsdF9{number}"
        files |= {f"{place}/{FILE}": text, f"{place}/timestamp.txt": stamp, f"{place}/submission_secret.txt": "x"}
    return files


def codegrade(versions: Versions) -> Files:
    files: dict[str, str | bytes] = {}
    for person, number, text in numbered(versions):
        place = f"{person.name} - {when(number):%Y-%m-%d %H:%M:%S}"
        files |= {f"{place}/{FILE}": text, f"{place}/.cg-submission-id": f"{number}\n", f"{place}/.cg-grade": ""}
    return files


FORMS: Mapping[str, Callable[[Versions], Files]] = {
    "Google Classroom": google,
    "Microsoft Teams": teams,
    "Schoology": schoology,
    "Submitty": submitty,
    "Moodle VPL": vpl,
    "Autolab": autolab,
    "Autolab, without _": autolab_plain,
    "PrairieLearn": prairielearn,
    "nbgrader's exchange": inbound,
    "CodeGrade": codegrade,
}
DATED = ("Submitty", "Moodle VPL", "nbgrader's exchange", "CodeGrade")
"""The forms that tell when something was handed in."""


def without_colons(files: Files) -> Files:
    """As programs for zips write names, which Windows could not unpack otherwise."""
    return {name.replace(":", "_"): text for name, text in files.items()}


def sixty() -> list[Person]:
    """A class of sixty, three names twenty times: with accents, an apostrophe, and a number at the end."""
    return [
        Person(
            f"{one.name} {number}", f"{one.id}{number:02}", f"{one.login}{number:02}", f"{one.login}{number:02}@uni.edu"
        )
        for number in range(20)
        for one in (ADA, BEN, ZOE)
    ]


def marked(person: Person, version: int) -> str:
    """A file that tells whose it is, and which version."""
    return f"def double(x):\n    return 2 * x  # {person.login} {version}\n"


def read(place: Path, files: Files) -> Download:
    """These files in a folder, read as a class."""
    return downloads.read(arriving.folder(place / "class", files), COURSE)


def zipped(place: Path, files: Files) -> Download:
    """These files in a zip, read as a class."""
    return downloads.read(arriving.zipped(place / "class", without_colons(files)), COURSE)


def text(attempt: Attempt) -> str:
    """The text of the chapter in an attempt; "" if it has none."""
    chapters = arriving.submission(attempt).chapters
    return chapters[CHAPTER].text if CHAPTER in chapters else ""


def unsaid(download: Download) -> list[str]:
    """What a download says, but for the sentence on zones."""
    return [sentence for sentence in download.problems if "UTC" not in sentence]
