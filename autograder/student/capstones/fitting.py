"""The course's own training loop, and AdamW around a rule of the student's: what chapter 16 asks for, in its words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import nn

Batch = tuple[torch.Tensor, torch.Tensor]
"""Examples (B, ...) and their labels (B, ...)."""
Record = tuple[int, float, float]
"""Steps done, the mean training loss since the record before, and the mean loss on held-out examples."""
Loss = Callable[[Any, torch.Tensor], torch.Tensor]
"""The mean loss of what a model says about examples, given their labels."""
Rule = Callable[..., tuple[torch.Tensor, torch.Tensor, torch.Tensor]]
"""`adamw_step(p, g, m, v, step, lr, beta1, beta2, eps, decay)`: new parameter, first moment and second moment."""
MOMENTS = ("exp_avg", "exp_avg_sq")
"""What AdamW remembers of each parameter, in torch's words."""


class Fit(Protocol):
    """A training loop, the course's or the student's."""

    def __call__(
        self,
        model: nn.Module,
        batches: Iterator[Batch],
        held_out: Sequence[Batch],
        loss: Loss,
        optimizer: torch.optim.Optimizer,
        rate: Callable[[int], float],
        limit: float,
        steps: int,
        every: int,
    ) -> list[Record]:
        """Train `model` for `steps`, and return a record for every `every` steps and for the last."""


def fit(
    model: nn.Module,
    batches: Iterator[Batch],
    held_out: Sequence[Batch],
    loss: Loss,
    optimizer: torch.optim.Optimizer,
    rate: Callable[[int], float],
    limit: float,
    steps: int,
    every: int,
    clip: Callable[..., object] = nn.utils.clip_grad_norm_,
) -> list[Record]:
    """Train a model, keep the parameters of its best record, and return all records.

    Args:
        batches: examples without end, one batch a step.
        held_out: examples that nothing is learned from.
        rate: the learning rate of a step, counted from 0.
        limit: the largest norm of all gradients together; `clip` scales them down to it.
        every: steps between two records; the last step has one too.
    """
    history, losses, lowest, best = list[Record](), list[torch.Tensor](), math.inf, dict[str, torch.Tensor]()
    for step in range(steps):
        losses.append(_learn(model, next(batches), loss, optimizer, rate(step), limit, clip))
        if (step + 1) % every and step + 1 < steps:
            continue
        record = step + 1, torch.stack(losses).mean().item(), evaluate(model, held_out, loss)
        losses.clear()
        if record[2] < lowest:
            lowest, best = record[2], {name: value.clone() for name, value in model.state_dict().items()}
        history.append(record)
    if best:
        model.load_state_dict(best)
    return history


def _learn(
    model: nn.Module,
    batch: Batch,
    loss: Loss,
    optimizer: torch.optim.Optimizer,
    rate: float,
    limit: float,
    clip: Callable[..., object],
) -> torch.Tensor:
    """Take one step; return the loss of the batch before it."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    model.train()
    optimizer.zero_grad()
    examples, labels = batch
    found = loss(model(examples), labels)
    found.backward()  # type: ignore[no-untyped-call]
    clip([each for each in model.parameters() if each.requires_grad], limit)
    optimizer.step()
    return found.detach()


@torch.no_grad()
def evaluate(model: nn.Module, batches: Sequence[Batch], loss: Loss) -> float:
    """Return the mean loss over all examples, in evaluation mode; the mode is as before afterwards."""
    training = model.training
    model.eval()
    sums = [loss(model(examples), labels).item() * len(labels) for examples, labels in batches]
    model.train(training)
    return sum(sums) / sum(len(labels) for _, labels in batches)


class StudentAdamW(torch.optim.AdamW):
    """AdamW (Loshchilov and Hutter 2019, algorithm 2) whose rule for one parameter is the student's `adamw_step`.

    Its state is torch's, so that a checkpoint of one goes on with the other.
    """

    def __init__(self, parameters: Iterator[nn.Parameter], rule: Rule, lr: float, decay: float) -> None:
        super().__init__(parameters, lr=lr, weight_decay=decay)
        self._rule = rule

    @torch.no_grad()
    def step(self, *_: object) -> None:  # type: ignore[override]
        """Move every parameter that has a gradient: all at once, so that Ctrl-C leaves none behind the others."""
        moved = []
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    moved.append((parameter, *self._moved(parameter, group)))
        for parameter, value, state in moved:
            parameter.copy_(value)
            self.state[parameter] = state

    def _moved(self, parameter: nn.Parameter, group: Mapping[str, Any]) -> tuple[torch.Tensor, dict[str, Any]]:
        """Return a parameter's new value, and what is remembered of it."""
        past = self.state.get(parameter) or {"step": 0, **{name: torch.zeros_like(parameter) for name in MOMENTS}}
        step = int(past["step"]) + 1
        moments = (past[name] for name in MOMENTS)
        rates = group["lr"], *group["betas"], group["eps"], group["weight_decay"]
        value, *new = self._rule(parameter.detach(), parameter.grad, *moments, step, *rates)
        return value, {"step": torch.tensor(float(step)), **dict(zip(MOMENTS, new, strict=True))}
