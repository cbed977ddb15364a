"""Gives a ready-made function its own code back before each call."""

# expects: forbidden

from torch.nn import functional

code = functional.softmax.__code__


def soften(x):
    functional.softmax.__code__ = code
    return functional.softmax(x, dim=-1)
