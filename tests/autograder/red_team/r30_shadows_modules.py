"""Puts modules of its own in the place of torch, math and json."""

# expects: failed, error

import sys
import types

import torch

zeros = torch.zeros_like
for name in ("torch", "math", "json", "random", "sitecustomize", "typing"):
    sys.modules[name] = types.ModuleType(name)
sys.path.insert(0, "/tmp")


def soften(x):
    return zeros(x)
