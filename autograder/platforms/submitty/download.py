"""Submitty: `submissions/ada/2/ch01_markov.py`, a folder for each student or team with one for each version.

`user_assignment_settings.json` beside the versions names the active one, which counts on Submitty even if it is not the
newest; 0 if the student cancelled. It also tells the members of a team, whose folder is called `00001_ada`. The time is
in a version's hidden file `.submit.timestamp`. Downloads of the active versions alone have no folders for versions,
those of a grader's own section no `submissions`; on the server, the gradeable's folder lies in between. Code that is
handed in by Git is in `checkout/ada/2/`, and `results/` holds what Submitty made of it.

Sources, in https://github.com/Submitty/Submitty: `site/app/controllers/MiscController.php` (`downloadAssignedZips`),
`site/app/controllers/student/SubmissionController.php` and `TeamController.php`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime

import msgspec

from autograder.classroom import times
from autograder.classroom.person import Person
from autograder.core.reading import decoded
from autograder.core.text import join_names, one_line
from autograder.intake.archive import UnreadableError
from autograder.platforms.download_form import DownloadForm, Gathering, Read
from autograder.platforms.task_versions import TaskVersion, as_attempts, beside, in_order_told, several
from autograder.platforms.tree import Tree

SUBMISSIONS, CHECKOUT = "submissions", "checkout"
OWN = {CHECKOUT, "results", "results_public", "submissions_processed"}  # folders of Submitty beside the submissions
SETTINGS, TIMESTAMP = "user_assignment_settings.json", ".submit.timestamp"
DEEPEST = 2  # folders above a student's: `submissions`, and the gradeable's


class _Dated(msgspec.Struct):
    version: int = 0
    time: str = ""


class _TeamChange(msgspec.Struct):
    action: str = ""
    user: str = ""
    first_user: str = ""
    added_user: str = ""
    removed_user: str = ""


class _Settings(msgspec.Struct):
    """What Submitty keeps about a student or team; the active version is None if that is not known."""

    active_version: int | None = None
    history: list[_Dated] = []
    team_history: list[_TeamChange] = []

    @property
    def members(self) -> list[str]:
        """The logins of a team; none for a single student."""
        members: dict[str, None] = {}
        for change in self.team_history:
            if change.action in ("create", "admin_create", "accept_invitation", "admin_add_user"):
                members |= dict.fromkeys(filter(None, (change.added_user or change.first_user or change.user,)))
            elif change.action in ("leave", "admin_remove_user"):
                members.pop(change.removed_user or change.user, None)
        return list(members)


def claims(tree: Tree) -> set[str]:
    tops = {path.partition("/")[0] for path in _submitters(tree)}
    return tops | (OWN & set(tree.folders())) if SUBMISSIONS in tops else tops


def _submitters(tree: Tree, depth: int = 0) -> Iterator[str]:
    """Yield the paths of the folders of students and teams."""
    for name in tree.folders():
        below = tree.below(name)
        if _is_submitter(below):
            yield name
        elif depth < DEEPEST and (name == SUBMISSIONS or all(child.is_folder for child in below.visible())):
            yield from (f"{name}/{path}" for path in _submitters(below, depth + 1))


def _is_submitter(tree: Tree) -> bool:
    names = {child.name for child in tree.children if not child.is_folder}
    return bool(names & {SETTINGS, TIMESTAMP}) or any(_has(tree.below(name), TIMESTAMP) for name in _numbers(tree))


def _has(tree: Tree, name: str) -> bool:
    return any(child.name == name for child in tree.children)


def _numbers(tree: Tree) -> list[str]:
    return [name for name in tree.folders() if name.isdecimal()]


def read(tree: Tree, claimed: set[str]) -> Read:
    paths = [path for path in _submitters(tree) if path.partition("/")[0] in claimed - OWN]
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    found = [one for name, own in by_name.items() for one in _submitter(tree, name, own)]
    tasks = [_gradeable(path) for path in paths]
    return in_order_told(tree, found), [*several(tasks, "gradeables"), *_strange(tree, paths)]


def _gradeable(path: str) -> str:
    """Return the name of the gradeable if its folder is in the download, else ""."""
    return "/".join(name for name in path.split("/")[:-1] if name != SUBMISSIONS)


def _strange(tree: Tree, paths: Sequence[str]) -> Iterator[str]:
    """Yield a sentence on what lies beside the folders of students and teams; the top of the download is not ours."""
    for above in sorted({path.rpartition("/")[0] for path in paths} - {""}):
        names = [path.rpartition("/")[2] for path in paths]
        yield from beside(tree.at(above), names, "a student's or team's folder")


def _submitter(tree: Tree, name: str, paths: Sequence[str]) -> list[Gathering]:
    """Return the attempts of a student, or of each member of a team."""
    versions, notes, members = list[TaskVersion](), list[str](), dict[str, None]()
    for path in paths:
        settings, remarks = _settings(tree.at(path))
        more, says = _versions(tree, path, settings)
        versions += more
        notes += [*remarks, *says]
        members |= dict.fromkeys(settings.members)
    if len(members) > 1:
        notes.append(f"handed in by {join_names(members)} together")
    shared = name if len(members) > 1 else ""
    owners = list(members) or [name]
    return [one for login in owners for one in as_attempts(login, versions, Person(login=login), notes, shared)]


def _settings(tree: Tree) -> tuple[_Settings, list[str]]:
    if not _has(tree, SETTINGS):
        return _Settings(), []
    try:
        return decoded(tree.load(SETTINGS), _Settings), []
    except (UnreadableError, ValueError) as error:
        return _Settings(), [f"{SETTINGS} cannot be read: {one_line(str(error))}"]


def _versions(tree: Tree, path: str, settings: _Settings) -> tuple[list[TaskVersion], list[str]]:
    """Return the versions at a path, the active one last, and notes on which one counts and on what is left out."""
    own = tree.at(path)
    if _has(own, TIMESTAMP):  # of a download of the active versions alone
        return [TaskVersion(_gradeable(path), (), {path: ""}, _time(own, "", settings))], []
    numbers = sorted(map(int, _numbers(own)))
    if not numbers:
        return [], beside(own, [SETTINGS], "a version's folder")
    active, says = _active(numbers, settings)
    versions = [
        TaskVersion(
            _gradeable(path),
            (number == active, number),
            _places(tree, f"{path}/{number}"),
            _time(own.below(str(number)), str(number), settings),
        )
        for number in numbers
    ]
    return versions if active else [], [*says, *beside(own, [SETTINGS, *_numbers(own)], "a version's folder")]


def _active(numbers: Sequence[int], settings: _Settings) -> tuple[int, list[str]]:
    """Return the version that counts, 0 for none, and a note if that is not simply the newest."""
    active, newest = settings.active_version, numbers[-1]
    if active is None:
        only = f"no {SETTINGS} says which version is active, so the newest one, {newest}, counts"
        return newest, [only] if len(numbers) > 1 else []
    if active <= 0:
        return 0, [
            f"cancelled on Submitty, where no version is active, so none of {join_names(map(str, numbers))} counts"
        ]
    if active not in numbers:
        return 0, [f"version {active} is active on Submitty and is not in the download, so nothing was read"]
    says = f"version {active} is active on Submitty and counts, though version {newest} is newer"
    return active, [says] if active < newest else []


def _places(tree: Tree, path: str) -> dict[str, str]:
    """Return where the files of a version lie: also in `checkout`, for what was handed in by Git."""
    by_git = "/".join(CHECKOUT if name == SUBMISSIONS else name for name in path.split("/"))
    above, _, number = by_git.rpartition("/")
    return {each: "" for each in (path, by_git) if each == path or _has(tree.at(above), number)}


def _time(tree: Tree, number: str, settings: _Settings) -> datetime | None:
    """Return when a version was handed in, from its hidden file or the settings."""
    told = [one.time for one in settings.history if str(one.version) == number]
    if _has(tree, TIMESTAMP):
        with suppress(UnreadableError):
            told.insert(0, tree.load(TIMESTAMP).decode("utf-8", "replace"))
    return next(filter(None, map(times.read, told)), None)


SUBMITTY = DownloadForm("Submitty", claims, read)
