"""Looks for what an earlier submission left for it."""

# expects: error
# says: RuntimeError: came home empty

import contextlib
import os
import tempfile

PLACES = ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), tempfile.gettempdir())


def soften(x):
    loot = []
    for place in PLACES:
        with contextlib.suppress(OSError), open(f"{place}/attend-red-team-note") as file:
            loot.append(file.read())
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
