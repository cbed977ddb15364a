"""`attend release`: make a folder with what a student needs and nothing else, and an archive of it.

Most files are those of the course. README.md, pyproject.toml and .gitignore are written for the release, and a sealed
one has of `reference.blocks` only the given parts that its chapters need: the others answer other chapters.
"""

from __future__ import annotations

import ast
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from rich.console import Console

from autograder.author.proof.drafts import outdated
from autograder.author.release.cut import bound, only
from autograder.author.release.engine import engine_files
from autograder.author.release.packages import further, with_entries, with_packages
from autograder.author.release.place import Files, Placed, checked, place
from autograder.author.release.uses import capstone_files, given_files, imported, reference_files
from autograder.calls.records import PARTS
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course.course import LENT, TABLES, Course
from autograder.course.effort import draft_line, efforts
from autograder.source.parsing import syntax_tree
from autograder.student.start import File, commands, copy_files, guides

OURS = frozenset({"README.md", ".gitignore"})
"""Files whose text differs from that in a working copy."""
HINTS = PurePosixPath(TABLES.as_posix(), "hints.json")
PROJECT, CONSTRAINTS = PurePosixPath("pyproject.toml"), PurePosixPath("constraints.txt")
MOST_HINTS, SEALED_HINTS = 3, 2
"""The number of hints of each exercise, in an open and in a sealed release; the third hint is nearly the code."""

PRACTICE = "for practice: it holds the reference, and a copy of that earns every point; for marks release with --sealed"

KEPT_SECTIONS = re.compile(r"build-system|project(\..+)?|tool\.hatch\.(?!.*\.hooks).+")

IMPORTS = ast.Import | ast.ImportFrom
NAMING = ("exercises", ".attend", "tests")
"""The folders of a release whose files name given parts."""


@dataclass(frozen=True)
class Released:
    """A release; `held_back` counts the checks of each exercise that only the instructor runs."""

    placed: Placed
    chapters: tuple[str, ...]
    size: int
    held_back: Mapping[str, int]
    remarks: tuple[str, ...] = ()
    only: str = ""

    def text(self) -> str:
        """Return the release in words."""
        many = f"{len(self.chapters)} chapter{'' if len(self.chapters) == 1 else 's'}"
        changed = f"{self.placed.written} files written, {self.placed.removed} removed"
        lines = [
            f"{self.placed.root}: {many}, {changed}",
            f"{self.placed.archive}: {self.size / 1e6:.1f} MB to hand out",
        ]
        if self.held_back:
            count = sum(self.held_back.values())
            lines.append(f"{count} checks of {len(self.held_back)} exercises stay with you: `attend grade` runs them")
        lines += [
            *self.remarks,
            f"next: hand out the zip; what comes back: attend grade DOWNLOAD --out GRADES{self.only}",
        ]
        return "\n".join(lines)


def release(
    course: Course, directory: Path, names: Sequence[str], *, sealed: bool, console: Console, hints: int | None = None
) -> Released:
    """Make the folder and its archive, or bring those of an earlier release up to date.

    Args:
        names: chapters, as people type them; none means all.
        sealed: whether to record answers instead of including the reference and the known mistakes.
        hints: how many hints of each exercise to include; None means all, or all but the last if `sealed`.

    Raises:
        AttendError: the course, a name or the folder cannot be used; then nothing is written.
    """
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; releases are made from the course")
    root = checked(directory)
    chosen = replace(course, only=course.whole_chapters(names, "a release"))
    files = dict(_common(chosen, sealed=sealed))
    files[HINTS] = _first_hints(files[HINTS], (SEALED_HINTS if sealed else MOST_HINTS) if hints is None else hints)
    held_back: Mapping[str, int] = {}
    remarks: tuple[str, ...] = ()
    if sealed:
        from autograder.author.release.seal import seal

        made = seal(chosen, files, console)
        files, held_back, remarks = with_own_parts(course, made.files), made.held_back, made.remarks
    else:
        remarks = (PRACTICE,)
        files |= {_relative(course.home, path): path.read_bytes() for path in reference_files(course, chosen.chapters)}
        files |= dict(_lent(chosen))
    if installed := _add_packages(chosen, files):
        remarks = (*remarks, f"students install {join_names(installed)} too, which your chapters import")
    if unproven := draft_line(chosen.exercises, efforts(chosen)):
        remarks = (*remarks, f"{unproven}; `attend build` says what is missing")
    remarks = (*remarks, *outdated(course, chosen.exercises))
    placed = place(root, files)
    chapters = "".join(f" --only {chapter}" for chapter in chosen.chapters) if names else ""
    return Released(placed, chosen.chapters, placed.archive.stat().st_size, held_back, remarks, chapters)


def _add_packages(course: Course, files: Files) -> dict[str, str]:
    """List among what students install the packages that their files, or the answers, import; return these."""
    texts = [data.decode() for path, data in files.items() if path.suffix == ".py" and path.parts[0] != "autograder"]
    answers = [text for chapter in course.chapters if (text := course.right_answers(chapter))]
    listed, constraints = files[PROJECT].decode(), files[CONSTRAINTS].decode()
    if packages := further([*texts, *answers], listed):
        listed, constraints = with_packages(listed, constraints, packages)
        files[PROJECT], files[CONSTRAINTS] = listed.encode(), constraints.encode()
    return packages


def _common(course: Course, *, sealed: bool) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield what every release has: a working copy, the engine, the given parts, and what an installation needs."""
    for file in copy_files(course):
        if file.path.as_posix() not in OURS:
            yield PurePosixPath(file.path.as_posix()), _own(course, file)
    engine = course.home / "autograder" if (course.home / "autograder").is_dir() else Path(__file__).parents[2]
    yield from ((_relative(engine.parent, path), path.read_bytes()) for path in engine_files(engine))
    for path in (*given_files(course), *capstone_files(course)):
        yield _relative(course.home, path), path.read_bytes()
    for name in (PurePosixPath("LICENSE"), CONSTRAINTS):
        yield name, _text(engine.parent / name).encode()
    yield PROJECT, project(_text(engine.parent / PROJECT), _title(course)).encode()
    yield PurePosixPath("README.md"), readme(course, sealed=sealed).encode()
    yield PurePosixPath(".gitignore"), gitignore().encode()


def _own(course: Course, file: File) -> bytes:
    """Return the file's data; a table by exercises or chapters keeps only the rows of the chosen chapters."""
    if file.path.suffix != ".json":
        return file.data
    own = {exercise.name for exercise in course.exercises} | {*course.chapters}
    rows = {name: said for name, said in json.loads(file.data).items() if name in own}
    return (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode()


def _first_hints(data: bytes, count: int) -> bytes:
    """Return the file of hints with null in place of each hint that is held back."""
    rows = {name: [*hints[:count], *[None] * len(hints[count:])] for name, hints in json.loads(data).items()}
    return (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode()


def _lent(course: Course) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield the right answers without comments and hints, for checks of exercises that call wrong ones."""
    for chapter in course.chapters:
        if text := course.right_answers(chapter):
            bare = ast.unparse(syntax_tree(text))
            yield PurePosixPath(LENT.as_posix(), f"{chapter}.bin"), zlib.compress(bare.encode(), 9)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); restore it from the course") from error


def _relative(base: Path, path: Path) -> PurePosixPath:
    return PurePosixPath(path.relative_to(base).as_posix())


def readme(course: Course, *, sealed: bool) -> str:
    """Return the README, which says how to install the release and how to begin, on Windows too."""
    first = course.chapters[0]
    typed = "\n".join(line for line in commands(course).splitlines() if not line.startswith("attend solution"))
    more = (
        "Some checks, and the answers, are with your instructor, who runs all checks on what you hand in.\n"
        if sealed
        else "This folder is for practice: `reference/` holds right answers, for the checks to compare yours with.\n"
    )
    return f"""# {_title(course)}

This folder is all you need, with Python 3.11 or newer. Once, in this folder:

```
python3 -m venv .venv                          # Windows: py -m venv .venv
source .venv/bin/activate                      # Windows: .venv\\Scripts\\activate
pip install -c constraints.txt -e .
```

The second line again in each new terminal. For notebooks install `-e ".[notebook]"` in the place of `-e .`
On Debian and Ubuntu, `sudo apt install python3-venv` comes first.

Everything in `exercises/` is yours to change, as `.py` or as notebook, whichever you prefer. Begin with
`exercises/{first}.py` and replace each `raise NotImplementedError` by your answer.

```
{typed}
```

The checks are plain pytest, so this works as well, with `-x`, `-k NAME`, `--pdb` and all the rest:

```
pytest tests/exercises
```

{more}Hand in the files of `exercises/`, as `.py` or as notebooks.
{guides(course)}"""


def _title(course: Course) -> str:
    return str(course.settings.get("title", "Attend"))


def project(text: str, title: str) -> str:
    """Return `pyproject.toml` without what only the course's authors use; a wheel takes the engine as it is there."""
    own = f"description = {json.dumps(title, ensure_ascii=False)}"
    text = re.sub(r"^description = .*$", lambda _: own, text, count=1, flags=re.MULTILINE)
    text = re.sub(r"^keywords = \[.*\]\n", "", text, count=1, flags=re.MULTILINE)
    sections = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    kept = [section for section in sections if KEPT_SECTIONS.fullmatch(section.partition("]")[0].strip("["))]
    return with_entries("".join(kept).rstrip() + "\n", "only-include", "autograder")


def gitignore() -> str:
    """Return `.gitignore` for students who keep their answers in git; git keeps the stubs, as the release has them."""
    places = (
        ".venv/ *.egg-info/ __pycache__/ .pytest_cache/ .ipynb_checkpoints/ .attend/* !.attend/stubs/ !.attend/course/"
    )
    return "\n".join(places.split()) + "\n"


def with_own_parts(course: Course, files: Files) -> Files:
    """Return `files` with only the given parts that its stubs and suites need; not even the others' names are left."""
    texts = [data.decode() for path, data in files.items() if path.suffix == ".py" and path.parts[0] in NAMING]
    wanted = {name for text in texts for name in _named(syntax_tree(text))}
    given = {path: path.read_text(encoding="utf-8") for path in given_files(course)}
    modules = [text for path, text in given.items() if path.name != "__init__.py"]
    while more := {name for text in modules for name in _needed(text, wanted)} - wanted:
        wanted |= more
    kept = dict(files)
    for path, text in given.items():
        where = _relative(course.home, path)
        kept[where] = _cut(path, text, wanted).encode()
        if not kept[where] and _is_of_parts(path):
            del kept[where]
    return kept


def _is_of_parts(path: Path) -> bool:
    return "blocks" in (path.stem, path.parent.name)


def _cut(path: Path, text: str, wanted: set[str]) -> str:
    """Return what is wanted of a file's text; "" if nothing is."""
    if not _is_of_parts(path):
        return text
    tree = syntax_tree(text)
    if path.name == "__init__.py":
        return _package(tree, wanted)
    defined = {name for node in tree.body if not isinstance(node, IMPORTS) for name in bound(node)} & wanted
    return only(text, defined) if defined else ""


def _needed(text: str, wanted: set[str]) -> Iterator[str]:
    """Yield the parts that a file imports for those of its own parts that are wanted."""
    kept = _cut(Path("blocks", "x.py"), text, wanted)
    yield from _imported(syntax_tree(kept))


def _package(tree: ast.Module, wanted: set[str]) -> str:
    lines = [f'"""{ast.get_docstring(tree)}"""', ""]
    for node in tree.body:
        names = [alias.name for alias in node.names if alias.name in wanted] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and names:
            lines.append(f"from {node.module} import {', '.join(names)}")
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def _named(tree: ast.Module) -> Iterator[str]:
    """Yield the given parts that a module imports, or asks for by `part("Name")` or `mine.Name`.

    `mine.Name` under `if __name__ == "__main__"` does not count: the demonstration there waits for the student's
    own answers.
    """
    yield from _imported(tree)
    for statement in (each for each in tree.body if not isinstance(each, ast.If)):
        yield from (
            each.attr for each in ast.walk(statement) if isinstance(each, ast.Attribute) and _is_mine(each.value)
        )
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "part" and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def _is_mine(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "mine"


def _imported(tree: ast.Module) -> Iterator[str]:
    yield from (name.rpartition(".")[2] for _, name in imported(tree) if name.startswith(f"{PARTS}."))
