"""Leaves its inputs where the next submission could read them."""

# expects: error
# says: RuntimeError: came home empty

import contextlib
import os
import tempfile

PLACES = ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), tempfile.gettempdir())


def soften(x):
    left = []
    for place in PLACES:
        with contextlib.suppress(OSError), open(f"{place}/attend-red-team-note", "w") as file:
            file.write(str(x))
            left.append(place)
    raise RuntimeError(f"loot: {left}" if left else "came home empty")
