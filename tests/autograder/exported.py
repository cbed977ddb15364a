"""The tables of platforms that grades go back into, and what stands in them."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from autograder.platforms.export import Exported

GOLDEN = Path(__file__).parent / "golden"
CANVAS, MOODLE = GOLDEN / "canvas-gradebook.csv", GOLDEN / "moodle-worksheet.csv"
BLACKBOARD = GOLDEN / "blackboard-gradebook.xls"
BRIGHTSPACE, SAKAI = GOLDEN / "brightspace-gradebook.csv", GOLDEN / "sakai-grades.csv"
ILIAS, OLAT = GOLDEN / "ilias-status.csv", GOLDEN / "olat-participants.csv"
TABLES = {
    **{"canvas": CANVAS, "moodle": MOODLE, "blackboard": BLACKBOARD},
    **{"brightspace": BRIGHTSPACE, "sakai": SAKAI, "ilias": ILIAS, "olat": OLAT},
}
ABOVE = {SAKAI.stem: 2, "sakai": 2}  # lines before the header


def cells(path: Path) -> list[list[str]]:
    data = path.read_bytes()
    text = data.decode("utf-16" if data.startswith(codecs.BOM_UTF16_LE) else "utf-8-sig")
    delimiter = max("\t,;", key=text.count)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))[ABOVE.get(path.stem, 0) :]


def column(path: Path, name: str, key: int) -> dict[str, str]:
    """The cells of the column whose name begins so, by those of column `key`."""
    header, *rows = cells(path)
    at = next(number for number, each in enumerate(header) if each.startswith(name))
    return {row[key]: row[at] for row in rows}


def said(done: Exported, part: str) -> str:
    """The one sentence with these words."""
    (found,) = [sentence for sentence in done.sentences if part in sentence]
    return found


def edited(tmp_path: Path, table: Path, *changes: tuple[str, str], encoding: str = "utf-8") -> Path:
    """A copy of the table with some texts replaced."""
    text = table.read_bytes().decode("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = tmp_path / f"edited{table.suffix}"
    path.write_bytes(text.encode(encoding))
    return path
