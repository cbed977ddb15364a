"""The bytes of a Python file as text: in the encoding they name, or in that which makes usual letters of them.

Plain spaces replace those of other kinds, and characters without width, where Python wants plain ones.
"""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from autograder.core.submission import Problem
from autograder.core.text import join_names
from autograder.source.parsing import SOURCE_LIMIT, parse

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
USUAL_SHARE = 0.75  # of a text's letters, for an encoding that nothing names
WORDS = re.compile(r"[^\x00-\x7f]{2,}")
# Cyrillic words are runs of high bytes; letters with accents mostly stand alone.
RUNS = re.compile(rb"[\xc0-\xff]{3,}")
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
LABELS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252",
    "iso8859-1": "Latin-1",
    "cp1251": "Windows-1251",
    "koi8-r": "KOI8-R",
    "gb18030": "GBK",
    "cp950": "Big5",
    "cp932": "Shift-JIS",
    "cp949": "EUC-KR",
    "euc_jp": "EUC-JP",
}

NO_BREAK = "\xa0"
OTHER_SPACES = "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
NO_WIDTH = "\xad\u200b\u200c\u200d\u2060\ufeff"
ODD = re.compile(f"[{NO_BREAK}{OTHER_SPACES}{NO_WIDTH}]")
RUN = re.compile(rf"[ \t\f{NO_BREAK}{OTHER_SPACES}{NO_WIDTH}]+")
PLAIN = str.maketrans(dict.fromkeys(NO_BREAK + OTHER_SPACES, " ") | dict.fromkeys(NO_WIDTH, ""))


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
        encoding = _wide(data)
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
    except (SyntaxError, UnicodeError, LookupError):  # the last two of encodings that are none of text, since 3.14
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
    encoding = _guess(data)
    return data.decode(encoding), LABELS[encoding]


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Replace bytes that are not UTF-8 by their letters in Windows-1252, or Latin-1 where it has none."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    return bad.decode(_western(bad)), error.end


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


@dataclass(frozen=True)
class _Script:
    """An encoding of two bytes a letter: the first bytes and the lowest second byte of its usual letters.

    `least` is how many different letters must speak for it, where a more frequent encoding shares its bytes.
    """

    leads: frozenset[int]
    trail: int
    least: int = 1


def _leads(*ranges: range) -> frozenset[int]:
    return frozenset(chain.from_iterable(ranges))


# Where two fit as well, the first one counts.
SCRIPTS = {
    "cp949": _Script(_leads(range(0xA1, 0xA2), range(0xB0, 0xC9)), 0xA1, least=8),
    "gb18030": _Script(_leads(range(0xA1, 0xA2), range(0xA3, 0xA4), range(0xB0, 0xD8)), 0xA1),
    "euc_jp": _Script(_leads(range(0xA1, 0xA2), range(0xA4, 0xA6), range(0xB0, 0xD0)), 0xA1),
    "cp950": _Script(_leads(range(0xA1, 0xA3), range(0xA4, 0xC7)), 0x40),
    "cp932": _Script(_leads(range(0x81, 0x84), range(0x88, 0x98)), 0x40),
}


def _guess(data: bytes) -> str:
    """Return the encoding of a text that is not UTF-8, as Python names it; it decodes all of `data`."""
    shares = {encoding: _share(data, encoding, script) for encoding, script in SCRIPTS.items()}
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= USUAL_SHARE else _single_byte(data)


def _share(data: bytes, encoding: str, script: _Script) -> float:
    """Return which share of the letters are usual; 0 where they stand alone, as letters with accents do."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    foreign = {letter: count for letter, count in Counter(text).items() if letter > "\x7f"}
    total = sum(foreign.values())
    in_words = sum(map(len, WORDS.findall(text)))
    if 2 * in_words < total or len(foreign) < script.least:
        return 0.0
    return sum(count for letter, count in foreign.items() if _is_usual(letter.encode(encoding), script)) / total


def _is_usual(letter: bytes, script: _Script) -> bool:
    return len(letter) == 2 and letter[0] in script.leads and letter[1] >= script.trail


def _single_byte(data: bytes) -> str:
    words = b"".join(RUNS.findall(data))
    if 2 * len(words) > len(data.translate(None, bytes(range(0xC0)))):
        small = words.translate(None, bytes(range(0xE0)))  # most letters are small ones
        return "cp1251" if 2 * len(small) > len(words) else "koi8-r"
    return _western(data)


def _western(data: bytes) -> str:
    """Return Windows-1252, or Latin-1 for bytes that it does not have."""
    return next(_that_decode(data, "cp1252"), "iso8859-1")


def _wide(data: bytes) -> str | None:
    """Return the encoding of two or four bytes a letter that `data` certainly has; None where it has none."""
    return next((each for each in _that_decode(data, *WIDE) if _is_code(data.decode(each))), None)


def _that_decode(data: bytes, *encodings: str) -> Iterator[str]:
    for encoding in encodings:
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        yield encoding


def _is_code(text: str) -> bool:
    """Return whether half of the letters are those of code; read in a wrong encoding hardly one is."""
    return "\0" not in text and 2 * len(re.findall(r"[\t\n\r -~]", text)) > len(text)


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
    read = RUN.sub(lambda run: run[0] if _is_in(quoted, run.start()) else _plain_run(run), text)
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


def _plain_run(run: re.Match[str]) -> str:
    """Return a run of blanks as plain ones; as it is where its width matters, or where it might stand for a space."""
    text, read = run.string, run[0].translate(PLAIN)
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    begins_line = before in ("", "\n")
    if begins_line and any(letter in OTHER_SPACES for letter in run[0]):
        return run[0]
    joins = not read and (before.isalnum() or before == "_") and (after.isalnum() or after in "_'\"")
    return run[0] if joins else read
