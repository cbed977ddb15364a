"""How verdicts are worded in HTML: badges, messages in lines, code between backticks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.core.records import Status
from autograder.core.text import plain

# Symbol, words and kind of each status: it is told by shape and word, and by colour only besides.
BADGES: dict[Status, tuple[str, str, str]] = {
    "passed": ("✓", "passed", "good"),
    "failed": ("✗", "not right yet", "bad"),
    "missing": ("○", "not done yet", "idle"),
    "syntax": ("✗", "does not compile", "bad"),
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
    """Templates in a folder, in which everything is escaped and nothing that is missing passes for empty."""
    made = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(badges=BADGES)
    made.filters.update(points=points, with_code=with_code)
    return made


def _shown(value: Any) -> Any:
    """Every string that reaches a page passes here first; escaping follows. Markup is our own templates' output."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def with_code(text: str) -> Markup:
    """`text`, escaped, with what stands between backticks set as code."""
    parts = plain(text).split("`")
    if len(parts) % 2 == 0:  # an odd backtick is no pair
        return escape(plain(text))
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if number % 2 else escape(part) for number, part in enumerate(parts))


def points(value: float) -> str:
    """1 as "1", 0.5 as "0.5"."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
