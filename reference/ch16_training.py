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
    known = [(value, number) for number, (_, _, value) in enumerate(records) if value < math.inf]
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


def name_run(history: list[tuple[int, float, float]]) -> str:
    """The first name whose symptom is there."""
    train, held_out = (torch.tensor([record[place] for record in history], dtype=torch.float64) for place in (1, 2))
    symptoms = {
        "diverged": not bool(torch.cat([train, held_out]).isfinite().all()) or bool(train[-1] > train[0]),
        "memorises": bool(held_out[-1] / held_out.amin() > 1.05),
        "stalls": bool(train[-1] / train[0] > 0.95),
        "learns": True,
    }
    return next(name for name, is_there in symptoms.items() if is_there)


def training_flops(parameters: int, tokens: int) -> int:
    """Two on the way forward, two for the gradient of the input, two for that of the matrix."""
    return sum(2 * parameters * tokens for _ in ("forward", "input", "matrix"))


def cache_bytes(num_blocks: int, kv_heads: int, head_width: int, length: int, batch: int, bytes_each: int) -> int:
    """The shape of a key's cache in one block, once for keys and once for values."""
    block = math.prod((batch, kv_heads, length, head_width))
    return sum(block * bytes_each for _ in range(num_blocks) for _ in ("key", "value"))


def power_law(sizes: list[float], losses: list[float]) -> tuple[float, float]:
    """A line through the logarithms with base 2, by the normal equations."""
    ones = [1.0] * len(sizes)
    design = torch.tensor([ones, [math.log2(size) for size in sizes]], dtype=torch.float64)
    heights = torch.tensor([math.log2(loss) for loss in losses], dtype=torch.float64)
    height, slope = torch.linalg.lstsq(design.T, heights[:, None]).solution[:, 0].tolist()
    return 2**height, -slope
