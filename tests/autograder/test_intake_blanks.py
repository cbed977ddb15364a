"""Spaces and signs that look like Python's own: read where nothing else can be meant, else called by name."""

from __future__ import annotations

import pytest

from autograder.source.decoding import Decoded, decode, without_odd_blanks
from autograder.source.syntax_problems import syntax_problem

NAME = "ch01_toy.py"


def message(text: str) -> str:
    problem = syntax_problem(text, NAME)
    assert problem
    return problem.message


@pytest.mark.parametrize(
    ("text", "plain", "lines"),
    [
        ("x\xa0=\xa01\n", "x = 1\n", [1]),
        ("if x:\n\xa0\xa0\xa0\xa0y = 1\n", "if x:\n    y = 1\n", [2]),
        ("x = 1\n\ufeffy = 2\n", "x = 1\ny = 2\n", [2]),
        ("x\u200b = (1,\u200b 2)\n", "x = (1, 2)\n", [1]),
        ("x\u3000=\u30001 \u2003+ 2\n", "x = 1  + 2\n", [1]),
        ("\u200bx = 1\n\u200b\ny\xad = 2\n", "x = 1\n\ny = 2\n", [1, 2, 3]),
        ("x = 1\xa0  # a\xa0b\ns = '\xa0'\n", "x = 1   # a\xa0b\ns = '\xa0'\n", [1]),
        ('s =\xa0"""a\u200b\n\xa0b""" +\xa0f"{s}\xa0"\n', 's = """a\u200b\n\xa0b""" + f"{s}\xa0"\n', [1, 2]),
    ],
)
def test_odd_spaces_outside_strings_are_read_as_plain_ones(text: str, plain: str, lines: list[int]) -> None:
    assert without_odd_blanks(text) == (plain, lines)
    decoded = decode(text.encode(), NAME)
    assert isinstance(decoded, Decoded)
    assert syntax_problem(decoded.text, NAME) is None
    assert decoded.notes[0].startswith(f"ch01_toy.py: special spaces in line{'s' if len(lines) > 1 else ''} {lines[0]}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("y = not\u200bx\n", "line 1: a character that cannot be seen (zero width space, U+200B) stands here; delete"),
        ("y = f\u200b'x'\n", "line 1: a character that cannot be seen (zero width space, U+200B) stands here; delete"),
        (
            "if x:\n\u3000\u3000y = 1\n",
            "line 2: a special space (ideographic space, U+3000) stands where Python wants a plain",
        ),
        (
            "x = (1 +\u2028 2)\n",
            "line 1: a special space (line separator, U+2028) stands where Python wants a plain one",
        ),
        (
            "x = 1\n\x0b\ny = 2\n",
            "line 2: a special space (control character, U+000B) stands where Python wants a plain",
        ),
        ("x = \u202e1\n", "line 1: a character that cannot be seen (right-to-left override, U+202E) stands here"),
    ],
)
def test_odd_spaces_that_might_mean_something_are_called_by_name(text: str, says: str) -> None:
    decoded = decode(text.encode(), NAME)
    assert decoded == Decoded(text)
    assert message(text).startswith(f"ch01_toy.py does not compile: {says}")


@pytest.mark.parametrize("text", ["# \xa0\nx = '\u200b'\n", "x = 1\n", "def f(:\n    pass  # \xa0\n"])
def test_a_text_with_odd_spaces_in_strings_and_comments_alone_stays_as_it_is(text: str) -> None:
    assert without_odd_blanks(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("print(“a”)\n", '“ (left double quotation mark, U+201C) is not part of Python; type " instead'),
        ("x = ‘a’\n", "‘ (left single quotation mark, U+2018) is not part of Python; type ' instead"),
        ("x = 3 – 2\n", "– (en dash, U+2013) is not part of Python; type - instead"),
        ("x = 3 × 2\n", "× (multiplication sign, U+00D7) is not part of Python; type * instead"),
        ("def f（x）:\n", "（ (fullwidth left parenthesis, U+FF08) is not part of Python; type ( instead"),
        ("x = (1，2)\n", "， (fullwidth comma, U+FF0C) is not part of Python; type , instead"),
        ("y = x²\n", "² (superscript two, U+00B2) is not part of Python; type **2 instead"),
        ("if a ≤ b: pass\n", "≤ (less-than or equal to, U+2264) is not part of Python; type <= instead"),
        ("x = 3€\n", "€ (euro sign, U+20AC) is not part of Python; it may only stand in strings and comments"),
        ("x = 1\n>>> f(1)\n", ">>> is the prompt of Python's shell; delete it here and below, with what was printed"),
        ('"""a"""\nx = 1\n```\n', "``` marks code in Markdown; delete the lines that start with it"),
    ],
)
def test_a_sign_that_is_not_pythons_comes_with_what_to_type(text: str, says: str) -> None:
    assert message(text).partition(" does not compile: ")[2].partition(": ")[2] == says


def test_a_string_that_ends_with_a_curly_quote_is_called_one() -> None:
    assert message('print("hi”)\n').endswith("; ” does not end a string, type a straight quote")
    assert "straight" not in message('print("hi)\n')
