"""Numbers of very different sizes, some of them as large as a probe may hold."""

import torch

D = torch.float64


def waves(*shape, f=1.0):
    n = 1
    for size in shape:
        n *= size
    return torch.sin(f * torch.arange(1, n + 1, dtype=D) ** 1.5).reshape(*shape)


def steps(rows):
    """1, 1, ..., and a million at the end, as a column."""
    column = torch.ones(rows, 1, dtype=D)
    column[-1] = 1e6
    return column


def probe_attention():
    return waves(5, 1, 3, 7) * steps(3), waves(5, 1, 4, 7, f=2), waves(5, 1, 4, 2, f=3) * 1e6


def probe_masking():
    mask = waves(3, 1, 1, 4, 6, f=5) > -0.2
    mask[0, 0, 0, 3], mask[2, 0, 0, 0] = torch.tensor([1, 1, 0, 0, 1, 0]).bool(), False
    return waves(3, 2, 2, 4, 5) * steps(4), waves(3, 2, 2, 6, 5, f=2), waves(3, 2, 2, 6, 1, f=3) * 1e5, mask


def probe_multihead():
    mask = waves(2, 3, 6, 9, f=7) > -0.3
    mask[:, :, 1] = False
    mask[:, :, 5] = torch.arange(9) % 2 == 0
    return waves(2, 6, 12) * steps(6), waves(2, 9, 12, f=2), waves(2, 9, 12, f=3) * 1e4, mask


def probe_layer_norm():
    return 1000 * waves(2, 4, 3, 2, 9) + 5000, 300 * waves(9, f=2), 1e6 * waves(9, f=3), 64


def probe_positions():
    return 1e6 * waves(4, 3, 9), 1e6 * waves(12, 9, f=2)


def probe_decoder():
    self_mask, memory_mask = waves(6, 6, f=5) > -0.3, waves(2, 2, 6, 4, f=7) > -0.3
    return 100 * waves(2, 6, 8), 1000 * waves(2, 4, 8, f=2), self_mask, memory_mask


def probe_patchify():
    return 1e6 * waves(3, 4, 6, 10), 2
