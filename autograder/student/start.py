"""A student's working copy: made once, updated later, without overwriting the student's files."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from autograder import __version__
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents
from autograder.core.text import counted, join_names
from autograder.course import check_list, debriefs, effort
from autograder.course.course import MARKER, PRISTINE, SOURCE, TABLES, Course
from autograder.course.folders import refuse_bad_place
from autograder.intake.artefacts import asked_for
from autograder.student.pictures import lesson_picture

SHOWN_BEFORE = ("hints.json", debriefs.NAME, effort.NAME)
"""The tables, which older copies have among the answers."""
GUIDES = {
    "docs/students.md": "working in a terminal, training models of your own pieces, what to do when you are stuck",
    "docs/jupyter.md": "working in notebooks, and what to install for that",
    "docs/conventions.md": "the letters, shapes and masks of the lessons",
}
"""The pages of the course that a copy holds, and what they are about."""
PICTURES = ("docs/notebook.png",)
_CONFTEST = '''\
"""Lets plain pytest run the checks: pytest tests/exercises."""
pytest_plugins = ["autograder.suite.plugin"]
'''
# Makes the copy pytest's root, so that its conftest.py applies in every folder.
_PYTEST = """\
[pytest]
testpaths = tests/exercises
"""
_GITIGNORE = """\
__pycache__/
.pytest_cache/
.ipynb_checkpoints/
.attend/
"""
_COMMANDS = """\
attend                      # what is done, and what is next
attend check                # all chapters: what is new or wrong, and why; the rest is counted
attend check {code}           # one chapter, or an exercise by its name or a part of it
attend watch                # the same for each answer, as soon as you save it
attend hint NAME            # one hint at a time: a nudge, the idea, nearly the code
attend explain NAME         # the mistake that was named, in full; after a pass what the piece is for
attend show NAME            # what your answer gives beside what is expected
attend ask NAME             # questions about your own answer that has passed; nothing is graded by it
attend solution NAME        # the course's own answer, once yours has passed
attend reset NAME           # the exercise as it was handed out; your answer is kept
attend lab                  # the notebooks, in JupyterLab; `attend sync` when you change between the two forms"""
_TRAIN = """
attend train                # models of your own pieces, where a chapter asks for them
attend sample NAME PROMPT   # what a model that you have trained answers"""


IS_WINDOWS = os.name == "nt"


def quoted(path: str) -> str:
    """Return a path as one types it in a terminal; on Windows that is in double quotes, which no path has there."""
    return f'"{path}"' if IS_WINDOWS else shlex.quote(path)


@dataclass(frozen=True)
class StartedCopy:
    """The files of the working copy at `root` that were added, refreshed or kept; paths are relative."""

    root: Path
    added: tuple[Path, ...]
    refreshed: tuple[Path, ...]
    kept: tuple[Path, ...]

    def text(self) -> str:
        if not self.refreshed and not self.kept:
            made = f"{self.root} is your working copy: {len(self.added)} files"
            return f"{made}\nnext: cd {quoted(str(self.root))}, then `attend`"
        done = f"{_files(self.added)} added, {_files(self.refreshed)} refreshed"
        return f"{self.root} is up to date: {done}, {_files(self.kept)} of yours left as they were"


@dataclass(frozen=True)
class File:
    """One file of a copy; the student's `own` are written only where they are missing."""

    path: Path
    data: bytes
    own: bool


def start(course: Course, directory: Path) -> StartedCopy:
    """Make a working copy of the exercises in `directory`, or bring the one there up to date.

    Missing files are added; suites, hints, debriefs and `attend.toml` are refreshed; existing exercise files stay.
    An interrupted run leaves no half-written file, and a second run completes it.

    Raises:
        UsageError: the course has no built exercises, or the folder belongs to a course or another copy,
            holds other files, has no parent or cannot be written to, or is a copy with a chapter that is gone.
    """
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy itself; copies are made from the course")
    root = directory.expanduser().resolve()
    wanted = list(copy_files(course, made_from=place_of(course)))
    try:
        _refuse(root, course)
        existed = {file.path for file in wanted if (root / file.path).exists()}
        root.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"{root} cannot be used ({error.strerror}); choose a folder you may write to") from error
    for name in SHOWN_BEFORE:
        files.inside(root, Path("exercises", name)).unlink(missing_ok=True)
    written = {file.path for file in wanted if _put(root, file, file.path in existed)}
    return StartedCopy(
        root,
        added=tuple(file.path for file in wanted if file.path not in existed),
        refreshed=tuple(file.path for file in wanted if file.path in existed & written),
        kept=tuple(file.path for file in wanted if file.own and file.path in existed),
    )


def _put(root: Path, file: File, exists: bool) -> bool:
    return not (file.own and exists) and files.write(files.inside(root, file.path), file.data)


def copy_files(course: Course, *, made_from: Path | None = None) -> Iterator[File]:
    """Yield the files of a working copy.

    The marker comes first, so that the leavings of an interrupted run count as a working copy.

    Args:
        made_from: the folder of the course, for the copy to find it there; None if the copy will have the installed one
            or holds what it needs.

    Raises:
        UsageError: the course has no built exercises.
    """
    yield File(Path(MARKER), _settings(course, made_from).encode(), own=False)
    yield File(Path("conftest.py"), _CONFTEST.encode(), own=False)
    yield File(Path("pytest.ini"), _PYTEST.encode(), own=False)
    yield File(Path(".gitignore"), _GITIGNORE.encode(), own=True)
    yield File(Path("README.md"), _readme(course).encode(), own=True)
    for chapter in course.chapters:
        for source in (course.stub(chapter), course.stub(chapter).with_suffix(".ipynb")):
            yield _copied(course, source, own=True)
            yield _copied(course, source, own=False, path=PRISTINE / source.name)
        yield _copied(course, course.suite(chapter), own=False)
    for name in (*SHOWN_BEFORE, check_list.NAME):
        yield _copied(course, course.table(name), own=False, path=TABLES / name)
    if course.table(lesson_picture.NAME).is_file():
        yield _copied(course, course.table(lesson_picture.NAME), own=False, path=TABLES / lesson_picture.NAME)
    for page in (*GUIDES, *PICTURES):
        if (course.root / page).is_file():
            yield _copied(course, course.root / page, own=False)


def place_of(course: Course) -> Path | None:
    """Return the folder of a course that is not the installed one."""
    with suppress(UsageError):
        return None if Course.installed().root == course.root else course.root
    return course.root


def _copied(course: Course, source: Path, *, own: bool, path: Path | None = None) -> File:
    path = path or source.relative_to(course.root)
    try:
        return File(path, contents(source), own)
    except FileNotFoundError as error:
        raise UsageError(f"the course has no {path.as_posix()}; run `attend build` in {course.root}") from error
    except OSError as error:
        raise UsageError(f"{source} cannot be read ({error}); restore it from the course") from error


def _settings(course: Course, made_from: Path | None) -> str:
    title = json.dumps(str(course.settings.get("title", "Attend")), ensure_ascii=False)  # as TOML has it, too
    source = f"{SOURCE} = {json.dumps(str(made_from), ensure_ascii=False)}\n" if made_from else ""
    return (
        "# Marks this folder as your working copy. `attend start` keeps this file up to date.\n"
        f'title = {title}\nkind = "copy"\nversion = "{__version__}"\n{source}'
    )


def _readme(course: Course) -> str:
    return f"""# {course.settings.get("title", "Attend")}

Your working copy: everything in `exercises/` is yours to change, as `.py` or as notebook, whichever you prefer.
Begin with `exercises/{_first(course)}.py` and replace each `raise NotImplementedError` by your answer.

```
{commands(course)}
```

The checks are plain pytest, so this works as well, with `-x`, `-k NAME`, `--pdb` and all the rest:

```
pytest tests/exercises
```

`attend update` brings in a newer course later, once that is installed; your answers stay, and `--undo` takes it back.
{guides(course)}"""


def guides(course: Course) -> str:
    """Return the list of the pages that a copy holds, for its README; "" if there are none."""
    held = [f"- [{page}]({page}): {about}\n" for page, about in GUIDES.items() if (course.root / page).is_file()]
    return "".join(["\nTo read:\n", *held]) if held else ""


def commands(course: Course) -> str:
    """Return the list of a student's commands, for a README."""
    trains = any(asked_for(course.suite(chapter)) for chapter in course.chapters)
    return _COMMANDS.format(code=_first(course)[:4]) + (_TRAIN if trains else "")


def _first(course: Course) -> str:
    return course.chapters[0] if course.chapters else "ch01"


def _refuse(root: Path, course: Course) -> None:
    refuse_bad_place(root, "your working copy", "~/attend")
    if (root / MARKER).is_file():
        if not (copy := Course(root)).is_copy:
            raise UsageError(f"{root} is the course itself; choose another folder, such as ~/attend")
        if gone := [stem for stem in copy.chapters if stem not in course.chapters]:
            has = f"{root} has {join_names(gone)}, which the course has no more"
            raise UsageError(f"{has}; run `attend update` in that folder, which keeps your answers")
    elif root.is_dir() and (other := _visible(root)):
        raise UsageError(f"{root} holds other files ({other}); choose a new or an empty folder for your working copy")


def _visible(root: Path) -> str:
    """Return a name in the folder; hidden ones (.git, .venv, a half-written .part) hold no answers."""
    return min((entry.name for entry in root.iterdir() if not entry.name.startswith(".")), default="")


def _files(paths: tuple[Path, ...]) -> str:
    return counted(len(paths), "file")
