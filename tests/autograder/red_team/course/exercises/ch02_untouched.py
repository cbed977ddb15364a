"""Chapter 2: the exercise that must stay untouched."""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Twice every number of `x`."""
    raise NotImplementedError("double")
