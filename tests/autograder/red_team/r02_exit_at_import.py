"""Leaves politely while the file is loaded."""

# expects: error
# says: SystemExit

import sys

sys.exit(0)


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
