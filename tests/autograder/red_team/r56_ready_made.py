"""Leaves the exercise to the ready-made function."""

# expects: forbidden
# says: torch.softmax

import torch


def soften(x):
    return torch.softmax(x, dim=-1)
