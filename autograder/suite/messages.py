"""The message of a failed check: a first line that says it all, then called, expected, got, try."""

from __future__ import annotations


def message(headline: str, *, called: str = "", expected: str = "", got: str = "", advice: str = "") -> str:
    """Lay the parts out under each other; empty ones are left out."""
    parts = (("called", called), ("expected", expected), ("got", got), ("try", advice))
    lines = [headline, *(f"  {name:<9} {text}" for name, text in parts if text)]
    return "\n".join(lines)
