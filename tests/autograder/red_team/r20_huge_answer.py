"""Answers with sixty megabytes, which nobody reads."""

# expects: failed
# says: 60000000

import torch


def soften(x):
    return torch.zeros(60_000_000, dtype=torch.uint8)
