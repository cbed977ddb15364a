"""Calls the kernel below the ready-made function."""

# expects: forbidden

import torch


def soften(x):
    return torch.ops.aten._softmax.default(x, -1, False)
