"""Answers with infinity, which is within any share of itself."""

# expects: failed

import torch


def soften(x):
    return x.abs() + torch.inf
