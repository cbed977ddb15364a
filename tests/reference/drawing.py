"""Numbers and masks for the tests of the oracles."""

import torch


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64)


def mask_without_dead_rows(*shape: int) -> torch.Tensor:
    mask = torch.rand(shape) < 0.5
    mask[..., 0] = True
    return mask


def mask_with_dead_rows(*shape: int) -> torch.Tensor:
    mask = mask_without_dead_rows(*shape)
    mask[0] = False
    return mask
