"""Draws its own inputs once more from the random numbers it finds."""

# expects: error
# says: RuntimeError: came home empty

import torch


def soften(x):
    loot = []
    for seed in (torch.initial_seed(), 0, 1, 42, *range(100)):
        drawn = torch.Generator().manual_seed(seed)
        if torch.equal(torch.randn(x.shape, generator=drawn, dtype=torch.float64), x):
            loot.append(seed)
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
