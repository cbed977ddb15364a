"""A workflow for students' repositories on GitHub: every push is checked, and shows points chapter by chapter.

It needs no service but GitHub's own Actions: steps, job summaries and annotations.

Usage in the workflow: python -m autograder.platforms.github.workflow CHAPTER, and at the end `... github --total`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.classroom.lost_files import held
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.core.records import ExerciseResult
from autograder.core.text import counted
from autograder.course.course import Course

PLACE = Path(".github", "workflows", "attend.yml")
TOTAL = "--total"
HEAD = "# Written by `attend github`: "
PYTHON = "3.12"
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
        id: install
        # PyTorch's own index has wheels without CUDA, which are much smaller.
        run: python -m pip install -c constraints.txt --extra-index-url https://download.pytorch.org/whl/cpu -e .
{steps}\
      - name: Points
        if: ${{{{ !cancelled() && steps.install.outcome == 'success' }}}}
        env:
          STEPS: ${{{{ toJSON(steps) }}}}
        run: python -m autograder.platforms.github.workflow {total}
"""
)
STEP = """\
      - name: {chapter} ({points:g} points)
        id: {chapter}
        if: ${{{{ !cancelled() && steps.install.outcome == 'success' }}}}
        run: python -m autograder.platforms.github.workflow {chapter}
"""


def workflow(course: Course, chapters: Sequence[str]) -> str:
    """Return the workflow's text: a step for each chapter, which fails until all its exercises pass."""
    steps = "".join(
        STEP.format(chapter=chapter, points=sum(each.points for each in course.of(chapter))) for chapter in chapters
    )
    return WORKFLOW.format(python=PYTHON, steps=steps, total=TOTAL)


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
    files.write(path, workflow(course, course.chapters))
    return (
        f"{path}: {counted(len(course.chapters), 'chapter')}, checked at every push\n"
        "put the folder into a repository of yours, and let students make theirs from it as a template"
    )


def check(course: Course, chapter: str) -> int:
    """Check a chapter as `attend check` does, and pass its points to the workflow; return 0 if all passed."""
    from rich.console import Console

    from autograder.student.check import check as run

    console = Console(highlight=False, force_terminal=bool(os.environ.get("GITHUB_ACTIONS")), width=110)
    found = run(course, course.of(chapter), course.exercises_dir, None, console, again=True) or ()
    for each in held(found):
        print(f"::error title={chapter} could not be graded::{each.says}")
    _append("GITHUB_OUTPUT", f"result={json.dumps(points(chapter, found))}\n")
    return 0 if found and all(each.score == each.max_score for each in found) else 1


def points(chapter: str, found: Sequence[ExerciseResult]) -> Mapping[str, object]:
    """Return the points of a chapter and of its exercises, for programs."""
    return {
        "chapter": chapter,
        "score": sum(each.score for each in found),
        "max_score": sum(each.max_score for each in found),
        "exercises": [
            {"name": each.exercise, "score": each.score, "max_score": each.max_score, "status": each.status}
            for each in found
        ],
        "not_graded": [each.says for each in held(found)],
    }


def total(steps: Mapping[str, Mapping[str, Mapping[str, str]]]) -> int:
    """Show the points of all steps on the run's page, and as a notice for programs.

    Args:
        steps: the workflow's own record of its steps, by id.
    """
    chapters = [json.loads(step["outputs"]["result"]) for step in steps.values() if "result" in step.get("outputs", {})]
    rows = [f"| {each['chapter']} | {each['score']:g} | {each['max_score']:g} |" for each in chapters]
    score, most = sum(each["score"] for each in chapters), sum(each["max_score"] for each in chapters)
    lost = [f"**No grade yet for {each['chapter']}:** {says}\n" for each in chapters for says in each["not_graded"]]
    table = [
        *lost,
        "| chapter | points | of |",
        "|---|---:|---:|",
        *rows,
        f"| **all** | **{score:g}** | **{most:g}** |",
    ]
    _append("GITHUB_STEP_SUMMARY", "\n".join(table) + "\n")
    print(f"::notice title=Points::{score:g} of {most:g}")
    return 0


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
