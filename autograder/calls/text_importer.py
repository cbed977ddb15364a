"""Modules of the student's own that were handed in beside a chapter: imported from their texts, not from a disk."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

from autograder.calls.loading import Runner, Unfinished, load

PACKAGE: Final = "handed_in"
"""The package of a chapter that imports such modules, so that `from .helpers import f` finds them too."""


class TextImporter(MetaPathFinder, Loader):
    """Finds and loads modules by their texts.

    Args:
        texts: by dotted name; that of a package is the text of its `__init__`.
        stopped: receives what did not run to its end.
        run, through: as for `load`.
    """

    def __init__(
        self, texts: Mapping[str, str], stopped: list[Unfinished], run: Runner, through: type[BaseException]
    ) -> None:
        self._texts, self._stopped, self._run, self._through = texts, stopped, run, through

    def __enter__(self) -> TextImporter:
        self._forget()
        sys.meta_path.insert(0, self)
        return self

    def __exit__(self, *_: object) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        self._forget()

    def within_calls(self) -> None:
        """Leave the limits of what is loaded from now on to the call that imports it."""
        self._run = _plainly

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - given by Python
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        name = self._own(fullname)
        is_package = fullname == PACKAGE or any(each.startswith(f"{name}.") for each in self._texts)
        if not is_package and name not in self._texts:
            return None
        return ModuleSpec(fullname, self, is_package=is_package)

    def exec_module(self, module: ModuleType) -> None:
        name = self._own(module.__name__)
        if text := self._texts.get(name, ""):
            is_package = any(each.startswith(f"{name}.") for each in self._texts)
            file = module.__file__ = file_of(name, is_package=is_package)
            self._stopped += load(text, file, module.__dict__, self._run, self._through)

    def _own(self, fullname: str) -> str:
        return fullname.removeprefix(f"{PACKAGE}.")

    def _forget(self) -> None:
        """Forget such modules that were loaded before, also those of chapters that are imported here."""
        for name, module in [*sys.modules.items()]:
            is_own = isinstance(getattr(getattr(module, "__spec__", None), "loader", None), TextImporter)
            if is_own or name in self._texts:
                del sys.modules[name]


def _plainly(action: Callable[[], None]) -> None:
    action()


def file_of(name: str, *, is_package: bool = False) -> str:
    """Return what the lines of a module are called in tracebacks: a relative path, as all files of students are."""
    return f"{name.replace('.', '/')}{'/__init__' if is_package else ''}.py"
