"""Attend's exercises in nbgrader, whose test cells call `points`."""

from autograder.platforms.nbgrader.kernel import NotCheckedError, points

__all__ = ["NotCheckedError", "points"]
