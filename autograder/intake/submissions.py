"""The submissions of a class, read as text and never run: one entry per student, one source per chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from autograder.core.errors import UsageError
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.core.text import display_names, join_names, one_line, safe_stems
from autograder.course.course import STEM, Course
from autograder.intake import archive
from autograder.intake.archive import Found, Listing, UnreadableError
from autograder.intake.artefacts import handed_in
from autograder.intake.misnamed import SUFFIXES, absence, copies, meant_for, meddling, not_there, proper_name
from autograder.source import text as source
from autograder.source.extract import Manifest, extract
from autograder.source.missing_imports import without_absent
from autograder.source.notebook import read_cells
from autograder.source.stub import defines, is_stub_answer

# The forms of a submission, by their endings: a folder, a zip, and archives that are reported but not read.
KINDS = ("/", ".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar", ".tgz", ".gz", ".rar", ".7z")
ZIP = KINDS.index(".zip")
GRADER = "autograder"  # no answer needs it, and a student's code could tamper with the checks through it
NEITHER = Listing(damage="is neither a folder nor a zip; hand it in as one of them")
LAYOUT = "give each student a folder or a zip there, such as {}/alice/ch01_markov.py"


@dataclass(frozen=True)
class Entry:
    """One student's submission: the student's name, the stem of its result files, its path.

    `opened` opens its files where `path` is not a folder or zip of its own.
    """

    student: str
    stem: str
    path: Path
    notes: tuple[str, ...] = ()
    opened: Callable[[], AbstractContextManager[Listing]] | None = None

    def open(self) -> AbstractContextManager[Listing]:
        return self.opened() if self.opened else opened(self.path)


def find_submissions(folder: Path, course: Course) -> list[Entry]:
    """Return one entry per student in `folder`, in the order of their names.

    Raises:
        UsageError: there is no such folder, it is empty, or chapter files lie in it directly.
    """
    by_name = students(folder, {path.name: path.is_dir() for path in _visible(folder)}, course)
    raw, notes = list(by_name), [doubles(names) for names in by_name.values()]
    paths = [folder / names[0] for names in by_name.values()]
    return [Entry(*each) for each in zip(display_names(raw), safe_stems(raw), paths, notes, strict=True)]


def students(place: Path, names: Mapping[str, bool], course: Course) -> dict[str, list[str]]:
    """Return the names of each student's submissions; the first one counts.

    Args:
        names: everything in `place`, and whether it is a folder.

    Raises:
        UsageError: there is no submission in `place`, or chapter files lie in it directly.
    """
    loose = [name for name in names if _is_chapter(PurePosixPath(name), course)]
    if loose:
        raise UsageError(f"{place} holds {join_names(loose, 3)} itself; " + LAYOUT.format(place))
    ranks = {name: _rank(name, is_folder) for name, is_folder in names.items()}
    by_name: dict[str, list[str]] = {}
    for name in sorted((name for name in sorted(names) if ranks[name] < len(KINDS)), key=ranks.__getitem__):
        by_name.setdefault(name if names[name] else name[: -len(KINDS[ranks[name]])], []).append(name)
    if not by_name:
        raise UsageError(f"there are no submissions in {place}; " + LAYOUT.format(place))
    return dict(sorted(by_name.items()))


def doubles(names: Sequence[str]) -> tuple[str, ...]:
    """Return a note on each submission of a student but the first."""
    return tuple(f"{one_line(other)} was handed in too; {one_line(names[0])} counts" for other in names[1:])


def _rank(name: str, is_folder: bool) -> int:
    """Return the rank of a name: a folder before a zip before unreadable archives; `len(KINDS)` for no submission."""
    if is_folder:
        return 0
    return next((rank for rank, kind in enumerate(KINDS) if name.lower().endswith(kind)), len(KINDS))


def _visible(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not archive.is_hidden(PurePosixPath(path.name)))
    except NotADirectoryError as error:
        raise UsageError(f"{folder} is a file; unpack it, and " + LAYOUT.format(folder.with_suffix(""))) from error
    except OSError as error:
        raise UsageError(f"{folder} cannot be read ({error.strerror}); " + LAYOUT.format(folder)) from error


def _is_chapter(path: PurePosixPath, course: Course) -> bool:
    return path.suffix in SUFFIXES and (path.stem in course.chapters or bool(STEM.fullmatch(path.stem)))


def opened(path: Path) -> AbstractContextManager[Listing]:
    """Open a folder or a zip; anything else counts as damaged."""
    if _rank(path.name, path.is_dir()) > ZIP:
        return nullcontext(NEITHER)
    return archive.opened(path)


def read_folder(folder: Path, course: Course) -> Submission:
    """Return the submission in one folder (or zip), such as a student's own working copy.

    Raises:
        UsageError: there is nothing at `folder`.
    """
    if not folder.exists():
        raise UsageError(f"there is no folder {folder}; give the folder with your chapter files")
    return read_submission(Entry(display_names([folder.resolve().name])[0], "", folder.resolve()), course)


def read_submission(entry: Entry, course: Course) -> Submission:
    """Return all chapters of one student, as text; the result records what is wrong with them."""
    with entry.open() as listing:
        if listing.damage:
            return _unreadable(entry, course, listing)
        return _read(entry, course, listing)


def _unreadable(entry: Entry, course: Course, listing: Listing) -> Submission:
    name = one_line(listing.name or entry.path.name)
    problem = Problem("missing", f"{name} {listing.damage}")
    chapters = {chapter: ChapterSource(chapter, "", name, problem) for chapter in course.chapters}
    return Submission(entry.student, chapters, {}, (*entry.notes, f"{name} {listing.damage}"))


def _read(entry: Entry, course: Course, listing: Listing) -> Submission:
    chapters, absent = dict[str, ChapterSource](), dict[str, str]()
    notes = [*entry.notes, *listing.notes]
    paths, known = [found.path for found in listing.files], replace(course, only=()).chapters
    others = [path for path in paths if path.stem not in known]
    for chapter in course.chapters:
        chosen, remarks = _chapter(course, chapter, listing.files)
        notes += remarks
        if chosen:
            artefacts, remarks = handed_in(course.suite(chapter), listing.files)
            notes += remarks
            chapters[chapter] = replace(chosen, artefacts=artefacts)
            notes += _mistaken(course, chosen, others)
            notes += (
                [f"{chosen.origin} speaks of {GRADER}, the program that grades it"] if GRADER in chosen.text else []
            )
        else:
            absent[chapter] = absence(chapter, others)
    misnamed = [sentence for chapter, sentence in absent.items() if sentence != not_there(chapter)]
    is_of_it = chapters or misnamed or listing.notes or any(_is_chapter(path, course) for path in paths)
    notes += misnamed if is_of_it else _nothing_of_it(paths)
    notes.append(meddling(paths))
    return Submission(entry.student, chapters, absent, tuple(filter(None, notes)))


def _nothing_of_it(paths: Sequence[PurePosixPath]) -> list[str]:
    """Return a note on what was handed in instead of files of the course."""
    others = [path.name for path in paths]
    return [f"no file of the course was handed in, but {join_names(others, 3)}" if others else "no file was handed in"]


def _mistaken(course: Course, chosen: ChapterSource, others: Sequence[PurePosixPath]) -> Iterator[str]:
    """Yield a note if the file that counts has no answers and a misnamed one may have them."""
    other = meant_for(chosen.chapter, others)
    if other is not None and not _has_answers(manifest_of(course, chosen.chapter), chosen):
        right = proper_name(chosen.chapter, other)
        yield f"{chosen.origin} holds no answers; if they are in {one_line(other.name)}, rename that to {right}"


def _chapter(course: Course, chapter: str, files: Sequence[Found]) -> tuple[ChapterSource | None, list[str]]:
    """Return the chapter's answers from all files with its name, and notes on those that do not count."""
    notes, read = list[str](), list[ChapterSource]()
    by_suffix, as_copies = _named(chapter, files)
    notes += as_copies
    for named in by_suffix:
        if named:
            one, remarks = _load(course, chapter, named[0])
            read.append(one)
            notes += remarks
        notes += archive.unread(named)
    if len(read) < 2:
        return (read[0] if read else None), notes
    chosen, why = _better(manifest_of(course, chapter), *read)
    return chosen, [*(note for note in notes if chosen.origin in note), why]


def _named(chapter: str, files: Sequence[Found]) -> tuple[list[list[Found]], list[str]]:
    """Return the modules and the notebooks with the chapter's name, best first; where there are none, a copy."""
    names = [chapter + suffix for suffix in SUFFIXES]
    exact = [sorted((found for found in files if found.path.name == name), key=_depth) for name in names]
    if any(exact):
        return exact, []
    by_path = {found.path: found for found in files}
    second = [[by_path[path] for path in copies(name, by_path)][:1] for name in names]
    notes = [f"{one_line(one[0].path.name)} was read as {name}" for name, one in zip(names, second, strict=True) if one]
    return second, notes


def _depth(found: Found) -> tuple[int, bool, PurePosixPath]:
    """Sort the shallowest first; at one depth the one in `exercises/`, as in a whole copy of the course."""
    return len(found.path.parts), found.path.parent.name != "exercises", found.path


def _better(manifest: Manifest, module: ChapterSource, notebook: ChapterSource) -> tuple[ChapterSource, str]:
    """Return the one of a module and a notebook that holds answers; if both do, the module."""
    if not _has_answers(manifest, notebook):
        return module, ""
    if not _has_answers(manifest, module):
        return notebook, ""
    chosen = notebook if module.problem and not notebook.problem else module
    why = f", because {module.problem.message}" if module.problem and chosen is notebook else ""
    return chosen, f"both {module.origin} and {notebook.origin} hold answers; {chosen.origin} counts{why}"


def _has_answers(manifest: Manifest, read: ChapterSource) -> bool:
    if read.problem:
        return read.problem.status != "missing"
    return bool(read.broken) or any(
        defines(read.text, exercise) and not is_stub_answer(read.text, manifest.stub, exercise)
        for exercise in manifest.exercises
    )


def _load(course: Course, chapter: str, found: Found) -> tuple[ChapterSource, tuple[str, ...]]:
    name = one_line(str(found.path), 200)
    try:
        data = found.load()
    except UnreadableError as why:
        return ChapterSource(chapter, "", name, Problem("missing", f"{name} {why}")), ()
    if found.path.suffix == ".py":
        return _module(chapter, data, name)
    cells = read_cells(data, name)
    if isinstance(cells, Problem):
        return ChapterSource(chapter, "", name, cells), ()
    try:
        return extract(cells, manifest_of(course, chapter), name)
    except (RecursionError, MemoryError):  # how deep is too deep differs between compiler, symtable and version
        says = f"{name} does not compile: its code is too deeply nested"
        return ChapterSource(chapter, "", name, Problem("syntax", says)), ()


def _module(chapter: str, data: bytes, name: str) -> tuple[ChapterSource, tuple[str, ...]]:
    text = source.decode(data, name)
    if isinstance(text, Problem):
        return ChapterSource(chapter, "", name, text), ()
    if problem := source.problem(text, name):
        return ChapterSource(chapter, text, name, problem), ()
    text, absent = without_absent(text)
    note = f"{name}: {join_names(absent)} is not installed here, and nothing uses it; its import was left out"
    return ChapterSource(chapter, text, name), (note,) if absent else ()


def manifest_of(course: Course, chapter: str) -> Manifest:
    """Return the facts about the chapter's stub."""
    stub = course.stub(chapter)
    exercises = tuple(exercise.name for exercise in course.of(chapter))
    return _read_manifest(chapter, exercises, _bytes(stub), _bytes(stub.with_suffix(".ipynb")))


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


@lru_cache(maxsize=64)
def _read_manifest(chapter: str, exercises: tuple[str, ...], stub: bytes, notebook: bytes) -> Manifest:
    cells = read_cells(notebook, chapter)
    return Manifest.of(chapter, exercises, stub.decode(), () if isinstance(cells, Problem) else cells)
