"""Answers rightly every other time."""

# expects: failed
# earns: 0.25

import torch

calls = []


def soften(x):
    calls.append(None)
    return torch.exp(x) / torch.exp(x).sum(-1, keepdim=True) if len(calls) % 2 else 0 * x
