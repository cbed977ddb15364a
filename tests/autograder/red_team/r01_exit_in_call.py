"""Ends the process in the call, with the exit status of success."""

# expects: crash
# says: exit status 0

import os


def soften(x):
    os._exit(0)
