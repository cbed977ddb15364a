"""What learns in a check, and what it learns with: models, a loss, rates, optimizers and batches that show misuse."""

import math
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

import torch
from torch import nn


class Learner(nn.Module):
    """A linear model to be trained or scored, half as sure while its dropout is in evaluation: so its mode can be seen.

    In training it is surer of every other batch, so that being asked twice can be seen as well.

    Args:
        weight: (D,), to begin with.
        bias: the number to begin with.
        frozen: the names of the parameters that do not learn.
        spread: (D,), the variances that its batch norm begins with; None for no batch norm and no dropout.
        blind_below: in evaluation it answers NaN while its bias is below this.
        uses_bias: whether it does so in evaluation.
        training: the mode that it comes in.
    """

    def __init__(
        self,
        weight: torch.Tensor,
        bias: float = 0.0,
        frozen: Sequence[str] = (),
        spread: torch.Tensor | None = None,
        blind_below: float = -math.inf,
        uses_bias: bool = True,
        training: bool = False,
    ) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(weight.new_tensor(bias))
        for name, parameter in self.named_parameters():
            parameter.requires_grad_(name not in frozen)
        self.norm, self.drop = nn.Identity(), nn.Identity()
        if spread is not None:
            self.norm, self.drop = nn.BatchNorm1d(len(weight), dtype=weight.dtype), nn.Dropout(0.3)
            self.norm.running_var = spread
        self.blind_below, self.uses_bias = blind_below, uses_bias
        self.asked = 0  # in training
        self.train(training)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x (..., D) -> predictions (...)."""
        found = self.drop(self.norm(x)) @ self.weight
        if self.drop.training:
            self.asked += 1
            return (found + self.bias) * (1 + self.asked % 2 / 4)
        answer = (found + self.bias * self.uses_bias) / 2
        return answer.masked_fill(self.bias < self.blind_below, math.nan)


class TwiceTheTarget(nn.Module):
    """A loss: the mean squared distance from twice the target; its state tells whether it was asked for gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.recorded = False

    def forward(self, prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Predictions and targets of one shape -> their loss, without axes."""
        if prediction.shape != target.shape:
            raise RuntimeError(f"the loss of {tuple(prediction.shape)} predictions for {tuple(target.shape)} targets")
        self.recorded |= prediction.requires_grad
        return (prediction - 2 * target).square().mean()

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Whether gradients were recorded, in words."""
        return {"gradients": "recorded" if self.recorded else "not recorded"}


class Rates(nn.Module):
    """A learning rate for each step, the last one for all steps after; its state tells of the parameters of `model`.

    Args:
        model: which must keep its parameters, since the optimizer has these.
        rates: of step 0, 1, ...
    """

    def __init__(self, model: nn.Module, rates: Sequence[float]) -> None:
        super().__init__()
        self.rates, self.model, self.first = tuple(rates), (model,), [*model.parameters()]

    def forward(self, step: int) -> float:
        """The rate of a step, which is counted from 0."""
        return self.rates[min(step, len(self.rates) - 1)]

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Whether the model has the parameters that it began with, in words."""
        now = [*self.model[0].parameters()]
        same = len(now) == len(self.first) and all(map(lambda one, other: one is other, now, self.first))
        return {"the model's parameters": "the same objects" if same else "new objects"}


def grouped(model: nn.Module, kind: str, **options: float) -> torch.optim.Optimizer:
    """The optimizer `kind` of torch with a group of its own for each parameter of `model`, all with rates of 0.3."""
    groups = [{"params": [parameter]} for parameter in model.parameters()]
    optimizer: torch.optim.Optimizer = getattr(torch.optim, kind)(groups, lr=0.3, **options)
    return optimizer


def endless(batches: list[Any], most: int | None = None) -> Iterator[Any]:
    """The batches in turns, without end; it raises RuntimeError where it is asked for more than `most`."""
    yield from islice(cycle(batches), most)
    raise RuntimeError(f"asked for batch number {(most or 0) + 1}, and only {most} steps are to be taken")
