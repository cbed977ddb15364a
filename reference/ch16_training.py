"""The oracle of chapter 16: running means by lerp, every example's loss kept, a run cut into stretches."""

import math
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import islice
from statistics import fmean

import torch
from torch import nn

Batch = tuple[torch.Tensor, torch.Tensor]
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def adamw_step(
    p: torch.Tensor,
    g: torch.Tensor,
    m: torch.Tensor,
    v: torch.Tensor,
    step: int,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Both means in one go, their corrections taken out of the quotient, and a decay that follows from p itself."""
    m, v = torch.lerp(m, g, 1 - beta1), torch.lerp(v, g.square(), 1 - beta2)
    first, second = -math.expm1(step * math.log(beta1)) if beta1 else 1.0, 1 - math.pow(beta2, step)
    length = lr / first * math.sqrt(second)
    return p - lr * decay * p - length * m / (v.sqrt() + eps * math.sqrt(second)), m, v


def evaluate(model: nn.Module, batches: Iterable[Batch], loss: Loss) -> float:
    """The loss of each batch, once for each of its examples."""
    mode, losses = model.training, list[float]()
    with torch.inference_mode():
        model.train(False)
        for x, y in batches:
            losses += [float(loss(model(x), y))] * x.shape[0]
        model.train(mode)
    if not losses:
        raise ValueError("no batch")
    return math.fsum(losses) / len(losses)


def fit(
    model: nn.Module,
    batches: Iterator[Batch],
    held_out: list[Batch],
    loss: Loss,
    optimizer: torch.optim.Optimizer,
    rate: Callable[[int], float],
    limit: float,
    steps: int,
    every: int,
) -> list[tuple[int, float, float]]:
    """Stretches of `every` steps, a record and a copy of the state after each, and of all copies the best put back."""
    records, states = list[tuple[int, float, float]](), list[dict[str, torch.Tensor]]()
    for begin in range(0, steps, every):
        numbers = range(begin, min(begin + every, steps))
        losses = [
            _learn(model, batch, loss, optimizer, rate(number), limit)
            for number, batch in zip(numbers, islice(batches, len(numbers)), strict=True)
        ]
        records.append((numbers.stop, fmean(losses), evaluate(model, held_out, loss)))
        states.append(deepcopy(model.state_dict()))
    known = [(value, number) for number, (_, _, value) in enumerate(records) if not math.isnan(value)]
    if known:
        model.load_state_dict(states[min(known)[1]])
    return records


def _learn(
    model: nn.Module, batch: Batch, loss: Loss, optimizer: torch.optim.Optimizer, rate: float, limit: float
) -> float:
    """One step, on gradients that are asked for, scaled and put in place by hand."""
    for group in optimizer.param_groups:
        group.update(lr=rate)
    model.train()
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    found = loss(model(batch[0]), batch[1])
    gradients = torch.autograd.grad(found, learning)
    norm = math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients))
    for parameter, gradient in zip(learning, gradients, strict=True):
        parameter.grad = gradient * min(1.0, limit / norm) if norm else gradient
    optimizer.step()
    return found.item()
