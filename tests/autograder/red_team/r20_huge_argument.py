"""Gives the right answer, and hands an argument back that has grown."""

# expects: protocol
# says: leaves behind

import torch


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    answer = grown / grown.sum(-1, keepdim=True)
    x.set_(torch.zeros(1_000_000, dtype=x.dtype))
    return answer
