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
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% [markdown] hints="double" difficulty=1 minutes=5
# 1. Every number is treated alike, so no loop is needed.
# 2. A tensor can be multiplied by a Python number.
# 3. Return `x` times two, and leave `x` itself as it is.

# %% [markdown] debrief="double"
# Doubling is one multiplication, and a matrix that doubles has
# twos on its diagonal. Read: any book on linear algebra, chapter 1.

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
    ### BEGIN SOLUTION
    total = x.sum(dim=-1)  # (...)
    return total / x.shape[-1], total
    ### END SOLUTION


# %% [markdown] hints="mean_and_sum" difficulty=1 minutes=5
# 1. The last axis has number -1, however many there are.
# 2. The mean is the sum divided by the
#    size of the axis.
# 3. `total = x.sum(dim=-1)`, and from it the pair:
#
#    ```python
#    return total / x.shape[-1], total
#    ```

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
        ### BEGIN SOLUTION
        return x * self.weight
        ### END SOLUTION


# %% [markdown] hints="Scale" difficulty=2 minutes=10
# 1. There is one weight for each feature.
# 2. Broadcasting repeats the weights over all leading axes.
# 3. Multiply `x` by `self.weight`.

# %% [markdown] debrief="Scale"
# A layer norm ends in this very product (Ba et al. 2016, eq. 4). Every Transformer has some of them.

# %% [markdown] debrief="ch01_toy"
# Now you can double a number, add numbers up and scale them.
