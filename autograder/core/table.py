"""A table of a platform or a spreadsheet, read in its own encoding and dialect and written in the same."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from autograder.core.errors import UsageError
from autograder.core.reading import contents
from autograder.core.text import PLAINLY, one_line, plain

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
DELIMITERS = (",", "\t", ";")
# A spreadsheet runs a cell that starts with one of these signs, or with one that Unicode normalises to it (NFKC). A
# cell may also start after a separator other than ours. An apostrophe is added even before an apostrophe, so that
# different texts stay different.
SIGNS = "=+@＝﹦⁼₌＋﹢⁺₊－﹣＠﹫-"
FORMULA = re.compile(rf"^(?=['\s]*[{SIGNS}])|(?<=[,;|\t\r\n])(?='*[{SIGNS}])")
ZIP, WORKBOOK = b"PK", b"\xd0\xcf\x11\xe0"  # how zips, and workbooks before 2007, begin
SHEETS = (b"xl/workbook", b"oasis.opendocument", b"Index/Document.iwa")  # in the zips that workbooks are since
Row = Sequence[str]
Quoting = Literal[0, 1]  # QUOTE_MINIMAL or QUOTE_ALL


@dataclass(frozen=True)
class Dialect:
    """How a table is written."""

    bom: bytes
    encoding: str
    delimiter: str
    quoting: Quoting
    newline: str


@dataclass(frozen=True)
class Table:
    """The cells of a table, header first, its dialect, and the lines above the header, which stay as they are."""

    rows: Sequence[Row]
    dialect: Dialect
    above: Sequence[Row] = ()

    @property
    def header(self) -> Row:
        return self.rows[0] if self.rows else ()

    def below(self, lines: int) -> Table:
        """Return the table whose header follows after this many lines."""
        return replace(self, rows=self.rows[lines:], above=self.rows[:lines])

    def encoded(self) -> bytes:
        """Return the file in the platform's own dialect; letters its encoding lacks are replaced by similar ones."""
        text = "".join(_line(row, self.dialect) for row in (*self.above, *self.rows))
        return self.dialect.bom + text.encode(self.dialect.encoding, PLAINLY)


def harmless(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    return FORMULA.sub("'", plain(text))


def _line(row: Row, dialect: Dialect) -> str:
    """Return a row with its line end; both end characters are given to the writer, so that it quotes either."""
    line, both = io.StringIO(newline=""), "\r\n"
    csv.writer(line, delimiter=dialect.delimiter, quoting=dialect.quoting, lineterminator=both).writerow(row)
    return line.getvalue().removesuffix(both) + dialect.newline


def read(path: Path) -> list[Table]:
    """Read the table in `path` with each delimiter, most likely first.

    Raises:
        UsageError: the file cannot be read, or is no table.
    """
    try:
        data = contents(path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read ({error.strerror}); give the table that the platform exported"
        ) from error
    if is_workbook(data):
        raise UsageError(f"{path} is a workbook; save it as CSV and give that")
    bom, encoding, text = _decoded(data, path)
    header = text.split("\n", 1)[0]
    found = []
    for delimiter in sorted(DELIMITERS, key=header.count, reverse=True):
        dialect = Dialect(bom, encoding, delimiter, *_marks(text))
        try:
            found.append(
                Table(list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)), dialect)
            )
        except csv.Error as error:
            why = one_line(str(error))
    if not found:
        raise UsageError(f"{path} is no table ({why}); export it again and give it unchanged")
    return found


def _marks(text: str) -> tuple[Quoting, str]:
    header = text.partition("\n")[0]
    return (csv.QUOTE_ALL if text.startswith('"') else csv.QUOTE_MINIMAL), ("\r\n" if header.endswith("\r") else "\n")


def _decoded(data: bytes, path: Path) -> tuple[bytes, str, str]:
    """Return the byte order mark, the encoding and the text."""
    for bom, encoding in BOMS:
        if data.startswith(bom):
            return bom, encoding, _text(data[len(bom) :], encoding, path)
    try:
        return b"", "utf-8", data.decode("utf-8")
    except UnicodeDecodeError:
        return b"", "cp1252", _text(data, "cp1252", path)


def _text(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text; give the .csv or .xls that the platform exported, unchanged") from error


def is_workbook(data: bytes) -> bool:
    """Return whether a file is a workbook of a spreadsheet program."""
    return data.startswith(WORKBOOK) or (data.startswith(ZIP) and any(part in data for part in SHEETS))
