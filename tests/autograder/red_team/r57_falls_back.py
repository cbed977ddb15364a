"""Falls back to the ready-made function when its own attempt fails."""

# expects: forbidden

import torch


def soften(x):
    try:
        return x / 0 + None
    except TypeError:
        return torch.nn.functional.softmax(x, dim=-1)
