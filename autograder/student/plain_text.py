"""Console output as plain text, where a notebook cannot show HTML."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

WIDTH = 80


def plain_text(write: Callable[[Console], object]) -> str:
    """Return what `write` prints to a console of 80 columns, without colours and trailing blanks."""
    console = Console(width=WIDTH, color_system=None, force_jupyter=False, force_terminal=False)
    with console.capture() as caught:
        write(console)
    return "\n".join(line.rstrip() for line in caught.get().rstrip("\n").split("\n"))
