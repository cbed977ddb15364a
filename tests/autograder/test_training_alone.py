"""One process at a time trains a model, and none begins what it could not keep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from autograder.core.errors import UsageError
from autograder.core.file_lock import is_held, lock
from autograder.course.course import Course
from autograder.student.capstones import training_run
from autograder.student.capstones.kept import Places, standing
from autograder.student.capstones.training_run import Wish, train
from tests.autograder.test_training import Line, _Watcher, training

HOLDS = """
import sys
from pathlib import Path
from autograder.core.file_lock import lock
with lock(Path(sys.argv[1])) as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def test_a_training_in_another_terminal_is_neither_stopped_nor_begun_twice(tmp_path: Path) -> None:
    places, one = Places(tmp_path, tmp_path, "line"), training()
    one.run(lambda _: None, until=10)
    one.save(places.checkpoint)
    with places.held():
        assert standing(places, Line()) == "is being trained in another terminal"
        with pytest.raises(UsageError, match="line is being trained in another terminal; wait"), places.held():
            pass
        with Places(tmp_path, tmp_path, "other").held():
            pass
    assert standing(places, Line()).startswith("stopped after 10 of 40 steps")
    with places.held():
        pass


def test_a_lock_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "new" / "line.lock"
    assert not is_held(path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "True\n"
        assert is_held(path)
        other.kill()
        other.wait()
    assert path.is_file()
    assert not is_held(path)
    with lock(path) as mine:
        assert mine


@pytest.mark.parametrize("place", ["exercises/capstones", ".attend/training"])
def test_where_nothing_can_be_written_no_training_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).touch()
    monkeypatch.setattr(training_run, "require_copy", lambda _: None)
    monkeypatch.setattr(training_run, "recipe_named", lambda *_: Line)
    monkeypatch.setattr(Places, "in_copy", lambda *_: Places(tmp_path, tmp_path / "exercises" / "capstones", "line"))
    with pytest.raises(UsageError, match=rf"{place} cannot be written \(.*; .*choose a folder"):
        train(cast(Course, None), Wish("line"), _Watcher(None))
