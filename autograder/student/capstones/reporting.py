"""What a finished training comes to, put together for its page."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.student.capstones.recipe import Figure, Recipe
from autograder.student.capstones.report import Goal, Part, Report, Sample, Score
from autograder.student.capstones.training import Training
from autograder.student.own import Piece
from autograder.student.pictures.plots import Curve, curve


def report_of(training: Training, pieces: Sequence[Piece], ablation: Training | None, kept: str) -> Report:
    """The report of a training that has come to its end.

    Args:
        pieces: whose the parts of the model are, what builds it first.
        ablation: the model without positions, trained as long as that one was.
        kept: what became of the file to hand in.
    """
    recipe, model, device = training.recipe, training.model.eval(), training.device
    final = training.scores[-1][1]
    return Report(
        name=recipe.name,
        graded=recipe.graded and pieces[0].yours,
        title=recipe.title,
        says=recipe.says,
        score=_score(recipe, Figure(recipe.label, final, recipe.written(final))),
        goals=tuple(Goal(recipe.written(goal), goal, recipe.reaches(final, goal)) for goal in recipe.goals),
        baselines=tuple(_score(recipe, told) for told in recipe.baselines()),
        parts=tuple(Part(each.exercise.name, each.exercise.chapter, each.yours, each.why) for each in pieces),
        parameters=sum(each.numel() for each in model.parameters()),
        seconds=training.seconds,
        device=str(device),
        steps=training.step,
        curve=curve(
            {"loss of the batch": training.losses}
            | ({} if recipe.higher_is_better else {recipe.label: training.scores}),
            x="step",
            y="loss",
            title="learning",
        ),
        samples=tuple(
            Sample(asked, right, got, _is_right(right, got)) for asked, right, got in recipe.samples(model, device)
        ),
        progress=_progress(training),
        pictures=tuple((shown.caption, shown.plot) for shown in recipe.pictures(model, device)),
        ablations=tuple(_score(recipe, told) for told in _ablated(training, ablation)),
        notes=(
            *_given(pieces[0]),
            kept,
            f"the same again: attend train {recipe.words} --seed {training.seed}",
        ),
    )


def _given(build: Piece) -> Sequence[str]:
    """What to do where the model is not the learner's own."""
    name = build.exercise.name
    return [] if build.yours else [f"{name} is the course's own: write yours and train again, to have one to hand in"]


def _progress(training: Training) -> Curve | None:
    """The held-out score from look to look, where it is no loss."""
    recipe = training.recipe
    if not recipe.higher_is_better:
        return None
    return curve({recipe.label: training.scores}, x="step", y="share", title=recipe.label)


def _score(recipe: Recipe, figure: Figure) -> Score:
    return Score(figure.label, figure.value, figure.written, "higher" if recipe.higher_is_better else "lower")


def _is_right(right: str, got: str) -> bool | None:
    """Whether an answer is right, where one is; what stands behind it in brackets says how sure it is."""
    return got.partition(" (")[0] == right if right else None


def _ablated(training: Training, ablation: Training | None) -> Sequence[Figure]:
    """With and without positions, after as many steps."""
    if ablation is None:
        return ()
    recipe, step = training.recipe, ablation.step
    scores = {"without positions": ablation.scores[-1][1], "with positions": dict(training.scores)[step]}
    return [Figure(f"{label}, after {step} steps", score, recipe.written(score)) for label, score in scores.items()]
