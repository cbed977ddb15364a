"""The training loop, with scores on held-out data and checkpoints to resume from."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from autograder.calls.artefact import MOST_NUMBERS
from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import contents
from autograder.student.capstones.recipe import Recipe

MOST_CHECKPOINT = 16 * MOST_NUMBERS
"""The bytes of the largest checkpoint: a model in float32, what AdamW keeps of each number, and the rest."""
SMALL = 100_000
"""A model with fewer parameters trains as fast with one thread as with two."""
Tools = Mapping[str, Callable[..., Any]]
"""The student's `small_start`, `learning_rate` and `clip_gradients`, as far as they are there."""


@contextmanager
def threads_for(model: nn.Module) -> Iterator[None]:
    """Use one thread for a small model, as several would only wait for each other."""
    usual = torch.get_num_threads()
    torch.set_num_threads(1 if sum(each.numel() for each in model.parameters()) < SMALL else usual)
    try:
        yield
    finally:
        torch.set_num_threads(usual)


@dataclass
class Training:
    """A training in progress; `losses` and `scores` are pairs of step and number, `seconds` is its time so far."""

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
        plan = self.recipe.plan
        self._optimizer = torch.optim.AdamW(self.model.parameters(), lr=plan.rate, weight_decay=plan.decay)

    @property
    def is_done(self) -> bool:
        return self.step >= self.recipe.plan.steps

    @property
    def is_scored(self) -> bool:
        """Return whether the model was scored after its last step."""
        return bool(self.scores) and self.scores[-1][0] == self.step

    def run(self, on_step: Callable[[Training], None], until: int | None = None) -> None:
        """Train to the end or `until` a step, calling `on_step` after each."""
        with threads_for(self.model):
            self._run(on_step, until)

    def _run(self, on_step: Callable[[Training], None], until: int | None) -> None:
        before, begun = self.seconds, time.monotonic()
        last = self.recipe.plan.steps if until is None else until
        if self.step == last and not self.is_scored:  # it was stopped while its last score was taken
            self.scores.append((self.step, self.score()))
        while self.step < last:
            loss = self._learn()
            self.step += 1
            self.seconds = before + time.monotonic() - begun
            if self.step % self.recipe.plan.every == 0 or self.step == last:
                self.losses.append((self.step, loss.item()))
                self.scores.append((self.step, self.score()))
            on_step(self)

    def _learn(self) -> torch.Tensor:
        plan = self.recipe.plan
        rate_at = self.tools.get("learning_rate")
        for group in self._optimizer.param_groups:
            if rate_at:  # else the rate is constant
                group["lr"] = rate_at(self.step, plan.warmup, plan.steps, plan.rate, plan.floor)
        self.model.train()
        self._optimizer.zero_grad()
        loss = self.recipe.loss(self.model, self._random, self.device)
        loss.backward()  # type: ignore[no-untyped-call]
        if clip := self.tools.get("clip_gradients"):
            clip([each for each in self.model.parameters() if each.requires_grad], plan.limit)
        self._optimizer.step()
        return loss.detach()

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
