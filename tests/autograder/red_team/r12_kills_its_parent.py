"""Kills the process it comes from."""

# expects: blocked

import os


def soften(x):
    os.kill(os.getppid(), 9)
