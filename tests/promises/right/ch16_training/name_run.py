"""Right answers to `name_run`."""

import math

import numpy as np
import torch


# %% with_numpy
def name_run(history):
    losses = np.array(history, dtype=float)[:, 1:]
    first, last, low = losses[0], losses[-1], losses.min(axis=0)
    if not np.isfinite(losses).all():
        return "diverged"
    if last[0] > first[0]:
        return "diverged"
    if (last[1] - low[1]) / low[1] > 0.05:
        return "memorises"
    return "stalls" if last[0] / first[0] > 0.95 else "learns"


# %% nested
def name_run(history):
    for _, train, held_out in history:
        for loss in (train, held_out):
            if loss != loss or loss in (math.inf, -math.inf):
                return "diverged"
    first, last = history[0], history[-1]
    if last[1] > first[1]:
        name = "diverged"
    elif last[2] - min(record[2] for record in history) > 0.05 * min(record[2] for record in history):
        name = "memorises"
    elif (first[1] - last[1]) / first[1] < 0.05:
        name = "stalls"
    else:
        name = "learns"
    return name


# %% matched
def name_run(history):
    lowest, broken = math.inf, False
    for _, train, held in history:
        broken |= not (math.isfinite(train) and math.isfinite(held))
        lowest = min(lowest, held)
    begin, end = history[0][1], history[-1][1]
    match broken or end > begin, history[-1][2] / lowest - 1 > 5 / 100, end * 100 > 95 * begin:
        case True, _, _:
            return "diverged"
        case False, True, _:
            return "memorises"
        case False, False, True:
            return "stalls"
        case _:
            return "learns"


# %% with_torch
def name_run(history):
    train, held = torch.tensor([record[1:] for record in history]).unbind(dim=1)
    finite = torch.isfinite(torch.stack([train, held])).all()
    checks = [(~finite) | (train[-1] > train[0]), held[-1] > held.min() * 1.05, train[-1] > train[0] * 0.95]
    names = ["diverged", "memorises", "stalls", "learns"]
    return names[[*map(bool, checks), True].index(True)]
