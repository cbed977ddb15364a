"""Makes memory that outlives the process."""

# expects: error
# says: RuntimeError: came home empty

import ctypes
import os
from multiprocessing import shared_memory

import torch

libc = ctypes.CDLL(None, use_errno=True)


def soften(x):
    ways = {
        "POSIX": lambda: shared_memory.SharedMemory("attend-red-team", create=True, size=1000),
        "torch": lambda: torch.ones(1000).share_memory_(),
        "memfd": lambda: os.memfd_create("attend-red-team"),
    }
    loot = ["System V"] if libc.shmget(0, 4096, 0o1600) >= 0 else []
    for name, way in ways.items():
        try:
            way()
            loot.append(name)
        except (OSError, RuntimeError):
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
