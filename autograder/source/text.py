"""Bytes that should be Python: decoded and compiled, never run."""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from autograder.core.message import Line
from autograder.core.submission import Problem
from autograder.core.text import one_line, plain

SOURCE_LIMIT = 256 * 1024  # characters; a chapter has 20,000, and a hostile one costs the compiler 600 bytes for each
WIDTH = 90
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Encodings with decoders of linear time. Python has slower ones (punycode), and some that are not for text.
ENCODINGS = re.compile(r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|gbk|gb2312|gb18030|big5|shift_jis|euc_\w+")
COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)")
MERGE = re.compile(r"^(<{7}|={7}|>{7})(\s|$)")
# The first bytes of files that are not code, whatever their suffix.
OTHERS = {
    b"PK\x03\x04": "a zip or an office document",
    b"%PDF-": "a PDF",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "a packed file",
    b"Rar!": "a packed file",
    b"7z\xbc\xaf": "a packed file",
}
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(data: bytes, name: str) -> str | Problem:
    """Return the text of a Python file with "\\n" line ends, or why it has none.

    A byte order mark and a PEP 263 comment are honoured. The comment then says utf-8, the encoding of the text from
    here on.
    """
    if not data.strip(b"\xef\xbb\xbf \t\r\n\f"):
        return Problem("missing", f"{name} is empty")
    if kind := next((kind for start, kind in OTHERS.items() if data.startswith(start)), ""):
        return Problem("syntax", f"{name} is {kind}, not Python; hand in the file itself")
    if data.startswith(UTF16):
        return Problem("syntax", f"{name} is saved as UTF-16; save it as UTF-8 and hand it in again")
    if b"\0" in data:
        where = _line_of(data, data.index(b"\0"))
        return Problem("syntax", f"{name} is damaged: line {where} holds a NUL byte; save it again from your editor")
    return _decoded(data, name)


def as_utf8(data: bytes, name: str = "") -> tuple[bytes, str]:
    """Return the bytes of a text in UTF-8, and a note where they were UTF-16; anything else as it is."""
    if not data.startswith(UTF16):
        return data, ""
    try:
        text = _with_utf8_cookie(data.decode("utf-16"))
        return text.encode(), f"{name} is saved as UTF-16 and was read all the same; save it as UTF-8"
    except UnicodeError:
        return data, ""


def _decoded(data: bytes, name: str) -> str | Problem:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        return _not_utf8(data, name) or Problem(
            "syntax", f"{name} names an encoding that Python does not know; save it as UTF-8"
        )
    if not ENCODINGS.fullmatch(codecs.lookup(encoding).name):
        return Problem("syntax", f"{name} is saved as {one_line(encoding)}; save it as UTF-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        return _not_utf8(data, name) or _undecodable(data, name, encoding, error)
    return _with_utf8_cookie(text.replace("\r\n", "\n").replace("\r", "\n"))


def _not_utf8(data: bytes, name: str) -> Problem | None:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _undecodable(data, name, "UTF-8", error)
    return None


def _undecodable(data: bytes, name: str, encoding: str, error: UnicodeDecodeError) -> Problem:
    line = _line_of(data, error.start)
    return Problem("syntax", f"{name} is not {encoding.upper()} text: line {line} cannot be read; save it as UTF-8")


def _line_of(data: bytes, position: int) -> int:
    return len(data[:position].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))


def _with_utf8_cookie(text: str) -> str:
    first, *rest = text.split("\n", 2)
    head = [COOKIE.sub(r"\1utf-8", line) for line in (first, *rest[:1])]
    return "\n".join([*head, *rest[1:]])


def syntax_tree(text: str) -> ast.Module:
    """Return the syntax tree of `text`, without warnings about it.

    Raises:
        SyntaxError: it is not Python, or is too deeply nested for Python's parser.
    """
    with _one_error():
        return ast.parse(text)


@lru_cache(maxsize=4)
def shared_tree(text: str) -> ast.Module:
    """Return the syntax tree of `text`, the same object to all that ask in turn: it must not be changed.

    Raises:
        SyntaxError: as in `syntax_tree`.
    """
    return syntax_tree(text)


def segment(node: ast.stmt, lines: list[str]) -> str:
    """Return the source of a top-level statement with its decorators, cut within a line at `;`."""
    decorators = node.decorator_list if isinstance(node, DEFINITIONS) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
    last = node.end_lineno or node.lineno
    taken = lines[first:last]
    taken[-1] = taken[-1].encode()[: node.end_col_offset].decode()  # offsets of ast count UTF-8 bytes
    if not decorators:
        taken[0] = taken[0].encode()[node.col_offset :].decode()
    return "\n".join(taken)


def parse(text: str) -> ast.Module:
    """Return the syntax tree of `text`, which also compiles.

    Raises:
        SyntaxError: it does not compile, or is too deeply nested or too long for Python's compiler.
    """
    if len(text) > SOURCE_LIMIT:
        raise SyntaxError(f"there is more than {SOURCE_LIMIT // 1024} KiB of code; keep your answers alone")
    with _one_error():
        compile(text, "<submission>", "exec", dont_inherit=True)
    return syntax_tree(text)


@contextmanager
def _one_error() -> Iterator[None]:
    """Turn every error of Python's compiler into a SyntaxError, and ignore its warnings."""
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("the code is too deeply nested for Python's compiler") from error
    except ValueError as error:
        raise SyntaxError("the code holds a character that Python does not allow") from error


def problem(text: str, name: str) -> Problem | None:
    """Return why `text` does not compile, as the student reads it; None where it does."""
    try:
        parse(text)
    except SyntaxError as error:
        return explain(error, text, name)
    return None


def explain(error: SyntaxError, text: str, name: str, part: str = "") -> Problem:
    """Return the sentence for a syntax error, and the line with a caret.

    Args:
        part: the part of the file that `text` is, such as "cell of softmax"; "" for the whole file.
    """
    lines = text.split("\n")
    merge = next((number for number, line in enumerate(lines, 1) if MERGE.match(line)), None)
    if merge is not None:
        return Problem("syntax", _headline(name, part, merge, _merge_says(lines[merge - 1])))
    number = min(error.lineno or 0, len(lines))
    says = one_line(error.msg or "invalid syntax", 120)
    if isinstance(error, TabError):
        says += "; indent with spaces only"
    shown = _pointed_at(number, lines[number - 1], error.offset) if number else None
    return Problem("syntax", _headline(name, part, number, says), shown)


def _headline(name: str, part: str, line: int, says: str) -> str:
    where = ", ".join(filter(None, [part, f"line {line}" if line else ""]))
    return f"{name} does not compile: " + ": ".join(filter(None, [where, says]))


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
