"""A check's message for a page: its labelled parts, with the difference between expected and got marked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from markupsafe import Markup, escape

from autograder.core.markup import with_code
from autograder.core.message import Message

WORD = re.compile(r"[\w.+-]+|\s+|.", re.DOTALL)


def rows(message: Message) -> dict[str, Markup]:
    """Return the parts below the headline by label, with the difference between expected and got marked."""
    made = {label: with_code(text) if label == "try" else escape(text) for label, text in message.rows}
    if message.expected and message.got:
        made |= zip(("expected", "got"), _marked(message.expected, message.got), strict=True)
    return made


def _marked(expected: str, got: str) -> tuple[Markup, Markup]:
    """Mark in both texts the part between their common first words and their common last words."""
    one, other = WORD.findall(expected), WORD.findall(got)
    first = _equal(zip(one, other, strict=False))
    last = _equal(zip(reversed(one[first:]), reversed(other[first:]), strict=False))
    if 2 * (first + last) < max(len(one), len(other)):
        return escape(expected), escape(got)  # where most differs, marks would show nothing
    return _spans(one, first, last), _spans(other, first, last)


def _equal(pairs: Iterable[tuple[str, str]]) -> int:
    """Return the number of equal pairs before the first unequal one."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _spans(words: list[str], first: int, last: int) -> Markup:
    end = len(words) - last
    before, between, after = ("".join(part) for part in (words[:first], words[first:end], words[end:]))
    return escape(before) + (Markup("<mark>{}</mark>").format(between) if between else "") + escape(after)
