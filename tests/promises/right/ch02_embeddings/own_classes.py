"""Own classes: a clock of NumPy numbers, functions with a backward of their own, an error, an object that is called."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


class TooLongError(ValueError):
    """A text that its table of positions does not reach."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"length {length} exceeds {limit}")


@dataclass(frozen=True)
class Clock:
    """A hand per pair of columns."""

    width: int

    @property
    def speeds(self) -> np.ndarray:
        return np.exp(-np.log(10000.0) * np.arange(0, self.width, 2) / self.width)

    def angles(self, positions) -> np.ndarray:
        return np.multiply.outer(np.asarray(positions, dtype=np.float64), self.speeds)


class LookUp(torch.autograd.Function):
    """Rows on the way there, sums over equal ids on the way back."""

    @staticmethod
    def forward(ctx, ids, table):
        ctx.save_for_backward(ids)
        ctx.rows = table.shape[0]
        return table.index_select(0, ids.flatten()).view(*ids.shape, table.shape[1])

    @staticmethod
    def backward(ctx, grad):
        (ids,) = ctx.saved_tensors
        zeros = grad.new_zeros(ctx.rows, grad.shape[-1])
        return None, zeros.index_add(0, ids.flatten(), grad.reshape(-1, grad.shape[-1]))


class Turn(torch.autograd.Function):
    """The gradient of a turn is the turn back."""

    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        return Turn.by(x, cos, sin)

    @staticmethod
    def backward(ctx, grad):
        cos, sin = ctx.saved_tensors
        return Turn.by(grad, cos, -sin), None, None

    @staticmethod
    def by(x, cos, sin):
        first, second = x.unflatten(-1, (-1, 2)).unbind(-1)
        return torch.stack((first * cos - second * sin, first * sin + second * cos), -1).flatten(-2)


class Rotary:
    """Not a function, but an object that can be called like one."""

    def __call__(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        pairs, odd = divmod(x.shape[-1], 2)
        if odd:
            raise ValueError(f"{x.shape[-1]} = 2 * {pairs} + 1")
        speeds = torch.tensor(Clock(x.shape[-1]).speeds, dtype=x.dtype, device=x.device)
        angles = torch.einsum("t,i->ti", positions.to(x.dtype), speeds)
        return Turn.apply(x, angles.cos(), angles.sin())


rotary = Rotary()


def embed(ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    return LookUp.apply(ids, table)


def sinusoidal_positions(length: int, width: int) -> torch.Tensor:
    table = np.empty((length, width))
    angles = Clock(width).angles(range(length))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)[:, : width // 2]
    return torch.tensor(table, dtype=torch.get_default_dtype())


def add_positions(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    if (length := x.shape[1]) > (limit := positions.shape[0]):
        raise TooLongError(length, limit)
    root = torch.full((), x.shape[-1], dtype=x.dtype, device=x.device).sqrt()
    return torch.addcmul(positions.split(length)[0].expand_as(x), x, root)


def shift_matrix(offset: int, width: int) -> torch.Tensor:
    blocks = []
    for angle in Clock(width).angles(offset):
        sin, cos = float(np.sin(angle)), float(np.cos(angle))
        blocks.append(torch.tensor([[cos, sin], [-sin, cos]]))
    return torch.block_diag(*blocks)


class TokenAndPositionEmbedding(nn.Module):
    """The places are counted once and kept."""

    places: torch.Tensor

    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.register_buffer("places", torch.arange(max_length))

    def vectors_of_places(self, ids: torch.Tensor) -> torch.Tensor:
        return self.position(self.places[: ids.shape[1]].expand_as(ids))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.vectors_of_places(ids).add_(self.token(ids))
