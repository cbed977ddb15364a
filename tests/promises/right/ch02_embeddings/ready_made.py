"""Ready-made and terse: one expression each, bags of embeddings, a matrix exponential, functional calls and vmap."""
# ruff: noqa: E731 -- a function may be a lambda with a name

from math import pi

import torch
from torch import arange, nn
from torch.func import functional_call, vmap
from torch.nn import functional as F

__all__ = ["add_positions", "embed", "rotary", "shift_matrix", "sinusoidal_positions"]

torch.manual_seed(0)

speeds = lambda width, **like: 10000 ** -(arange(0, width, 2, **like) / width)


def embed(ids, table):
    layer = nn.Embedding(*table.shape, sparse=True, dtype=table.dtype, device=table.device)
    return functional_call(layer, {"weight": table}, ids)


def sinusoidal_positions(length, width):
    columns = arange(width)  # a cosine is a sine a quarter of a turn ahead
    return torch.sin(arange(length)[:, None] * 10000 ** -(columns // 2 * 2 / width) + columns % 2 * pi / 2)


def add_positions(x, positions):
    if x.shape[1] > len(positions):
        raise ValueError(x.shape[1], len(positions))
    places = F.embedding(arange(x.shape[1], device=x.device), positions)
    return vmap(lambda sentence: places + sentence * x.shape[-1] ** 0.5)(x)


def shift_matrix(offset, width):
    hands = torch.stack([speeds(width), torch.zeros(width // 2)], 1).flatten()[:-1]
    return torch.matrix_exp(offset * (hands.diag(1) - hands.diag(-1)))


class TokenAndPositionEmbedding(nn.Module):
    def __init__(self, vocab_size, max_length, width):
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)

    def forward(self, ids):
        tables = torch.cat([getattr(self, name).weight for name in ("token", "position")])
        places = self.token.num_embeddings + arange(ids.shape[1], device=ids.device)
        bags = torch.stack([ids, places.expand_as(ids)], dim=-1)  # (B, T, 2): one bag per word
        return F.embedding_bag(bags.flatten(0, 1), tables, mode="sum").unflatten(0, ids.shape)


def rotary(x, positions):
    if x.shape[-1] & 1:
        raise ValueError(f"odd: {x.shape[-1]}")
    angles = positions[:, None] * speeds(x.shape[-1], dtype=x.dtype, device=x.device)
    cos, sin = angles.cos(), angles.sin()
    turns = torch.stack([cos, -sin, sin, cos], -1).unflatten(-1, (2, 2))  # (T, d/2, 2, 2)
    return torch.einsum("tinm,...tim->...tin", turns, x.unflatten(-1, (-1, 2))).flatten(-2)


if __name__ == "__main__":
    print(sinusoidal_positions(4, 4))
