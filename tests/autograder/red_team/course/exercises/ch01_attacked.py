"""Chapter 1: the exercise that is attacked."""

import torch


def soften(x: torch.Tensor) -> torch.Tensor:
    """Softmax over the last axis of `x`, from smaller steps."""
    raise NotImplementedError("soften")
