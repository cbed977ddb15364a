"""Waits for somebody at the keyboard."""

# expects: error
# says: EOFError


def soften(x):
    return input()
