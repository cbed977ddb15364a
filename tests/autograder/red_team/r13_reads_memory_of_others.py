"""Reads the memory of the processes around it."""

# expects: error
# says: RuntimeError: came home empty

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def soften(x):
    loot = [number for number in range(400) if number != os.getpid() and libc.ptrace(16, number, 0, 0) == 0]
    for number in range(1, 400):
        try:
            loot.append(os.open(f"/proc/{number}/mem", os.O_RDONLY))
        except OSError:
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
