"""GitHub Classroom: a folder of clones `homework-1-octocat`, where the assignment's name is the same for all.

A clone is recognised by its `.git`, which is not read, else by its name. The time of the last push is in the grades of
GitHub Classroom, which can be given as the roster.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import takewhile

from autograder.classroom.person import NOBODY, Attempt, Person
from autograder.platforms.download_form import DownloadForm, Read, in_order
from autograder.platforms.tree import Tree

GIT = ".git"
FOLDER = "-submissions"  # `gh classroom clone` adds this to the assignment's name


def claims(tree: Tree) -> set[str]:
    folders = tree.folders()
    clones = {name for name in folders if GIT in {child.name for child in tree.below(name).children}}
    start = _assignment(tree, clones)
    return clones | {name for name in folders if start and name.startswith(start)}  # nothing may have been pushed


def read(tree: Tree, claimed: set[str]) -> Read:
    start = _assignment(tree, claimed)
    notes = () if start else ("it is not clear where the name of the assignment ends and that of the student begins",)
    found = []
    for name in sorted(claimed):
        login = name.removeprefix(start) or name
        person = Person(login=login) if start else NOBODY
        found.append(Attempt(login, partial(tree.opened, name), person, notes=notes))
    return in_order(found), []


def _assignment(tree: Tree, names: set[str]) -> str:
    """Return what all clones begin with, up to the user's name; "" if that is not clear."""
    folder = os.path.basename(tree.shown).removesuffix(".zip")
    prefix = folder.removesuffix(FOLDER) + "-"
    if folder.endswith(FOLDER) and all(name.startswith(prefix) for name in names):
        return prefix
    words = [name.split("-") for name in names]
    same = takewhile(lambda column: len(set(column)) == 1, zip(*(each[:-1] for each in words), strict=False))
    return "".join(f"{column[0]}-" for column in same) if len(names) > 1 else ""


GITHUB = DownloadForm("GitHub Classroom", claims, read)
