"""A submission that uses the library honestly meets no wall, and one that would start a process does."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.calls.records import Call
from autograder.core.errors import WorkerLost
from autograder.core.submission import ChapterSource, Submission
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.processes import AT_EASE
from tests.promises import honest_uses
from tests.promises.world import COURSE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
TEXT = Path(honest_uses.__file__).read_text(encoding="utf-8")
USES = [
    name
    for name, function in vars(honest_uses).items()
    if inspect.isfunction(function) and function.__module__ == honest_uses.__name__ and name != "catches_a_signal"
]
REFUSED = {
    "a program": "subprocess.run(['true'])",
    "a process": "multiprocessing.Process(target=int).start()",
    "processes for data": "list(torch.utils.data.DataLoader([1, 2], num_workers=1))",
    "an event loop": "asyncio.run(asyncio.sleep(0))",
    "a file": "tempfile.TemporaryFile()",
    "the network": "socket.socket()",
}


@pytest.fixture(scope="module")
def behind() -> Iterator[SandboxTarget]:
    text = f"{TEXT}\nimport asyncio, multiprocessing, socket, subprocess\n\ndef tries(text):\n    eval(text)\n"
    submission = Submission("ada", {"ch01_a": ChapterSource("ch01_a", text, "a.py")})
    with Template(COURSE.root) as template, SandboxTarget(template, submission, AT_EASE) as target:
        yield target


@pytest.mark.parametrize("use", USES)
def test_an_honest_use_of_the_library_works_behind_the_wall(behind: SandboxTarget, use: str) -> None:
    if use == "draws_a_picture":
        pytest.importorskip("matplotlib")
    assert behind.observe("ch01_a", Call(use)).result is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls")
@pytest.mark.parametrize("use", REFUSED)
def test_what_reaches_out_of_the_worker_is_refused_and_said_so(behind: SandboxTarget, use: str) -> None:
    with pytest.raises(WorkerLost, match=r"raised PermissionError: .*, as the walls of grading do"):
        behind.observe("ch01_a", Call("tries", (REFUSED[use],)))


def test_each_use_works_in_an_ordinary_process_too() -> None:
    code = f"{TEXT}\nfor use in {USES}:\n    globals()[use]()\n"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
