"""Answers with six megabytes, which nobody reads."""

# expects: failed
# says: 6000000

import torch


def soften(x):
    return torch.zeros(6_000_000, dtype=torch.uint8)
