"""Looks for the reference, the suites and the solutions, and imports what it can."""

# expects: error
# says: RuntimeError: came home empty

import glob
import importlib
import os
import sys
import tempfile

COURSES = (os.getcwd(), *sys.path, "/home/*/*", "/root/*", f"{tempfile.gettempdir()}/*/course")
FILES = ("reference/ch*.py", "solutions/ch*.py", "tests/exercises/test_ch*.py")


def soften(x):
    loot = []
    for name in ("ch01_attacked", "ch03_attention", "misconceptions.ch01_attacked", "scenes"):
        try:
            loot.append(importlib.import_module(f"reference.{name}").__doc__)
        except ImportError:
            continue
    for path in (path for course in COURSES for pattern in FILES for path in glob.glob(f"{course}/{pattern}")):
        try:
            with open(path, encoding="utf-8") as file:
                loot.append(file.read()[-40:])
        except OSError:
            continue
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
