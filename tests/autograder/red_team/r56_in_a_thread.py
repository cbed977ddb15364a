"""Reaches the ready-made function in a thread of its own."""

# expects: forbidden

import threading

import torch


def soften(x):
    out = []
    thread = threading.Thread(target=lambda: out.append(getattr(torch, "soft" + "max")(x, -1)))
    thread.start()
    thread.join()
    return out[0]
