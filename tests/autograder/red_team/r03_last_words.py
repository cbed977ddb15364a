"""Registers what should run at the end of the process, and answers rightly."""

# expects: passed

import atexit
import threading
import weakref


def shout(*_):
    with open("/tmp/attend-red-team-last-words", "w") as file:
        file.write("I was here")


class Loud:
    __del__ = shout


loud = Loud()
atexit.register(shout)
weakref.finalize(loud, shout)
threading._register_atexit(shout)


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
