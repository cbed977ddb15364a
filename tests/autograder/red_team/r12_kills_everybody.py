"""Kills every process that it may kill."""

# expects: blocked

import os


def soften(x):
    os.kill(-1, 9)
