"""`attend sample NAME PROMPT`: one's own trained model answers a prompt."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import torch
from rich.console import Console
from rich.text import Text
from torch import nn

from autograder.calls.artefact import read_artefact
from autograder.core.errors import UsageError
from autograder.core.text import join_names
from autograder.course.course import Course
from autograder.course.folders import require_copy
from autograder.student.capstones.assembly import (
    built_model,
    in_one_sentence,
    pretrained,
    recipe_named,
    recipes,
    take_pieces,
)
from autograder.student.capstones.kept import Places
from autograder.student.capstones.recipe import Prompted, Sampling
from autograder.student.lesson_pieces import LessonPiece, as_text

Write = Callable[[str], None]
"""Shows the next piece of an answer."""


@dataclass(frozen=True)
class TrainedModel:
    """A trained capstone, ready to answer; `whose` says whose pieces it is built from."""

    recipe: Prompted
    model: nn.Module
    pieces: list[LessonPiece]

    @property
    def whose(self) -> str:
        return as_text(self.pieces)

    def answer(self, prompt: str, sampling: Sampling, write: Write) -> None:
        """Write the model's answer to a prompt, as it comes.

        Raises:
            UsageError: the model cannot read the prompt, does not draw what it says, or breaks off.
        """
        recipe = self.recipe
        if not recipe.draws and sampling != Sampling(seed=sampling.seed):
            raise UsageError(f"{recipe.name} gives one answer; --length, --temperature and --top-p do not change it")
        seed = secrets.randbits(31) if sampling.seed is None else sampling.seed
        with in_one_sentence("the answer", recipe.exercise), torch.no_grad():
            recipe.answer(self.model, prompt, replace(sampling, seed=seed), write)


def trained(course: Course, name: str) -> TrainedModel:
    """Return the trained model of a capstone, from the student's own pieces.

    Raises:
        UsageError: there is no such capstone, it takes no prompt, or it is not trained.
    """
    require_copy(course)
    kind = recipe_named(course, name)
    if not issubclass(kind, Prompted):
        named = join_names([each.name for each in recipes(course) if issubclass(each, Prompted)], last="and")
        raise UsageError(f"{kind.name} does not answer words; {named} do")
    path = Places.in_copy(course, kind.name).artefact
    found = read_artefact(path) if path.is_file() else None
    if found is None:
        raise UsageError(f"{kind.name} is not trained yet: attend train {kind.name}")
    mine, pieces = take_pieces(course, kind)
    recipe = pretrained(course, kind, None) if kind.pretrained else kind()
    model = built_model(mine, recipe)
    try:
        model.load_state_dict(dict(found.state))
    except RuntimeError as error:
        says = f"{path.name} holds a model of another form than {kind.exercise} builds now"
        raise UsageError(f"{says}; train it again: attend train {kind.name}") from error
    return TrainedModel(recipe, model.eval(), pieces)


def run(course: Course, name: str, prompt: str | None, sampling: Sampling, console: Console) -> None:
    """Print whose the pieces are, then the answer, as it comes; Ctrl-C ends it where it is.

    Raises:
        UsageError: as for `trained` and `TrainedModel.answer`.
    """
    model = trained(course, name)
    asked = model.recipe.prompt if prompt is None else prompt
    console.print(Text(model.whose, style="dim"))
    begun = False

    def write(piece: str) -> None:
        nonlocal begun
        if not begun:  # not before the model has read it
            console.print(Text(asked, style="bold"), end="" if model.recipe.draws else "\n", soft_wrap=True)
        begun = True
        console.print(Text(piece), end="", soft_wrap=True)

    with suppress(KeyboardInterrupt):
        model.answer(asked, sampling, write)
    console.print()
