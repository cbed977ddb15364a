"""A workflow for students' repositories on GitHub: every push is checked, and shows points chapter by chapter.

It needs no service but GitHub's own Actions: steps, job summaries and annotations. GitHub Classroom reads the points
from two annotations of the run, which are written as its own reporter writes them:
https://github.com/classroom-resources/autograding-grading-reporter, `src/notify-classroom.js`.

Usage in the workflow: python -m autograder.platforms.github.workflow CHAPTER, and at the end `... github --total`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.classroom.lost_files import held
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.core.records import ExerciseResult
from autograder.core.text import counted, join_names
from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from autograder.student.not_lent import not_lent

PLACE = Path(".github", "workflows", "attend.yml")
TOTAL, INSTALL = "--total", "install"
HEAD = "# Written by `attend github`: "
PYTHON = "3.12"
UNFINISHED = "its checks did not run to the end; the log of its step says why"
WORKFLOW = (
    HEAD
    + """\
checks every push, and shows the points of each chapter.
# For practice, not for the grade: anyone who may push to a repository may also change its checks and this file.
# The grade comes from `attend grade`, which the instructor runs on clones, with the original checks.
name: Autograding Tests
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-python@v6
        with:
          python-version: "{python}"
          cache: pip
          cache-dependency-path: |
            pyproject.toml
            constraints.txt
      - name: Install
        id: {install}
        # PyTorch's own index has wheels without CUDA, which are much smaller.
        run: python -m pip install -c constraints.txt --extra-index-url https://download.pytorch.org/whl/cpu -e .
{steps}\
      - name: Points
        if: ${{{{ !cancelled() && steps.{install}.outcome == 'success' }}}}
        env:
          STEPS: ${{{{ toJSON(steps) }}}}
        run: python -m autograder.platforms.github.workflow {total}
"""
)
STEP = """\
      - name: {chapter} ({points:g} points)
        id: {chapter}
        if: ${{{{ !cancelled() && steps.{install}.outcome == 'success' }}}}
        run: python -m autograder.platforms.github.workflow {chapter}
"""


def workflow(course: Course, chapters: Sequence[str]) -> str:
    """Return the workflow's text: a step for each chapter, which fails until all its exercises pass."""
    steps = "".join(
        STEP.format(chapter=chapter, install=INSTALL, points=sum(each.points for each in course.of(chapter)))
        for chapter in chapters
    )
    return WORKFLOW.format(python=PYTHON, steps=steps, total=TOTAL, install=INSTALL)


def put(directory: Path) -> str:
    """Write the workflow into a released course; return what to do with it.

    Raises:
        UsageError: the folder holds no released course, or has another workflow of this name.
    """
    course = Course(directory.resolve())
    if not (course.root / "pyproject.toml").is_file() or not (course.root / "attend.toml").is_file():
        raise UsageError(f"{directory} holds no course with its engine; `attend release {directory}` makes one")
    path = course.root / PLACE
    if path.exists() and not path.read_text(encoding="utf-8", errors="replace").startswith(HEAD):
        raise UsageError(f"{path} is there already, and not from `attend github`; rename it first")
    chapters = [each for each in course.chapters if any(exercise.checks for exercise in course.of(each))]
    files.write(path, workflow(course, chapters))
    return (
        f"{path}: {counted(len(chapters), 'chapter')}, checked at every push\n"
        "put the folder into a repository of yours, and let students make theirs from it as a template"
    )


def check(course: Course, chapter: str) -> int:
    """Check a chapter as `attend check` does, and pass its points to the workflow; return 0 if all passed."""
    from rich.console import Console

    from autograder.student.check import check as run

    console = Console(highlight=False, force_terminal=bool(os.environ.get("GITHUB_ACTIONS")), width=110)
    found = run(course, course.of(chapter), course.exercises_dir, None, console, again=True)
    if found is None:
        return 1
    for each in held(found):
        print(_annotation("error", f"{chapter} could not be graded", each.says))
    submission = read_folder(course.exercises_dir, replace(course, only=(chapter,)))
    remarks = [course.elsewhere(course.of(chapter)), *not_lent(course, submission, found)]
    _append("GITHUB_OUTPUT", f"result={json.dumps(points(chapter, found, filter(None, remarks)))}\n")
    return 0 if all(each.score == each.max_score for each in found) else 1


def points(chapter: str, found: Sequence[ExerciseResult], remarks: Iterable[str] = ()) -> Mapping[str, object]:
    """Return the points of a chapter and of its exercises, for programs, and sentences on checks that are missing."""
    return {
        "chapter": chapter,
        "score": sum(each.score for each in found),
        "max_score": sum(each.max_score for each in found),
        "exercises": [
            {"name": each.exercise, "score": each.score, "max_score": each.max_score, "status": each.status}
            for each in found
        ],
        "not_graded": [*(each.says for each in held(found)), *_failed(found)],
        "remarks": list(remarks),
    }


def _failed(found: Sequence[ExerciseResult]) -> Iterator[str]:
    if names := [each.exercise for each in found if each.status == "grader_error"]:
        yield f"the checks themselves failed on {join_names(names)}"


def total(steps: Mapping[str, Mapping[str, Mapping[str, str]]]) -> int:
    """Show the points of all steps on the run's page, and give them to GitHub Classroom.

    Classroom gets no points where a chapter has none yet: it would take those of the others for the whole.

    Args:
        steps: the workflow's own record of its steps, by id.
    """
    outputs = {name: step.get("outputs", {}) for name, step in steps.items() if name != INSTALL}
    chapters = [json.loads(given["result"]) for given in outputs.values() if "result" in given]
    lost = {each["chapter"]: "; ".join(each["not_graded"]) for each in chapters if each["not_graded"]}
    lost |= {name: UNFINISHED for name, given in outputs.items() if "result" not in given}
    _append("GITHUB_STEP_SUMMARY", "\n".join(_summary(chapters, lost)) + "\n")
    score, most = (round(sum(each[name] for each in chapters), 6) for name in ("score", "max_score"))
    print("\n".join(_without_points(lost) if lost else _for_classroom(score, most)))
    return 0


def _summary(chapters: Sequence[Mapping[str, Any]], lost: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the run's page, in Markdown."""
    yield from (f"**No grade yet for {chapter}:** {says}\n" for chapter, says in lost.items())
    yield "| chapter | points | of |"
    yield "|---|---:|---:|"
    yield from (f"| {each['chapter']} | {each['score']:g} | {each['max_score']:g} |" for each in chapters)
    score, most = (sum(each[name] for each in chapters) for name in ("score", "max_score"))
    yield f"| **all** | **{score:g}** | **{most:g}** |"
    yield from dict.fromkeys(f"\n{says}" for each in chapters for says in each["remarks"])


def _for_classroom(score: float, most: float) -> Iterator[str]:
    """Yield the annotations that GitHub Classroom reads; none if nothing is worth a point."""
    if most:
        points, whole = (int(each) if each == int(each) else each for each in (score, most))
        report = json.dumps({"totalPoints": points, "maxPoints": whole}, separators=(",", ":"))
        yield _annotation("notice", "Autograding complete", f"Points {points}/{whole}")
        yield _annotation("notice", "Autograding report", report)


def _without_points(lost: Mapping[str, str]) -> Iterator[str]:
    yield _annotation("warning", "No points for GitHub Classroom", f"there is no grade yet for {join_names(lost)}")


def _annotation(level: str, title: str, text: str) -> str:
    """Return the line of a log that GitHub shows as an annotation; a `%` in its text stands for a code."""
    return f"::{level} title={title}::{text.replace('%', '%25')}"


def _append(variable: str, text: str) -> None:
    """Append text to the file that GitHub names in `variable`, or print it."""
    path = os.environ.get(variable)
    if not path:
        print(text, end="")
        return
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def main(argument: str) -> int:
    """Check the named chapter, or show the total."""
    if argument == TOTAL:
        return total(json.loads(os.environ.get("STEPS", "{}")))
    return check(Course.find(), argument)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except AttendError as error:
        sys.exit(f"attend: {error}")
