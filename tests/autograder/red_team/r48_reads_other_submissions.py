"""Looks for the submissions of others and for the roster."""

# expects: error
# says: RuntimeError: came home empty

import glob
import tempfile

PLACES = (tempfile.gettempdir(), "/tmp", "/home/*", "/root", "/srv", "/mnt")


def soften(x):
    loot = []
    for path in (path for place in PLACES for path in glob.glob(f"{place}/*/submissions/*")):
        try:
            with open(path if path.endswith(".csv") else f"{path}/notes.py", encoding="utf-8") as file:
                loot.append(file.read(100))
        except OSError:
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
