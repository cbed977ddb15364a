"""Answers with objects that run code when they are unpickled."""

# expects: failed

import os

import numpy


class Bomb:
    def __reduce__(self):
        return os.system, ("touch /tmp/attend-red-team-pickle",)


def soften(x):
    return numpy.array([Bomb()], dtype=object) if x.dim() % 2 else Bomb()
