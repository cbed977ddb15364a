"""Generate exercises/ and docs/coverage.md from the sources, or report which of these files are out of date."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from autograder.author.chapter import Chapter, read_all
from autograder.author.notebooks import as_module, as_notebook_text
from autograder.author.proof import proof_record
from autograder.author.proof.drafts import drafts
from autograder.author.proof.right_answers import answers
from autograder.core import figures, files
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course import check_list, debriefs, effort
from autograder.course.course import STEM, Course
from autograder.source.notebook import short


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
        why = f"speaks of {join_names(gone)}, which the course has no more: the next `make mutants` leaves that out"
        yield course.root / proof_record.PLACE, why


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
        texts[stub.with_suffix(".ipynb")] = as_notebook_text(chapter.stem, chapter.cells)
    texts[course.exercises_dir / "hints.json"] = _hints(chapters)
    texts[course.exercises_dir / debriefs.NAME] = _debriefs(chapters)
    texts[course.exercises_dir / effort.NAME] = _efforts(chapters, {each.exercise.name for each in drafts(course)})
    texts[course.exercises_dir / check_list.NAME] = _checks(course)
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


def _as_json(rows: Mapping[str, Any]) -> str:
    return json.dumps(rows, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _efforts(chapters: Iterable[Chapter], unproven: Set[str]) -> str:
    estimates = [row for chapter in chapters for row in chapter.efforts.items()]
    found = {name: replace(each, draft=name in unproven) for name, each in estimates}
    rows = (f"  {json.dumps(name)}: {json.dumps(_row_of(each))}" for name, each in sorted(found.items()))
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _row_of(each: effort.Effort) -> dict[str, Any]:
    """Return the row that `effort.efforts` reads; it has `core` and `draft` only where they are true."""
    return {key: value for key, value in asdict(each).items() if key not in ("core", "draft") or value}


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

The times are their author's estimates, for somebody who has read the chapter up to there; `attend list` has them, and
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


class Judged(msgspec.Struct, frozen=True):
    """Judgements of wrong answers that the catalogue was not written from; kept in `docs/judged.json`.

    `right` of the answers turned out to be right, and `passed` of the wrong ones earn full points. Of the others, the
    first sentence of the message is true (`truly`), nearly true (`nearly`) or false (`falsely`).
    """

    answers: int = 0
    right: int = 0
    passed: int = 0
    truly: int = 0
    nearly: int = 0
    falsely: int = 0


class _Row(NamedTuple):
    """The counts of an exercise: checks, known mistakes, right answers, mutants caught, mutants that are right."""

    chapter: str
    exercise: str
    counts: tuple[int, ...]


def coverage(course: Course, chapters: list[Chapter]) -> str:
    """Return the text of docs/coverage.md."""
    proven = proof_record.read(course)
    rows = [row for chapter in chapters for row in _rows(course, chapter, proven)]
    total = [sum(column) for column in zip(*(row.counts for row in rows), strict=True)]
    unproven = [each.exercise.name for each in drafts(course)]
    names = [f"`{row.exercise}`" + " (draft)" * (row.exercise in unproven) for row in rows]
    lines = [
        f"| {name} | {row.chapter} | {' | '.join(map(str, row.counts))} |"
        for name, row in zip(names, rows, strict=True)
    ]
    return f"""# Coverage

What each exercise is held against. `attend build` counts; `make test` tries every second known mistake (it is put into
a copy of the solution, must lose points, and must be the first that is named) and every right answer (written
independently of the solution, it must earn everything); `make prove` tries all mistakes, and the right answers behind
the wall too. A mutant is the solution with one small change: another operator or number, a statement, an argument or a
step left out, two of them swapped.

{_drafts(len(rows), unproven)}

{_proven(rows, proven)}{_judged(course)}

| exercise | chapter | checks | known mistakes | right answers | mutants caught | mutants that are right |
|---|---|---:|---:|---:|---:|---:|
{chr(10).join(lines)}
| {len(rows)} exercises | {len(chapters)} chapter{"s" * (len(chapters) != 1)} | {" | ".join(map(str, total))} |
"""


def _rows(course: Course, chapter: Chapter, proven: proof_record.ProofRecord) -> Iterator[_Row]:
    wrong = Counter(each.exercise for each in chapter.mistakes if len(each.identifiers) == 1)  # a pair does not count
    right = Counter(name for answer in answers(course, chapter.stem) for name in answer.exercises)
    for exercise in course.of(chapter.stem):
        proof = proven.exercises.get(exercise.name, proof_record.Proof())
        counts = (exercise.checks, wrong[exercise.name], right[exercise.name], proof.killed, proof.equivalent)
        yield _Row(chapter.stem, exercise.name, counts)


def _drafts(exercises: int, unproven: list[str]) -> str:
    """Return a sentence about how many exercises are proven, and which are drafts."""
    names = ", ".join(f"`{name}`" for name in unproven)
    return f"Proven: {exercises - len(unproven)} of {exercises} exercises. Drafts: {names or 'none'}."


def _proven(rows: list[_Row], proven: proof_record.ProofRecord) -> str:
    """Return the table of what was measured, with the commands that measure it again."""
    proofs = [(row, proven.exercises[row.exercise]) for row in rows if row.exercise in proven.exercises]
    if not proofs:
        return "Nothing of this has been measured yet: `make mutants`, `make gallery`."
    claims = [*_of_mutants(proofs), _of_right_answers(list(proven.galleries.values()))]
    lines = [f"| {claim} | {measured} | `{command}` |" for claim, measured, command in claims]
    return "\n".join(["| claim | measured | command |", "|---|---|---|", *lines])


def _judged(course: Course) -> str:
    """Return the section on how well messages describe strangers' wrong answers; "" if none were judged."""
    found = figures.read(course.root / "docs" / "judged.json", Judged, "judge anew, or delete it")
    wrong = found.answers - found.right
    if not wrong:
        return ""
    silent = wrong - found.passed - found.truly - found.nearly - found.falsely
    kinds = (
        ("the first sentence says truly what is wrong", found.truly),
        ("it says nearly that, or a consequence of it", found.nearly),
        ("it says what is not so", found.falsely),
        ("it says only which numbers differ", silent),
        ("full points: a hole in the suite", found.passed),
    )
    rows = "\n".join(f"| {words} | {count} | {100 * count / wrong:.1f} % |" for words, count in kinds)
    return f"""

## Wrong answers of strangers

Three wrong answers to each exercise were written from the stubs alone, each with a sentence that says what is wrong, by
writers who had seen neither the suites nor the catalogue. They were graded once, all messages were judged by reading,
and the answers were thrown away. Some of what they showed was fixed afterwards, so the next look needs new ones. Right
after all, or never asked for: {found.right} of {found.answers}.

| of {wrong} wrong answers | answers | share |
|---|---:|---:|
{rows}"""


def _of_mutants(proofs: list[tuple[_Row, proof_record.Proof]]) -> list[tuple[str, str, str]]:
    killed, survived, equivalent = (
        sum(getattr(proof, name) for _, proof in proofs) for name in ("killed", "survived", "equivalent")
    )
    checks = sum(row.counts[0] for row, _ in proofs)
    idle = sum(len(proof.idle) for _, proof in proofs)
    named = _sum([proof.mutants for _, proof in proofs])
    left_out = _sum([proof.left_out for _, proof in proofs])
    reasons = "right answers too, for reasons given in `tests/promises/equivalent/`"
    rows = [
        (
            "a wrong answer loses points",
            f"{killed + survived + equivalent} mutants: {killed} lose points, {equivalent} are {reasons}, "
            f"{survived} survive",
        ),
        ("every check can fail", f"{checks - idle} of {checks} checks are failed by a mutant or a known mistake"),
        (
            "a name fits",
            f"of {named.answers} mutants that lose points the first failed check names {named.named}, "
            f"{named.wrongly} of them after a mistake that other inputs distinguish from it",
        ),
        (
            "what is not known is not named",
            f"each known mistake left out of the catalogue in turn: of {left_out.answers}, {left_out.named} are named "
            f"after another one, {left_out.wrongly} of them after one that other inputs distinguish from it",
        ),
    ]
    return [(claim, measured, "make mutants") for claim, measured in rows]


def _of_right_answers(galleries: list[proof_record.Gallery]) -> tuple[str, str, str]:
    claim, command = "a right answer loses nothing", "make gallery"
    if not galleries:
        return claim, "not measured yet", command
    seeds = min(each.seeds for each in galleries)
    exercises = sum(len(each.exercises) for each in galleries)
    lost, checks, files = (sum(getattr(each, name) for each in galleries) for name in ("lost", "checks", "answers"))
    measured = (
        f"{files} answers to {exercises} exercises with {seeds} seeds each, which take turns at torch's "
        f"default dtype (float32, float64) and number of threads (1, 4): {lost} of {checks} checks lost"
    )
    return claim, measured, command


def _sum(parts: list[proof_record.Named]) -> proof_record.Named:
    columns = ("answers", "named", "wrongly")
    return proof_record.Named(*(sum(getattr(part, column) for part in parts) for column in columns))
