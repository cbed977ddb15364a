"""The pages of questions for a class, to be printed, and their key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.asking.question import LETTERS, CodeQuestion
from autograder.report.pages import render


@dataclass(frozen=True)
class QuestionSheet:
    """The questions for one student."""

    student: str
    questions: Sequence[CodeQuestion]


def sheets_page(sheets: Sequence[QuestionSheet]) -> str:
    """Return a page to be printed, with a sheet for each student who has questions."""
    return render("questions.html", sheets=[sheet for sheet in sheets if sheet.questions], letters=LETTERS)


def key_page(sheets: Sequence[QuestionSheet]) -> str:
    """Return the right choices and the runs that show them, for the instructor."""
    return render("questions_key.html", sheets=sheets, letters=LETTERS)
