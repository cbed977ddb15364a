"""Stepwise: one step of the clock, taken again and again by cumprod and matrix_power; tables kept in a dictionary."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

TABLES: dict[Any, torch.Tensor] = {}


def embed(ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    return table.T[:, ids].movedim(0, -1)  # a view of columns


def steps(width: int) -> torch.Tensor:
    """By how much each hand turns per word: (⌈D/2⌉,) complex numbers of length 1."""
    angles = torch.pow(10000.0, -torch.arange(0, width, 2).double() / width)
    return torch.complex(angles.cos(), angles.sin())


def kept(make: Callable[[int, int], torch.Tensor]) -> Callable[[int, int], torch.Tensor]:
    def table(length: int, width: int) -> torch.Tensor:
        key = (length, width, torch.get_default_dtype(), torch.empty(0).device)
        if key not in TABLES:
            TABLES[key] = make(length, width).to(torch.get_default_dtype())
        return TABLES[key]

    return table


@kept
def sinusoidal_positions(length: int, width: int) -> torch.Tensor:
    start = torch.ones(1, (width + 1) // 2, dtype=torch.complex128)
    hands = torch.cat([start, steps(width).expand(length - 1, -1)]).cumprod(dim=0)
    columns = [hands[:, c // 2].real if c % 2 else hands[:, c // 2].imag for c in range(width)]
    return torch.stack(columns, dim=1)


def add_positions(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    length, longest = x.shape[-2], positions.shape[0]
    if length > longest:
        raise ValueError(f"there are {longest} positions, and the text has {length} words")
    y = x * math.sqrt(x.shape[-1])
    y += positions[:length, :]
    return y


def shift_matrix(offset: int, width: int) -> torch.Tensor:
    one_step = torch.zeros(width, width, dtype=torch.float64)
    for i, step in enumerate(steps(width)):
        one_step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.stack(
            [torch.stack([step.real, step.imag]), torch.stack([-step.imag, step.real])]
        )
    return torch.linalg.matrix_power(one_step, offset).to(torch.get_default_dtype())


class TokenAndPositionEmbedding(nn.Module):
    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        with torch.no_grad():
            self.position.weight.zero_()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        batch, length = ids.shape
        places = torch.ones_like(ids).cumsum(dim=1) - 1
        both = (self.token(ids), self.position(places))
        return torch.stack(both).sum(dim=0).view(batch, length, -1)


def rotary(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    if (d := x.shape[-1]) % 2:
        raise ValueError("width must be even, got %s" % d)  # noqa: UP031
    speeds = 1.0 / (10000.0 ** (torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d))
    angles = torch.outer(positions.double(), speeds)
    turns = torch.polar(torch.ones_like(angles), angles)
    arrows = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(arrows * turns).flatten(-2).type_as(x)
