"""Turned: hands of clocks as complex numbers, in float64 and handed back in the dtype that is asked for."""

from __future__ import annotations

import cmath
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

BASE: Final = 10_000.0
WIDE: Final = torch.float64


def embed(ids: Tensor, table: Tensor) -> Tensor:
    every_id = torch.arange(table.shape[0], device=ids.device)
    one_hot = ids.unsqueeze(-1).eq(every_id).to(table.dtype)
    return one_hot @ table


def clocks(positions: Tensor, width: int) -> Tensor:
    """(T,) -> (T, ⌈width / 2⌉), complex: cos φ + i sin φ."""
    twos = torch.arange((width + 1) // 2, dtype=WIDE, device=positions.device) * 2
    angles = torch.outer(positions.to(WIDE), torch.pow(BASE, -twos / width))
    return torch.polar(torch.ones_like(angles), angles)


def sinusoidal_positions(length: int, width: int) -> Tensor:
    cosines_and_sines = torch.view_as_real(clocks(torch.arange(length), width))
    swapped = cosines_and_sines.flip(-1).flatten(start_dim=1)
    return swapped.narrow(1, 0, width).to(torch.get_default_dtype())


def add_positions(x: Tensor, positions: Tensor) -> Tensor:
    _, length, width = x.shape
    try:
        places = positions.narrow(0, 0, length)
    except RuntimeError as error:
        raise ValueError(f"positions of shape {tuple(positions.shape)} for x of shape {tuple(x.shape)}") from error
    return torch.add(places, x, alpha=width**0.5)


def shift_matrix(offset: int, width: int) -> Tensor:
    # Each unit vector is a sine or a cosine of one hand: what becomes of it is a column of the matrix.
    units = torch.eye(width, dtype=WIDE).unflatten(1, (width // 2, 2))
    hands = torch.complex(units[..., 1], units[..., 0])
    steps = [cmath.exp(1j * offset * BASE ** (-2 * i / width)) for i in range(width // 2)]
    moved = hands * torch.tensor(steps, dtype=hands.dtype)
    return torch.stack((moved.imag, moved.real), dim=-1).flatten(1).t().to(torch.get_default_dtype())


class TokenAndPositionEmbedding(nn.Module):
    """Two tables; only their weights are used."""

    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)

    def forward(self, ids: Tensor) -> Tensor:
        return embedding(ids, self.token.weight) + self.position.weight[: ids.size(-1)]


def rotary(x: Tensor, positions: Tensor) -> Tensor:
    if x.size(-1) % 2 != 0:
        raise ValueError(f"the last axis of {tuple(x.shape)} is odd")
    arrows = torch.complex(x[..., 0::2].to(WIDE), x[..., 1::2].to(WIDE))
    turned = arrows * clocks(positions, x.size(-1))
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)
