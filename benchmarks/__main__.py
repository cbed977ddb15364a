"""`python -m benchmarks`, which `make bench` calls."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.core.errors import AttendError
from autograder.course.course import Course
from benchmarks import parts

SWITCHES = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
"""Settings of some machines that slow Python down, and that hardly a student or an instructor has."""
app = typer.Typer(add_completion=False, help="Measure the grader and the tools it is compared with.")
Parts = Annotated[
    list[str] | None, typer.Argument(help=", ".join(kind.name for kind in parts.KINDS) + " (default: all)")
]


@app.command()
def bench(names: Parts = None) -> None:
    """Measure, and write docs/measurements.md. Exit status: 1 a part gave no figures, 2 wrong use."""
    console = Console(highlight=False)
    for switch in SWITCHES:
        os.environ.pop(switch, None)
    sys.dont_write_bytecode = False  # for what is forked here
    try:
        sound = parts.run(Course.find(Path.cwd()), names or [], console)
    except AttendError as error:
        console.print(str(error), style="red", markup=False)
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        console.print("stopped; the finished parts are kept")
        raise typer.Exit(1) from None
    raise typer.Exit(0 if sound else 1)


if __name__ == "__main__":
    app()
