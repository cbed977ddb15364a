"""Forks as often as it can."""

# expects: blocked

import os


def soften(x):
    while True:
        os.fork()
