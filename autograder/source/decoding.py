"""The bytes of a Python file as text, whatever encoding they are in."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass

from autograder.core.submission import Problem
from autograder.core.text import join_names
from autograder.source.blanks import without_odd_blanks
from autograder.source.charset import LABELS, guess, western, wide

# Encodings with decoders of linear time. Python has slower ones (punycode), and some that hide what the text says.
ENCODINGS = re.compile(
    r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+|hp-roman8|kz1048|ptcp154|palmos|tis-620"
    r"|gbk|gb2312|gb18030|hz|big5(hkscs)?|shift_jis\w*|euc_\w+|iso2022_\w+|johab"
)
COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)")
# Bytes that text does not hold: a file with many of them is something else.
CONTROLS = re.compile(rb"[\x00-\x06\x0e-\x19\x1c-\x1f\x7f]")
# The first bytes of files that are not code, whatever their suffix.
OTHERS = {
    b"PK\x03\x04": "a zip or an office document",
    b"PK\x05\x06": "an empty zip",
    b"%PDF-": "a PDF",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF89a": "a picture",
    b"\x1f\x8b": "a packed file",
    b"BZh9": "a packed file",
    b"\xfd7zXZ": "a packed file",
    b"Rar!": "a packed file",
    b"7z\xbc\xaf": "a packed file",
    b"L\0\0\0\x01\x14\x02\0": "a Windows shortcut",
    b"bplist00": "a link or another file of macOS",
    b"\x7fELF": "a program",
    b"\x89HDF": "a file of data",
    b"\x93NUMPY": "a file of data",
    b"SQLite format 3": "a database",
}
# UTF-32 first: its mark begins with that of UTF-16.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
BAD_BYTES = "attend.bad_bytes"


@dataclass(frozen=True)
class Decoded:
    r"""The text of a file with "\n" line ends, and notes on what had to be made up for to read it."""

    text: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, name: str) -> Decoded | Problem:
    r"""Return the text of a Python file with "\n" line ends, or why it has none.

    A byte order mark and a PEP 263 comment are honoured. The comment then says utf-8, the encoding of the text from
    here on. Spaces of other kinds outside strings and comments become spaces.
    """
    if kind := next((kind for start, kind in OTHERS.items() if data.startswith(start)), ""):
        return Problem("syntax", f"{name} is {kind}, not Python; hand in the file itself")
    read = _read(data, name)
    if isinstance(read, Problem):
        return read
    text, lines = without_odd_blanks(read.text)
    if not text.strip():
        return Problem("missing", f"{name} is empty")
    where = f"{'lines' if len(lines) > 1 else 'line'} {join_names(map(str, lines))}"
    says = f"{name}: special spaces in {where} (no-break or of zero width) were read as plain ones"
    return Decoded(text, (*read.notes, says) if lines else read.notes)


def as_utf8(data: bytes, name: str = "") -> tuple[bytes, str]:
    """Return the bytes of a text in UTF-8, and a note where they were not; anything else as it is."""
    if _is_utf8(data) or data.startswith((*OTHERS,)):
        return data, ""
    read = _read(data, name)
    return (data, "") if isinstance(read, Problem) else (read.text.encode(), "; ".join(read.notes))


def _is_utf8(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _read(data: bytes, name: str) -> Decoded | Problem:
    """Return the text in whatever encoding it is."""
    encoding = next((encoding for mark, encoding in MARKS.items() if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        encoding = wide(data)
    if encoding is None:
        return _damaged(data, name) if b"\0" in data else _read_bytes(data, name)
    label = encoding[:6].upper()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return Problem("syntax", f"{name} is damaged: its {label} text breaks off; save it again as UTF-8")
    return _damaged(text.encode(), name) if "\0" in text else Decoded(_tidy(text), (_note(name, label),))


def _damaged(data: bytes, name: str) -> Problem:
    line = len(_with_line_ends(data[: data.index(0)].decode("latin-1")).split("\n"))
    return Problem("syntax", f"{name} is damaged: line {line} holds a NUL byte; save it again from your editor")


def _read_bytes(data: bytes, name: str) -> Decoded | Problem:
    """Return the text in an encoding that holds ASCII as it is: the one it names, UTF-8, or the likeliest one."""
    if (text := _as_named(data)) is not None:
        return Decoded(_tidy(text))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if 50 * len(CONTROLS.findall(data)) > len(data):
            return Problem("syntax", f"{name} is a file of another program, not Python; hand in the file itself")
        text, label = _guessed(data)
        return Decoded(_tidy(text), (_note(name, label),))
    return Decoded(_tidy(text), (f"{name} names the wrong encoding in its first lines: it was read as UTF-8",))


def _note(name: str, label: str) -> str:
    return f"{name} is not UTF-8: it was read as {label}; save it as UTF-8"


def _as_named(data: bytes) -> str | None:
    """Return the text in the encoding that a mark or a PEP 263 comment names, else UTF-8; None where it is not."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        usual = codecs.lookup(encoding).name
        text = data.decode(encoding) if ENCODINGS.fullmatch(usual) else None
    except (SyntaxError, UnicodeDecodeError):
        return None
    if text is None or usual.startswith("utf-8"):
        return text
    head = _with_line_ends(text).split("\n", 2)[:2]
    return text if any(map(COOKIE.match, head)) else None  # not so where ASCII became other letters


def _guessed(data: bytes) -> tuple[str, str]:
    """Return the text of bytes that are not UTF-8, and the name of their encoding."""
    valid = data.decode("utf-8", "ignore")
    kept = len(valid.encode())
    if 2 * (len(data) - kept) <= kept - sum(map(str.isascii, valid)):  # a few bytes that were pasted into UTF-8
        return data.decode("utf-8-sig", BAD_BYTES), f"UTF-8 with bytes of {LABELS['cp1252']}"
    encoding = guess(data)
    return data.decode(encoding), LABELS[encoding]


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Replace bytes that are not UTF-8 by their letters in Windows-1252, or Latin-1 where it has none."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return bad.decode(western(bad)), error.end


codecs.register_error(BAD_BYTES, _as_cp1252)


def _tidy(text: str) -> str:
    r"""Return the text with "\n" line ends, without the end mark of DOS, and with utf-8 as the encoding it names."""
    text = _with_line_ends(text)
    rest = text.rstrip("\x1a \t\n")
    text = rest + "\n" if "\x1a" in text[len(rest) :] else text
    first, *others = text.split("\n", 2)
    head = [COOKIE.sub(r"\1utf-8", line) for line in (first, *others[:1])]
    return "\n".join([*head, *others[1:]])


def _with_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
