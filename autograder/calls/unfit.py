"""What the engine itself raises about an answer; each text is a headline."""

from __future__ import annotations


class NoPairError(Exception):
    """A call in turns returned no pair, whose second half the next call needs."""


class StateMismatchError(Exception):
    """The class's parameters are not those of the chapter."""


class StrayError(Exception):
    """A call returned a tensor on another device than that of its arguments."""
