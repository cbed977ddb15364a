"""What a capstone is: a model of the student's own pieces, its data, and its score."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import nn

from autograder.core.errors import UsageError
from autograder.student.capstones.fitting import Batch
from autograder.student.pictures.plots import Plot

ABLATED = 0.4
"""The share of the steps for which the model without positions is trained, to compare at the same step."""


@dataclass(frozen=True)
class TrainingPlan:
    """The schedule of a training: AdamW, a warm-up, then half a cosine down to a tenth of the peak rate."""

    steps: int
    rate: float
    warmup: int = 20
    decay: float = 0.0
    limit: float = 1.0
    every: int = 50  # steps between two scores on held-out data
    share: float = ABLATED  # of the steps, for a model that another one is compared with

    @property
    def floor(self) -> float:
        return self.rate / 10

    @property
    def compared(self) -> int:
        """The steps of a model that another one is compared with, after which that one was scored too."""
        return max(self.every, int(self.share * self.steps) // self.every * self.every)


@dataclass(frozen=True)
class DesignBudget:
    """What a design may cost: the most parameters, which are graded, and the seconds on two idle cores, which are not.

    The seconds are those of the training, without start, page and the model without positions.
    """

    parameters: int
    seconds: int


@dataclass(frozen=True)
class Sampling:
    """How a model that goes on writing draws: how many tokens, and from which (Holtzman et al. 2020, section 3).

    `temperature` divides the logits, 0 takes the likeliest token; `top_p` is the probability that the tokens it draws
    from must reach; the same `seed` draws the same.

    Raises:
        UsageError: a value is out of its range.
    """

    length: int = 300
    temperature: float = 0.8
    top_p: float = 0.95
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.length < 1:
            raise UsageError(f"--length {self.length} writes nothing; 1 is the least")
        if not 0 <= self.temperature < math.inf:
            raise UsageError(f"--temperature {self.temperature:g} is below 0 or infinite; try 0.5, 1 or 2")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"--top-p {self.top_p:g} is not above 0 and at most 1; try 0.5 or 0.95")


@dataclass(frozen=True)
class Figure:
    """A measured number with its label, and the number as text."""

    label: str
    value: float
    written: str


@dataclass(frozen=True)
class CaptionedPlot:
    """A picture of the model, and a caption on what to see in it."""

    caption: str
    plot: Plot


class Recipe(ABC):
    """The base of all capstones.

    The answer to `exercise` builds the model from `arguments`; `pieces` and `tools` are the exercises whose answers
    it is trained with, the same `tools` in every training; the names of parameters for positions end in `positions`.
    One that is `pretrained` is made with a published model, and says in `found` which.
    """

    name: str
    title: ClassVar[str]
    says: ClassVar[str]
    exercise: ClassVar[str]
    pieces: ClassVar[tuple[str, ...]]
    tools: ClassVar[tuple[str, ...]] = ("small_start", "learning_rate", "clip_gradients")
    plan: TrainingPlan
    budget: DesignBudget | None = None
    positions: ClassVar[str] = ""
    label: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    goals: tuple[float, ...]
    arguments: tuple[Any, ...] = ()
    graded: bool = True
    pretrained: ClassVar[bool] = False
    compared_as: ClassVar[str] = "without positions"
    found: str = ""

    @property
    def words(self) -> str:
        """The words after `attend train` that train it."""
        return self.name

    def built(self, build: Callable[..., nn.Module]) -> nn.Module:
        """Return the model to train, from what the answer to `exercise` builds."""
        return build(*self.arguments)

    @abstractmethod
    def batch(self, random: torch.Generator) -> Batch:
        """Return the next examples to learn from, as one tensor (B, ...), and their labels (B, ...)."""

    @abstractmethod
    def held_out(self) -> Batch:
        """Return examples that nothing is learned from, as in `batch`; a few hundred are enough."""

    @abstractmethod
    def loss(self, output: Any, labels: torch.Tensor) -> torch.Tensor:
        """Return the mean loss of what the model says about examples with these labels."""

    def reader(self, model: nn.Module) -> nn.Module:
        """Return what answers the examples of a batch: the model, or what hands them on to it."""
        return model

    @abstractmethod
    def score(self, model: nn.Module, device: torch.device) -> float:
        """Return the score on held-out data."""

    def written(self, score: float) -> str:
        """Return a score as text."""
        return f"{score:.1%}" if self.higher_is_better else f"{score:.3f}"

    def is_better(self, score: float, other: float) -> bool:
        return score > other if self.higher_is_better else score < other

    def reaches(self, score: float, goal: float) -> bool:
        return score == goal or self.is_better(score, goal)

    @abstractmethod
    def baselines(self) -> Sequence[Figure]:
        """Return the scores that the model has to beat."""

    def without_positions(self, model: nn.Module) -> bool:
        """Remove the model's positions; return whether it has any to remove."""
        ending = self.positions
        places = [each for name, each in model.named_parameters() if ending and f".{name}".endswith(f".{ending}")]
        for each in places:
            nn.init.zeros_(each).requires_grad_(False)
        return bool(places)

    def sequel(self, _: nn.Module) -> tuple[Recipe, nn.Module] | None:
        """Return what is trained after the trained model, to compare, if anything is."""
        return None

    def comparison(self, scores: Mapping[int, float], step: int, other: float) -> Sequence[Figure]:
        """Return the score `other` of the model that is compared, after `step` steps, and the score of this one."""
        compared = {self.compared_as: other, "with positions": scores[step]}
        return [Figure(f"{label}, after {step} steps", score, self.written(score)) for label, score in compared.items()]

    @abstractmethod
    def samples(self, model: nn.Module, device: torch.device) -> Sequence[tuple[str, str, str]]:
        """Return samples: the question, the right answer ("" if there is none), and the model's answer."""

    @abstractmethod
    def pictures(self, model: nn.Module, device: torch.device) -> Sequence[CaptionedPlot]:
        """Return pictures of the trained model."""


class SideBySide(nn.Module):
    """Hands a source and a target, side by side in one tensor (B, S + T), on to a model of two texts."""

    def __init__(self, model: nn.Module, length: int) -> None:
        super().__init__()
        self.model, self.length = model, length

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V); the first `length` columns are the source."""
        logits: torch.Tensor = self.model(ids[:, : self.length], ids[:, self.length :])
        return logits


class UnreadablePromptError(UsageError):
    """A model cannot read what it is asked; the message says what it reads."""


class Prompted(Recipe):
    """A capstone whose model answers words.

    `prompt` is what it is asked unless the student asks something else. `draws` says whether it goes on writing the
    prompt, with tokens drawn at random.
    """

    prompt: ClassVar[str]
    draws: ClassVar[bool] = False

    @abstractmethod
    def answer(self, model: nn.Module, prompt: str, sampling: Sampling, write: Callable[[str], None]) -> None:
        """Write the model's answer to a prompt, piece by piece.

        Raises:
            UnreadablePromptError: the model cannot read the prompt.
        """


def first_member(model: nn.Module) -> nn.Module:
    """Return the first of a committee's `members`, whose blocks can be counted, or the model itself."""
    members = getattr(model, "members", None)
    return members[0] if isinstance(members, nn.ModuleList) and len(members) else model


def weights_of(model: nn.Module, run: Callable[[], object]) -> list[torch.Tensor]:
    """Return the attention weights (B, H, Tq, Tk) of every layer that returns them, while `run` uses the model."""
    found: list[torch.Tensor] = []

    def keep(_: nn.Module, __: object, output: object) -> None:
        if isinstance(output, tuple) and len(output) == 2 and isinstance(output[1], torch.Tensor):
            found.append(output[1].detach().cpu())

    hooks = [module.register_forward_hook(keep) for module in model.modules()]
    try:
        with torch.no_grad():
            run()
    finally:
        for hook in hooks:
            hook.remove()
    return [weights for weights in found if weights.dim() == 4]
