"""`%train`: train a capstone in the notebook, with its curve as it grows and its report below."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from IPython.display import HTML, display

from autograder.course.course import Course
from autograder.student.capstones.page import NotebookReport
from autograder.student.capstones.screen import comparing, last_figures
from autograder.student.capstones.training import Training
from autograder.student.capstones.training_run import Stopped, Wish, train
from autograder.student.cell_lines import as_magics
from autograder.student.lesson_pieces import LessonPiece, as_text
from autograder.student.pictures.plots import curve


def run(course: Course, wish: Wish) -> None:
    """Train a capstone, and display its report.

    Raises:
        UsageError: there is no such capstone, device or data, or the student's model cannot be built.
    """
    try:
        report, page = train(course, wish, Board())
    except Stopped as stop:
        print(as_magics(str(stop)))
        return
    display(NotebookReport(report))
    print(f"the same as a page: {page}")


class Board:
    """The display during training: whose the pieces are, a progress bar, and the curve so far."""

    def begins(self, training: Training, pieces: Sequence[LessonPiece], note: str) -> None:
        words = "<br>".join(filter(None, [escape(as_magics(as_text(pieces))), escape(note)]))
        self._head = f"<b>{escape(training.recipe.title)}</b><br><small>{words}</small>"
        self._drawn = ""
        self._handle = display(HTML(self._head), display_id=True)

    def stepped(self, training: Training) -> None:
        if training.is_scored:
            self._drawn = curve({"loss": training.losses}, x="step", y="loss").svg()
            self._show(training.step, training.recipe.plan.steps, last_figures(training))

    def compared(self, ablation: Training) -> None:
        plan = ablation.recipe.plan
        if ablation.step % plan.every == 0:
            self._show(ablation.step, plan.compared, comparing(ablation))

    def _show(self, done: int, steps: int, words: str) -> None:
        bar = f'<progress max="{steps}" value="{done}"></progress>'
        status = f"{done:,} of {steps:,} steps, {escape(words)}"
        self._handle.update(HTML(f"{self._head}<br>{bar} {status}<div>{self._drawn}</div>"))
