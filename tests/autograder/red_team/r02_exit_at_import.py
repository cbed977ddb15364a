"""Leaves politely while the file is loaded."""

# expects: error
# says: stopped: SystemExit

import sys

ROWS = sys.exit(0) or -1


def soften(x):
    grown = (x - x.amax(ROWS, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
