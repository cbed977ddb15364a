"""One capstone from its pieces to its page: `attend train NAME`, and `%train NAME` in a notebook."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any, Protocol, Self

import torch
from torch import nn

from autograder.calls.artefact import Artefact, read_artefact, refuse_ungradable, write_artefact
from autograder.calls.device_transfer import device_named
from autograder.calls.records import PARTS
from autograder.core import files
from autograder.core.errors import AttendError, UsageError
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.folders import require_copy
from autograder.intake.artefacts import FOLDER, SUFFIX
from autograder.student.capstones.fetch import fetched
from autograder.student.capstones.page import page
from autograder.student.capstones.recipe import Recipe
from autograder.student.capstones.report import Report, report_of
from autograder.student.capstones.training import Training
from autograder.student.lesson_pieces import LessonPiece, take_up

FETCHED = Path("imdb")
"""The place that means: download it."""
ARCHIVE = Path(".attend", "aclImdb_v1.tar.gz")
ABLATED = 0.4
"""The share of the steps for which the model without positions is trained, to compare at the same step."""


class Watcher(Protocol):
    """Follows the progress of a training."""

    def begins(self, recipe: Recipe, pieces: Sequence[LessonPiece], steps: int) -> None:
        """Show whose the pieces are, and how many steps there will be."""

    def stepped(self, training: Training) -> None:
        """Show one more step."""

    def compared(self, ablation: Training) -> None:
        """Show one more step of the model without positions."""


@dataclass(frozen=True)
class Wish:
    """What to train and how; `place` holds other data, `resume` goes on from a checkpoint."""

    name: str
    resume: bool = False
    device: str = "auto"
    place: Path | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Places:
    """The files of a capstone; they lie beside the chapters, so that they are handed in with them."""

    folder: Path
    name: str

    @classmethod
    def in_copy(cls, course: Course, name: str) -> Self:
        """Return the places in a working copy.

        Raises:
            UsageError: their folder is a link that leads out of the copy.
        """
        return cls(files.inside(course.root, Path("exercises", FOLDER)), name)

    def of(self, suffix: str) -> Path:
        return files.inside(self.folder, f"{self.name}{suffix}")

    @property
    def checkpoint(self) -> Path:
        return self.of(".checkpoint")

    @property
    def artefact(self) -> Path:
        return self.of(SUFFIX)

    @property
    def page(self) -> Path:
        return self.of(".html")


class Stopped(AttendError):
    """The training was interrupted; the message says how to go on."""


def standing(course: Course) -> list[tuple[str, str, str]]:
    """Return name and title of each capstone, and how far it has come in this copy.

    Raises:
        UsageError: the course has none, or this is no working copy.
    """
    require_copy(course)
    return [(each.name, each.title, _standing(course, each)) for each in _recipes(course)]


def _standing(course: Course, recipe: type[Recipe]) -> str:
    places = Places.in_copy(course, recipe.name)
    if places.checkpoint.is_file():
        return f"stopped; attend train {recipe.name} --resume goes on"
    made = read_artefact(places.artefact) if places.artefact.is_file() else None
    if made is None or made.score is None:
        return "not trained yet"
    return f"held out: {recipe().written(made.score)}"


def train(course: Course, wish: Wish, watcher: Watcher) -> tuple[Report, Path]:
    """Train a capstone from the student's own pieces; return its report, and the page that shows it.

    Raises:
        UsageError: there is no such capstone, device or data, or the student's model cannot be built.
        Stopped: the training was interrupted; a checkpoint is kept.
    """
    require_copy(course)
    kind = _kind(course, wish)
    mine = import_module(PARTS).mine
    names = {exercise.name for exercise in course.exercises}
    wanted = [name for name in dict.fromkeys((kind.exercise, *kind.pieces, *kind.tools)) if name in names]
    pieces = take_up(course, mine, wanted, even=[kind.exercise])
    tools = {name: getattr(mine, name) for name in kind.tools if name in names}
    recipe = _recipe(course, kind, wish)  # after `take_up`: it reads its data with the student's pieces
    device = device_named(wish.device)
    seed = secrets.randbits(31) if wish.seed is None else wish.seed
    torch.manual_seed(seed)
    places = Places.in_copy(course, recipe.name)
    training = Training(recipe, _gradable(mine, recipe), tools, device, seed)
    if wish.resume:
        training.resume(places.checkpoint)
    ablation = _ablation(mine, recipe, tools, device, seed)
    steps = recipe.plan.steps - training.step + (_short(recipe) if ablation else 0)
    watcher.begins(recipe, pieces, steps)
    with _in_one_sentence(recipe):
        _run(training, places, watcher)
        kept = _keep(training, places, _built(mine, recipe))
        report = report_of(training, pieces, _compared(ablation, watcher), kept)
    files.write(places.page, page(report))
    places.checkpoint.unlink(missing_ok=True)
    return report, places.page


@contextmanager
def _in_one_sentence(recipe: Recipe) -> Iterator[None]:
    """Report an error in the student's pieces as a sentence with its line.

    Raises:
        UsageError: the code inside raised an exception.
    """
    try:
        yield
    except AttendError:
        raise
    except Exception as error:
        own = [each for each in extract_tb(error.__traceback__) if not Path(each.filename).is_absolute()]
        where = f" in line {own[-1].lineno} of {own[-1].filename}: {own[-1].line}" if own else ""
        says = f"the training broke off: {type(error).__name__}: {error}{where}"
        raise UsageError(f"{says}\n`attend check {recipe.exercise}` shows what it asks of your model") from error


def _run(training: Training, places: Places, watcher: Watcher) -> None:
    def after(now: Training) -> None:
        if now.is_scored and not now.is_done:
            now.save(places.checkpoint)
        watcher.stepped(now)

    try:
        training.run(after)
    except KeyboardInterrupt:
        training.save(places.checkpoint)
        steps = f"{training.step} of {training.recipe.plan.steps} steps"
        raise Stopped(
            f"stopped after {steps}, which are kept; attend train {training.recipe.words} --resume goes on"
        ) from None


def _compared(ablation: Training | None, watcher: Watcher) -> Training | None:
    """Train the model without positions; return None if there is none, or the student interrupts it."""
    if ablation is None:
        return None
    try:
        ablation.run(watcher.compared, until=_short(ablation.recipe))
    except KeyboardInterrupt:
        return None
    return ablation


def _keep(training: Training, places: Places, other: nn.Module) -> str:
    """Write the trained model to its file, unless the file's weights score better; return a sentence on which.

    Args:
        other: a second model, to load the file's weights into.
    """
    recipe, score = training.recipe, training.scores[-1][1]
    new = Artefact({name: value.detach().cpu() for name, value in training.model.state_dict().items()}, score)
    old = _score_of(places.artefact, other, training)
    if old is not None and recipe.is_better(old, score):
        return f"{places.artefact.name} holds an earlier, better model ({recipe.written(old)}), which stays"
    write_artefact(places.artefact, new)
    return f"{places.artefact.name} holds the trained model"


def _score_of(path: Path, model: nn.Module, training: Training) -> float | None:
    """Return the score of a file's weights in `model`; None if there are none that fit."""
    found = read_artefact(path) if path.is_file() else None
    try:
        if found:
            model.to(training.device).eval().load_state_dict(dict(found.state))
            with torch.no_grad():
                return training.recipe.score(model, training.device)
    except (RuntimeError, AttributeError):
        return None
    return None


def _recipes(course: Course) -> Sequence[type[Recipe]]:
    course.lead()
    try:
        found: Sequence[type[Recipe]] = import_module("reference.capstones").CAPSTONES
    except ModuleNotFoundError as error:
        raise UsageError("this course has no capstones to train") from error
    names = {exercise.name for exercise in course.exercises}
    return [each for each in found if each.exercise in names]


def _kind(course: Course, wish: Wish) -> type[Recipe]:
    known = {each.name: each for each in _recipes(course)}
    near = [name for name in known if wish.name and name.startswith(wish.name.lower())]
    if len(near) != 1:
        raise UsageError(f"there is no capstone '{wish.name}'; there is {join_names([*known], last='and')}")
    if wish.place is not None and near[0] != "sentiment":
        raise UsageError(f"--data is for sentiment, which can learn from IMDB; {near[0]} has data of its own")
    return known[near[0]]


def _recipe(course: Course, kind: Any, wish: Wish) -> Recipe:
    if wish.place is None:
        return kind()  # type: ignore[no-any-return]
    given = wish.place if wish.place.exists() or wish.place != FETCHED else fetched(files.inside(course.root, ARCHIVE))
    return kind(given)  # type: ignore[no-any-return]


def _built(mine: Any, recipe: Recipe) -> nn.Module:
    build = getattr(mine, recipe.exercise)
    try:
        model = build(*recipe.arguments)
    except Exception as error:  # the student's code may raise anything
        raise UsageError(f"{recipe.exercise} builds no model: {type(error).__name__}: {error}") from error
    if not isinstance(model, nn.Module):
        raise UsageError(f"{recipe.exercise} returns a {type(model).__name__}; return a torch.nn.Module")
    return model


def _gradable(mine: Any, recipe: Recipe) -> nn.Module:
    model = _built(mine, recipe)
    refuse_ungradable(model)
    return model


def _short(recipe: Recipe) -> int:
    """Return the number of steps of the ablation, after which the model with positions was scored too."""
    every = recipe.plan.every
    return max(every, int(ABLATED * recipe.plan.steps) // every * every)


def _ablation(mine: Any, recipe: Recipe, tools: Mapping[str, Any], device: torch.device, seed: int) -> Training | None:
    """Return a training of the model without positions; None if it has none to remove."""
    torch.manual_seed(seed)
    training = Training(recipe, _built(mine, recipe), tools, device, seed)
    return training if recipe.without_positions(training.model) else None
