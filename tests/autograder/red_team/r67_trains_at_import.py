"""Trains a model when it is loaded, and will not be stopped."""

# expects: timeout
# says: still being loaded

import time

trained = False
while not trained:
    try:
        time.sleep(60)
    except BaseException:
        trained = False


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=trained)
