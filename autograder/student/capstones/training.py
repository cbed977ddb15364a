"""A training in stretches, each by the course's `fit` or the student's; scores, and checkpoints to resume from."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from autograder.calls.artefact import MOST_NUMBERS
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents
from autograder.student.capstones.fitting import Batch, Fit, StudentAdamW, fit
from autograder.student.capstones.recipe import Recipe

MOST_CHECKPOINT = 16 * MOST_NUMBERS
"""The bytes of the largest checkpoint: a model in float32, what AdamW keeps of each number, and the rest."""
SMALL = 100_000
"""A model with fewer parameters trains as fast with one thread as with two."""
Tools = Mapping[str, Callable[..., Any]]
"""What trains: `small_start`, `learning_rate` and `clip_gradients`, and the student's own `fit` and `adamw_step`."""

LOOP = ("fit", "adamw_step")
"""The exercises that train in place of the course's own loop and of torch's AdamW, once they have passed."""


def parameters_of(model: nn.Module) -> int:
    """Return how many parameters a model has."""
    return sum(each.numel() for each in model.parameters())


@contextmanager
def threads_for(model: nn.Module) -> Iterator[None]:
    """Use one thread for a small model, as several would only wait for each other."""
    usual = torch.get_num_threads()
    torch.set_num_threads(1 if parameters_of(model) < SMALL else usual)
    try:
        yield
    finally:
        torch.set_num_threads(usual)


def _course_fit(tools: Tools) -> Fit:
    """Return the course's loop, with the student's `clip_gradients` in it where that is there."""
    clip = tools.get("clip_gradients")
    return partial(fit, clip=clip) if clip else fit


@dataclass
class Training:
    """A training in progress; `losses` and `scores` are pairs of step and number, `seconds` is its time so far.

    `fit` trains for one stretch at a time, of as many steps as there are between two scores. So what becomes of the
    model is its last state, not the one that happens to suit the held-out examples best; and all that a training needs
    to go on is here, whatever loop it is.
    """

    recipe: Recipe
    model: nn.Module
    tools: Tools
    device: torch.device
    seed: int
    step: int = 0
    seconds: float = 0.0
    losses: list[tuple[int, float]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if start := self.tools.get("small_start"):
            start(self.model)
        self.model.to(self.device)
        self._random = torch.Generator().manual_seed(self.seed)
        self._reader = self.recipe.reader(self.model)
        self._fit: Fit = self.tools.get("fit") or _course_fit(self.tools)
        self._optimizer = self._made_optimizer()

    def _made_optimizer(self) -> torch.optim.Optimizer:
        plan, parameters = self.recipe.plan, self.model.parameters()
        if rule := self.tools.get("adamw_step"):
            return StudentAdamW(parameters, rule, plan.rate, plan.decay)
        return torch.optim.AdamW(parameters, lr=plan.rate, weight_decay=plan.decay)

    @cached_property
    def _held_out(self) -> list[Batch]:
        return [self._on_device(self.recipe.held_out())]

    def _on_device(self, batch: Batch) -> Batch:
        examples, labels = batch
        return examples.to(self.device), labels.to(self.device)

    def _batches(self) -> Iterator[Batch]:
        while True:
            yield self._on_device(self.recipe.batch(self._random))

    def _rate(self, step: int) -> float:
        plan = self.recipe.plan
        rate_at = self.tools.get("learning_rate")  # without it the rate is constant
        return rate_at(step, plan.warmup, plan.steps, plan.rate, plan.floor) if rate_at else plan.rate

    @property
    def trained_by(self) -> str:
        """Return a sentence that says which parts of the loop are the student's."""
        own = [f"your own {name}" for name in LOOP if name in self.tools]
        return f"Trained by {' and '.join(own)}." if own else ""

    @property
    def is_scored(self) -> bool:
        """Return whether the model was scored after its last step."""
        return bool(self.scores) and self.scores[-1][0] == self.step

    def run(self, on_step: Callable[[Training], None], until: int | None = None) -> None:
        """Train to the end or `until` a step, calling `on_step` after each."""
        with threads_for(self.model):
            self._run(on_step, until)

    def _run(self, on_step: Callable[[Training], None], until: int | None) -> None:
        last, every = self.recipe.plan.steps if until is None else until, self.recipe.plan.every
        if self.step and self.step in (last, self.step // every * every) and not self.is_scored:
            self.scores.append((self.step, self.score()))  # it was stopped while this score was taken
        begun = time.monotonic() - self.seconds
        while self.step < last:
            self._stretch(min(last, (self.step // every + 1) * every), begun, on_step)
            on_step(self)

    def _stretch(self, end: int, begun: float, on_step: Callable[[Training], None]) -> None:
        """Train up to the step `end`, and score the model; after each step before it, call `on_step`.

        Raises:
            UsageError: the student's `fit` took another number of steps.
        """
        start = self.step

        def stepped(*_: object) -> None:
            self.step += 1
            self.seconds = time.monotonic() - begun
            if self.step < end:
                on_step(self)

        hook = self._optimizer.register_step_post_hook(stepped)
        steps, limit = end - start, self.recipe.plan.limit
        rate = lambda step: self._rate(start + step)  # noqa: E731
        ways = self._reader, self._batches(), self._held_out, self.recipe.loss, self._optimizer, rate
        try:
            history = self._fit(*ways, limit, steps, steps)
        finally:
            hook.remove()
        if self.step != end:
            raise UsageError(f"fit took {self.step - start} steps of the optimizer; it was asked for {steps}")
        self.losses.append((end, float(history[-1][1])))
        self.scores.append((end, self.score()))

    def score(self) -> float:
        """Return the score on held-out data, in evaluation mode."""
        self.model.eval()
        with torch.no_grad():
            return self.recipe.score(self.model, self.device)

    def save(self, path: Path) -> None:
        """Write a checkpoint for `resume`."""
        made = io.BytesIO()
        state = {
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "random": self._random.get_state(),
            "dropout": torch.get_rng_state(),
            "rest": [self.seed, self.step, self.seconds, self.losses, self.scores],
        }
        torch.save(state, made)
        files.write(path, made.getvalue())

    def resume(self, path: Path) -> None:
        """Go on from the checkpoint at `path`.

        Raises:
            UsageError: there is no checkpoint, or it is of another model.
        """
        if not path.is_file():
            raise UsageError(f"there is no checkpoint {path.name} to go on from; leave out --resume")
        try:
            state = torch.load(io.BytesIO(contents(path, MOST_CHECKPOINT)), weights_only=True, map_location=self.device)
            self.model.load_state_dict(state["model"])
            self._optimizer.load_state_dict(state["optimizer"])
            self._random.set_state(state["random"].cpu())
            torch.set_rng_state(state["dropout"].cpu())
            self.seed, self.step, self.seconds, losses, scores = state["rest"]
        except Exception as error:  # a file cut short, another version of torch, or another model
            what = " ".join(str(error).split())[:120]
            raise UsageError(f"{path.name} does not fit your model ({what}); begin anew without --resume") from error
        self.losses, self.scores = [*map(tuple, losses)], [*map(tuple, scores)]
