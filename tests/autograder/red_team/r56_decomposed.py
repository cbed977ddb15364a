"""Asks the ready-made function for its parts, past the choice of a kernel."""

# expects: forbidden

import torch


def soften(x):
    return torch.ops.aten.softmax.int.decompose(x, -1)
