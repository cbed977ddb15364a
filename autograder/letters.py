"""Letters that an encoding lacks, written in others: `errors=PLAINLY` where text becomes bytes."""

from __future__ import annotations

import codecs
import unicodedata

PLAINLY = "attend.plainly"
LOOK_ALIKES = dict(zip("✓✗·█░●○×–—−", "vx.#.*ox---", strict=True)) | {
    **{"…": "...", "√": "sqrt ", "→": "->", "≤": "<=", "≥": ">=", "≠": "!=", "∞": "infinity", "Σ": "sum", "ᵀ": "^T"},
    **dict(zip("░▒▓▏▎▍▌▋▊▉│┤└─□◆␣", ".+%=======||`-*x_", strict=True)),  # what plots are drawn with
    **dict.fromkeys(map(chr, range(0x2801, 0x2900)), "*"),  # braille
}


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """√ as sqrt, é as e; "?" where there is nothing like it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return LOOK_ALIKES.get(letter) or bare or "?"


codecs.register_error(PLAINLY, _plainly)
