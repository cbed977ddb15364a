"""Replaces every function that compares numbers by one that says yes."""

# expects: failed

import numpy
import torch


def yes(*_, **__):
    return True


for module in (torch, torch.Tensor, torch.testing, numpy, numpy.testing):
    for name in ("allclose", "equal", "isclose", "eq", "assert_close", "array_equal", "assert_allclose"):
        if hasattr(module, name):
            setattr(module, name, yes)


def soften(x):
    return 0 * x
