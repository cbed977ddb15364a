"""Reaches the ready-made function under another name."""

# expects: forbidden

import torch

reached = getattr(torch, "".join(("soft", "max")))


def soften(x):
    return reached(x, -1)
