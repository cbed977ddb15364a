"""Answers with NaN, which is neither more nor less than anything."""

# expects: failed

import torch


def soften(x):
    return x + torch.nan
