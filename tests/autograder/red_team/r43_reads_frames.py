"""Looks at the variables of everybody who called it."""

# expects: error
# says: RuntimeError: came home empty

import sys

WANTED = ("seed", "expected", "reference", "oracle", "points", "misconceptions", "verdict", "course")


def soften(x):
    loot, frame = [], sys._getframe()
    while frame.f_back:
        frame = frame.f_back
        for scope in (frame.f_locals, frame.f_globals):
            loot += [f"{name} = {scope[name]!r}" for name in WANTED if scope.get(name)]
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
