"""The report of a training: its records, which the page, the terminal and the notebook show, and how to make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.student.capstones.kept import KeptModel
from autograder.student.capstones.recipe import CaptionedPlot, DesignBudget, Figure
from autograder.student.capstones.training import Training, parameters_of
from autograder.student.lesson_pieces import LessonPiece
from autograder.student.pictures.plots import Curve, curve


@dataclass(frozen=True)
class Goal:
    """A score that earns points: whether the training reached it, and whether the model that is kept reaches it."""

    label: str
    value: float
    reached: bool
    kept_reaches: bool

    @property
    def verdict(self) -> str:
        if self.reached:
            return "✓ reached"
        return "✓ reached by the model that is kept, not by this training" if self.kept_reaches else "○ not reached yet"


@dataclass(frozen=True)
class ModelSample:
    """A question and the model's answer; `expected` is "" and `right` None if no single answer is right."""

    asked: str
    expected: str
    got: str
    right: bool | None


@dataclass(frozen=True)
class Report:
    """A trained model; `says` is a sentence on what it does, `baselines` are the scores it has to beat.

    `pieces` are the parts of the model, first the one that builds it; a model for points `waits_for` the student's.
    """

    name: str
    graded: bool
    waits_for: str
    title: str
    says: str
    higher_is_better: bool
    score: Figure
    goals: tuple[Goal, ...]
    baselines: tuple[Figure, ...]
    pieces: tuple[LessonPiece, ...]
    parameters: int
    budget: DesignBudget | None
    seconds: float
    device: str
    steps: int
    trained_by: str
    curve: Curve
    progress: Curve | None
    samples: tuple[ModelSample, ...]
    pictures: tuple[CaptionedPlot, ...]
    ablations: tuple[Figure, ...]
    notes: tuple[str, ...]

    @property
    def hardest(self) -> Figure | None:
        """The best of the baselines."""
        best = max if self.higher_is_better else min
        return best(self.baselines, key=lambda baseline: baseline.value, default=None)

    @property
    def result(self) -> str:
        """The score in one line, with the baseline that it has to beat."""
        better = "higher" if self.higher_is_better else "lower"
        result = f"{self.score.label}: {self.score.written} ({better} is better)"
        if (baseline := self.hardest) is None:
            return result
        mine, other = self.score.value, baseline.value
        verdict = "better than" if (mine > other if self.higher_is_better else mine < other) else "not yet better than"
        verdict = "as good as" if self.score.written == baseline.written else verdict
        return f"{result}; {verdict} {baseline.label} ({baseline.written})"

    @property
    def size(self) -> str:
        """The size of the model, how long it was trained, and by whose loop where it is the student's."""
        size = f"{self.parameters:,} parameters, {self.steps:,} steps, {self.seconds:.0f} s on {self.device}"
        if self.budget:
            size += (
                f"; the budget is {self.budget.parameters:,} parameters and {self.budget.seconds} s on two idle cores"
            )
        return f"{size}. {self.trained_by}" if self.trained_by else size


def report_of(training: Training, pieces: Sequence[LessonPiece], ablation: Training | None, kept: KeptModel) -> Report:
    """Return the report of a finished training.

    Args:
        pieces: the parts of the model, first the one that builds it.
        ablation: the training of the model to compare with, if there was one.
        kept: the model in the file to hand in, which an earlier training may have made.
    """
    recipe, model, device = training.recipe, training.model.eval(), training.device
    final = training.scores[-1][1]
    return Report(
        name=recipe.name,
        graded=recipe.graded and pieces[0].yours,
        waits_for=recipe.exercise if recipe.graded and not pieces[0].yours else "",
        title=recipe.title,
        says=recipe.says,
        higher_is_better=recipe.higher_is_better,
        score=Figure(recipe.label, final, recipe.written(final)),
        goals=tuple(
            Goal(recipe.written(goal), goal, recipe.reaches(final, goal), recipe.reaches(kept.score, goal))
            for goal in recipe.goals
        ),
        baselines=tuple(recipe.baselines()),
        pieces=tuple(pieces),
        parameters=parameters_of(model),
        budget=recipe.budget,
        seconds=training.seconds,
        device=str(device),
        steps=training.step,
        trained_by=training.trained_by,
        curve=curve(
            {"training loss": training.losses} | ({} if recipe.higher_is_better else {recipe.label: training.scores}),
            x="step",
            y="loss",
            title="learning",
        ),
        samples=tuple(
            ModelSample(asked, right, got, _is_right(right, got)) for asked, right, got in recipe.samples(model, device)
        ),
        progress=_progress(training),
        pictures=tuple(recipe.pictures(model, device)),
        ablations=tuple(_ablated(training, ablation)),
        notes=(
            *([recipe.found] if recipe.found else []),
            kept.says,
            f"the same again: attend train {recipe.words} --seed {training.seed}",
        ),
    )


def _progress(training: Training) -> Curve | None:
    """Return the curve of the held-out score; None if the score is a loss."""
    recipe = training.recipe
    if not recipe.higher_is_better:
        return None
    return curve({recipe.label: training.scores}, x="step", y="share", title=recipe.label)


def _is_right(right: str, got: str) -> bool | None:
    """Return whether an answer is right, without its confidence in brackets; None if no answer is right."""
    return got.partition(" (")[0] == right if right else None


def _ablated(training: Training, ablation: Training | None) -> Sequence[Figure]:
    """Return the scores of the model and of the one that it is compared with."""
    if ablation is None:
        return ()
    return training.recipe.comparison(dict(training.scores), ablation.step, ablation.scores[-1][1])
