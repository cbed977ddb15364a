"""Right answers to `alibi`, a cell each, unlike each other and the solution."""

import math

import einops
import numpy as np
import torch


# %% entry by entry
def alibi(num_heads, length):
    table = torch.full((num_heads, length, length), -math.inf)
    for h in range(num_heads):
        slope = 1 / 2 ** (8 * (h + 1) / num_heads)
        for i in range(length):
            for j in range(i + 1):
                table[h, i, j] = slope * (j - i)
    return table


# %% a triangle to which the prices are added
def alibi(num_heads, length):
    future = torch.triu(torch.full((length, length), float("-inf")), diagonal=1)
    place = torch.arange(length, dtype=torch.get_default_dtype())
    price = torch.cdist(place[:, None], place[:, None], p=1)
    slopes = torch.logspace(-8 / num_heads, -8, num_heads, base=2)
    return future - torch.einsum("h,ij->hij", slopes, price)


# %% slopes by repeated multiplication
def alibi(num_heads, length):
    start = 2 ** (-8 / num_heads)
    slopes = torch.cumprod(torch.tensor([start] * num_heads), dim=0)
    distance = torch.ones(length, length).tril().cumsum(0).tril() - 1
    table = einops.rearrange(slopes, "h -> h 1 1") * -distance
    return torch.where(distance >= 0, table, -torch.inf)


# %% NumPy
def alibi(num_heads, length):
    h, i, j = np.ogrid[1 : num_heads + 1, :length, :length]
    table = np.where(j > i, -np.inf, np.exp2(-8.0 * h / num_heads) * (j - i))
    return torch.tensor(table, dtype=torch.get_default_dtype())


# %% a row of prices through a window that moves
def alibi(num_heads, length):
    ahead = torch.arange(1 - length, length)  # key minus query, from far behind to far ahead
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)])
    row = torch.where(ahead > 0, float("-inf"), ahead * slopes[:, None])  # (H, 2T - 1)
    return torch.stack([row[:, length - 1 - i : 2 * length - 1 - i] for i in range(length)], dim=1)
