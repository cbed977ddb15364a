"""Answers with memory that it never wrote to."""

# expects: failed

import torch


def soften(x):
    return torch.empty(x.shape, dtype=x.dtype)
