"""The output of answers: shown once, under the name of the exercise, and cut after some lines."""

from __future__ import annotations

import sys
from dataclasses import dataclass

MOST_LINES = 20


@dataclass
class Prints:
    """Shows output as it arrives. Where lines are left out, `all_of` names the command that shows them all."""

    all_of: str = ""
    _what: str = ""
    _lines: int = 0
    _is_open: bool = False
    _is_repeated: bool = False

    def __call__(self, what: str, text: str, *, repeated: bool = False) -> None:
        """Show what `what`, an exercise or a file, prints; not if it is `repeated` from an earlier call."""
        if repeated:
            self._is_repeated = what == self._what
            return
        if what != self._what:
            self.end()
            self._what = what
            print(f"{what} prints:")
        for line in text.splitlines(keepends=True):
            if self._lines < MOST_LINES:
                sys.stdout.write(line)
            self._is_open = not line.endswith("\n")
            self._lines += not self._is_open

    def end(self) -> None:
        """End the output of the current answer, and say how much was left out."""
        if self._is_open and self._lines < MOST_LINES:
            print()
        more = self._lines + self._is_open - MOST_LINES
        if more > 0:
            print(f"… {more} more line{'s' * (more > 1)}{self.all_of.format(self._what)}")
        elif self._is_repeated and self.all_of:
            print(f"(from its first call{self.all_of.format(self._what)})")
        self._what, self._lines, self._is_open, self._is_repeated = "", 0, False, False
