"""Answers with more numbers in a list than anybody asked for."""

# expects: protocol, timeout


def soften(x):
    return list(range(250_000))
