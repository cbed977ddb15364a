"""Calls itself without end."""

# expects: error
# says: RecursionError


def soften(x):
    return soften(x)
