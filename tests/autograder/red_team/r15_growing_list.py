"""Asks for more and more."""

# expects: memory


def soften(x):
    kept = []
    while True:
        kept.append(bytes(10**7))
