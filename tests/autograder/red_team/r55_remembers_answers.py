"""Answers with what it remembers of an earlier question."""

# expects: failed

remembered = {}


def soften(x):
    return remembered.setdefault(x.shape, x * 0)
