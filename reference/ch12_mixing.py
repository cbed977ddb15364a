"""The oracle of chapter 12: vectors handed out, filters slid like rulers, a Fourier sum written out, einsum mixers."""

import math

import torch
from torch import nn
from torch.nn import functional


def depthwise_conv1d(x: torch.Tensor, filters: torch.Tensor) -> torch.Tensor:
    """Every position hands its vector out, times a column of the filters, to all that can see it; the ends are cut."""
    length, size = x.shape[1], filters.shape[1]
    first = size // 2
    handed = [functional.pad(x * filters[:, k], (0, 0, size - 1 - k, k)) for k in range(size)]  # (B, T + K - 1, D)
    return torch.stack(handed).sum(0).narrow(1, first, length)


def pointwise_conv1d(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """One linear map for all positions: (B, T, D) and (D, E) -> (B, T, E)."""
    return torch.einsum("btd,de->bte", x, w)


def separable_conv1d(x: torch.Tensor, filters: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """One big sum over positions and features: (B, T, D), (D, K) and (D, E) -> (B, T, E)."""
    return torch.einsum("dij,bjd,de->bie", filter_matrix(filters, x.shape[1]), x, w)


def filter_matrix(filters: torch.Tensor, length: int) -> torch.Tensor:
    """A ruler with the filter in its middle and zeros on both sides moves on by one place from row to row."""
    middle = length + filters.shape[1] // 2
    ruler = functional.pad(filters, (length, length))  # (D, T + K + T)
    return torch.stack([ruler.narrow(1, middle - row, length) for row in range(length)], dim=1)


def fourier_mixing(x: torch.Tensor) -> torch.Tensor:
    """The real part written as a sum: y[m, n] = sum of x[t, d] · cos(2π (m t / T + n d / D))."""
    along_positions, along_features = (_turns(size, x) for size in x.shape[1:])
    turns = along_positions[:, :, None, None] + along_features  # (T, T, D, D): [m, t, n, d]
    return torch.einsum("btd,mtnd->bmn", x, torch.cos(2 * math.pi * turns))


def _turns(size: int, like: torch.Tensor) -> torch.Tensor:
    """The share of a full turn that number t makes in wave m, without the whole turns: (size, size)."""
    table = [[m * t % size / size for t in range(size)] for m in range(size)]
    return torch.tensor(table, dtype=like.dtype, device=like.device)


class MixerBlock(nn.Module):
    """Both mixings as sums over named axes; nothing is ever transposed (Tolstikhin et al. 2021, eq. 1)."""

    def __init__(self, num_tokens: int, width: int, token_hidden: int, channel_hidden: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.token_mixing = nn.Sequential(
            nn.Linear(num_tokens, token_hidden), nn.GELU(), nn.Linear(token_hidden, num_tokens)
        )
        self.norm2 = nn.LayerNorm(width)
        self.channel_mixing = nn.Sequential(
            nn.Linear(width, channel_hidden), nn.GELU(), nn.Linear(channel_hidden, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(B, T, D) -> (B, T, D)."""
        enter, _, leave = self.token_mixing
        hidden = torch.einsum("ht,btd->bhd", enter.weight, self.norm1(x)) + enter.bias[:, None]
        tokens = torch.einsum("th,bhd->btd", leave.weight, functional.gelu(hidden)) + leave.bias[:, None] + x
        enter, _, leave = self.channel_mixing
        hidden = torch.einsum("hd,btd->bth", enter.weight, self.norm2(tokens)) + enter.bias
        return torch.einsum("dh,bth->btd", leave.weight, functional.gelu(hidden)) + leave.bias + tokens
