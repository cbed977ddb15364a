"""Waits for someone at the keyboard."""

# expects: error
# says: EOFError


def soften(x):
    return input()
