"""The commands of authors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.common import Names, console, course_here, say
from autograder.core.errors import UsageError
from autograder.core.text import counted
from autograder.course.course import Course


def build(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail on anything stale and name it.")] = False,
) -> None:
    """Write stubs, notebooks, hints and the table of coverage from the course's source."""
    from autograder.author.build import build as write
    from autograder.author.build import left_over, stale

    course = course_here()
    if check:
        problems = stale(course)
        _print_problems(course, problems)
        _print_drafts(course, old=True)
        console.print(_what_to_do(len(problems), len(left_over(course))))
        raise typer.Exit(1 if problems else 0)
    written = write(course)
    for path in written:
        say(f"wrote {path.relative_to(course.root)}")
    console.print(f"{counted(len(written), 'file')} written" if written else "everything is up to date")
    _print_problems(course, left_over(course))
    _print_drafts(course)


def _what_to_do(problems: int, left: int) -> str:
    """Return what `attend build --check` ends with, given how many problems it named; `left` is for people alone."""
    if problems > left:
        return "run `attend build` and commit what it writes"
    return "`attend build` writes nothing: do what these lines say" if left else "everything is up to date"


def prove(
    names: Names = None,
    promises: Annotated[bool, typer.Option("--promises", help="What each chapter promises; the default.")] = False,
    mutants: Annotated[bool, typer.Option("--mutants", help="Every small change of a solution loses points.")] = False,
    gallery: Annotated[bool, typer.Option("--gallery", help="Right answers lose nothing with many seeds.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="With --gallery: how many.")] = 50,
    jobs: Annotated[int, typer.Option(min=1, help="How many to grade at a time.")] = 2,
) -> None:
    """Prove a course: its promises, or with --mutants and --gallery what docs/proof.json records.

    Exit status: 0 proven, 1 not, 2 wrong use.
    """
    from autograder.author.chapter import read
    from autograder.author.proof.proving import mutants_proven, promises_kept, right_answers_proven

    course, chosen = course_here(), names or []
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; run `attend prove` in the course itself")
    for chapter in dict.fromkeys(exercise.chapter for exercise in course.select(chosen)):
        read(course, chapter)  # what does not build proves nothing
    proven = promises_kept(course, chosen, console) if promises or not (mutants or gallery) else True
    if mutants:
        proven &= mutants_proven(course, chosen, jobs, console)
    if gallery:
        proven &= right_answers_proven(course, chosen, jobs, seeds, console)
    raise typer.Exit(0 if proven else 1)


def _print_problems(course: Course, problems: list[tuple[Path, str]]) -> None:
    for path, reason in problems:
        say(f"{path.relative_to(course.root)}: {reason}")


def _print_drafts(course: Course, *, old: bool = False) -> None:
    """Print what is not proven; with `old` also what has changed since its proof, which takes seconds to find out."""
    from autograder.author.proof.drafts import drafts, outdated

    for line in (*(draft.text() for draft in drafts(course)), *(outdated(course, course.exercises) if old else ())):
        console.print(line, markup=False, soft_wrap=True)  # whole, to be copied


def new(
    name: Annotated[str, typer.Argument(help="Of a chapter, such as ch02_more; with --in of an exercise.")] = "",
    chapter: Annotated[
        str | None, typer.Option("--in", metavar="CHAPTER", help="Begin an exercise in this chapter.")
    ] = None,
    own: Annotated[
        Path | None, typer.Option("--course", metavar="DIR", help="Begin a course of your own in this new folder.")
    ] = None,
    title: Annotated[str, typer.Option(help="With --course: the title of the course.")] = "",
) -> None:
    """Begin a chapter, an exercise in one, or a course of your own; each works at once, and says what to do next."""
    from autograder.author.new import new as write
    from autograder.author.new_exercise import new_exercise

    if own is not None:
        _new_course(own, title)
        return
    if not name:
        raise UsageError("name what to begin: `attend new ch02_more`, `attend new NAME --in ch02`, or --course DIR")
    course = course_here()
    paths = write(course, name) if chapter is None else new_exercise(course, name, chapter)
    for path in paths:
        say(f"wrote {path.relative_to(course.root)}")
    stem = paths[0].stem
    steps = _steps_of_chapter(stem) if chapter is None else _steps_of_exercise(name, stem, paths[-1].name)
    if any((course.root / "tests" / "promises").glob("test_*.py")):  # promises of its own, beyond the engine's
        what = f"example_{stem.partition('_')[2]}" if chapter is None else name
        steps += ["README.md: count it", f'pytest tests/promises -k "{stem.partition("_")[0]} or {what} or readme"']
    console.print("next:")
    for number, step in enumerate(steps, 1):
        console.print(f"  {number}. {step}", markup=False, soft_wrap=True)


def _new_course(directory: Path, title: str) -> None:
    from autograder.author.new_course import new_course
    from autograder.student.start import quoted

    paths = new_course(directory, title)
    say(f"{paths[0].parent} is a course of one chapter: {len(paths)} files")
    say(f"next: cd {quoted(str(paths[0].parent))}, then `attend build`; README.md has the rest")


def _steps_of_chapter(stem: str) -> list[str]:
    from autograder.author.proof.right_answers import FOLDER

    number = stem.partition("_")[0]
    return [
        "fill in these files",
        "attend build",
        f"attend check {number} --target solutions",
        f"three right answers to each exercise, in {(FOLDER / stem).as_posix()}",
        f"attend prove {number} --promises --mutants --gallery",
    ]


def _steps_of_exercise(name: str, stem: str, file: str) -> list[str]:
    from autograder.author.proof.right_answers import ENOUGH, FOLDER

    return [
        "fill in these files",
        "attend build",
        f"attend check {name} --target solutions",
        f"{ENOUGH} right answers, a cell each, in {(FOLDER / stem / file).as_posix()}",
        f"attend prove {name} --promises --mutants --gallery",
    ]
