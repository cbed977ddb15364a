"""Ends the process while the file is loaded."""

# expects: crash
# says: exit status 0

import os


class Loaded:
    os._exit(0)


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
