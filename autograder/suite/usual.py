"""What many suites ask of numbers."""

from __future__ import annotations

import torch


def near(a: torch.Tensor, b: torch.Tensor | float, tolerance: float = 1e-8) -> bool:
    """Whether all of `a` is `b`, but for `tolerance`; `b` may be smaller, as in broadcasting."""
    return torch.allclose(a, torch.as_tensor(b, dtype=a.dtype).expand_as(a), rtol=0, atol=tolerance)
