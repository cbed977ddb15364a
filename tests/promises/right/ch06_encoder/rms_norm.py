"""Right answers to `rms_norm`, a cell each, unlike each other and the solution."""

import math

import einops
import torch
from torch import nn


# %% one entry after the other
def rms_norm(x, scale, eps):
    width, results = x.shape[-1], []
    for vector in x.reshape(-1, width):
        total = eps
        for m in range(width):
            total = total + vector[m] ** 2 / width
        results.append(torch.stack([scale[m] * vector[m] / total**0.5 for m in range(width)]))
    return torch.stack(results).reshape(x.shape)


# %% length and hypot
def rms_norm(x, scale, eps):
    size = torch.linalg.vector_norm(x, dim=-1, keepdim=True) / math.sqrt(x.size(-1))
    return scale * (x / torch.hypot(size, torch.full_like(size, math.sqrt(eps))))


# %% in the highest precision and back
def rms_norm(x, scale, eps):
    wide = x.to(torch.float64)
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True).add(eps))
    return (scale.to(torch.float64) * wide).to(x.dtype)


# %% logarithms of the mean square
def rms_norm(x, scale, eps):
    return x * scale * torch.exp(-0.5 * torch.log(einops.reduce(x * x, "... d -> ... 1", "mean") + eps))


# %% matrices
def rms_norm(x, scale, eps):
    width = scale.numel()
    column = torch.full((width, 1), 1 / width, dtype=x.dtype, device=x.device)
    return x / (x**2 @ column + eps) ** 0.5 @ torch.diag(scale)


# %% a module of its own
class Norm(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        x = x.transpose(-1, -2) if x.dim() > 1 else x[:, None]
        size = (x.square().sum(-2) / x.shape[-2] + self.eps).sqrt()
        x = x / size.unsqueeze(-2)
        return x.transpose(-1, -2)


def rms_norm(x, scale, eps):
    return (Norm(eps)(x) * scale).reshape(x.shape)
