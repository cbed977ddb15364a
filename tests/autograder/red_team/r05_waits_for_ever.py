"""Waits for a lock that nobody opens."""

# expects: timeout

import threading


def soften(x):
    threading.Event().wait()
