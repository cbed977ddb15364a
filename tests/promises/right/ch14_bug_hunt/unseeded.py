"""Random numbers as they come, with torch's own generator; some sizes are random too."""

import random

import torch
from torch import randn


def one_row_blocked(mask, *row):
    mask = mask.clone()
    mask[row] = False
    return mask


def probe_attention():
    first = randn(3, 2, 1, 8) * 100_000
    return torch.cat([first, randn(3, 2, 2, 8)], dim=2), randn(3, 2, 6, 8), randn(3, 2, 6, 5)


def probe_masking():
    batch, heads, queries, keys, width, inner = 2, 4, 3, 7, 5, 6
    length = torch.ones(queries, 1)
    length[-1] = 100_000.0
    allowed = torch.rand(batch, 1, queries, keys) < 0.5
    allowed[..., 0], allowed[..., -1, 1] = True, False
    return (
        randn(batch, heads, queries, width) * length,
        randn(batch, heads, keys, width),
        randn(batch, heads, keys, inner),
        one_row_blocked(allowed, 0, 0, 1),
    )


def probe_multihead():
    batch, queries, keys = random.randint(2, 3), random.choice([5, 6]), random.choice([7, 8])
    allowed = torch.rand(batch, 3, queries, keys) < 0.6
    allowed[..., 0] = True
    return randn(batch, queries, 12), randn(batch, keys, 12), randn(batch, keys, 12), one_row_blocked(allowed, 1, 2, 3)


def probe_layer_norm():
    return randn(2, 3, 5, 7) * 3 - 5, randn(7) - 1, randn(7) + 1, random.uniform(0.1, 0.9)


def probe_positions():
    length = random.randint(3, 5)
    return randn(2, length, 7), randn(length + random.randint(2, 5), 7)


def probe_decoder():
    looks = torch.rand(3, 2, 5, 5) < 0.6
    looks[0, :, 1, 4], looks[0, :, 4, 1] = True, False
    listens = torch.rand(3, 1, 1, 7) < 0.6
    listens[..., 0], listens[..., 3] = True, False
    return randn(3, 5, 8), randn(3, 7, 8), looks, listens


def probe_patchify():
    return randn(2, 3, 8, 20), 4
