"""Characters that look like Python's own and are not: what each is called, and what to type instead."""

from __future__ import annotations

import re
import unicodedata

NAMED = re.compile(r"invalid (?:non-printable )?character (?:'.' \()?U\+([0-9A-F]{1,6})")
CURLY = re.compile("[“”„‟«»″‘’‚‛′´]")
PASTED = re.compile(r"\s*(>>>|```)(?!>)")
PASTED_SAYS = {
    ">>>": "is the prompt of Python's shell; delete it here and below, with what was printed",
    "```": "marks code in Markdown; delete the lines that start with it",
}
TYPED = {
    **dict.fromkeys("“”„‟«»″＂", '"'),
    **dict.fromkeys("‘’‚‛′´＇", "'"),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("×✕∗⋅·•", "*"),
    **dict(
        zip(
            "÷∕≤≥≠→←…²³，、。：；【】「」",
            "/ / <= >= != -> = ... **2 **3 , , . : ; [ ] [ ]".split(),
            strict=True,
        )
    ),
}


def says_of(message: str, line: str) -> str:
    """Return what Python's message on a character means, and what to do; "" for another message.

    Args:
        line: the line at fault.
    """
    if pasted := PASTED.match(line):
        return f"{pasted[1]} {PASTED_SAYS[pasted[1]]}"
    if found := NAMED.match(message):
        return _says(chr(int(found[1], 16)))
    curly = CURLY.search(line) if message.startswith("unterminated") and "triple" not in message else None
    return f"{message}; {curly[0]} does not end a string, type a straight quote" if curly else ""


def _says(letter: str) -> str:
    """Return the sentence on one character that stands outside strings and comments."""
    code = f"U+{ord(letter):04X}"
    name = "byte order mark" if letter == "\ufeff" else unicodedata.name(letter, "control character").lower()
    if letter.isspace():
        return f"a special space ({name}, {code}) stands where Python wants a plain one or a new line; replace it"
    if not letter.isprintable():
        return f"a character that cannot be seen ({name}, {code}) stands here; delete it"
    instead = TYPED.get(letter) or unicodedata.normalize("NFKC", letter)
    remedy = f"type {instead} instead" if instead.isascii() else "it may only stand in strings and comments"
    return f"{letter} ({name}, {code}) is not part of Python; {remedy}"
