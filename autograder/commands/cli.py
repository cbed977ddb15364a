"""The command `attend`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from autograder import __version__
from autograder.commands import student
from autograder.commands.common import at_rest, console, print_anywhere
from autograder.core import interrupts
from autograder.core.errors import AttendError
from autograder.core.text import wrapped
from autograder.course.folders import NO_COPY
from autograder.course.needs import clone_remedy, is_from_wheel, remedy

FOR_CAPSTONES = ("train", "sample")
HERE = "`attend --help` lists what you can do here"
WHOLE = find_spec("autograder.commands.instructor") is not None
"""Whether this is the whole engine, not the part that students get."""


class Commands(TyperGroup):
    """Reports Ctrl-C, and commands that a student's copy lacks; takes `help` for `--help`."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and report Ctrl-C where the command does not: typer ends with status 130 without a word."""
        interrupts.raise_from_here_on()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print(interrupts.SAYS, file=sys.stderr)
            raise

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read `help` as `--help`, and `help check` as `check --help`."""
        return super().parse_args(ctx, [*args[1:2], "--help"] if args[:1] == ["help"] else args)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands that make sense in this course."""
        every: list[str] = super().list_commands(ctx)
        with suppress(AttendError):
            return every if at_rest().has_capstones else [name for name in every if name not in FOR_CAPSTONES]
        return every

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command.

        Raises:
            AttendError: it is for instructors or authors, and not in this copy.
        """
        others = {name.strip("_") for _, names in OTHERS.values() for name in names} - {"doctor"}
        if WHOLE or args[0] not in others:
            return super().resolve_command(ctx, args)
        if is_from_wheel():
            clone = f"a clone of the course (pip brought what students need): {clone_remedy('instructor')}"
            raise AttendError(f"`attend {args[0]}` needs {clone}")
        raise AttendError(f"`attend {args[0]}` is for your instructor, who has the whole course; {HERE}")


app = typer.Typer(
    cls=Commands,
    help="Attend: an auto-graded course that names the mistake.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
STUDENTS = (
    student.start,
    student.check,
    student.watch,
    student.warm,
    student.hint,
    student.explain,
    student.show,
    student.train,
    student.sample,
    student.ask,
    student.solution,
    student.reset,
    student.lab,
    student.sync,
    student.update,
    student.list_,
)
OTHERS = {
    "Students and instructors": ("instructor", ("doctor",)),
    "Instructors": (
        "instructor",
        ("grade", "regrade", "grades", "export", "return_", "gradescope", "github", "release", "nbgrader", "demo"),
    ),
    "Authors": ("author", ("build", "new", "prove")),
}
"""By heading, the module and names of the commands that a student's copy lacks; only `doctor` is in both."""
PASSED_ON = {"lab": {"ignore_unknown_options": True}}  # the options are jupyter's

EXTRAS = {
    **dict.fromkeys(("torch", "numpy", "einops", "msgspec", "pytest", "safetensors", "watchfiles"), ""),
    **dict.fromkeys(("jinja2", "nbformat", "yaml"), "instructor"),
    **dict.fromkeys(("jupytext", "jupyterlab", "matplotlib"), "notebook"),
    "nbgrader": "nbgrader",
}
"""The extra of the installation that each package comes with."""


def _commands() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield every available command with its heading."""
    yield from (("Students", function) for function in STUDENTS)
    if not WHOLE:
        yield "Students", student.doctor
        return
    for panel, (module, names) in OTHERS.items():
        functions = import_module(f"autograder.commands.{module}")
        yield from ((panel, getattr(functions, name)) for name in names)


for panel, function in _commands():
    name = function.__name__.strip("_")
    app.command(name, rich_help_panel=panel, context_settings=PASSED_ON.get(name))(function)


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Attend: an auto-graded course that names the mistake.

    In a working copy, `attend` alone shows what is done and what is next.
    """
    if version:
        print(f"attend {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is not None:
        return
    course = at_rest()
    if course.is_copy:
        from autograder.student.map import show_map

        show_map(course, console)
    elif Path.cwd().is_relative_to(course.root):
        print(context.get_help())
    else:
        print(f"{NO_COPY[0].upper()}{NO_COPY[1:]}\n{HERE}")


def _app_for(names: Sequence[str]) -> typer.Typer:
    """Return the app with only the command that is named, if one is: reading the options of all takes a moment."""
    one = copy(app)
    one.registered_commands = [each for each in app.registered_commands if each.name in names]
    return one if one.registered_commands else app


def _complain(says: str) -> None:
    """Print an error; in a terminal it breaks between words."""
    screen = Console(stderr=True, highlight=False)
    told = wrapped(says, screen.width) if sys.stderr.isatty() else says
    screen.print(told, style="red", markup=False, soft_wrap=True)


def main() -> None:
    """Run the command; wrong use prints one sentence and exits with status 2."""
    print_anywhere()
    try:
        _app_for(sys.argv[1:2])(prog_name="attend")
    except AttendError as error:
        _complain(f"attend: {error}")
        sys.exit(2)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        text = f"attend: this command needs {error.name}: {remedy(EXTRAS[error.name])}"
        print(text, file=sys.stderr)
        sys.exit(2)
