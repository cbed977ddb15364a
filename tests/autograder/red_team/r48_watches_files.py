"""Watches folders of the system, to learn the names of files that others write or read."""

# expects: error
# says: RuntimeError: came home empty

import ctypes
import fcntl
import os
import tempfile

FOLDERS = ("/", "/tmp", "/home", os.path.dirname(os.__file__), tempfile.gettempdir(), os.path.expanduser("~"))
LIBC = ctypes.CDLL(None)


def noticed(folder):
    """Returns whether one of three ways to watch the folder is open."""
    yield LIBC.inotify_add_watch(LIBC.inotify_init1(0), folder.encode(), 0xFFF) >= 0
    yield LIBC.fanotify_mark(LIBC.fanotify_init(0x200, 0), 1, 0x100, -100, folder.encode()) >= 0
    opened = os.open(folder, os.O_RDONLY)
    try:
        yield fcntl.fcntl(opened, fcntl.F_NOTIFY, fcntl.DN_CREATE) >= 0
    finally:
        os.close(opened)


def watched(folder):
    try:
        return any(noticed(folder))
    except OSError:
        return False


def soften(x):
    loot = [folder for folder in FOLDERS if watched(folder)]
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
