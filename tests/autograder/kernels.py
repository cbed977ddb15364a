"""What nbgrader starts takes no seconds: its kernels are forks of a process that has torch loaded.

`test_nbgrader_points.py`, `test_notebook_kernel.py` and `test_browser.py` really start theirs.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.autograder import forked

KERNEL = """
import os, runpy
os.setpgid(0, 0)  # Jupyter interrupts the group
runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
"""


def quick_starts(command: Callable[[], object]) -> Callable[[], object]:
    """A command of nbgrader's, for a fork of this process."""
    forked.ready(forked.USUAL)
    version = _gradebook_version()

    def run() -> object:
        from jupyter_client.provisioning import local_provisioner
        from nbgrader import api

        vars(local_provisioner)["launch_kernel"] = _Kernel
        vars(api)["get_alembic_version"] = lambda: version
        return command()

    return run


@cache
def _gradebook_version() -> str | None:
    """What nbgrader starts `alembic heads` for, with each new gradebook."""
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


class _Kernel:
    """What Jupyter wants of the process of a kernel."""

    stdin = stdout = stderr = None
    _ended: int | None = None

    def __init__(self, command: list[str], *, env: Mapping[str, str], cwd: str | None = None, **_: Any) -> None:
        program, nowhere = ["-c", KERNEL, *command[command.index("-f") :]], [Path(os.devnull)] * 2
        self.pid, self._status = forked.begin(program, Path(cwd or os.curdir), env, nowhere, forked.USUAL)
        while os.getpgid(self.pid) != self.pid:
            time.sleep(0.001)

    def poll(self) -> int | None:
        if self._ended is None and select.select([self._status], [], [], 0)[0]:
            self._ended = int(self._status.readline())
        return self._ended

    def wait(self) -> int | None:
        if self._ended is None:
            select.select([self._status], [], [])
        return self.poll()
