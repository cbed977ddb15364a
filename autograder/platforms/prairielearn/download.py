"""PrairieLearn: flat files `ada@uni.edu_1_attention_1_2_345_ch03_attention.py` in a folder of the assessment's name.

The name holds the student's address, or the name of the group in letters and digits, and the numbers of the assessment
instance, then the question, the numbers of the variant, of the submission to it and of the submission in the whole
database, and the file's own name. The last number rises with time, so it orders submissions, and belongs to one student
or group. Files for manual grading hold address, university number, question and that number,
`ada@uni.edu_11_attention_345_ch03_attention.py`; those of groups look like any other file, and are not recognised. A
question may hold "/", and then parts of a name are folders. There are no times.

Sources, in https://github.com/PrairieLearn/PrairieLearn: `apps/prairielearn/src/pages/instructorAssessmentDownloads/
instructorAssessmentDownloads.tsx` (`extractFilesForSubmissions`) and `apps/prairielearn/src/lib/groups.ts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.classroom.person import Person
from autograder.platforms.download_form import DownloadForm, Read
from autograder.platforms.task_versions import TaskVersion, as_attempts, in_order_told, several
from autograder.platforms.tree import Tree

EMAIL = r"[^/@]+@[^/@_]+"  # no host has "_" in its name
FILE = re.compile(
    rf"(?P<who>{EMAIL}|[0-9A-Za-z]+)_\d+_(?P<question>.+?)_\d+_\d+_(?P<submission>\d+)_(?P<file>.+)", re.DOTALL
)
BY_HAND = re.compile(rf"(?P<who>{EMAIL})_(?P<id>[^_/]*)_(?P<question>.+?)_(?P<submission>\d+)_(?P<file>.+)", re.DOTALL)
BEGINNING = re.compile(rf"(?:{EMAIL}|[0-9A-Za-z]+)_[^_/]*_.+", re.DOTALL)  # of the folder of a question with "/"
DEEPEST = 8  # folders that a question's and a file's name make


def claims(tree: Tree) -> set[str]:
    found = _parsed(tree)
    owners = {(name["submission"], name["who"]) for name in found.values()}
    is_told = len(owners) == len({submission for submission, _ in owners})
    return {path.partition("/")[0] for path in found} if is_told else set()


def _parsed(tree: Tree) -> dict[str, re.Match[str]]:
    """Return the paths of all files that are named as PrairieLearn names them, and their parts."""
    found = {path: FILE.fullmatch(path) or BY_HAND.fullmatch(path) for path in _files(tree)}
    return {path: name for path, name in found.items() if name}


def _files(tree: Tree, depth: int = 0) -> Iterator[str]:
    for child in tree.visible():
        if child.is_strange:
            continue
        if not child.is_folder:
            yield child.name
        elif depth < DEEPEST and (depth or BEGINNING.fullmatch(child.name)):
            yield from (f"{child.name}/{path}" for path in _files(tree.below(child.name), depth + 1))


def read(tree: Tree, claimed: set[str]) -> Read:
    parsed = {path: name for path, name in _parsed(tree).items() if path.partition("/")[0] in claimed}
    files: dict[tuple[str, str, int], dict[str, str]] = {}
    people: dict[str, Person] = {}
    for path, name in parsed.items():
        files.setdefault((name["who"], name["question"], int(name["submission"])), {})[path] = name["file"]
        people[name["who"]] = _person(name)
    versions: dict[str, list[TaskVersion]] = {}
    for (who, question, submission), parts in files.items():
        versions.setdefault(who, []).append(TaskVersion(question, (submission,), parts))
    found = [one for who, own in versions.items() for one in as_attempts(who, own, people[who])]
    return in_order_told(tree, found), several([question for _, question, _ in files], "questions")


def _person(name: re.Match[str]) -> Person:
    number = name.groupdict().get("id") or ""
    return Person("", number, email=name["who"]) if "@" in name["who"] else Person(name["who"])


PRAIRIELEARN = DownloadForm("PrairieLearn", claims, read)
