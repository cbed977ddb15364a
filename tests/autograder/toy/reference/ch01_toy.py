"""Chapter 1, the oracle: loops and einsum instead of the obvious line."""

import torch
from torch import nn


def double(x: torch.Tensor) -> torch.Tensor:
    """`x` (any shape) and `x` once more."""
    return x + x


def mean_and_sum(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and sum of `x` (..., D) over the last axis, each (...)."""
    total = sum(x.unbind(-1))
    return x.mean(-1), total


class Scale(nn.Module):
    """Multiply `x` (..., D) by `weight` (D,)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.einsum("...d,d->...d", x, self.weight)
