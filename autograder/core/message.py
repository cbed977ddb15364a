"""The message of a failed check: a first line that says it all, then called, expected, got, try."""

from __future__ import annotations

import re


def message(headline: str, *, called: str = "", expected: str = "", got: str = "", advice: str = "") -> str:
    """Lay the parts out under each other; empty ones are left out."""
    parts = (("called", called), ("expected", expected), ("got", got), ("try", advice))
    lines = [headline, *(f"  {name:<9} {text}" for name, text in parts if text)]
    return "\n".join(lines)


def stands_in(text: str, part: str) -> bool:
    """Whether `part` stands in the text; a number by itself, not as some digits of another one."""
    around = (r"(?<![\d.])", r"(?!\d)") if part.isdigit() else ("", "")
    return re.search(around[0] + re.escape(part) + around[1], text) is not None
