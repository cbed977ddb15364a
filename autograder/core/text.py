"""Names and texts from strangers, made safe to show and to use as file names."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from autograder.core.decimals import half_up

# Terminal control sequences: CSI (colours, cursor), OSC (titles, links) and the two-character rest.
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -~]?|\x9b[0-?]*[ -/]*[@-~]")
# Bidirectional overrides and isolates can make a line look like a different one.
BIDI = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{BIDI}\ufeff]")
SAFE_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,59}(?<!\.)")
STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")  # an attempt's number may follow a safe one
MARKED = re.compile(r" \[[0-9a-f]{8}\]$")
# Names that Windows keeps for devices, with any extension.
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def plain(text: str) -> str:
    """Return `text` without terminal escapes, control characters (except newline and tab) and lone surrogates."""
    text = ESCAPES.sub("", text.replace("\r\n", "\n"))
    return CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, limit: int = 80) -> str:
    """Return `text` for use inside a sentence: plain, on one line, at most `limit` characters."""
    flat = " ".join(plain(text.replace("\n", " ").replace("\r", " ")).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def join_names(names: Iterable[str], limit: int = 6, last: str = "and") -> str:
    """Return `a, b and c`, or the first few `and 37 more`; with semicolons where a name contains a comma."""
    shown = [one_line(name) for name in names]
    if len(shown) > limit:
        shown = [*shown[:limit], f"{len(shown) - limit} more"]
    apart = "; " if any("," in name for name in shown) else ", "
    return f" {last} ".join(filter(None, [apart.join(shown[:-1]), *shown[-1:]]))


def shortened(names: Sequence[str], limit: int) -> list[str]:
    """Return names on one line with at most `limit` characters, with their ends where they would look alike if cut."""
    flat = [one_line(name, 1000) for name in names]
    count = Counter(one_line(name, limit) for name in flat)
    tail = limit // 2
    return [
        cut if len(name) <= limit or count[cut] == 1 else f"{name[: limit - tail - 1]}…{name[-tail:]}"
        for name, cut in zip(flat, (one_line(name, limit) for name in flat), strict=True)
    ]


GLUE = "\ufdd0"  # is no character
COMMAND = re.compile(r"`[^`\n]+`|\b(?:attend|pip) [\w-]+(?: (?!--)[\w./~=-]+)?(?: --?[\w-]+(?: [\w./~=-]+)?)*")


def wrapped(text: str, width: int) -> str:
    """Return `text` with breaks between words where a line is longer than `width`; commands and paths stay whole."""
    glued = COMMAND.sub(lambda found: found[0].replace(" ", GLUE), text)
    lines = [
        line if len(line) <= width else textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in glued.split("\n")
    ]
    return "\n".join(lines).replace(GLUE, " ")


def counted(number: int, noun: str) -> str:
    """Return `1 file`, `2 files` and so on."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def rounded(points: float) -> str:
    """Return 1 as `1`, 0.5 as `0.5`, a third as `0.33`, 0.125 as `0.13`."""
    return f"{half_up(points, 2):f}".rstrip("0").rstrip(".")


def display_names(raw: Sequence[str]) -> list[str]:
    """Return a readable and distinct name for each of the file names `raw`.

    A name that already ends like one with a digest gets a digest too, so that it cannot pass for another student's.
    """
    shown = [one_line(unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))) for name in raw]
    count = Counter(map(_seen, shown))
    return [
        text
        if text and count[_seen(text)] == 1 and not MARKED.search(text)
        else f"{text or 'unnamed'} [{_digest(name)}]"
        for text, name in zip(shown, raw, strict=True)
    ]


def _seen(text: str) -> str:
    """Return the visible part of a name: no characters without width, and ordinary letters."""
    return unicodedata.normalize("NFKC", "".join(each for each in text if unicodedata.category(each) != "Cf"))


def safe_stems(raw: Sequence[str]) -> list[str]:
    """Return a distinct, portable file stem for each of the file names `raw`, whatever their order.

    A harmless name is its own stem. Any other name, and names that differ only in case, get a short hash.
    """
    count = Counter(name.casefold() for name in raw)
    stems = [_stem(name, unique=count[name.casefold()] == 1) for name in raw]
    clash = Counter(stem.casefold() for stem in stems)
    return [
        stem if clash[stem.casefold()] == 1 else f"{stem[:15]}-{_digest(name, 64)}"  # too long for a harmless name
        for stem, name in zip(stems, raw, strict=True)
    ]


def is_stem(name: str) -> bool:
    """Return whether a name is made as those of `safe_stems` are, so that its file lies among those of the class."""
    return bool(STEM.fullmatch(name))


def _stem(name: str, unique: bool) -> str:
    if unique and SAFE_STEM.fullmatch(name) and not RESERVED.fullmatch(name):
        return name
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9]+", "-", letters).strip("-")[:40]
    return f"{slug or 'student'}-{_digest(name)}"


def _digest(name: str, digits: int = 8) -> str:
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:digits]


PLAINLY = "attend.plainly"
LOOK_ALIKES = dict(zip("✓✗·█░●○×–—−", "vx.#.*ox---", strict=True)) | {
    **{"…": "...", "√": "sqrt ", "→": "->", "≤": "<=", "≥": ">=", "≠": "!=", "∞": "infinity", "Σ": "sum", "ᵀ": "^T"},
    **dict(zip("░▒▓▏▎▍▌▋▊▉│┤└─□◆␣", ".+%=======||`-*x_", strict=True)),  # what plots are drawn with
    **dict.fromkeys(map(chr, range(0x2801, 0x2900)), "*"),  # braille
}


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Replace √ by sqrt, é by e, and what has no look-alike by "?"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return LOOK_ALIKES.get(letter) or bare or "?"


codecs.register_error(PLAINLY, _plainly)
