"""Gathered: rows by gather, products through baddbmm and matrices of turns, shapes in the annotations."""
# ruff: noqa: F722, F821 -- shapes in annotations are no Python

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding


def embed(ids: "Int[Tensor, '... T']", table: "Float[Tensor, 'V D']") -> "Float[Tensor, '... T D']":
    rows = ids.reshape(-1, 1).expand(-1, table.size(1))
    return torch.gather(table, dim=0, index=rows).reshape(*ids.shape, table.size(1))


def sinusoidal_positions(length: int, width: int) -> "Float[Tensor, 'length width']":
    table = torch.zeros(length, width, dtype=torch.float64)
    position = torch.arange(0, length, dtype=torch.float64).unsqueeze(1)
    speeds = torch.exp(torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(10000.0) / width))
    table[:, 0::2] = torch.sin(position * speeds)
    table[:, 1::2] = torch.cos(position * speeds)[:, : width // 2]
    return table.to(dtype=torch.get_default_dtype())


def add_positions(x: "Float[Tensor, 'B T D']", positions: "Float[Tensor, 'max D']") -> "Float[Tensor, 'B T D']":
    batch, length, width = x.size()
    if not length <= positions.size(0):
        raise ValueError(f"{length=} is more than {positions.size(0)} rows of positions")
    first = positions[:length].expand(batch, length, width)
    stretch = torch.eye(width, dtype=x.dtype, device=x.device).mul_(math.sqrt(width))
    return torch.baddbmm(first, x, stretch.expand(batch, width, width))


def shift_matrix(offset: int, width: int) -> "Float[Tensor, 'width width']":
    speeds = torch.tensor([10000 ** (-column / width) for column in range(0, width, 2)], dtype=torch.float64)
    cos, sin = torch.cos(offset * speeds), torch.sin(offset * speeds)
    above = torch.stack([sin, torch.zeros_like(sin)], dim=1).flatten()[:-1]
    matrix = torch.diag_embed(cos.repeat_interleave(2))
    matrix = torch.diagonal_scatter(matrix, above, offset=1)
    matrix = torch.diagonal_scatter(matrix, -above, offset=-1)
    return matrix.type(torch.get_default_dtype())


class TokenAndPositionEmbedding(nn.Module):
    def __init__(self, vocab_size: int, max_length: int, width: int) -> None:
        super().__init__()
        self.position = nn.Embedding(num_embeddings=max_length, embedding_dim=width)
        self.token = nn.Embedding(num_embeddings=vocab_size, embedding_dim=width)
        nn.init.normal_(self.token.weight, std=0.02)
        nn.init.trunc_normal_(self.position.weight, std=0.02)

    def forward(self, ids: "Int[Tensor, 'B T']") -> "Float[Tensor, 'B T D']":
        words = embedding(ids, self.token.weight, sparse=True)  # its gradient holds only the rows that were read
        places = embed(ids=torch.arange(ids.shape[1], device=ids.device), table=self.position.weight)
        return words + places


def rotary(x: "Float[Tensor, '... T d']", positions: "Int[Tensor, 'T']") -> "Float[Tensor, '... T d']":
    width = x.shape[-1]
    match width % 2:
        case 0:
            hands = torch.arange(width // 2, device=x.device)
        case _:
            raise ValueError(f"d is {width}, and an odd number of entries does not make pairs")
    angles = torch.outer(positions.to(x.dtype), 10000.0 ** (-2.0 * hands.to(x.dtype) / width))  # (T, d/2)
    turn = x.new_zeros(len(positions), width, width)  # a matrix per position, for rows
    turn[:, 2 * hands, 2 * hands] = torch.cos(angles)
    turn[:, 2 * hands, 2 * hands + 1] = torch.sin(angles)
    turn[:, 2 * hands + 1, 2 * hands] = -torch.sin(angles)
    turn[:, 2 * hands + 1, 2 * hands + 1] = torch.cos(angles)
    return torch.matmul(x.unsqueeze(-2), turn).squeeze(-2)
