"""Right answers to `mean_and_sum`, a cell each."""

import torch


# %% methods
def mean_and_sum(x):
    return x.mean(-1), x.sum(-1)


# %% einsum
def mean_and_sum(x):
    total = torch.einsum("...d->...", x)
    return total / x.shape[-1], total


# %% product
def mean_and_sum(x):
    total = x @ torch.ones(x.shape[-1], dtype=x.dtype)
    return total / x.shape[-1], total
