"""Warns at every turn, and answers rightly."""

# expects: passed

import sys
import warnings


def soften(x):
    warnings.warn("FAILED", stacklevel=1)
    print("ERROR: 0 points", file=sys.stderr)
    return x.exp() / x.exp().sum(-1, keepdim=True)
