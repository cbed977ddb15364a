"""A class without folders: files such as `ada_ch01_markov.py` or `Ada Lovelace - ch01_markov.py` side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from autograder.classroom.person import Attempt
from autograder.course.course import Course
from autograder.intake.contents import whole
from autograder.platforms.download_form import NO_STUDENT, is_code_file, possible_submissions
from autograder.platforms.tree import Tree

# What a computer, a platform or a student puts behind the name of a second file.
AGAIN = r"(?:\s*\(\d+\)|[_\-\s]+(?:v?\d+|copy|final|new|old|fixed))*"
# What stands before a chapter's name, and is nobody's.
NOBODY_S = re.compile(r"(?:copy of|my|tests?|old|new|final|backup|draft|the|\d{1,2})", re.IGNORECASE)


class FlatFile(NamedTuple):
    """A file: what stands before the chapter's name, and what the file would be called without that."""

    name: str
    student: str
    original: str


def read(tree: Tree, course: Course) -> list[Attempt]:
    """Return one attempt per student; none unless every code file is named after one of several students.

    Where nothing tells which of a student's files of a chapter counts, these keep their names.
    """
    code = [child for child in tree.visible() if is_code_file(child.name)]
    if possible_submissions(tree) or any(child.is_strange for child in code):
        return []
    files = [part for child in code if (part := _flat_file(child.name, course))]
    students = sorted({each.student for each in files})
    if len(files) < len(code) or len({each.casefold() for each in students}) < 2:
        return []
    return [_attempt(tree, student, [each for each in files if each.student == student]) for student in students]


def _flat_file(name: str, course: Course) -> FlatFile | None:
    chapters = "|".join(map(re.escape, whole(course).chapters))
    numbers = "|".join(sorted({chapter[:4] for chapter in whole(course).chapters}))
    form = rf"(?P<student>.+?)(?:\s+-\s+|[_\-\s]+)(?P<chapter>{chapters}|{numbers}){AGAIN}(?P<suffix>\.py|\.ipynb)"
    parts = re.fullmatch(form, name, re.IGNORECASE)
    if not parts or NO_STUDENT.fullmatch(parts["student"]) or NOBODY_S.fullmatch(parts["student"]):
        return None
    return FlatFile(name, parts["student"], f"{parts['chapter']}{parts['suffix']}".lower())


def _attempt(tree: Tree, student: str, files: Sequence[FlatFile]) -> Attempt:
    count = Counter(each.original for each in files)
    twice = {each.original.partition(".")[0] for each in files if count[each.original] > 1}
    parts = {each.name: each.name if each.original.partition(".")[0] in twice else each.original for each in files}
    return Attempt(student, partial(tree.gathered, parts))
