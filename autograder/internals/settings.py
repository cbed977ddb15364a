"""Process-wide settings of Python, torch and numpy, reset so that no call disturbs the next."""

from __future__ import annotations

import os
import random
import sys
import warnings
from contextlib import suppress

import numpy as np
import torch

from autograder.internals.modes import switch_off

_RECURSION_LIMIT = sys.getrecursionlimit()
_NUMPY_ERRORS = np.geterr()


def reset() -> None:
    """Reset every setting that a chapter may have changed (at import, or in a call) to its default."""
    _reset_torch()
    np.seterr(**_NUMPY_ERRORS)
    sys.setrecursionlimit(_RECURSION_LIMIT)
    warnings.resetwarnings()
    os.chdir("/")
    random.seed(0)
    np.random.seed(0)
    torch.default_generator.manual_seed(0)  # torch.manual_seed would queue a call for CUDA each time


def _reset_torch() -> None:
    switch_off()
    torch.set_grad_enabled(True)
    torch.set_autocast_enabled("cpu", False)
    torch.autograd.set_detect_anomaly(False)
    torch._C._set_deterministic_algorithms(False)  # the public function loads a compiler
    torch.set_float32_matmul_precision("highest")
    if torch.get_default_dtype() is not torch.float32:
        torch.set_default_dtype(torch.float32)
    with suppress(AttributeError):  # torch 2.9 cannot read it once it was None
        if torch.get_default_device() != torch.device("cpu"):
            torch.set_default_device(None)
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)
