"""Single precision throughout, and the simplest shapes that do."""

import numpy as np
import torch


class Source:
    def __init__(self, seed):
        self.numbers = np.random.default_rng(seed)

    def __call__(self, *shape):
        return torch.from_numpy(self.numbers.normal(size=shape).astype(np.float32))

    def mask(self, *shape, share=0.5):
        mask = self.numbers.random(shape) < share
        mask[..., 1] = True
        return torch.from_numpy(mask)


def probe_attention():
    draw = Source(1)
    q = draw(3, 6)
    q[1] = q[1] * 50000
    return q, draw(5, 6), draw(5, 2)


def probe_masking():
    draw = Source(2)
    q = draw(2, 4, 5)
    q[:, 0] = q[:, 0] * 50000
    mask = draw.mask(2, 1, 6)
    mask[:, :, 2] = False
    mask[1] = False  # a sentence of padding
    return q, draw(2, 6, 5), draw(2, 6, 3), mask


def probe_multihead():
    draw = Source(3)
    mask = draw.mask(3, 3, 5, 6)
    mask[0, 0, 4] = mask[2, 1, 0] = False
    return draw(3, 5, 12), draw(3, 6, 12), draw(3, 6, 12), mask


def probe_layer_norm():
    draw = Source(4)
    return draw(3, 8) + 2, draw(8), draw(8), 0.5


def probe_positions():
    draw = Source(5)
    return draw(2, 4, 3), draw(6, 3)


def probe_decoder():
    draw = Source(6)
    return draw(2, 3, 8), draw(2, 5, 8), ~torch.eye(3, dtype=torch.bool), draw.mask(2, 1, 1, 5)


def probe_patchify():
    return Source(7)(2, 3, 6, 4), 2
