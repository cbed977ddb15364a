"""Zeroes its argument, so that the easy answer would be right."""

# expects: failed

import torch


def soften(x):
    with torch.no_grad():
        x.zero_()
    return x + 1 / x.shape[-1]
