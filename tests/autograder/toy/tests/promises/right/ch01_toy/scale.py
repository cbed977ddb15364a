"""Right answers to `Scale`, a cell each."""

import torch
from torch import nn


# %% product
class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * self.weight


# %% diagonal
class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x @ torch.diag(self.weight)


# %% columns
class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return torch.stack([number * w for number, w in zip(x.unbind(-1), self.weight, strict=True)], -1)
