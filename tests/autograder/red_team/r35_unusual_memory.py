"""Answers rightly with a view whose memory is in another order."""

# expects: passed

import torch


def soften(x):
    grown = torch.exp(x).movedim(-1, 0).contiguous()
    return (grown / grown.sum(0)).movedim(0, -1)
