"""Answers rightly but for its gradients, which it claims to be whole numbers."""

# expects: failed
# says: is int64 instead of float64
# earns: 0.75

import torch


def forged(outputs, inputs, *_, **__):
    return [torch.zeros(each.shape, dtype=torch.int64) for each in inputs]


torch.autograd.grad = forged


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
