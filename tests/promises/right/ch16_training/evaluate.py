"""Right answers to `evaluate`."""

import contextlib
from statistics import fmean

import torch


# %% decorated
@torch.no_grad()
def evaluate(model, batches, loss):
    mode = model.training
    model.eval()
    total, count = torch.zeros(()), 0
    for x, y in batches:
        total = total + loss(model(x), y) * x.size(0)
        count += x.size(0)
    model.train(mode)
    if not count:
        raise ValueError("batches is empty")
    return (total / count).item()


# %% inference
def evaluate(model, batches, loss):
    was = model.training
    try:
        with torch.inference_mode():
            model.eval()
            found = [(float(loss(model(x), y)), len(y)) for x, y in batches]
    finally:
        model.train(was)
    if not found:
        raise ValueError("no batches")
    return sum(value * size for value, size in found) / sum(size for _, size in found)


# %% each_module
@contextlib.contextmanager
def evaluating(model):
    modes = [(module, module.training) for module in model.modules()]
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    for module, _ in modes:
        module.training = False
    yield model
    for module, mode in modes:
        module.training = mode
    torch.set_grad_enabled(before)


def evaluate(model, batches, loss):
    losses = []
    with evaluating(model):
        for batch in batches:
            losses.extend([loss(model(batch[0]), batch[1]).cpu().numpy().item()] * batch[0].shape[0])
    if losses == []:
        raise ValueError("nothing to evaluate")
    return fmean(losses)


# %% running
def evaluate(model, batches, loss):
    training = model.training
    iterator = iter(batches)
    first = next(iterator, None)
    if first is None:
        raise ValueError("nothing")
    mean, seen = 0.0, 0
    model.train(mode=False)
    while first is not None:
        x, y = first
        with torch.no_grad():
            value = loss(model(x), y).tolist()
        seen += len(x)
        mean += (value - mean) * len(x) / seen
        first = next(iterator, None)
    if training:
        model.train()
    return mean


# %% weighted
def evaluate(model, batches, loss):
    mode = model.training
    model = model.eval()
    values, sizes = [], []
    for x, y in batches:
        with torch.inference_mode():
            values.append(loss(model(x), y))
        sizes.append(len(x))
    model.train(mode)
    if len(sizes) == 0:
        raise ValueError("there must be a batch")
    weights = torch.tensor(sizes, dtype=values[0].dtype)
    return float(torch.stack(values) @ weights / weights.sum())
