"""The files of a capstone: its checkpoint, the trained model and its page. None of them is lost in silence."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from autograder.calls.artefact import Artefact, read_artefact, write_artefact
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.file_lock import is_held, lock
from autograder.core.reading import contents
from autograder.course.course import Course
from autograder.intake.artefacts import FOLDER, SUFFIX
from autograder.student.capstones.recipe import Recipe
from autograder.student.capstones.training import MOST_CHECKPOINT, Training

ASIDE = Path(".attend", "replaced")
LOCKS = Path(".attend", "training")
ELSEWHERE = "is being trained in another terminal"


@dataclass(frozen=True)
class Places:
    """The files of a capstone; they lie beside the chapters of the copy at `root`, so that they are handed in too."""

    root: Path
    folder: Path
    name: str

    @classmethod
    def in_copy(cls, course: Course, name: str) -> Places:
        """Return the places in a working copy.

        Raises:
            UsageError: their folder is a link that leads out of the copy.
        """
        return cls(course.root, files.inside(course.root, Path("exercises", FOLDER)), name)

    def of(self, ending: str) -> Path:
        """Return the file of this ending; raise a UsageError if it is a link that leads out of the folder."""
        return files.inside(self.folder, f"{self.name}{ending}")

    @property
    def checkpoint(self) -> Path:
        return self.of(".checkpoint")

    @property
    def artefact(self) -> Path:
        return self.of(SUFFIX)

    @property
    def page(self) -> Path:
        """The page of the model in `artefact`."""
        return self.of(".html")

    @property
    def last_page(self) -> Path:
        """The page of the last training, where an earlier one was better."""
        return self.of("-last.html")

    @property
    def lock(self) -> Path:
        """The file that is locked during a training."""
        return files.inside(self.root, LOCKS / f"{self.name}.lock")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let no other process train this capstone while the code inside does.

        Raises:
            UsageError: another trains it, or nothing can be written here.
        """
        for folder in (self.folder, self.lock.parent):
            files.require_writable(folder)
        with lock(self.lock) as mine:
            if not mine:
                raise UsageError(f"{self.name} {ELSEWHERE}; wait until it ends, or stop it there with Ctrl-C")
            yield

    def set_aside(self, path: Path) -> str:
        """Move a file out of the folder that is handed in; return where to, relative to the copy.

        Raises:
            UsageError: it cannot be moved.
        """
        number = 1
        while (place := ASIDE / f"{path.stem}-{number}{path.suffix}") and (self.root / place).exists():
            number += 1
        try:
            files.inside(self.root, ASIDE).mkdir(parents=True, exist_ok=True)
            files.replace(path, files.inside(self.root, place))
        except OSError as error:
            raise UsageError(f"{path} cannot be moved to {place} ({error.strerror}); move it away yourself") from error
        return place.as_posix()


@dataclass(frozen=True)
class KeptModel:
    """What became of a trained model, as a sentence; the page of its report, and the score of the model to hand in."""

    says: str
    page: Path
    score: float


def keep(training: Training, places: Places, other: nn.Module) -> KeptModel:
    """Write the trained model to its file, unless the file's weights score better.

    Args:
        other: a second model, to load the file's weights into.
    """
    recipe, score, name = training.recipe, training.scores[-1][1], places.artefact.name
    new = Artefact({name: value.detach().cpu() for name, value in training.model.state_dict().items()}, score)
    old = _score_of(places.artefact, other, training)
    if old is not None and recipe.is_better(old, score):
        stays = f"{name} holds an earlier, better model ({recipe.written(old)}), which stays, and so does its page"
        return KeptModel(stays, places.last_page, old)
    before = "" if old is None else f"; the one before had {recipe.written(old)}"
    if old is None and places.artefact.exists():
        before = f"; the one before is none that your code builds, and is kept in {places.set_aside(places.artefact)}"
    write_artefact(places.artefact, new)
    places.last_page.unlink(missing_ok=True)
    return KeptModel(f"{name} holds the trained model{before}", places.page, score)


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


def standing(places: Places, recipe: Recipe) -> str:
    """Return how far a capstone has come: the score of its trained model, and where a later training was stopped."""
    made = read_artefact(places.artefact) if places.artefact.is_file() else None
    known = made is not None and made.score is not None
    result = f"held out: {recipe.written(made.score)}" if made and made.score is not None else "not trained yet"
    if is_held(places.lock):
        return f"{result}; it {ELSEWHERE}" if known else ELSEWHERE
    if not places.checkpoint.is_file():
        return result
    goes_on = f"{stopped_after(places.checkpoint, recipe)}; attend train {recipe.words} --resume goes on"
    return f"{result}; a later training {goes_on}" if known else goes_on


def stopped_after(path: Path, recipe: Recipe) -> str:
    """Return "stopped after 51 of 900 steps" for a checkpoint; without the numbers where it cannot be read."""
    try:
        _, step, *_ = torch.load(io.BytesIO(contents(path, MOST_CHECKPOINT)), weights_only=True, map_location="cpu")[
            "rest"
        ]
    except Exception:  # a file cut short, or of another version of torch
        return "stopped"
    return f"stopped after {steps(int(step), recipe)}"


def steps(step: int, recipe: Recipe) -> str:
    """Return "51 of 900 steps"."""
    return f"{step:,} of {recipe.plan.steps:,} steps"
