"""Answers with eight megabytes."""

# expects: protocol
# says: MB

import torch


def soften(x):
    return torch.zeros(10**6, dtype=torch.float64)
