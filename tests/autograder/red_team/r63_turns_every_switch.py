"""Turns every switch of Python, numpy and torch at import, and answers rightly."""

# expects: passed

import locale
import sys
import warnings

import numpy
import torch

torch.set_default_dtype(torch.float64)
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.set_num_threads(3)
torch.manual_seed(5)
torch.use_deterministic_algorithms(True)
torch.set_float32_matmul_precision("medium")
torch.autograd.set_detect_anomaly(True)
torch.set_autocast_enabled("cpu", True)
torch.set_printoptions(precision=1)
numpy.seterr(all="raise")
numpy.random.seed(3)
warnings.simplefilter("error")
sys.setrecursionlimit(200)
locale.setlocale(locale.LC_ALL, "C")


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
