"""A message is one record; its parts come out as they went in."""

from __future__ import annotations

import pytest

from autograder.core.message import LONGEST, Line, Message, of_first_version
from autograder.sandbox.tape import Lost

WHOLE = Message("no", "f(x)", "1", "2", "this", Line(3, "return x"))


def test_the_parts_stand_below_the_headline_and_empty_ones_are_left_out() -> None:
    assert [label for label, _ in WHOLE.rows] == ["called", "expected", "got", "where", "try"]
    assert Message("no", got="2").text == "no\n  got       2"
    assert WHOLE.text.splitlines()[4] == "  where     line 3: return x"


def test_a_syntax_error_shows_its_line_with_a_caret_and_no_row() -> None:
    broken = Message("line 2: no", line=Line(2, "f(:", 2))
    assert broken.rows == []
    assert broken.text == "line 2: no\n    f(:\n      ^"


def test_no_part_is_endless_or_holds_a_terminal_escape() -> None:
    wild = Message("\x1b[31mred\x07", got="x" * (LONGEST + 1), line=Line(1, "\x1b[0mx" + "y" * LONGEST))
    assert wild.headline == "red"
    assert wild.got == "x" * LONGEST + " … (cut)"
    assert wild.line
    assert len(wild.line.text) == LONGEST


@pytest.mark.parametrize("message", [Message("no"), Message("no", "f(x)", "1", "2", "this"), Message("no", got="2")])
def test_a_message_of_version_1_is_read_part_by_part(message: Message) -> None:
    assert of_first_version(message.text) == message


def test_other_lines_of_version_1_are_kept() -> None:
    assert of_first_version("no\n    f(:\n      ^") == Message("no", got="    f(:\n      ^")


def test_a_tape_of_version_1_is_heard() -> None:
    assert Lost("timeout", "too slow\n  try       this").error().message == Message("too slow", advice="this")
    assert Lost.of(Lost("timeout", WHOLE).error()) == Lost("timeout", WHOLE)
