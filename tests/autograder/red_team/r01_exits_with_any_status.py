"""Ends its process with a status that a program of the grader could have."""

# expects: crash
# says: exit status 70

import os


def soften(x):
    os._exit(70)
