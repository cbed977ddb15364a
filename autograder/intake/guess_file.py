"""Which files were meant for a chapter, where none has its name: by their names, else by what they define.

A file is taken where it is the only candidate; several that do not exclude each other are taken together. Whatever is
taken is said, and what is ambiguous is said too, never guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from autograder.core.text import join_names, one_line
from autograder.course.course import Course
from autograder.intake.archive import Found
from autograder.intake.contents import chapter_of, distinct, exercises_in, is_notebook, whole
from autograder.intake.misnamed import LONGEST, SUFFIXES, is_code, likeness, proper_name

MOST = 20  # files that are read for what they define


@dataclass(frozen=True)
class Guess:
    """The files taken for a chapter, a note on them, or `why` none could be taken; all empty for no candidate."""

    files: tuple[Found, ...] = ()
    says: str = ""
    why: str = ""


def wanted(chapter: str, pattern: str, files: Sequence[Found]) -> Guess:
    """Return the files that the teacher's pattern names."""
    fitting = [found for found in files if is_code(found.path) and _fits(found.path, pattern)]
    if not fitting:
        return Guess()
    if not _is_one(fitting):
        why = f"{_named(fitting)} all fit the pattern {pattern} of policy.toml, so none was read as {chapter}.py"
        return Guess(why=f"{why}; hand in one of them")
    return Guess(tuple(fitting), f"{_taken(fitting, chapter)}, as policy.toml says")


def _fits(path: PurePosixPath, pattern: str) -> bool:
    if len(str(path)) > 4 * LONGEST:
        return False
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for name in (path.name, str(path)))


def guess(course: Course, chapter: str, files: Sequence[Found]) -> Guess:
    """Return what was meant for a chapter of which no file has the name."""
    chapters = whole(course).chapters
    exact = {chapter + suffix for chapter in chapters for suffix in SUFFIXES}
    others = [each for each in files if each.path.name not in exact and is_code(each.path)]
    called = {each: "" if _is_exercise(course, each) else _best(each.path, chapters) for each in others}
    there = {each.path.stem for each in files if each.path.name in exact}
    misnumbered = [each for each in others if called[each] and _defines_others(course, each, called[each], there)]
    if named := [each for each in others if called[each] == chapter and each not in misnumbered]:
        answering = [each for each in named[:MOST] if chapter in exercises_in(course, each)]
        return _only(course, chapter, distinct(answering or named), "")
    nameless = [each for each in others if called[each] == "" or each in misnumbered]
    defining = {each: exercises_in(course, each) for each in nameless[:MOST]}
    candidates = [each for each, found in defining.items() if chapter in found]
    for each in candidates:
        if len(defining[each]) > 1:
            both = join_names(list(defining[each]))
            why = f"{one_line(each.path.name)} defines exercises of {both}, so it is not clear which it was meant to be"
            return Guess(why=f"{why}; hand in one file for each chapter, such as {chapter}.py")
    if not candidates:
        return Guess()
    defined = [name for each in candidates for name in defining[each][chapter]]
    return _only(course, chapter, candidates, f", because of what is defined there: {join_names(defined)}")


def _only(course: Course, chapter: str, candidates: Sequence[Found], because: str) -> Guess:
    if _is_one(candidates) or _is_apart(course, chapter, candidates):
        return Guess(tuple(candidates), _taken(candidates, chapter) + because)
    return Guess(why=undecided(chapter, candidates))


def undecided(chapter: str, candidates: Sequence[Found]) -> str:
    """Return the sentence on files of which nothing tells which is the chapter."""
    why = f"{_named(candidates)} may each be {chapter}.py, so none of them was read"
    return f"{why}; hand in one file, called {chapter}.py"


def _is_one(candidates: Sequence[Found]) -> bool:
    """Return whether there is one module at most, and one notebook."""
    notebooks = sum(map(is_notebook, candidates))
    return notebooks <= 1 and len(candidates) - notebooks <= 1


def _is_apart(course: Course, chapter: str, candidates: Sequence[Found]) -> bool:
    """Return whether all are modules, each with exercises of its own."""
    if any(map(is_notebook, candidates)):
        return False
    defined = [exercises_in(course, each).get(chapter, []) for each in candidates[:MOST]]
    every = [name for names in defined for name in names]
    return len(candidates) <= MOST and all(defined) and len(set(every)) == len(every)


def _taken(files: Sequence[Found], chapter: str) -> str:
    together = "was read" if len(files) == 1 else "were read together"
    return f"{_named(files)} {together} as {proper_name(chapter, files[0].path)}"


def _named(files: Iterable[Found]) -> str:
    return join_names([one_line(str(each.path), 200) for each in files], MOST)


def _best(path: PurePosixPath, chapters: Sequence[str]) -> str:
    """Return the chapter whose name a file's name is most like, "" for none."""
    best = max(chapters, key=lambda chapter: likeness(path, chapter), default="")
    return best if best and likeness(path, best) > 0 else ""


def _defines_others(course: Course, found: Found, chapter: str, there: Collection[str]) -> bool:
    """Return whether a file has answers, but none of the chapter that it is called after, nor of those `there`."""
    defined = exercises_in(course, found)
    return bool(defined) and chapter not in defined and defined.keys().isdisjoint(there)


def _is_exercise(course: Course, found: Found) -> bool:
    return found.path.name.split(".")[0] in chapter_of(course)


def other_chapters(course: Course, files: Sequence[Found]) -> list[str]:
    """Return the files of the course's other chapters, by name, else by what they define."""
    every = set(whole(course).chapters) - set(course.chapters)
    code = [each for each in files if is_code(each.path)]
    by_name = [each for each in code if each.path.stem in every]
    rest = [each for each in code if not by_name and each.path.stem not in course.chapters][:MOST]
    found = by_name or [each for each in rest if (own := exercises_in(course, each)) and own.keys() <= every]
    return [each.path.name for each in found]
