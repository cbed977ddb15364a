"""Generate exercises/ and docs/coverage.md from the sources, or report which of these files are out of date."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from autograder.author import sentences
from autograder.author.chapter import Chapter, read_all
from autograder.author.coverage import coverage
from autograder.author.notebooks import as_module, as_notebook_text
from autograder.author.proof import proof_record
from autograder.author.proof.drafts import drafts
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.core.text import join_names
from autograder.course import check_list, debriefs, effort
from autograder.course.course import STEM, Course
from autograder.source.notebook import short
from autograder.student.pictures import lesson_picture


def build(course: Course) -> list[Path]:
    """Bring the generated files up to date, and return those that changed.

    Raises:
        AttendError: a chapter's source is wrong (then nothing is written), or exercises/ is not writable.
    """
    return [path for path, text in generated(course).items() if files.write(path, text)]


def stale(course: Course) -> list[tuple[Path, str]]:
    """Return every file that `build` would change or that is left over, with the reason."""
    wanted = generated(course)
    found: list[tuple[Path, str]] = []
    for path, text in wanted.items():
        if not path.is_file():
            found.append((path, "is missing"))
        elif not files.holds(path, text.encode("utf-8")):
            found.append((path, "differs from what its source gives"))
    return found + left_over(course)


def left_over(course: Course) -> list[tuple[Path, str]]:
    """Return what is left of chapters and exercises that no longer exist, and what to do with it."""
    places = ("exercises", "reference", "reference/misconceptions", "tests/promises/right", "tests/promises/equivalent")
    paths = [path for place in places for path in sorted((course.root / place).glob("ch*"))]
    found = [(path, "belongs to no chapter: delete it") for path in paths if _of_gone(path, course)]
    return [*found, *_proven_of_gone(course)]


def _proven_of_gone(course: Course) -> Iterator[tuple[Path, str]]:
    proven, names = proof_record.read(course), {exercise.name for exercise in course.exercises}
    gone = [name for name in proven.exercises if name not in names]
    gone += [name for name in proven.galleries if name not in {*course.chapters, *names}]
    if gone:
        what = f"speaks of {join_names(gone)}, which the course has no more"
        yield course.root / proof_record.PLACE, f"{what}: the next `attend prove --mutants` leaves that out"


def generated(course: Course) -> dict[Path, str]:
    """Return the text of every generated file, by its path.

    Raises:
        AttendError: a chapter's source is wrong, or this is a working copy.
    """
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy, which has no sources; run `attend build` in the course")
    chapters = read_all(course)
    texts: dict[Path, str] = {}
    for chapter in chapters:
        stub = course.stub(chapter.stem)
        texts[stub] = as_module(chapter.stem, chapter.cells)
        texts[stub.with_suffix(".ipynb")] = as_notebook_text(chapter.stem, chapter.cells, trains=course.has_capstones)
        promises = course.root / sentences.FOLDER / f"{chapter.stem}.toml"
        if promises.parent.is_dir():
            texts[promises] = sentences.brought_up_to_date(course, chapter.stem)
    texts[course.exercises_dir / "hints.json"] = _hints(chapters)
    texts[course.exercises_dir / debriefs.NAME] = _debriefs(chapters)
    texts[course.exercises_dir / effort.NAME] = _efforts(chapters, {each.exercise.name for each in drafts(course)})
    texts[course.exercises_dir / check_list.NAME] = _checks(course)
    if drawn := _pictures(course, chapters):
        texts[course.exercises_dir / lesson_picture.NAME] = _as_json(drawn)
    texts[course.exercises_dir / "README.md"] = _readme(course, chapters)
    texts[course.root / "docs" / "coverage.md"] = coverage(course, chapters)
    return texts


def _of_gone(path: Path, course: Course) -> bool:
    """Return whether this is a file, or a folder of files, of a chapter that no longer exists."""
    kept = any(path.glob("*.py")) or path.suffix in {".py", ".ipynb", ".toml"}
    return kept and STEM.fullmatch(path.stem) is not None and path.stem not in course.chapters


def _hints(chapters: Iterable[Chapter]) -> str:
    return _as_json({name: list(items) for chapter in chapters for name, items in chapter.hints.items()})


def _debriefs(chapters: Iterable[Chapter]) -> str:
    return _as_json({name: words for chapter in chapters for name, words in chapter.debriefs.items()})


def _checks(course: Course) -> str:
    suites = {stem: course.suite(stem).read_text(encoding="utf-8") for stem in course.chapters}
    return check_list.table_of(suites, course.checks)


def _pictures(course: Course, chapters: Iterable[Chapter]) -> dict[str, dict[str, str]]:
    """Return the pictures of each chapter that has some, drawn by the course's own answers. Raises: AttendError."""
    pieces, known = lesson_picture.CoursePieces(course), course.pictures()
    named = {chapter.stem: {each.picture: each.line for each in chapter.cells if each.picture} for chapter in chapters}
    for stem, places in named.items():
        for name in places.keys() - known.keys():
            raise AttendError(
                f'solutions/{stem}.py:{places[name]}: there is no picture "{name}"; '
                "correct the name, or add it to PICTURES in reference/pictures/__init__.py"
            )
    return {stem: {name: known[name].html(pieces) for name in places} for stem, places in named.items() if places}


def _as_json(rows: Mapping[str, Any]) -> str:
    return json.dumps(rows, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _efforts(chapters: Iterable[Chapter], unproven: Set[str]) -> str:
    estimates = [row for chapter in chapters for row in chapter.efforts.items()]
    found = {name: replace(each, draft=name in unproven) for name, each in estimates}
    rows = (f"  {json.dumps(name)}: {json.dumps(_row_of(each))}" for name, each in sorted(found.items()))
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _row_of(each: effort.Effort) -> dict[str, Any]:
    """Return the row that `effort.efforts` reads; it has what is true or false only where it is true."""
    return {key: value for key, value in asdict(each).items() if value is not False}


def _readme(course: Course, chapters: list[Chapter]) -> str:
    rows = [_row(course, chapter) for chapter in chapters]
    time = sum(each.minutes for chapter in chapters for each in chapter.efforts.values())
    total = sum(exercise.points for exercise in course.exercises)
    first = chapters[0].stem if chapters else "ch01"
    return f"""# Exercises

This folder is generated by `attend build` from the course's source. Work in a copy of your own:

```
attend start my-attend      # once: makes the folder my-attend
cd my-attend
```

Begin with `exercises/{first}.py`, or with the notebook of the same name if you prefer notebooks: each
`raise NotImplementedError` is a place for your answer. Then ask how it went, for a hint, or for a picture:

```
attend check {short(first)}
attend hint NAME
attend show NAME
```

`show` draws what your answer gives beside what is expected.

NAME is an exercise, or any part of its name that means only one. Later chapters never need your earlier answers, so
you may begin where you like.

The times are their author's estimates, for someone who has read the chapter up to there; `attend list` has them, and
how hard it is, for each exercise.
{_core(chapters)}
| chapter | exercises | points | time |
|---|---|---:|---:|
{chr(10).join(rows)}
| together | {len(course.exercises)} exercises | {total:g} | {effort.duration(time)} |
"""


def _core(chapters: Iterable[Chapter]) -> str:
    """Return a paragraph on the core path; "" if no exercise is on it."""
    core = [each for chapter in chapters for each in chapter.efforts.values() if each.core]
    if not core:
        return ""
    time = effort.duration(sum(each.minutes for each in core))
    return f"""
Not enough time for all of it? The core path is {len(core)} exercises, about {time}, and leads straight to a small
language model made of your own answers. `attend list --core` shows it, and `attend` says how far you are.
"""


def _row(course: Course, chapter: Chapter) -> str:
    names = ", ".join(f"`{name}`" for name in chapter.exercises)
    points = sum(exercise.points for exercise in course.of(chapter.stem))
    title = chapter.title.replace("|", "\\|")
    time = effort.duration(sum(each.minutes for each in chapter.efforts.values()))
    return f"| [{title}]({chapter.stem}.py) ([notebook]({chapter.stem}.ipynb)) | {names} | {points:g} | {time} |"
