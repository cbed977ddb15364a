"""The oracle of chapter 2: a lookup is a sum over words, positions are written entry by entry, a turn is complex."""

import math

import torch
from torch import nn


def embed(ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Σ_v [id = v] table_v: ids (..., T), table (V, D) -> (..., T, D)."""
    words = torch.arange(table.shape[0], device=ids.device)
    one_hots = torch.eq(ids.unsqueeze(-1), words).to(table.dtype)  # (..., T, V)
    return torch.einsum("...tv,vd->...td", one_hots, table)


def sinusoidal_positions(length: int, width: int) -> torch.Tensor:
    """PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i+1) = cos of the same (Vaswani et al. 2017, section 3.5)."""

    def entry(position: int, column: int) -> float:
        angle = position / math.pow(10000.0, (column - column % 2) / width)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return torch.tensor([[entry(position, column) for column in range(width)] for position in range(length)])


def add_positions(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """positions_t + √D · x_bt: x (B, T, D), positions (max, D) -> (B, T, D).

    Raises:
        ValueError: T > max.
    """
    _, length, width = x.shape
    if length > positions.shape[0]:
        raise ValueError(f"{length} positions are asked for, the table has {positions.shape[0]}")
    return positions.narrow(0, 0, length) + x * math.sqrt(width)


def shift_matrix(offset: int, width: int) -> torch.Tensor:
    """M with M PE(p) = PE(p + offset) (Vaswani et al. 2017, section 3.5): a turn in each plane (2i, 2i+1)."""

    def entry(row: int, column: int) -> float:
        if row // 2 != column // 2:
            return 0.0
        angle = offset / math.pow(10000.0, (row - row % 2) / width)
        return math.cos(angle) if row == column else (column - row) * math.sin(angle)

    return torch.tensor([[entry(row, column) for column in range(width)] for row in range(width)])


class TokenAndPositionEmbedding(nn.Module):
    """A learned vector for each token plus a learned vector for each position."""

    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        for table in (self.token, self.position):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids (B, T) -> (B, T, D)."""
        return embed(ids, self.token.weight) + self.position.weight.narrow(0, 0, ids.shape[-1])


def rotary(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """(x_2i + j x_2i+1) · e^(j p θ_i) with θ_i = 10000^(-2i/d) (Su et al. 2021, eq. 12 and 15).

    Raises:
        ValueError: d is odd.
    """
    width = x.shape[-1]
    if width % 2:
        raise ValueError(f"a vector of {width} numbers cannot be cut into pairs")
    speeds = torch.tensor([10000.0 ** (-column / width) for column in range(0, width, 2)], dtype=torch.float64)
    angles = torch.einsum("t,i->ti", positions.to(x.dtype), speeds.to(device=x.device, dtype=x.dtype))
    turns = torch.polar(torch.ones_like(angles), angles)  # (T, d/2)
    numbers = torch.view_as_complex(x.contiguous().unflatten(-1, (width // 2, 2)))  # (..., T, d/2)
    return torch.view_as_real(numbers * turns).flatten(-2)
