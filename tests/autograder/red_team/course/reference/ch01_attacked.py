"""Chapter 1, the oracle."""

import torch


def soften(x: torch.Tensor) -> torch.Tensor:
    """Softmax of `x` (..., D) over its last axis."""
    return torch.softmax(x, dim=-1)
