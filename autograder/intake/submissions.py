"""The submissions of a class, read as text and never run: one entry per student, one source per chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath

from autograder.core.errors import UsageError
from autograder.core.submission import ChapterSource, Problem, Submission
from autograder.core.text import display_names, join_names, one_line, safe_stems
from autograder.course.course import STEM, Course
from autograder.intake import archive
from autograder.intake.archive import Listing, unzipped
from autograder.intake.artefacts import handed_in
from autograder.intake.chapter_source import has_answers, manifest_of, read_chapter
from autograder.intake.contents import whole
from autograder.intake.guess_file import other_chapters
from autograder.intake.misnamed import SUFFIXES, absence, lost, meant_for, meddling, not_there, proper_name, unread
from autograder.intake.unusual import note_on

# The forms of a submission, by their endings: a folder, a zip, and archives that are reported but not read.
KINDS = ("/", ".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar", ".tgz", ".gz", ".rar", ".7z")
ZIP = KINDS.index(".zip")
NEITHER = Listing(damage="is neither a folder nor a zip; hand it in as one of them")


@dataclass(frozen=True)
class HandIn:
    """Where one student's submission lies: the student's name, the stem of its result files, its path.

    `opened` opens its files where `path` is not a folder or zip of its own. `wanted` holds the teacher's pattern of the
    file to read, for each chapter that has one.
    """

    student: str
    stem: str
    path: Path
    notes: tuple[str, ...] = ()
    opened: Callable[[], AbstractContextManager[Listing]] | None = None
    wanted: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> AbstractContextManager[Listing]:
        return self.opened() if self.opened else opened(self.path)


def find_submissions(folder: Path, course: Course) -> list[HandIn]:
    """Return one entry per student in `folder`, in the order of their names.

    Raises:
        UsageError: there is no such folder, it is empty, or chapter files lie in it directly.
    """
    by_name = students(folder, {path.name: path.is_dir() for path in _visible(folder, course)}, course)
    raw, notes = list(by_name), [doubles(names) for names in by_name.values()]
    paths = [folder / names[0] for names in by_name.values()]
    return [HandIn(*each) for each in zip(display_names(raw), safe_stems(raw), paths, notes, strict=True)]


def students(place: Path, names: Mapping[str, bool], course: Course) -> dict[str, list[str]]:
    """Return the names of each student's submissions; the first one counts.

    Args:
        names: everything in `place`, and whether it is a folder.

    Raises:
        UsageError: there is no submission in `place`, or chapter files lie in it directly.
    """
    loose = [name for name in names if _is_chapter(PurePosixPath(name), course)]
    if loose:
        raise UsageError(f"{place} holds {join_names(loose, 3)} itself; " + layout(place, course))
    ranks = {name: _rank(name, is_folder) for name, is_folder in names.items()}
    by_name: dict[str, list[str]] = {}
    for name in sorted((name for name in sorted(names) if ranks[name] < len(KINDS)), key=ranks.__getitem__):
        by_name.setdefault(name if names[name] else name[: -len(KINDS[ranks[name]])], []).append(name)
    if not by_name:
        raise UsageError(f"there are no submissions in {place}; " + layout(place, course))
    return dict(sorted(by_name.items()))


def layout(place: object, course: Course) -> str:
    """Return what to do with a folder in which no student's submission is found."""
    example = next(iter(course.chapters), "ch01_name")
    return f"give each student a folder or a zip there, such as {place}/alice/{example}.py"


def doubles(names: Sequence[str]) -> tuple[str, ...]:
    """Return a note on each submission of a student but the first."""
    return tuple(f"{one_line(other)} was handed in too; {one_line(names[0])} counts" for other in names[1:])


def _rank(name: str, is_folder: bool) -> int:
    """Return the rank of a name: a folder before a zip before unreadable archives; `len(KINDS)` for no submission."""
    if is_folder:
        return 0
    return next((rank for rank, kind in enumerate(KINDS) if name.lower().endswith(kind)), len(KINDS))


def _visible(folder: Path, course: Course) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not archive.is_hidden(PurePosixPath(path.name)))
    except NotADirectoryError as error:
        raise UsageError(f"{folder} is a file; unpack it, and " + layout(folder.with_suffix(""), course)) from error
    except OSError as error:
        raise UsageError(f"{folder} cannot be read ({error.strerror}); " + layout(folder, course)) from error


def _is_chapter(path: PurePosixPath, course: Course) -> bool:
    return path.suffix in SUFFIXES and (path.stem in course.chapters or bool(STEM.fullmatch(path.stem)))


def opened(path: Path) -> AbstractContextManager[Listing]:
    """Open a folder or a zip; anything else counts as damaged, and so does a link."""
    if not path.is_symlink() and _rank(path.name, path.is_dir()) > ZIP:
        return nullcontext(NEITHER)
    return archive.opened(path)


def read_folder(folder: Path, course: Course) -> Submission:
    """Return the submission in one folder (or zip), such as a student's own working copy.

    Raises:
        UsageError: there is nothing at `folder`.
    """
    if not folder.exists():
        raise UsageError(f"there is no folder {folder}; give the folder with your chapter files")
    return read_submission(HandIn(display_names([folder.resolve().name])[0], "", folder.resolve()), course)


def read_submission(entry: HandIn, course: Course) -> Submission:
    """Return all chapters of one student, as text; the result records what is wrong with them."""
    with entry.open() as listing:
        if listing.damage:
            return _unreadable(entry, course, listing)
        with unzipped(listing) as inside:
            # Each file is read once, though it may be looked at for several chapters.
            once = tuple(replace(found, load=cache(found.load)) for found in inside.files)
            return _read(entry, course, replace(inside, files=once))


def _unreadable(entry: HandIn, course: Course, listing: Listing) -> Submission:
    name = one_line(listing.name or entry.path.name)
    problem = Problem("missing", f"{name} {listing.damage}")
    chapters = {chapter: ChapterSource(chapter, "", name, problem) for chapter in course.chapters}
    return Submission(entry.student, chapters, {}, (*entry.notes, f"{name} {listing.damage}"))


def _read(entry: HandIn, course: Course, listing: Listing) -> Submission:
    chapters, absent = dict[str, ChapterSource](), dict[str, str]()
    own = course.is_copy and entry.path == course.exercises_dir
    notes = [*entry.notes, *listing.notes]
    paths = [found.path for found in listing.files]
    for chapter in course.chapters:
        chosen, remarks, why = read_chapter(course, chapter, listing.files, entry.wanted.get(chapter, ""))
        notes += remarks
        if chosen:
            artefacts, remarks = handed_in(course.suite(chapter), listing.files)
            notes += remarks
            chapters[chapter] = replace(chosen, artefacts=artefacts)
            notes += _about(course, chosen, paths)
        else:
            gone = lost(chapter) if own else absence(chapter, other_chapters(course, listing.files))
            absent[chapter] = why or gone
    strange = [sentence for chapter, sentence in absent.items() if sentence not in (not_there(chapter), lost(chapter))]
    is_of_it = chapters or strange or listing.notes or any(_is_chapter(path, course) for path in paths)
    notes += strange if is_of_it else _nothing_of_it(paths)
    notes += [meddling(paths), unread(paths) if is_of_it else ""]
    return Submission(entry.student, chapters, absent, tuple(filter(None, notes)))


def _nothing_of_it(paths: Sequence[PurePosixPath]) -> list[str]:
    """Return a note on what was handed in instead of files of the course."""
    others = [path.name for path in paths]
    return [f"no file of the course was handed in, but {join_names(others, 3)}" if others else "no file was handed in"]


def _about(course: Course, chosen: ChapterSource, paths: Sequence[PurePosixPath]) -> Iterator[str]:
    """Yield a note if a misnamed file may have the answers that this one lacks, and on what this one uses."""
    known = whole(course).chapters
    other = meant_for(chosen.chapter, [path for path in paths if path.stem not in known])
    is_other = other is not None and one_line(str(other), 200) not in chosen.origin
    if other is not None and is_other and not has_answers(manifest_of(course, chosen.chapter), chosen):
        right = proper_name(chosen.chapter, other)
        yield f"{chosen.origin} holds no answers; if they are in {one_line(other.name)}, rename that to {right}"
    yield note_on(chosen.origin, (chosen.text, *chosen.beside.values()))
