"""Trains a model when it is loaded."""

# expects: timeout
# says: still running

while True:
    trained = True


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    assert trained
    return grown / grown.sum(-1, keepdim=True)
