"""Begin a chapter: write four files with one small exercise that already works."""

from __future__ import annotations

from pathlib import Path

from autograder.author.skeletons import (
    CHAPTER,
    EXERCISE,
    MISTAKES,
    MISTAKES_HEAD,
    REFERENCE,
    REFERENCE_HEAD,
    SUITE,
    SUITE_HEAD,
)
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import STEM, Course


def new(course: Course, stem: str) -> list[Path]:
    """Write the four files of a chapter called `stem`, such as "ch02_more"; return their paths, source first.

    After `attend build` the chapter is complete: its solution passes, and its known mistakes are caught.

    Raises:
        UsageError: `stem` cannot name a chapter, its number or a file is taken, or this is a working copy. Then
            nothing is written.
    """
    _refuse_bad_stem(course, stem)
    number, topic = stem.removeprefix("ch").split("_", 1)
    words = {
        "number": str(int(number)),
        "title": topic.replace("_", " ").strip().capitalize(),
        "heading": "A first exercise",
        "name": f"example_{topic}",
        "snake": f"example_{topic}",
        "id": f"example-{topic}".replace("_", "-"),
        "mistakes": f"Known mistakes of chapter {int(number)}.",
    }
    reference = course.root / "reference"
    texts = {
        course.solution(stem): CHAPTER + EXERCISE,
        reference / f"{stem}.py": REFERENCE_HEAD + REFERENCE,
        reference / "misconceptions" / f"{stem}.py": MISTAKES_HEAD + MISTAKES,
        course.suite(stem): SUITE_HEAD + SUITE,
    }
    for path in texts:
        if path.exists():
            raise UsageError(f"{path} is there already and is left as it is; choose another name, or delete it first")
    for path, text in texts.items():
        files.write(path, text.format(**words))
    return list(texts)


def _refuse_bad_stem(course: Course, stem: str) -> None:
    if not STEM.fullmatch(stem):
        raise UsageError(
            f"'{stem}' cannot name a chapter; write chNN_name: two digits, then lower-case letters, digits "
            "or underscores, as in ch02_more; an exercise wants its chapter: --in ch02"
        )
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; run `attend new` in the course itself")
    number = stem[:5]
    taken = [chapter for chapter in course.chapters if chapter.startswith(number) and chapter != stem]
    if taken:
        raise UsageError(f"{number[:4]} is {taken[0]} already; choose a number that is free")
