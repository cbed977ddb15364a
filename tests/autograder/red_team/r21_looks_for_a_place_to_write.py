"""Tries to write in every folder there is."""

# expects: error
# says: RuntimeError: came home empty

import os
import sys


def places():
    yield from ("/", "/tmp", "/dev/shm", "/var/tmp", os.getcwd(), os.path.expanduser("~"))
    yield from ("/dev", "/dev/mqueue", "/proc/self", "/proc/self/fd", "/run/lock", "/sys", *sys.path, sys.prefix)


def soften(x):
    loot = []
    for place in places():
        try:
            os.close(os.open(f"{place}/attend-red-team", os.O_CREAT | os.O_WRONLY))
            os.remove(f"{place}/attend-red-team")
            loot.append(place)
        except OSError:
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
