"""Versions of the software behind a result, found without loading it."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

from autograder import __version__


@cache
def versions() -> dict[str, str]:
    """Return the versions by name, as a result records them."""
    return {
        "attend": __version__,
        "python": platform.python_version(),
        "torch": version("torch"),
        "numpy": version("numpy"),
    }
