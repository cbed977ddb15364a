"""Spoiled files are read; `python -m tests.autograder.fuzz_intake` tries any number of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course.course import Course
from autograder.intake.submissions import read_folder
from tests.autograder import fuzz_intake
from tests.autograder.conftest import TOY
from tests.autograder.fuzz_intake import PLAIN, main, wrong


def test_no_spoiled_file_ends_its_reading_or_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "300"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("trouble", ["an exception", "a control character"])
def test_a_reader_that_fails_or_tells_what_steers_a_terminal_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    course = Course(TOY)
    assert wrong("ch01_toy.py", PLAIN, course, tmp_path) == ""

    def fails(folder: Path, of: Course) -> object:
        if trouble == "an exception":
            raise RecursionError
        return replace(read_folder(folder, of), notes=("see \x1b[2J",))

    monkeypatch.setattr(fuzz_intake, "read_folder", fails)
    assert wrong("ch01_toy.py", PLAIN, course, tmp_path).startswith(("RecursionError", "a control character"))
