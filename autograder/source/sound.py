"""What compiles of a text that does not: each top-level piece counts by itself, and a broken one costs only itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from autograder.core.submission import PassedOver
from autograder.source.parsing import SOURCE_LIMIT, parse
from autograder.source.syntax_problems import MERGE, explain

START = re.compile(r"[^\s#)\]},]|# ?%%|# In\[")
GOES_ON = re.compile(r"(?:else|elif|except|finally)\b")
DEFINES = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
CONFLICT = re.compile(r"^<{7}(?=\s).*?^>{7}[^\n]*", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$).*$", re.MULTILINE)
ONLY_IMPORTS = re.compile(r"(?:(?:(?:import|from)[ \t]|#)[^\n(\\]*)?")
GIVEN = r"""^(?:type[ \t]+)?(\w+)[ \t]*(?::[ \t]*[\w"'][^=\n]*|\[[^=\n]+\][ \t]*)?=(?!=)"""
NAMES = re.compile(rf"{DEFINES.pattern}|{GIVEN}", re.MULTILINE)
FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t].*$", re.MULTILINE)
LOOSE = ("outside function", "unexpected indent", "unindent does not match")
"""What Python says of lines that have slipped out of the definition above them."""
MOST_PIECES = 3000  # the file of a chapter has a hundred
MOST_TRIES = 2000
LONGEST = 400  # lines that a piece may be longer than it looks, as a text of many lines may be


@dataclass(frozen=True)
class Broken:
    """A piece that does not compile: its first line, its text, what Python says, and the names it begins to define.

    The error has the line in the whole text.
    """

    first: int
    text: str
    error: SyntaxError
    names: tuple[str, ...]

    @property
    def is_endless(self) -> bool:
        """Whether quotes outside of a definition are never closed: to Python, all that follows is inside them."""
        return not DEFINES.match(self.text) and "unterminated triple-quoted" in str(self.error.msg)

    @property
    def padded(self) -> str:
        """The piece with blank lines before it, so that its lines have their numbers in the whole text."""
        return "\n" * (self.first - 1) + self.text


def sound(text: str) -> tuple[str, tuple[Broken, ...]]:
    """Return the text with blank lines in place of the pieces that do not compile, and these pieces.

    A piece is never put together with another one that is a definition of its own: where quotes or a bracket were lost,
    that would find an end that was not meant. Of a merge conflict neither side counts.

    Raises:
        SyntaxError: the rest does not compile either, or is too long.
    """
    if len(text) > SOURCE_LIMIT:
        parse(text)
    lines, broken = CONFLICT.sub(_of_imports, text).split("\n"), list[Broken]()
    for first, last, error in _failing(lines):
        inside = "\n".join(lines[first:last])
        error.lineno = (error.lineno or 1) + first
        broken.append(Broken(first + 1, inside, error, _names(inside)))
    for each in broken:
        lines[each.first - 1 : each.first + each.text.count("\n")] = [""] * (each.text.count("\n") + 1)
    rest = "\n".join(lines)
    try:
        parse(rest)
    except SyntaxError as error:
        if "__future__" not in str(error.msg):
            raise
        rest = FUTURE.sub("", rest)  # it stands too far down, where it changes nothing that is graded
        parse(rest)
    return rest, tuple(broken)


def passed_over(
    broken: Sequence[Broken], exercises: Collection[str], name: str, part: str = ""
) -> Iterator[PassedOver]:
    """Yield the pieces of the file `name` that do not compile and bind what exercises may need.

    Args:
        part: the part of the file that the lines are counted in, such as "code cell 3, "; "" for all of it.
    """
    for each in broken:
        if names := tuple(bound for bound in each.names if bound not in exercises):
            place = f"{part}line {each.error.lineno}" + ("" if part else f" of {name}")
            yield PassedOver(place, names, _why(each, name))


def _why(part: Broken, name: str) -> str:
    """Return why a piece does not compile, in one line."""
    says = explain(part.error, part.padded, name)
    if says.held:
        return says.message.replace(f"{name} needs", "it needs", 1)
    return f"it does not compile: {part.error.msg}"


def _names(text: str) -> tuple[str, ...]:
    """Return the names that a piece begins to define, or to give a value."""
    found = [match[1] or match[2] for match in NAMES.finditer(text)]
    return tuple(dict.fromkeys(found))


def _of_imports(conflict: re.Match[str]) -> str:
    """Return a merge conflict without its marks where its sides hold nothing but imports, which can all stay."""
    inside = MARK.sub("", conflict[0])
    return inside if all(ONLY_IMPORTS.fullmatch(line) for line in inside.split("\n")) else conflict[0]


def _failing(lines: Sequence[str]) -> Iterator[tuple[int, int, SyntaxError]]:
    """Yield the ranges of lines that do not compile."""
    starts = _starts(lines)
    if len(starts) > MOST_PIECES:
        raise SyntaxError("it has too many lines that do not compile")
    ends = [*starts[1:], len(lines)]
    errors = [_error(lines, first, last) for first, last in zip(starts, ends, strict=True)]
    tries, number, before = MOST_TRIES, 0, 0  # where the last definition begins
    while number < len(starts):
        error, first, count = errors[number], starts[number], 1
        if error is not None and tries > 0:
            count, spent = _longer(lines, starts, ends, errors, number)
            tries -= spent
        last = ends[number + count - 1]
        if error is not None and count == 1:
            owner = before if any(says in str(error.msg) for says in LOOSE) and not _defines(lines[first]) else first
            if owner < first:
                error.lineno = (error.lineno or 1) + first - owner
            yield owner, last, error
        if _defines(lines[first]) or lines[first].startswith("@"):
            before = first
        number += count


def _longer(
    lines: Sequence[str], starts: Sequence[int], ends: Sequence[int], errors: Sequence[SyntaxError | None], number: int
) -> tuple[int, int]:
    """Return how many pieces from `number` on compile together, 1 if it stays broken; and how often was tried."""
    for count in range(2, len(starts) - number + 1):
        inner = number + count - 1
        is_whole = errors[inner] is None and _defines(lines[starts[inner]])
        if is_whole or ends[inner] - starts[number] > LONGEST:
            return 1, count
        if _error(lines, starts[number], ends[inner]) is None:
            return count, count
    return 1, len(starts) - number


def _starts(lines: Sequence[str]) -> list[int]:
    """Return where top-level pieces begin: a decorator with what it decorates, a merge conflict as a whole."""
    found, is_decorator, conflict = [0], False, False
    for number, line in enumerate(lines):
        if merge := MERGE.match(line):
            begins = line.startswith("<")
            if begins and not _is_indented(lines, number + 1):
                found.append(number)
            conflict = begins or (conflict and merge[1][0] != ">")
            continue
        if conflict or not START.match(line) or GOES_ON.match(line):
            continue
        if not (is_decorator and (_defines(line) or line.startswith("@"))):
            found.append(number)
        is_decorator = line.startswith("@")
    return sorted(set(found))


def _is_indented(lines: Sequence[str], number: int) -> bool:
    following = next((line for line in lines[number:] if line.strip()), "")
    return following[:1].isspace()


def _defines(line: str) -> bool:
    return DEFINES.match(line) is not None


def _error(lines: Sequence[str], first: int, last: int) -> SyntaxError | None:
    try:
        parse("\n".join(lines[first:last]))
    except SyntaxError as error:
        return error
    return None
