"""Calls itself without end through C, with the limit on recursion lifted."""

# expects: crash, memory, error

import sys


def deeper(_):
    return list(map(deeper, [0]))


def soften(x):
    sys.setrecursionlimit(2**31 - 1)
    return deeper(0)
