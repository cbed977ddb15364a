"""Bytes that should be Python: which are, and the sentence for those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.core.message import Message
from autograder.core.submission import Problem
from autograder.source.decoding import decode
from autograder.source.parsing import SOURCE_LIMIT
from autograder.source.syntax_problems import syntax_problem

NAME = "ch01_toy.py"


def message(data: bytes | str) -> str:
    """The problem with a file, which must be there and must be one of syntax, in all its lines."""
    read = decode(data.encode() if isinstance(data, str) else data, NAME)
    problem = read if isinstance(read, Problem) else syntax_problem(read.text, NAME)
    assert problem
    assert problem.status == "syntax"
    return Message(problem.message, line=problem.line).text


@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\r\n\x1a"])
def test_an_empty_file_is_missing_not_wrong(data: bytes) -> None:
    assert decode(data, NAME) == Problem("missing", "ch01_toy.py is empty")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"PK\x03\x04\0", "ch01_toy.py is a zip or an office document, not Python; hand in the file itself"),
        (b"%PDF-1.7", "ch01_toy.py is a PDF, not Python; hand in the file itself"),
        (b"L\0\0\0\x01\x14\x02\0\0", "ch01_toy.py is a Windows shortcut, not Python; hand in the file itself"),
        (bytes(range(1, 255)), "ch01_toy.py is a file of another program, not Python; hand in the file itself"),
        (b"a = 1\nb\0 = 2", "ch01_toy.py is damaged: line 2 holds a NUL byte; save it again from your editor"),
        (b"a = 1\r\0b = 2", "ch01_toy.py is damaged: line 2 holds a NUL byte; save it again from your editor"),
        ("a\nb\0".encode("utf-16"), "ch01_toy.py is damaged: line 2 holds a NUL byte; save it again from your editor"),
        ("a = 1".encode("utf-16")[:-1], "ch01_toy.py is damaged: its UTF-16 text breaks off; save it again as UTF-8"),
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
        "#" * (SOURCE_LIMIT + 1),
        "return 1\n",
        "x = '\ud800'\n",
    ],
    ids=["unary", "attributes", "parentheses", "sum", "elif", "too long", "return", "surrogate"],
)
def test_hostile_nesting_and_length_end_in_a_sentence(text: str) -> None:
    problem = syntax_problem(text, NAME)
    assert problem
    assert problem.message.startswith("ch01_toy.py does not compile: ")
    assert len(problem.message) < 400


def test_nothing_is_run_and_nothing_is_warned_about(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    text = f"open({str(trace)!r}, 'w')\nx = '\\d' is 1\n"
    assert syntax_problem(text, NAME) is None
    assert not trace.exists()
