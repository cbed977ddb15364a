"""The text of docs/coverage.md: what each exercise is held against, and what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from autograder.author import sentences
from autograder.author.chapter import Chapter
from autograder.author.proof import proof_record
from autograder.author.proof.drafts import drafts
from autograder.author.proof.right_answers import answers
from autograder.core import figures
from autograder.course.course import Course


class Judged(msgspec.Struct, frozen=True):
    """Judgements of wrong answers that the catalogue was not written from; kept in `docs/judged.json`.

    `right` of the answers turned out to be right, and `passed` of the wrong ones earn full points. Of the others, the
    first sentence of the message is true (`truly`), nearly true (`nearly`) or false (`falsely`). `easier` are those of
    earlier answers, and `which` says what was easier about them. Of right answers in odd `idioms`, `refused` is
    the number that lost points.
    """

    answers: int = 0
    right: int = 0
    passed: int = 0
    truly: int = 0
    nearly: int = 0
    falsely: int = 0
    idioms: int = 0
    refused: int = 0
    which: str = ""
    easier: Judged | None = None


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

What each exercise is held against. `attend build` counts; `attend prove` tries every known mistake (it is put into a
copy of the solution, must lose points, and must be the first that is named) and every right answer (written
independently of the solution, it must earn everything). A mutant is the solution with one small change: another
operator or number, a statement, an argument or a step left out, two of them swapped. A spoiler is the right answer with
one promise broken that all exercises make: it keeps something of an earlier call, is wrong in training only, loses half
precision or a gradient, or fails on an axis of size 1.

{_drafts(len(rows), unproven)}

{_proven(rows, proven)}{_judged(course)}

| exercise | chapter | checks | known mistakes | right answers | mutants caught | mutants that are right |
|---|---|---:|---:|---:|---:|---:|
{chr(10).join(lines)}
| {len(rows)} exercises | {len(chapters)} chapter{"s" * (len(chapters) != 1)} | {" | ".join(map(str, total))} |
{"".join(_sentences(course, chapter, proven) for chapter in chapters)}"""


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
        return "Nothing of this has been measured yet: `attend prove --mutants --gallery`."
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

Wrong answers to every exercise were written from the stubs alone, each with a sentence that says what is wrong, by
writers who had seen neither the suites nor the catalogue, and who left out the first three mistakes that anybody thinks
of; a third were to be blatant, a third wrong in some situations only, a third subtle. They were graded once, all
messages were judged by reading, strictly, and the answers were thrown away. Most holes and much else of what they
showed was fixed afterwards, so the next look needs new ones. Right after all, or never asked for: {found.right} of
{found.answers}. Of {found.idioms} right answers in odd idioms, written in the same way, {found.refused} lost points.
{_easier(found.easier).strip()}

| of {wrong} wrong answers | answers | share |
|---|---:|---:|
{rows}"""


def _easier(found: Judged | None) -> str:
    """Return sentences about easier answers; "" if none were judged."""
    if found is None:
        return ""
    wrong = found.answers - found.right
    share = f"{100 * found.truly / wrong:.1f} %"
    return f"Of {wrong} {found.which}, {share} were told truly.\n{_easier(found.easier)}"


def _of_mutants(proofs: list[tuple[_Row, proof_record.Proof]]) -> list[tuple[str, str, str]]:
    killed, survived, equivalent = (
        sum(getattr(proof, name) for _, proof in proofs) for name in ("killed", "survived", "equivalent")
    )
    asked = sum(bool(proof.spoilers) for _, proof in proofs)
    spoilers, spoiled = (sum(getattr(proof, name) for _, proof in proofs) for name in ("spoilers", "unpromised"))
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
        (
            "every promise has a check",
            f"{spoilers} spoilers of {asked} exercises: {spoilers - spoiled} lose points, {spoiled} break nothing "
            "that is promised, for reasons given there too",
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
    return [(claim, measured, "attend prove --mutants") for claim, measured in rows]


def _of_right_answers(galleries: list[proof_record.Gallery]) -> tuple[str, str, str]:
    claim, command = "a right answer loses nothing", "attend prove --gallery"
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


def _sentences(course: Course, chapter: Chapter, proven: proof_record.ProofRecord) -> str:
    """Return the section on what a chapter's docstrings promise; "" where nothing is written of it."""
    rows = []
    for name, held in sentences.held(course, chapter.stem).items():
        only = proven.exercises.get(name, proof_record.Proof()).only
        for sentence, checks in held.items():
            says = "what the [conventions](conventions.md) promise" if sentence == sentences.CONVENTIONS else sentence
            caught = dict.fromkeys(only[check] for check in checks if check in only)
            rows += [f"| `{name}` | {_cell(says)} | {_listed(checks)} | {_listed(caught)} |"] if checks else []
    if not rows:
        return ""
    return f"""
## What {chapter.stem} promises
| exercise | sentence | checks | caught by that check alone |
|---|---|---|---|
{chr(10).join(rows)}
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{_cell(name)}`" for name in names)
