"""Keeps many small tensors."""

# expects: memory, timeout

import torch


def soften(x):
    kept = []
    while True:
        kept.append(torch.ones(1000))
