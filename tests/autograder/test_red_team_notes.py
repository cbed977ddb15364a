"""What a submission leaves on files and in the kernel, looked for by the next one, and from outside."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from autograder.calls.records import Call
from autograder.commands import red_team
from autograder.core.submission import ChapterSource, Submission
from autograder.sandbox import launch
from autograder.sandbox.handles import Template
from autograder.sandbox.target import SandboxTarget
from tests.autograder.conftest import TOY
from tests.autograder.fuzz_walls import WITHOUT_NAMESPACES
from tests.autograder.processes import AT_EASE
from tests.autograder.warm import cold_walls

pytestmark = [
    pytest.mark.usefixtures("warm", "swept"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls"),
]
CASES = {case.name: case.text for case in red_team.cases() if case.row == 50}
NUMBER, NAME = 0x5EED0000 + os.getpid() % 0xFFFF, f"attend-red-team-note-{os.getpid()}"
"""Of these tests alone: other processes may try the same at the same time."""
EVERYWHERE = {"hint", "rights", "times", "lock", "lock of a range", "file", "memory", "semaphore", "queue", "socket"}
"""What can be left on every Linux where no wall is. The others need a file system or a kernel that knows them."""
UNLINK, USERS_KEYS = 9, -4


def own(text: str) -> str:
    """A case with the number and name of these tests."""
    changed = text.replace("0x5EED", str(NUMBER)).replace('"attend-red-team-note"', repr(NAME))
    assert changed.count(str(NUMBER)) == changed.count(NAME) == 1
    return changed


LEAVES, LOOKS = (own(CASES[name]) for name in ("r50_leaves_a_note", "r50_looks_for_a_note"))


def asked(target: SandboxTarget, function: str) -> list[str]:
    said = target.observe("ch01_a", Call(function)).result
    assert isinstance(said, list)
    return said


def submission(text: str) -> Submission:
    return Submission("eve", {"ch01_a": ChapterSource("ch01_a", text, "a.py")})


def outside(text: str) -> list[str]:
    """What an ordinary process finds."""
    code = f"{text}\nimport json; print(json.dumps(found()))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return list(json.loads(said.stdout))


def exchange(template: Template, leaves: str, looks: str) -> tuple[list[str], list[str], list[str]]:
    """What one submission leaves, and what the next one and the host find while it is still there."""
    with (
        SandboxTarget(template, submission(leaves), AT_EASE) as first,
        SandboxTarget(template, submission(looks), AT_EASE) as second,
    ):
        return asked(first, "left"), asked(second, "found"), outside(looks)


@pytest.fixture
def swept() -> Iterator[None]:
    """Nothing of a note is on this machine, before and after."""
    sweep()
    yield
    sweep()


def sweep() -> None:
    libc = ctypes.CDLL(None)
    for kind, remove in (("shm", (0, 0)), ("sem", (0, 0, 0)), ("msg", (0, 0))):
        number = getattr(libc, f"{kind}get")(NUMBER, *[0] * (1 if kind == "msg" else 2))
        getattr(libc, f"{kind}ctl")(number, *remove)
    libc.mq_unlink(f"/{NAME}".encode())
    request_key, keyctl = {"x86_64": (249, 250), "aarch64": (218, 219)}.get(platform.machine(), (-1, -1))
    libc.syscall(keyctl, UNLINK, libc.syscall(request_key, b"user", NAME.encode(), None, 0), USERS_KEYS)
    for place in {"/tmp", "/dev/shm", "/var/tmp", str(Path.home()), tempfile.gettempdir()}:
        with suppress(OSError):
            Path(place, NAME).unlink()


@pytest.mark.parametrize("walls", ["all walls", "no bubblewrap", "no namespaces"])
def test_nothing_is_left_and_nothing_found_on_any_kind_of_file_nor_in_the_kernel(
    walls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if walls != "all walls":
        monkeypatch.setattr(launch.shutil, "which", lambda _: None)
    if walls == "no namespaces":
        monkeypatch.setattr(launch, "plain_command", lambda: WITHOUT_NAMESPACES)
    with cold_walls(), Template(TOY) as template:
        if not template.started.walls.seccomp:
            pytest.skip("this machine has no seccomp")
        assert exchange(template, LEAVES, LOOKS) == ([], [], [])


def test_without_a_wall_each_kind_is_left_and_found(tmp_path: Path) -> None:
    marked = tmp_path / "marked"
    marked.write_text("a file of one's own")
    leaves, looks = (text.replace("FILES = (", f"FILES = ({str(marked)!r},) or (") for text in (LEAVES, LOOKS))
    with Template(TOY, walled=False) as template:
        kinds = [{each.split(" /")[0] for each in found} for found in exchange(template, leaves, looks)]
    left, found, seen = kinds
    assert left >= EVERYWHERE
    assert found - {"cache"} == seen - {"cache"}
    assert found >= EVERYWHERE
    assert found <= left | {"cache"}
