"""Known mistakes of chapter 1."""

import torch

from reference.ch01_toy import Scale
from reference.misconceptions import misconception


@misconception("double", "double-squared")
def squared(x: torch.Tensor) -> torch.Tensor:
    """You squared the numbers.

    Doubling multiplies by two: `2 * x`. A square multiplies each number by itself.
    """
    return x * x


@misconception("double", "double-inplace")
def in_place(x: torch.Tensor) -> torch.Tensor:
    """You doubled the argument itself.

    Methods that end in an underscore change their tensor: use `2 * x`, which makes a new one.
    """
    return x.mul_(2)


@misconception("double", "double-one-number")
def one_number(x: torch.Tensor) -> torch.Tensor:
    """You turned the tensor into one Python number.

    `item` works for a single element only; a tensor can be multiplied as it is.
    """
    return torch.tensor(2 * x.item(), dtype=x.dtype)


@misconception("mean_and_sum", "mean-over-wrong-axis")
def first_axis(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """You went over the first axis instead of the last.

    The last axis has number -1: `x.sum(dim=-1)`.
    """
    return x.mean(dim=0), x.sum(dim=0)


@misconception("mean_and_sum", "mean-swapped-pair")
def swapped(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """You returned the sum first and the mean second.

    The order is that of the name: the mean, then the sum.
    """
    return x.sum(dim=-1), x.mean(dim=-1)


@misconception("Scale", "scale-ignored")
class Ignored(Scale):
    """Your module returns its input unscaled.

    Multiply by `self.weight`: fresh weights are ones, so the difference shows only after training.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 1


@misconception("Scale", "scale-detached")
class Detached(Scale):
    """Your weight gets no gradient.

    `detach` and `data` take a parameter out of the graph; use `self.weight` itself, or it never learns.
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight.detach()
