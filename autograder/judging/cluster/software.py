"""The software that a grade is computed with, which must be the same on every machine of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import autograder
from autograder.core.versions import versions


def software() -> dict[str, str]:
    """Return the names and versions installed here, without importing any of them."""
    known = versions()
    attend = f"{known['attend']} (files {_fingerprint()})"
    return {**known, "attend": attend, "distributed": _distributed()}


def difference(wanted: Mapping[str, str], found: Mapping[str, str]) -> str:
    """Return a sentence about the versions in which a node differs from the grading side; "" if there are none."""
    other = [name for name in wanted if found.get(name) != wanted[name]]
    if not other:
        return ""
    there = ", ".join(f"{name} {found.get(name, 'missing')}" for name in other)
    here = ", ".join(f"{name} {wanted[name]}" for name in other)
    return f"it has {there}, and the grading side {here}; install the same on both (`pip install -c constraints.txt`)"


def _distributed() -> str:
    try:
        return version("distributed")
    except PackageNotFoundError:
        return "missing"


def _fingerprint() -> str:
    """Return a digest that distinguishes two engines of one version, such as a release and an edited clone."""
    root, found = Path(autograder.__file__).parent, hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:8]
