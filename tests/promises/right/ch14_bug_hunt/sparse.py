"""Nearly everything is zero; the few other numbers are all different."""

import torch


def few(shape, step, first=1.0):
    """Zeros, but for every `step`-th number, which is another each time; signs alternate."""
    x = torch.zeros(shape, dtype=torch.float64).flatten()
    count = len(x[::step])
    x[::step] = torch.linspace(first, first + 2, count, dtype=torch.float64) * (-1) ** torch.arange(count)
    return x.view(shape)


def probe_attention():
    q = few((2, 2, 3, 5), 2)
    q[:, :, 2] *= 200000
    return q, few((2, 2, 4, 5), 3, 0.5), few((2, 2, 4, 1), 3, 2.0)


def probe_masking():
    q = few((2, 3, 4, 5), 2)
    q[:, :, 3] *= 200000
    mask = torch.zeros(2, 1, 4, 7, dtype=torch.bool)
    for row, column in ((0, 1), (0, 2), (1, 0), (1, 3), (1, 5), (3, 0), (3, 1), (3, 4)):
        mask[0, 0, row, column] = True
        mask[1, 0, row, 6 - column] = True
    return q, few((2, 3, 7, 5), 3, 0.5), few((2, 3, 7, 6), 5, 2.0), mask


def probe_multihead():
    mask = torch.zeros(2, 3, 3, 5, dtype=torch.bool)
    for place, pair in enumerate(((0, 1), (2, 4), (1, 3), (0, 4), (2, 3), (1, 4), (0, 2), (3, 4), (1, 2))):
        for key in pair:
            mask[0].view(9, 5)[place, key] = True
            mask[1].view(9, 5)[8 - place, 4 - key] = True
    mask[1, 1, 2] = False
    return few((2, 3, 12), 5), few((2, 5, 12), 7, 0.5), few((2, 5, 12), 11, 2.0), mask


def probe_layer_norm():
    return few((3, 2, 4, 6), 4), few((6,), 2), few((6,), 3), 0.01


def probe_positions():
    return few((2, 3, 6), 4), few((5, 6), 4)


def probe_decoder():
    self_mask = torch.eye(4, dtype=torch.bool) | torch.eye(4, dtype=torch.bool).roll(1, 1)
    memory_mask = torch.eye(4, 3, dtype=torch.bool).logical_not()
    return few((2, 4, 8), 3), few((2, 3, 8), 5), self_mask, memory_mask


def probe_patchify():
    return few((2, 2, 6, 15), 2), 3
