"""One capstone from its pieces to its page: `attend train NAME`, and `%train NAME` in a notebook."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn

from autograder.calls.artefact import refuse_ungradable
from autograder.calls.device_transfer import device_named
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.course.course import Course
from autograder.course.folders import require_copy
from autograder.student.capstones.assembly import (
    built_model,
    in_one_sentence,
    pretrained,
    recipe_named,
    recipes,
    take_pieces,
    taken_tools,
)
from autograder.student.capstones.fetch import fetched
from autograder.student.capstones.kept import Places, keep, steps, stopped_after
from autograder.student.capstones.kept import standing as standing_of
from autograder.student.capstones.page import page
from autograder.student.capstones.recipe import Recipe
from autograder.student.capstones.report import Report, report_of
from autograder.student.capstones.training import Training, parameters_of
from autograder.student.lesson_pieces import LessonPiece

FETCHED = Path("imdb")
"""The place that means: download it."""
ARCHIVE = Path(".attend", "aclImdb_v1.tar.gz")


class Watcher(Protocol):
    """Follows the progress of a training."""

    def begins(self, training: Training, pieces: Sequence[LessonPiece], note: str) -> None:
        """Show whose the pieces are, how many steps are to come, and a note on what became of an earlier training."""

    def stepped(self, training: Training) -> None:
        """Show one more step."""

    def compared(self, ablation: Training) -> None:
        """Show one more step of the model without positions."""


@dataclass(frozen=True)
class Wish:
    """What to train and how; `place` holds other data, `weights` a published model.

    `resume` goes on from a checkpoint.
    """

    name: str
    resume: bool = False
    device: str = "auto"
    place: Path | None = None
    seed: int | None = None
    weights: Path | None = None


class Stopped(AttendError):
    """The training was interrupted; the message says how to go on."""


def standing(course: Course) -> list[tuple[str, str, str]]:
    """Return name and title of each capstone, and how far it has come in this copy.

    Raises:
        UsageError: the course has none, or this is no working copy.
    """
    require_copy(course)
    return [(each.name, each.title, standing_of(Places.in_copy(course, each.name), each())) for each in recipes(course)]


def train(course: Course, wish: Wish, watcher: Watcher) -> tuple[Report, Path]:
    """Train a capstone from the student's own pieces; return its report, and the page that shows it.

    Raises:
        UsageError: there is no such capstone, device or data, or the student's model cannot be built; or another
            process trains it.
        Stopped: the training was interrupted; a checkpoint is kept.
    """
    require_copy(course)
    kind = recipe_named(course, wish.name)
    if wish.place is not None and kind.name != "sentiment":
        raise UsageError(f"--data is for sentiment, which can learn from IMDB; {kind.name} has data of its own")
    if wish.weights is not None and not kind.pretrained:
        raise UsageError(f"--weights is for meaning, which begins with a published model; {kind.name} begins at random")
    places = Places.in_copy(course, kind.name)
    with places.held():
        return _train(course, kind, wish, places, watcher)


def _train(course: Course, kind: type[Recipe], wish: Wish, places: Places, watcher: Watcher) -> tuple[Report, Path]:
    mine, pieces = take_pieces(course, kind)
    tools = taken_tools(mine, kind, pieces)
    recipe = _recipe(course, kind, wish)  # after `take_pieces`: it reads its data with the student's pieces
    places = replace(places, name=recipe.name)  # with other data it is another model, which is not handed in
    device = device_named(wish.device)
    seed = secrets.randbits(31) if wish.seed is None else wish.seed
    torch.manual_seed(seed)
    training = Training(recipe, _gradable(mine, recipe), tools, device, seed)
    if wish.resume:
        training.resume(places.checkpoint)
    ablation = _ablation(mine, recipe, tools, device, seed)
    notes = recipe.found, "" if wish.resume else _make_room(places, recipe)
    watcher.begins(training, pieces, "; ".join(filter(None, notes)))
    with in_one_sentence("the training", recipe.exercise), _stopped_by_ctrl_c(training, places):
        _run(training, places, watcher)
        kept = keep(training, places, built_model(mine, recipe))
        other = _compared(ablation or _sequel(training), watcher)
        report = report_of(training, pieces, other, kept)
        files.write(kept.page, page(report))
    places.checkpoint.unlink(missing_ok=True)
    return report, kept.page


def _make_room(places: Places, recipe: Recipe) -> str:
    """Set the checkpoint of an earlier training aside, if there is one; return a sentence on where it is."""
    if not places.checkpoint.is_file():
        return ""
    stopped = stopped_after(places.checkpoint, recipe)
    return f"begun anew: the training that {stopped} is kept in {places.set_aside(places.checkpoint)}"


@contextmanager
def _stopped_by_ctrl_c(training: Training, places: Places) -> Iterator[None]:
    """Keep a checkpoint where the student interrupts the code inside.

    Raises:
        Stopped: they did.
    """
    try:
        yield
    except KeyboardInterrupt:
        training.save(places.checkpoint)
        done = f"stopped after {steps(training.step, training.recipe)}, which are kept"
        raise Stopped(f"{done}\nto go on: attend train {training.recipe.words} --resume") from None


def _run(training: Training, places: Places, watcher: Watcher) -> None:
    """Train to the end, keeping a checkpoint after each score."""

    def after(now: Training) -> None:
        if now.is_scored:
            now.save(places.checkpoint)
        watcher.stepped(now)

    training.run(after)


def _compared(ablation: Training | None, watcher: Watcher) -> Training | None:
    """Train the model to compare with; return None if there is none, or the student interrupts it."""
    if ablation is None:
        return None
    try:
        ablation.run(watcher.compared, until=ablation.recipe.plan.compared)
    except KeyboardInterrupt:
        return None
    return ablation


def _sequel(training: Training) -> Training | None:
    """Return the training that comes after a finished one, if its recipe has one."""
    found = training.recipe.sequel(training.model)
    return Training(*found, training.tools, training.device, training.seed) if found else None


def _recipe(course: Course, kind: Any, wish: Wish) -> Recipe:
    if kind.pretrained:
        return pretrained(course, kind, wish.weights)  # type: ignore[no-any-return]
    if wish.place is None:
        return kind()  # type: ignore[no-any-return]
    given = wish.place if wish.place.exists() or wish.place != FETCHED else fetched(files.inside(course.root, ARCHIVE))
    return kind(given)  # type: ignore[no-any-return]


def _gradable(mine: Any, recipe: Recipe) -> nn.Module:
    model = built_model(mine, recipe)
    refuse_ungradable(model)
    count = parameters_of(model)
    if recipe.budget and count > recipe.budget.parameters:
        most = f"{recipe.budget.parameters:,}"
        raise UsageError(f"your model has {count:,} parameters, and {recipe.name} may have {most}: make it smaller")
    return model


def _ablation(mine: Any, recipe: Recipe, tools: Mapping[str, Any], device: torch.device, seed: int) -> Training | None:
    """Return a training of the model without positions; None if it has none to remove."""
    torch.manual_seed(seed)
    training = Training(recipe, built_model(mine, recipe), tools, device, seed)
    return training if recipe.without_positions(training.model) else None
