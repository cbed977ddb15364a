"""A file that stops when it is loaded: what its author is advised to do."""

from __future__ import annotations

import pytest

from autograder.calls.local import LocalTarget
from autograder.calls.records import Call, Raised
from autograder.core.errors import CheckFailed
from autograder.core.submission import one_chapter
from autograder.sandbox.messages import not_loaded

CASES = [("import nowhere", "ModuleNotFoundError", "leave this import out"), ("1 / 0", "ZeroDivisionError", "")]


@pytest.mark.parametrize(("line", "kind", "advice"), CASES)
def test_only_a_missing_library_is_to_be_left_out(line: str, kind: str, advice: str) -> None:
    with pytest.raises(CheckFailed) as here:
        LocalTarget(one_chapter("ada", "ch01_toy", f"{line}\n")).observe("ch01_toy", Call("f"))
    graded = not_loaded("ch01_toy.py", Raised(kind, (kind, "Exception"), "no", 1, line), compiled=True)
    for message in (here.value.message.text, graded.message.text):
        assert kind in message
        assert ("leave this import out" in message) == bool(advice)
