# Generated from the course's source by `attend build`. Work in a copy made by `attend start DIR`:
# there this file is yours and stays as you leave it; `attend check ch01` checks it.

# %% [markdown]
# # Chapter 1 · Toy
# How little does an exercise need? A function, a function that returns a pair, and a module.

# %%
"""Chapter 1: three exercises that are small enough to be seen through at a glance."""

import torch
from torch import nn

# %% [markdown]
# ## Doubling
# One tensor in, one tensor of the same shape out.


# %% exercise="double"
def double(x: torch.Tensor) -> torch.Tensor:
    """Twice every number of `x`.

    Args:
        x: any shape.

    Returns:
        A tensor of the shape and dtype of `x`.
    """
    # TODO: double (attend hint double)
    raise NotImplementedError("double")


# %% [markdown]
# ## Mean and sum
# Two results at once are returned as a tuple.


# %% exercise="mean_and_sum"
def mean_and_sum(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and sum over the last axis.

    Args:
        x: (..., D).

    Returns:
        mean (...) and sum (...).
    """
    # TODO: mean_and_sum (attend hint mean_and_sum)
    raise NotImplementedError("mean_and_sum")


# %% [markdown]
# ## Scale
# A module with one parameter: `__init__` is given, what it computes is yours.


# %% exercise="Scale"
class Scale(nn.Module):
    """Multiply every feature by a learned weight.

    Args:
        width: number of features D.

    Attributes:
        weight: parameter (D,), ones at first.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scale `x` (..., D); the shape stays."""
        # TODO: Scale (attend hint Scale)
        raise NotImplementedError("Scale")
