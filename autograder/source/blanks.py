"""Spaces of other kinds, and characters without width, where Python wants plain spaces."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect
from collections.abc import Iterator

from autograder.source.parsing import SOURCE_LIMIT, parse

NO_BREAK = "\xa0"
WIDE = "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
NO_WIDTH = "\xad\u200b\u200c\u200d\u2060\ufeff"
ODD = re.compile(f"[{NO_BREAK}{WIDE}{NO_WIDTH}]")
RUN = re.compile(rf"[ \t\f{NO_BREAK}{WIDE}{NO_WIDTH}]+")
PLAIN = str.maketrans(dict.fromkeys(NO_BREAK + WIDE, " ") | dict.fromkeys(NO_WIDTH, ""))


def without_odd_blanks(text: str) -> tuple[str, list[int]]:
    """Return the text with plain spaces where nothing else can be meant, and the numbers of the lines changed.

    Strings and comments stay as they are, and so does a text that compiles.
    """
    if not ODD.search(text) or len(text) > SOURCE_LIMIT or _compiles(text):
        return text, []
    try:
        quoted = list(_quoted(text))
    except (tokenize.TokenError, SyntaxError):
        return text, []
    read = RUN.sub(lambda run: run[0] if _is_in(quoted, run.start()) else _read(run), text)
    lines = zip(text.split("\n"), read.split("\n"), strict=True)
    return read, [number for number, (before, after) in enumerate(lines, 1) if before != after]


def _compiles(text: str) -> bool:
    try:
        parse(text)
    except SyntaxError:
        return False
    return True


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """Yield where strings and comments begin and end, in order."""
    kept = [place for place, letter in enumerate(text) if letter not in NO_WIDTH]
    read = text.translate(PLAIN)
    starts = [0]
    for line in read.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    opened = list[int]()
    for token in tokenize.generate_tokens(io.StringIO(read).readline):
        kind = tokenize.tok_name[token.type]
        begin, end = (starts[row - 1] + column for row, column in (token.start, token.end))
        if kind.endswith("STRING_START"):  # f-strings are several tokens since Python 3.12
            opened.append(begin)
        if kind.endswith("STRING_END"):
            begin = opened.pop()
        if not opened and kind in ("STRING", "COMMENT", "FSTRING_END", "TSTRING_END"):
            yield kept[begin], kept[end - 1] + 1


def _is_in(spans: list[tuple[int, int]], place: int) -> bool:
    before = bisect(spans, (place, place)) - 1
    return before >= 0 and place < spans[before][1]


def _read(run: re.Match[str]) -> str:
    """Return a run of blanks as plain ones; as it is where its width matters, or where it might stand for a space."""
    text, read = run.string, run[0].translate(PLAIN)
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    begins_line = before in ("", "\n")
    if begins_line and any(letter in WIDE for letter in run[0]):
        return run[0]
    joins = not read and (before.isalnum() or before == "_") and (after.isalnum() or after in "_'\"")
    return run[0] if joins else read
