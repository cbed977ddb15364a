"""What became of the cells that were run: when each one ended, and what it did not come to define."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from autograder.source.notebook import Cell, as_cell
from autograder.source.parsing import DEFINITIONS

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

KEY = "attend_session"


@lru_cache(maxsize=4096)
def as_cell_once(number: int, text: str) -> Cell:
    """Return cell `number` of the session; each text is parsed only once."""
    return as_cell(number, "", "", text.strip("\n"))


@dataclass(frozen=True)
class Ended:
    """The end of a cell: its time, the error that stopped it ("" for none), and the names it did not come to define."""

    when: float
    error: str = ""
    unmade: frozenset[str] = frozenset()


@dataclass
class KernelSession:
    """The cells of a kernel by number, as IPython tells of them."""

    names: Mapping[str, Any] = field(default_factory=dict)
    cells: dict[int, Ended] = field(default_factory=dict)
    _before: Mapping[str, object] = field(default_factory=dict)

    def begin(self, _: ExecutionInfo) -> None:
        """Remember the functions and classes before a cell runs."""
        self._before = {name: each for name, each in self.names.items() if isinstance(each, FunctionType | type)}

    def end(self, result: ExecutionResult) -> None:
        """Remember how a cell has ended."""
        number, error = result.execution_count, result.error_before_exec or result.error_in_exec
        if number is not None and result.info is not None:
            unmade = self._unmade(as_cell_once(number, result.info.raw_cell)) if error else frozenset()
            self.cells[number] = Ended(time.time(), type(error).__name__ if error else "", unmade)
        self._before = {}

    def _unmade(self, cell: Cell) -> frozenset[str]:
        """Return the functions and classes of a cell that are what they were before it."""
        tree = cell.tree
        names = [node.name for node in tree.body if isinstance(node, DEFINITIONS)] if tree else []
        return frozenset(name for name in names if self.names.get(name) is self._before.get(name))


def follow(shell: InteractiveShell) -> None:
    """Follow the cells that `shell` runs from now on."""
    if KEY not in shell.meta:
        session = shell.meta[KEY] = KernelSession(shell.user_ns)
        shell.events.register("pre_run_cell", session.begin)
        shell.events.register("post_run_cell", session.end)


def ended(shell: InteractiveShell) -> Mapping[int, Ended]:
    """Return what is known of the cells that were run, by number."""
    session = cast("KernelSession | None", shell.meta.get(KEY))
    return session.cells if session else {}
