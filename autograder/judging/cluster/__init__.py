"""Grading on many machines: the grading side, the worker of each machine, and the node process that grades there."""
