"""Cells that run as in a notebook, without a kernel: in an IPython of this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config


@dataclass(frozen=True)
class Shown:
    """What running a cell showed: printed words, and of each display the text and the page."""

    printed: str
    texts: list[str]
    pages: list[str]
    raised: BaseException | None

    @property
    def text(self) -> str:
        (text,) = self.texts
        return text

    @property
    def page(self) -> str:
        (page,) = self.pages
        return page


Run = Callable[[str], Shown]


@contextmanager
def fresh_shell(home: Path, folder: Path, patch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """A fresh IPython with the magics, in a course's folder."""
    patch.setenv("IPYTHONDIR", str(home))
    patch.delenv("VIRTUAL_ENV", raising=False)  # IPython warns where another environment is active
    patch.delenv("JPY_SESSION_NAME", raising=False)
    patch.chdir(folder)
    config = Config()
    config.HistoryManager.enabled = False
    hooks = sys.displayhook, sys.excepthook
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=config)
    shell.run_line_magic("load_ext", "autograder")
    yield shell
    shell.restore_sys_module_state()
    InteractiveShell.clear_instance()
    sys.displayhook, sys.excepthook = hooks


def ran(shell: InteractiveShell, source: str) -> Shown:
    """Run a cell as a notebook does."""
    with capture_output() as caught:
        done = shell.run_cell(source, store_history=True)
    data = [output.data for output in caught.outputs]
    pages = [each.get("text/html", "") for each in data]
    raised = done.error_before_exec or done.error_in_exec
    return Shown(caught.stdout + caught.stderr, [each["text/plain"] for each in data], pages, raised)
