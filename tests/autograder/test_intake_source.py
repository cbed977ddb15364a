"""Bytes that should be Python: which are, and the sentence for those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.core.message import Message
from autograder.core.submission import Problem
from autograder.source import text as source

NAME = "ch01_toy.py"


def message(data: bytes | str) -> str:
    """The problem with a file, which must be there and must be one of syntax, in all its lines."""
    text = source.decode(data.encode() if isinstance(data, str) else data, NAME)
    problem = text if isinstance(text, Problem) else source.problem(text, NAME)
    assert problem
    assert problem.status == "syntax"
    return Message(problem.message, line=problem.line).text


@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_missing_not_wrong(data: bytes) -> None:
    assert source.decode(data, NAME) == Problem("missing", "ch01_toy.py is empty")


@pytest.mark.parametrize(
    "data",
    [
        "é = 1\n".encode(),
        b"\xef\xbb\xbf\xc3\xa9 = 1\r\n",
        "# -*- coding: latin-1 -*-\né = 1\n".encode("latin-1"),
        "#!python\n# vim: set fileencoding=cp1252 :\né = 1\r".encode("cp1252"),
    ],
    ids=["utf-8", "byte order mark and CRLF", "latin-1", "cp1252 and CR"],
)
def test_byte_order_marks_encoding_comments_and_line_ends_are_honoured(data: bytes) -> None:
    text = source.decode(data, NAME)
    assert isinstance(text, str)
    assert text.endswith("é = 1\n")
    names: dict[str, object] = {}
    exec(compile(text.encode(), NAME, "exec"), names)  # ours, and as UTF-8, which is how it travels on
    assert names["é"] == 1


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a = 1\r\nb = '\xe9'\r\n", "ch01_toy.py is not UTF-8 text: line 2 cannot be read; save it as UTF-8"),
        (b"# coding: ascii\n\nb = '\xe9'\n", "ch01_toy.py is not UTF-8 text: line 3 cannot be read; save it as UTF-8"),
        (b"# coding: klingon\n", "ch01_toy.py names an encoding that Python does not know; save it as UTF-8"),
        (b"# coding: punycode\n", "ch01_toy.py is saved as punycode; save it as UTF-8"),
        ("x = 1".encode("utf-16"), "ch01_toy.py is saved as UTF-16; save it as UTF-8 and hand it in again"),
        (b"PK\x03\x04\0", "ch01_toy.py is a zip or an office document, not Python; hand in the file itself"),
        (b"%PDF-1.7", "ch01_toy.py is a PDF, not Python; hand in the file itself"),
        (b"a = 1\nb\0 = 2", "ch01_toy.py is damaged: line 2 holds a NUL byte; save it again from your editor"),
    ],
)
def test_bytes_that_are_no_text_get_a_sentence(data: bytes, says: str) -> None:
    assert message(data) == says


def test_a_syntax_error_is_told_with_its_line_and_a_caret() -> None:
    assert message("import torch\n\ndef f(x):\n    return (x +\n") == (
        "ch01_toy.py does not compile: line 4: '(' was never closed\n    return (x +\n           ^"
    )


def test_mixed_tabs_come_with_what_to_do() -> None:
    says = message("def f(x):\n        if x:\n\treturn 1\n")
    assert says.startswith("ch01_toy.py does not compile: line 3: inconsistent use of tabs and spaces in indentation;")
    assert "indent with spaces only" in says


def test_a_merge_conflict_is_called_one() -> None:
    says = message("a = 1\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> theirs\n")
    assert says.startswith("ch01_toy.py does not compile: line 2: a merge conflict was left here ('<<<<<<< HEAD')")
    assert "keep one of the two versions" in says


def test_a_very_long_line_is_cut_around_the_error() -> None:
    says = message(f"x = [{'1, ' * 900}(]{', 2' * 900}]\n")
    lines = says.splitlines()
    assert all(len(line) < 130 for line in lines)
    assert lines[1][lines[2].index("^")] in "(]"


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "-" * 100_000 + "1\n",
        "x = a" + ".b" * 100_000,
        "x = " + "(" * 5000,
        "x = 1" + "+1" * 100_000,
        "if a:\n pass\n" + "elif a:\n pass\n" * 10_000,
        "#" * (source.SOURCE_LIMIT + 1),
        "return 1\n",
        "x = '\ud800'\n",
    ],
    ids=["unary", "attributes", "parentheses", "sum", "elif", "too long", "return", "surrogate"],
)
def test_hostile_nesting_and_length_end_in_a_sentence(text: str) -> None:
    problem = source.problem(text, NAME)
    assert problem
    assert problem.message.startswith("ch01_toy.py does not compile: ")
    assert len(problem.message) < 400


def test_nothing_is_run_and_nothing_is_warned_about(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    text = f"open({str(trace)!r}, 'w')\nx = '\\d' is 1\n"
    assert source.problem(text, NAME) is None
    assert not trace.exists()
