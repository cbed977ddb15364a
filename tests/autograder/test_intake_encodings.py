"""Text in any encoding is read, and it is said what it was read as."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from autograder.source import syntax_problems
from autograder.source.decoding import Decoded, as_utf8, decode
from autograder.source.notebook import read_cells
from autograder.source.parsing import lines_of
from autograder.source.syntax_problems import syntax_problem

NAME = "ch01_toy.py"
CODE = "import torch\n\n\ndef softmax(x):\n    # {}\n    return x\n"
CHINESE = "先减去每一行的最大值，然后归一化"
TAIWANESE = "先減去每一行的最大值，然後歸一化"
JAPANESE = "まず各行の最大値を引いてから正規化する"
KOREAN = "먼저 각 행에서 최댓값을 빼고 나누어 정규화합니다"
RUSSIAN = "сначала вычитаем максимум каждой строки"
GERMAN = "die größte Zahl jeder Zeile abziehen, natürlich für alle Schlüssel"
FRENCH = "soustraire le maximum à chaque ligne, évidemment"


def read(data: bytes) -> Decoded:
    """The text of a file that can be read."""
    decoded = decode(data, NAME)
    assert isinstance(decoded, Decoded), decoded
    return decoded


@pytest.mark.parametrize(
    "data",
    [
        "é = 1\n".encode(),
        b"\xef\xbb\xbf\xc3\xa9 = 1\r\n",
        "# -*- coding: latin-1 -*-\né = 1\n".encode("latin-1"),
        "#!python\n# vim: set fileencoding=cp1252 :\né = 1\r".encode("cp1252"),
        "# coding: L1\né = 1\n".encode("latin-1"),
        "# coding: macroman\né = 1\n".encode("mac_roman"),
        "# coding: ms936\né = 1  # 减\n".encode("gbk"),
    ],
    ids=["utf-8", "byte order mark and CRLF", "latin-1", "cp1252 and CR", "alias", "Mac", "Chinese"],
)
def test_byte_order_marks_encoding_comments_and_line_ends_are_honoured(data: bytes) -> None:
    decoded = read(data)
    assert "é = 1" in decoded.text
    assert decoded.text.endswith("\n")
    assert not decoded.notes
    names: dict[str, object] = {}
    exec(compile(decoded.text.encode(), NAME, "exec"), names)  # ours, and as UTF-8, which is how it travels on
    assert names["é"] == 1


@pytest.mark.parametrize(
    ("comment", "encoding", "label"),
    [
        (CHINESE, "gbk", "GBK"),
        ("代码", "gbk", "GBK"),
        (CHINESE + " 𠮷", "gb18030", "GBK"),
        (TAIWANESE, "big5", "Big5"),
        (JAPANESE, "shift_jis", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (KOREAN, "euc_kr", "EUC-KR"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (RUSSIAN, "koi8-r", "KOI8-R"),
        (GERMAN, "latin-1", "Windows-1252"),
        (FRENCH, "cp1252", "Windows-1252"),
        ("“smart” quotes – 5 €", "cp1252", "Windows-1252"),
        ("90°C", "latin-1", "Windows-1252"),
        ("±5 µs", "latin-1", "Windows-1252"),
        ("one \x81 that Windows-1252 lacks, é", "latin-1", "Latin-1"),
        (FRENCH, "utf-16", "UTF-16"),
        (FRENCH, "utf-32", "UTF-32"),
        (CHINESE, "utf-16-le", "UTF-16"),
        (CHINESE, "utf-16-be", "UTF-16"),
        (GERMAN, "utf-32-le", "UTF-32"),
    ],
)
def test_text_in_another_encoding_is_read_and_said(comment: str, encoding: str, label: str) -> None:
    text = CODE.format(comment)
    assert read(text.encode(encoding)) == Decoded(
        text, (f"ch01_toy.py is not UTF-8: it was read as {label}; save it as UTF-8",)
    )


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_BE + "x = 1".encode("utf-16-be"), "x = 1".encode("utf-16")])
def test_the_mark_of_utf_16_says_which_byte_comes_first(mark: bytes) -> None:
    assert read(mark).text == "x = 1"


def test_a_few_bytes_pasted_into_utf_8_leave_the_rest_as_it_is() -> None:
    data = "# größte Zahl, für alle\n".encode() + "s = 'é'\n".encode("cp1252")
    assert read(data).text == "# größte Zahl, für alle\ns = 'é'\n"


@pytest.mark.parametrize("named", ["klingon", "punycode", "ascii", "cp037", "utf-16", "rot13", "undefined", "utf8mb4"])
def test_a_wrong_encoding_comment_does_not_keep_utf_8_from_being_read(named: str) -> None:
    assert read(f"# coding: {named}\ns = 'é'\n".encode()) == Decoded(
        "# coding: utf-8\ns = 'é'\n",
        ("ch01_toy.py names the wrong encoding in its first lines: it was read as UTF-8",),
    )


def test_a_wrong_encoding_comment_does_not_keep_windows_text_from_being_read() -> None:
    decoded = read(b"# coding: utf-8\ns = '\xe9'\n")
    assert decoded.text == "# coding: utf-8\ns = 'é'\n"
    assert "read as Windows-1252" in decoded.notes[0]


@pytest.mark.parametrize("ends", [b"\x1a", b"\r\n\x1a\x1a\r\n", b"\n \x1a"])
def test_the_end_mark_of_dos_is_no_code(ends: bytes) -> None:
    assert read(b"x = 1" + ends) == Decoded("x = 1\n")


@pytest.mark.parametrize("sign", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029", "\r"], ids=ascii)
def test_no_sign_but_a_line_end_of_pythons_own_shifts_line_numbers(sign: str) -> None:
    text = read(f"# a{sign}# b\n# c\ndef f(:\n".encode()).text
    problem = syntax_problem(text, NAME)
    line = 4 if sign == "\r" else 3
    assert problem
    assert problem.line
    assert (problem.line.number, problem.line.text) == (line, "def f(:")
    assert lines_of(text)[line - 1] == "def f(:\n"


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("code", ["s = 'größer'", "s = 1"])
def test_a_notebook_in_another_encoding_is_read_too(code: str, encoding: str) -> None:
    cell = {"cell_type": "code", "source": code, "metadata": {}, "outputs": []}
    text = json.dumps({"cells": [cell], "nbformat": 4}, ensure_ascii=False)
    data, says = as_utf8(text.encode(encoding), "ch01_toy.ipynb")
    cells = read_cells(data, "ch01_toy.ipynb")
    assert isinstance(cells, tuple)
    assert cells[0].source == code
    is_other = encoding != "cp1252" or not code.isascii()
    assert says.startswith("ch01_toy.ipynb is not UTF-8: it was read as ") == is_other


@pytest.mark.parametrize("data", [b"", b"x = 1\0", b"PK\x03\x04\xff\0", "größer".encode(), b"# coding: klingon"])
def test_what_needs_no_other_encoding_stays_as_it_is(data: bytes) -> None:
    assert as_utf8(data, NAME) == (data, "")


def test_every_file_of_the_course_is_read_as_it_is() -> None:
    for path in (Path(syntax_problems.__file__).parents[2] / "solutions").glob("*.py"):
        assert read(path.read_bytes()) == Decoded(path.read_text(encoding="utf-8"))
