"""f-strings and t-strings, read by the grammar of Python 3.14 on any Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Version = tuple[int, int]
DEEPEST = 40  # strings inside each other; Python allows 150
LEVELS = 3  # fields inside the formats of fields; Python 3.11 allows 2
FLAGS = re.DOTALL | re.IGNORECASE
STRING = r"(?P<prefix>(?<!\w)(?:br?|rb?|u|[ft]r?|r[ft]))?(?P<quote>\"\"\"|'''|\"|')"
CODE = re.compile(rf"{STRING}|#[^\n]*", FLAGS)
FIELD = re.compile(rf"{STRING}|#[^\n]*|!=|[()\[\]{{}}:!\\\n]", FLAGS)
CONVERSION = re.compile(r"![rsa]\s*(?=[:}])")
DEBUG = re.compile(r"(?<![=!<>])=\s*$")  # f"{x=}"


class NoTemplateError(Exception):
    """The text is not Python of any version."""


@dataclass(frozen=True)
class NewerForm:
    """A form of code, the first Python that reads it, and what a line with it does, in words."""

    version: Version
    place: int
    says: str


@dataclass(frozen=True)
class TextTemplate:
    """An f-string or t-string from `start` to `end`.

    `newer` are the forms in it that Python 3.11 cannot read, `codes` what should be expressions, with strings emptied.
    """

    start: int
    end: int
    newer: tuple[NewerForm, ...]
    codes: tuple[str, ...]


def templates(text: str) -> Iterator[TextTemplate]:
    """Yield the templates of `text` that are in no other.

    Raises:
        NoTemplateError: a string or a bracket inside a template is not closed, or a field is empty.
    """
    at = 0
    while match := CODE.search(text, at):
        at = match.end()
        if _is_template(match):
            reader = _Reader(text)
            at = reader.template(match, ())
            yield TextTemplate(match.start(), at, tuple(reader.newer), tuple(reader.codes))
        elif match["quote"]:
            at = _end_of_plain(text, match)


def _is_template(match: re.Match[str]) -> bool:
    return bool({*(match["prefix"] or "").lower()} & {"f", "t"})


def _end_of_plain(text: str, match: re.Match[str]) -> int:
    quote = match["quote"]
    body = rf"(?:\\.|[^\\])*?{quote}" if len(quote) == 3 else rf"(?:\\.|[^\\\n{quote}])*{quote}"
    found = re.compile(body, FLAGS).match(text, match.end())
    if found is None:
        raise NoTemplateError
    return found.end()


class _Reader:
    """Reads one template with those inside it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.newer = list[NewerForm]()
        self.codes = list[str]()

    def template(self, opening: re.Match[str], outer: tuple[str, ...]) -> int:
        """Return where the template ends that begins with `opening`, inside strings with the quotes `outer`."""
        quote, prefix = opening["quote"], opening["prefix"].lower()
        inner = (*outer, quote)
        if len(inner) > DEEPEST:
            raise NoTemplateError
        if "t" in prefix:
            self.newer.append(NewerForm((3, 14), opening.start(), "holds a t-string"))
        escapes = r"\\[^{}]" if "r" in prefix else r"\\N\{[^{}\n]*\}|\\[^{}]"
        literal = re.compile(rf"{escapes}|\{{\{{|\}}\}}|[{{}}]|{quote}|\n", re.DOTALL)
        at = opening.end()
        while match := literal.search(self._text, at):
            at = match.end()
            if match[0] == quote:
                return at
            if match[0] == "{":
                at = self._field(at, inner, 1)
            elif match[0] == "}" or (match[0] == "\n" and len(quote) == 1):
                break
        raise NoTemplateError

    def _field(self, at: int, outer: tuple[str, ...], level: int) -> int:
        """Return where the field ends whose "{" stands before `at`."""
        self._nested(at, level)
        parts, depth = list[str](), 0
        for match in self._signs(at, outer, parts):
            sign = match[0]
            if not depth and sign in "}!:":
                self.codes.append(_code("".join(parts)))
                return self._tail(match.start(), outer, level)
            depth += (sign in "([{") - (sign in ")]}")
            if depth < 0:
                break
        raise NoTemplateError

    def _signs(self, at: int, outer: tuple[str, ...], parts: list[str]) -> Iterator[re.Match[str]]:
        """Yield the brackets and the like of a field; `parts` takes the code before them, with strings emptied."""
        while match := FIELD.search(self._text, at):
            parts.append(self._text[at : match.start()])
            at = match.end()
            if match["quote"]:
                at = self._string(match, outer)
                parts.append('""')
                continue
            if match[0] == "\\" and self._text[at : at + 1] != "\n":
                raise NoTemplateError
            self._note(match.start(), match[0], outer)
            if match[0][0] != "#":
                yield match
                parts.append(match[0])

    def _string(self, opening: re.Match[str], outer: tuple[str, ...]) -> int:
        end = self.template(opening, outer) if _is_template(opening) else _end_of_plain(self._text, opening)
        inside = self._text[opening.start() : end]
        if "\\" in inside and not _is_template(opening):
            self.codes.append(inside)  # what follows a backslash may be wrong
        if any(quote in inside for quote in outer):
            self._newer(opening.start(), "nests quotes inside an f-string")
        for sign in "\\\n":
            if sign in inside:
                self._note(opening.start() + inside.index(sign), sign, outer)
        return end

    def _note(self, place: int, sign: str, outer: tuple[str, ...]) -> None:
        """Note a sign that Python 3.11 does not allow inside the braces."""
        if sign == "\\":
            self._newer(place, "has a backslash inside the braces of an f-string")
        elif sign[0] == "#":
            self._newer(place, "has a comment inside the braces of an f-string")
        elif sign == "\n" and any(len(quote) == 1 for quote in outer):
            self._newer(place, "breaks the line inside the braces of an f-string")

    def _nested(self, at: int, level: int) -> None:
        if level > LEVELS:
            raise NoTemplateError
        if level == LEVELS:
            self._newer(at, "nests braces three deep in an f-string")

    def _newer(self, place: int, says: str) -> None:
        self.newer.append(NewerForm((3, 12), place, says))

    def _tail(self, at: int, outer: tuple[str, ...], level: int) -> int:
        """Return where a field ends whose conversion or format begins at `at`, or its last brace stands there."""
        if conversion := CONVERSION.match(self._text, at):
            at = conversion.end()
        if self._text[at] == ":":
            at = self._format(at + 1, outer, level)
        if self._text[at] != "}":
            raise NoTemplateError
        return at + 1

    def _format(self, at: int, outer: tuple[str, ...], level: int) -> int:
        """Return where the brace stands that ends a format."""
        literal = re.compile(rf"\\[^{{}}]|[{{}}]|{outer[-1]}|\n", re.DOTALL)
        while match := literal.search(self._text, at):
            at = match.end()
            if match[0] == "}":
                return match.start()
            if match[0] == "{":
                at = self._field(at, outer, level + 1)
            elif match[0] == outer[-1] or (match[0] == "\n" and len(outer[-1]) == 1):
                break
        raise NoTemplateError


def _code(text: str) -> str:
    """Return the expression of a field, without the sign of `f"{x=}"`."""
    text = DEBUG.sub("", text)
    if not text.strip():
        raise NoTemplateError
    return text
