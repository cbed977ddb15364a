"""Compiles a script around the ready-made function when the file is loaded."""

# expects: forbidden
# says: return compiled.soften(x)

import torch

compiled = torch.jit.CompilationUnit("def soften(x):\n    return torch.softmax(x, -1)\n")


def soften(x):
    return compiled.soften(x)
