"""A check's message for a page: its named parts, what differs between expected and got, and how much is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from markupsafe import Markup, escape

from autograder.core.markup import Message, with_code
from autograder.core.text import plain
from autograder.report.analysis import percent

NAMES = ("called", "expected", "got", "try")
WORD = re.compile(r"[\w.+-]+|\s+|.", re.DOTALL)
ENTRIES = re.compile(r"\b(?:(\d{1,9}) of (\d{1,9})|all) entries\b")
Parts = dict[str, Markup]


def parts(message: Message) -> Parts:
    """Called, expected, got and try; nothing if there are lines of another kind."""
    found = dict(_named(line) for line in message.lines)
    if len(found) < len(message.lines) or not set(found) <= set(NAMES):
        return {}
    made = {name: with_code(text) if name == "try" else escape(plain(text)) for name, text in found.items()}
    if {"expected", "got"} <= set(found):
        made |= zip(("expected", "got"), _marked(plain(found["expected"]), plain(found["got"])), strict=True)
    return made


def wrong_share(message: Message) -> float:
    """How many percent of the entries are wrong, as far as the headline says so; else 0."""
    said = ENTRIES.search(message.headline)
    if not said:
        return 0.0
    share = percent(int(said[1]), int(said[2])) if said[1] else 100.0
    return share if share <= 100 else 0.0  # a student's own words may look like ours


def _named(line: str) -> tuple[str, str]:
    name, _, text = line.partition(" ")
    return name, text.strip()


def _marked(expected: str, got: str) -> tuple[Markup, Markup]:
    """Both, with what differs marked: all between the words with which both begin and those with which both end."""
    one, other = WORD.findall(expected), WORD.findall(got)
    first = _equal(zip(one, other, strict=False))
    last = _equal(zip(reversed(one[first:]), reversed(other[first:]), strict=False))
    if 2 * (first + last) < max(len(one), len(other)):
        return escape(expected), escape(got)  # where most differs, marks would show nothing
    return _spans(one, first, last), _spans(other, first, last)


def _equal(pairs: Iterable[tuple[str, str]]) -> int:
    """How many are equal before the first that are not."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _spans(words: list[str], first: int, last: int) -> Markup:
    end = len(words) - last
    before, between, after = ("".join(part) for part in (words[:first], words[first:end], words[end:]))
    return escape(before) + (Markup("<mark>{}</mark>").format(between) if between else "") + escape(after)
