"""The student's own modules beside a notebook: an IPython extension, with which they can be imported in cells."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

PACKAGES = ("site-packages", "dist-packages")
HERE = ""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Let Python look for modules in the current folder as soon as a cell is run, and not before."""

    def look_here(_: ExecutionInfo) -> None:
        shell.events.unregister("pre_run_cell", look_here)
        places = [number for number, path in enumerate(sys.path) if path.endswith(PACKAGES)]
        sys.path.insert(places[0] if places else len(sys.path), HERE)  # behind Python's own, as IPython has it

    shell.events.register("pre_run_cell", look_here)
