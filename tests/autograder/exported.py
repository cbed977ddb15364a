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
TABLES = {"canvas": CANVAS, "moodle": MOODLE, "blackboard": BLACKBOARD}


def cells(path: Path) -> list[list[str]]:
    data = path.read_bytes()
    text = data.decode("utf-16" if data.startswith(codecs.BOM_UTF16_LE) else "utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in text else ","))


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
