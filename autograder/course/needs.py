"""The command that installs what is missing, for a clone and for what pip installed."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from autograder.core.errors import UsageError
from autograder.course.course import Course

PACKAGE = "attend-course"
_EXTRA = re.compile(r"extra == ['\"](\w+)['\"]")


def remedy(extra: str = "") -> str:
    """Return the command that installs what the course needs, or the packages of an `extra`."""
    packages = _packages(extra) if is_from_wheel() else []
    return f"{_installer()} {' '.join(packages)}" if packages else clone_remedy(extra)


def clone_remedy(extra: str = "") -> str:
    """Return the command that installs the course, or an `extra`, in a clone or a release."""
    what = f'".[{extra}]"' if extra else "."
    return f"{_installer()} -c constraints.txt -e {what} in the course's folder"


def _installer() -> str:
    """Return what installs packages into this environment: one that uv has made has no pip, and may not be active."""
    settings = Path(sys.prefix, "pyvenv.cfg")
    if not (settings.is_file() and "\nuv = " in settings.read_text(encoding="utf-8", errors="replace")):
        return "pip install"
    is_active = os.environ.get("VIRTUAL_ENV") == sys.prefix
    return "uv pip install" if is_active else f'uv pip install --python "{sys.prefix}"'


def is_from_wheel() -> bool:
    """Return whether pip brought the engine and the course, without a clone."""
    try:
        return Course.installed().is_packed
    except UsageError:
        return False


def _packages(extra: str) -> list[str]:
    """Return the requirements that an installed wheel names, quoted for a shell."""
    try:
        lines = requires(PACKAGE) or []
    except PackageNotFoundError:
        return []
    found = [line.partition(";") for line in lines]
    return [f'"{name.strip()}"' for name, _, marker in found if _extra_of(marker) == extra]


def _extra_of(marker: str) -> str:
    found = _EXTRA.search(marker)
    return found[1] if found else ""
