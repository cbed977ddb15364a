"""Prints a gigabyte, and answers rightly."""

# expects: passed

import os
import sys

for _ in range(1000):
    os.write(1, b"x" * 10**6)
print("y" * 10**6, file=sys.stderr)


def soften(x):
    grown = (x - x.amax(-1, keepdim=True)).exp()
    return grown / grown.sum(-1, keepdim=True)
