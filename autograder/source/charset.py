"""The encoding of bytes that do not name it, found by which one makes usual letters of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

USUAL_SHARE = 0.75
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


@dataclass(frozen=True)
class Script:
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
    "cp949": Script(_leads(range(0xA1, 0xA2), range(0xB0, 0xC9)), 0xA1, least=8),
    "gb18030": Script(_leads(range(0xA1, 0xA2), range(0xA3, 0xA4), range(0xB0, 0xD8)), 0xA1),
    "euc_jp": Script(_leads(range(0xA1, 0xA2), range(0xA4, 0xA6), range(0xB0, 0xD0)), 0xA1),
    "cp950": Script(_leads(range(0xA1, 0xA3), range(0xA4, 0xC7)), 0x40),
    "cp932": Script(_leads(range(0x81, 0x84), range(0x88, 0x98)), 0x40),
}


def guess(data: bytes) -> str:
    """Return the encoding of a text that is not UTF-8, as Python names it; it decodes all of `data`."""
    shares = {encoding: _share(data, encoding, script) for encoding, script in SCRIPTS.items()}
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= USUAL_SHARE else _single_byte(data)


def _share(data: bytes, encoding: str, script: Script) -> float:
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


def _is_usual(letter: bytes, script: Script) -> bool:
    return len(letter) == 2 and letter[0] in script.leads and letter[1] >= script.trail


def _single_byte(data: bytes) -> str:
    words = b"".join(RUNS.findall(data))
    if 2 * len(words) > len(data.translate(None, bytes(range(0xC0)))):
        small = words.translate(None, bytes(range(0xE0)))  # most letters are small ones
        return "cp1251" if 2 * len(small) > len(words) else "koi8-r"
    return western(data)


def western(data: bytes) -> str:
    """Return Windows-1252, or Latin-1 for bytes that it does not have."""
    return next(_that_decode(data, "cp1252"), "iso8859-1")


def wide(data: bytes) -> str | None:
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
