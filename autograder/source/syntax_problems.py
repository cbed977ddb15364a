"""Why a text is no Python: the sentence for the student, and the line at fault."""

from __future__ import annotations

import re
import sys
import unicodedata

from autograder.core.message import Line
from autograder.core.submission import Problem
from autograder.core.text import one_line, plain
from autograder.source.kinds import kind_of, kind_of_json
from autograder.source.newer import Newer, newer_syntax
from autograder.source.parsing import parse

WIDTH = 90
DETECTED = re.compile(r" \(detected at line \d+\)")  # where the piece that was compiled ends
MERGE = re.compile(r"^(<{7}|={7}|>{7})(\s|$)")
# Characters that look like Python's own and are not: what each is called, and what to type instead.
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


def syntax_problem(text: str, name: str) -> Problem | None:
    """Return why `text` does not compile, as the student reads it; None where it does."""
    try:
        parse(text)
    except SyntaxError as error:
        return explain(error, text, name)
    kind = kind_of_json(text)
    return Problem("syntax", f"{name} is {kind}") if kind else None


def explain(error: SyntaxError, text: str, name: str, part: str = "") -> Problem:
    """Return the sentence for a syntax error, and the line with a caret.

    Args:
        part: the part of the file that `text` is, such as "cell of softmax"; "" for the whole file.
    """
    lines = text.split("\n")
    merge = next((number for number, line in enumerate(lines, 1) if MERGE.match(line)), None)
    if merge is not None:
        return Problem("syntax", _headline(name, part, merge, _merge_says(lines[merge - 1])))
    if kind := kind_of(text):
        return Problem("syntax", f"{f'the {part} in {name}' if part else name} is {kind}")
    if newer := newer_syntax(text):
        return _held(newer, lines, name, part)
    number = min(error.lineno or 0, len(lines))
    line = lines[number - 1] if number else ""
    shown = _pointed_at(number, line, error.offset) if number else None
    return Problem("syntax", _headline(name, part, number, _says(error, line)), shown)


def _held(newer: Newer, lines: list[str], name: str, part: str) -> Problem:
    """Return the problem of code that is right, for all that this Python can tell."""
    version, running = (f"Python {major}.{minor}" for major, minor in (newer.version, sys.version_info[:2]))
    says = f"{_where(part, newer.line)} {newer.says}, which the {running} here cannot read"
    shown = _pointed_at(newer.line, lines[newer.line - 1], newer.column)
    return Problem("syntax", f"{name} needs {version}: {says}", shown, held=True)


def _says(error: SyntaxError, line: str) -> str:
    message = DETECTED.sub("", error.msg or "invalid syntax")
    if isinstance(error, TabError):
        message += "; indent with spaces only"
    return one_line(_odd_character(message, line) or message, 140)


def _odd_character(message: str, line: str) -> str:
    """Return what Python's message on a character means, and what to do; "" for another message.

    Args:
        line: the line at fault.
    """
    if pasted := PASTED.match(line):
        return f"{pasted[1]} {PASTED_SAYS[pasted[1]]}"
    if found := NAMED.match(message):
        return _says_of_letter(chr(int(found[1], 16)))
    curly = CURLY.search(line) if message.startswith("unterminated") and "triple" not in message else None
    return f"{message}; {curly[0]} does not end a string, type a straight quote" if curly else ""


def _says_of_letter(letter: str) -> str:
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


def _headline(name: str, part: str, line: int, says: str) -> str:
    return f"{name} does not compile: " + ": ".join(filter(None, [_where(part, line), says]))


def _where(part: str, line: int) -> str:
    return ", ".join(filter(None, [part, f"line {line}" if line else ""]))


def _merge_says(line: str) -> str:
    return (
        f"a merge conflict was left here ('{one_line(line, 40)}'); keep one of the two versions and delete "
        "the lines that start with <<<<<<<, ======= and >>>>>>>"
    )


def _pointed_at(number: int, line: str, offset: int | None) -> Line | None:
    """Return the line, cut to a window if it is long, with a caret at the offending character."""
    column = min(max((offset or 1) - 1, 0), len(line))
    indent = len(line) - len(line.lstrip())
    start = max(min(indent, column), column - WIDTH + 20)
    before = plain(line[start:column]).replace("\t", " ")
    after = plain(line[column : start + WIDTH]).replace("\t", " ").rstrip()
    return Line(number, before + after, len(before)) if before + after else None
