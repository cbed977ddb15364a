"""Answers rightly but for its gradients, which it claims to have on a device without data."""

# expects: failed
# says: is on device meta instead of cpu
# earns: 0.75

import torch


def forged(outputs, inputs, *_, **__):
    return [torch.empty_like(each, device="meta") for each in inputs]


torch.autograd.grad = forged


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
