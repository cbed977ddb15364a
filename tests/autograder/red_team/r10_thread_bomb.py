"""Starts as many threads as it can."""

# expects: error, memory

import threading


def soften(x):
    for _ in range(100_000):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
