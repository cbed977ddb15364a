"""`attend ask --sheet`: for each student of a graded class a page of questions about their own answers, and a key."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from rich.console import Console

from autograder.asking.ask import Subject, chosen, questions_about, subjects
from autograder.asking.question import KINDS, CodeQuestion
from autograder.calls.target import Variable
from autograder.classroom import policy
from autograder.classroom.grades import Grade
from autograder.compare.oracles import oracle_of
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.progress_bar import steps
from autograder.core.submission import Submission
from autograder.core.text import counted, join_names
from autograder.course.course import Course
from autograder.course.model import Exercise
from autograder.grading import book
from autograder.grading.seeds import kept
from autograder.grading.store import Store
from autograder.internals.grading_mode import grading_mode
from autograder.judging.process import Hand
from autograder.judging.wall import Wall
from autograder.report.outputs import KEY, SHEETS, STORE
from autograder.report.question_pages import QuestionSheet, key_page, sheets_page
from autograder.sandbox.handles import SandboxLostError
from autograder.sandbox.limits import DEFAULT_LIMITS
from autograder.source.parsing import DEFINITIONS, shared_tree

LIMITS: Final = replace(DEFAULT_LIMITS, call_seconds=2.0, budget_seconds=20.0)
"""What a page is worth: an answer that passed takes a fraction of it."""
MOST_LINES: Final = 13
"""Of an answer, on a page that has room for three."""
MORE: Final = 2
"""Exercises beyond the number of questions that are looked at, so that there is a choice."""


def write_sheets(course: Course, out: Path, seed: int | None, console: Console) -> int:
    """Write the pages and the key into the folder `out` of a graded class; return the command's exit status.

    Raises:
        UsageError: the folder holds no graded class, or its policy names exercises that do not exist.
    """
    graded, wanted = book.read(out), policy.asked_about(out)
    with closing(Store(out / STORE)) as store:
        submissions, chosen_seed = kept(store), (store.seed or 0) if seed is None else seed
    passed = {grade.stem: _passed(grade) for grade in graded.grades}
    names = {name for own in passed.values() for name in own}
    exercises = [each for each in course.select(wanted.exercises) if each.name in names]
    if not exercises:
        raise UsageError(f"nobody in {out} passed an exercise that could be asked about; nothing was written")
    known = subjects(course, exercises, chosen_seed)
    sheets, outcomes = list[QuestionSheet](), Counter[str]()
    walled = Wall(course, "auto", LIMITS, [out], {each.chapter for each in exercises})
    with walled as wall, steps(console) as progress:
        task = progress.add_task("asking", total=len(graded.grades))
        for grade in graded.grades:
            own = [each for each in exercises if each.name in passed[grade.stem]]
            asking = _Asking(course, known, wanted.questions, Random(f"{chosen_seed} {grade.stem}"))
            found = asking.page(submissions[grade.stem], own, wall.hand(), outcomes) if own else []
            outcomes.update(each.outcome for each in found if each.outcome)
            sheets.append(QuestionSheet(grade.student, found))
            progress.update(task, advance=1, refresh=True)
    files.write(out / SHEETS, sheets_page(sheets))
    files.write(out / KEY, key_page(sheets))
    _tell(out, sheets, wanted.questions, console)
    return 0


def _passed(grade: Grade) -> set[str]:
    results = grade.result.exercises if grade.result else ()
    return {each.exercise for each in results if each.status == "passed"}


@dataclass(frozen=True)
class _Asking:
    """Chooses so many questions for one student."""

    course: Course
    subjects: Mapping[str, Subject]
    number: int
    rng: Random

    def page(
        self, submission: Submission, passed: Sequence[Exercise], hand: Hand, outcomes: Mapping[str, int]
    ) -> list[CodeQuestion]:
        """Return questions about different exercises if there are enough that passed, of as many kinds as there are.

        Args:
            outcomes: how often each outcome of a change was asked for in the class.
        """
        pool, seen = list[CodeQuestion](), 0
        for exercise in self.rng.sample(passed, len(passed)):
            found = self._about(submission, exercise, hand)
            pool += found
            seen += bool(found)
            has_all = {each.kind for each in pool} == {*KINDS}
            if seen == self.number + MORE or (seen >= self.number and has_all):
                break
        self.rng.shuffle(pool)
        return chosen(pool, self.number, [], outcomes, ())

    def _about(self, submission: Submission, exercise: Exercise, hand: Hand) -> list[CodeQuestion]:
        """Return the questions about an exercise that are short enough for a page; none where the code misbehaves."""
        target = hand(submission)
        assert isinstance(target, Variable)
        oracle, seed = oracle_of(self.course), f"{self.rng.random()}"
        try:
            with grading_mode():
                found = questions_about(submission, target, exercise, self.subjects[exercise.name], oracle, seed)
        except SandboxLostError:
            raise
        except Exception:  # of hostile code, any kind: it costs its own questions
            return []
        finally:
            target.close()
        names, text = {each.name for each in self.course.exercises}, submission.chapters[exercise.chapter].text
        return [each for each in found if len(each.code) <= MOST_LINES and _is_whole(each, text, names)]


def _is_whole(question: CodeQuestion, text: str, exercises: Collection[str]) -> bool:
    """Return whether a page that shows these lines shows all of the student's own code that they use."""
    used = {word for _, line in question.code for word in re.findall(r"\w+", line)}
    own = {node.name for node in shared_tree(text).body if isinstance(node, DEFINITIONS)}
    return (own & used) <= {*exercises}


def _tell(out: Path, sheets: Sequence[QuestionSheet], number: int, console: Console) -> None:
    """Say what was written, and who has fewer questions than the others."""
    asked = sum(len(sheet.questions) for sheet in sheets)
    lines = [f"pages    {out / SHEETS}: {counted(asked, 'question')} for {counted(len(sheets), 'student')}"]
    lines += [f"key      {out / KEY}"]
    if few := [sheet.student for sheet in sheets if len(sheet.questions) < number]:
        lines += [
            f"fewer than {number} for {counted(len(few), 'student')}, as too little has passed or can be asked about: "
            f"{join_names(few)}"
        ]
    for line in lines:
        console.print(line, soft_wrap=True, markup=False)
