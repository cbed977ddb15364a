"""Closes the channel that its answer goes through, and stays."""

# expects: crash
# says: ended its conversation

import os
import time


def soften(x):
    os.closerange(3, 64)
    time.sleep(3600)
