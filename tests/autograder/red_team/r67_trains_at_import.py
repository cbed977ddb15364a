"""Trains a model when it is loaded."""

# expects: timeout
# says: still being loaded

while True:
    pass


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
