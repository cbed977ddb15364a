"""The software that a result is computed with, found without loading any of it."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

from autograder import __version__


@cache
def versions() -> dict[str, str]:
    """Names and versions, as they stand in a result."""
    return {
        "attend": __version__,
        "python": platform.python_version(),
        "torch": version("torch"),
        "numpy": version("numpy"),
    }
