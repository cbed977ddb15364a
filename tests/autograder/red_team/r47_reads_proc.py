"""Reads what the kernel tells of processes and mounts."""

# expects: error
# says: RuntimeError: came home empty

import glob


def soften(x):
    loot = []
    for path in ("/proc/self/mountinfo", "/proc/self/maps", "/proc/net/unix", *glob.glob("/proc/[0-9]*/cmdline")):
        try:
            with open(path, encoding="utf-8") as file:
                loot.append(file.read()[:100])
        except OSError:
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
