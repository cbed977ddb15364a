"""Google Classroom: the folder of an assignment in Drive, flat files `Ada Lovelace - ch03_attention.ipynb`.

Classroom puts the student's name and " - " before what it copies for each student, but leaves the name of what a
student uploads as it is, so such a file has no owner. Drive adds "(1)" to the second of two equal names in a zip, which
does not tell the newer one: both names stay as they are, and neither is read as the chapter. A folder of a student
counts if a file in it begins with the folder's name. There are no times.

Google describes only that attachments lie in this folder
(https://developers.google.com/workspace/classroom/reference/rest/v1/courses.courseWork, `studentWorkFolder`); the names
are those that tools expect, and no source of Google's own was found.
"""

from __future__ import annotations

import re
from collections import Counter

from autograder.classroom.person import Person
from autograder.core.text import one_line
from autograder.platforms.download_form import DownloadForm, Gathering, Read, attempts
from autograder.platforms.tree import Tree

APART = " - "
ANSWER = re.compile(r".+\.(?:py|ipynb|zip)", re.IGNORECASE | re.DOTALL)
CHAPTER = re.compile(r"c(?:h|hap|hapter)?[ ._-]*\d+", re.IGNORECASE)  # "ch03 - attention.py" is no student's
AGAIN = re.compile(r"(?P<stem>.+?) ?\(\d+\)(?P<suffix>\.\w+)", re.DOTALL)


def claims(tree: Tree) -> set[str]:
    files = {child.name for child in tree.visible() if not child.is_folder and not child.is_strange}
    named = {name for name in files if APART in name and _is_name(_split(name)[0])}
    folders = {name for name in tree.folders() if any(_is_own(each.name, name) for each in tree.below(name).visible())}
    return folders | (named if any(map(ANSWER.fullmatch, named)) else set())


def _is_name(student: str) -> bool:
    """Return whether this may be a person's name: with a letter, as numbers are other platforms', and no chapter."""
    return any(map(str.isalpha, student)) and not CHAPTER.fullmatch(student)


def _split(name: str) -> tuple[str, str]:
    """Return the student's name and the file's."""
    student, _, file = name.partition(APART)
    return student.strip(), file.strip()


def _is_own(file: str, student: str) -> bool:
    return file.startswith(student + APART) and bool(ANSWER.fullmatch(file))


def read(tree: Tree, claimed: set[str]) -> Read:
    found: dict[str, Gathering] = {}
    folders = set(tree.folders())
    for name in sorted(claimed):
        student = name if name in folders else _split(name)[0]
        one = found.setdefault(student, Gathering(student, Person(student)))
        if name in folders:
            inside = (child.name for child in tree.below(name).visible() if not child.is_strange)
            one.parts |= {f"{name}/{each}": each for each in inside}
        else:
            one.parts[name] = name
            one.notes += _unclear(name)
    for student, one in found.items():
        _name(one, student)
    return attempts(tree, found.values()), []


def _unclear(name: str) -> list[str]:
    says = f'the student\'s name was taken to end at the first "{APART}" of {one_line(name, 200)}'
    return [says] if name.count(APART) > 1 else []


def _name(one: Gathering, student: str) -> None:
    """Give a student's files their own names, but for those that Drive numbered and those that they may replace."""
    own = {path: _unnumbered(name.removeprefix(student + APART)) for path, name in one.parts.items()}
    count = Counter(own.values())
    one.parts = {path: own[path] if count[own[path]] == 1 else name for path, name in one.parts.items()}
    doubles = [one_line(name) for name, number in count.items() if number > 1]
    one.notes += [f"Drive holds several files called {name} and does not tell which is the newest" for name in doubles]


def _unnumbered(name: str) -> str:
    again = AGAIN.fullmatch(name)
    return again["stem"] + again["suffix"] if again else name


GOOGLE = DownloadForm("Google Classroom", claims, read)
