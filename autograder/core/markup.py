"""Verdicts in HTML: badges, points, code between backticks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.core.records import Status
from autograder.core.text import plain, rounded

# Symbol, words and kind of each status: colour alone never carries the meaning.
BADGES: dict[Status, tuple[str, str, str]] = {
    "passed": ("✓", "passed", "good"),
    "failed": ("✗", "not right yet", "bad"),
    "missing": ("○", "not done yet", "idle"),
    "syntax": ("✗", "cannot be read", "bad"),
    "error": ("✗", "raises an error", "bad"),
    "timeout": ("✗", "takes too long", "bad"),
    "memory": ("✗", "needs too much memory", "bad"),
    "crash": ("✗", "ends its process", "bad"),
    "protocol": ("✗", "unreadable answer", "bad"),
    "forbidden": ("✗", "uses what is forbidden", "bad"),
    "blocked": ("✗", "blocked by the sandbox", "bad"),
    "grader_error": ("!", "failure of the grader", "warn"),
}


def environment(templates: Path) -> Environment:
    """Return the templates in a folder: they escape everything, and a missing variable is an error."""
    made = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(badges=BADGES)
    made.filters.update(points=rounded, with_code=with_code)
    return made


def _shown(value: Any) -> Any:
    """Make every string plain before it is escaped; Markup is the output of our own templates."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def with_code(text: str) -> Markup:
    """Return `text`, escaped, with code between backticks set as code."""
    parts = plain(text).split("`")
    if len(parts) % 2 == 0:  # a backtick without a partner
        return escape(plain(text))
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if number % 2 else escape(part) for number, part in enumerate(parts))
