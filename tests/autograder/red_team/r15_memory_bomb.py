"""Asks for 64 GiB at once."""

# expects: memory


def soften(x):
    return bytearray(1 << 36)
