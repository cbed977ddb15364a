"""nbgrader's feedback pages without what students could run in the browser of a reader.

nbconvert has a filter for this, which shows paragraphs, headings and images as source, and which nbgrader's page does
not use for markdown. The course's nbgrader_config.py puts these in place of two filters of nbconvert.
"""

from __future__ import annotations

import bleach
from nbconvert.filters import strip_files_prefix

TAGS = bleach.ALLOWED_TAGS | {
    *("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "pre", "details", "summary", "img", "del"),
    *("table", "thead", "tbody", "tr", "th", "td", "sub", "sup"),
}
ATTRIBUTES = {**bleach.ALLOWED_ATTRIBUTES, "*": ["class", "id", "title"], "img": ["src", "alt", "width", "height"]}


def clean_html(html: str | bytes) -> str:
    """Return HTML in which all but plain elements are shown as text: no script, no handler, no style."""
    text = html.decode("utf-8", "replace") if isinstance(html, bytes) else str(html)
    return str(bleach.clean(text, tags=TAGS, attributes=ATTRIBUTES))


def clean_markdown(html: str) -> str:
    """Do what nbconvert does to rendered markdown, and clean it."""
    return clean_html(strip_files_prefix(html))  # type: ignore[no-untyped-call]
