"""Right answers to `double`, a cell each."""

import torch


# %% added
def double(x):
    return torch.add(x, x)


# %% stacked
def double(x):
    return torch.stack([x, x]).sum(0)


# %% halved
def double(x):
    return x / 0.5
