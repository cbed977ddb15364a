"""Looks for tokens in the environment, its own and that of others."""

# expects: error
# says: RuntimeError: came home empty

import ctypes
import glob
import os


def environments():
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    yield str(dict(os.environ)) + str(libc.getenv(b"ATTEND_SECRET") or "")
    for path in {*glob.glob("/proc/[0-9]*/environ"), *(f"/proc/{number}/environ" for number in range(500))}:
        try:
            with open(path, "rb") as file:
                yield file.read().decode("utf-8", "replace")
        except OSError:
            continue


def soften(x):
    loot = [text[text.index("ATTEND_SECRET") :][:60] for text in environments() if "ATTEND_SECRET" in text]
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
