"""Uses what torch itself has rewritten in Python."""

# expects: forbidden

from torch import _refs


def soften(x):
    return _refs.softmax(x, -1)
