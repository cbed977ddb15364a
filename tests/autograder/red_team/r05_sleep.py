"""Sleeps for years."""

# expects: timeout

import time


def soften(x):
    time.sleep(1e9)
