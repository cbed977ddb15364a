"""The command `attend`: thin wrappers that parse, call and print."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder import __version__
from autograder.course import Course
from autograder.errors import AttendError

app = typer.Typer(
    help="Attend: an auto-graded course on Transformers that names the mistake.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
console = Console(highlight=False, soft_wrap=False)

Names = Annotated[list[str] | None, typer.Argument(help="Chapters or exercises, or parts of their names.")]
Sandbox = Annotated[str, typer.Option(help="auto, required (refuse without the full wall) or off.")]
Seed = Annotated[int | None, typer.Option(help="Seed of the random inputs, to repeat a run.")]


def _say(text: str) -> None:
    """Print text that is not ours to style: brackets in it are no markup."""
    console.print(text, markup=False)


def _folder(course: Course, target: Path | None) -> Path:
    """Where the student's chapters are."""
    if target is not None and not target.is_dir():
        raise AttendError(f"{target} is no folder; --target takes the folder with your chapter files")
    return target or course.exercises_dir


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Attend: an auto-graded course on Transformers that names the mistake.

    **Students**: `start`, `check`, `watch`, `hint`, `show`. **Instructors**: `grade`, `regrade`, `doctor`, `demo`.
    **Authors**: `new`, `build`.
    """
    if version:
        print(f"attend {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def start(
    directory: Annotated[Path, typer.Argument(help="Where your own working copy goes.")],
) -> None:
    """Make your own working copy of the exercises; run it again to bring an old copy up to date."""
    from autograder.student.start import start as make

    _say(make(Course.installed(), directory).text())


@app.command()
def check(
    names: Names = None,
    target: Annotated[Path | None, typer.Option(help="Folder with the chapter files to check.")] = None,
    seed: Seed = None,
) -> None:
    """Check your answers. Exit status: 0 everything passed, 1 something did not, 2 wrong use."""
    course = Course.find(target)
    exercises = course.select(names or [])
    from autograder.student.check import check as run

    result = run(course, exercises, _folder(course, target), seed, console)
    raise typer.Exit(0 if result and result.score == result.max_score else 1)


@app.command()
def watch(
    names: Names = None,
    target: Annotated[Path | None, typer.Option(help="Folder with the chapter files to watch.")] = None,
    seed: Seed = None,
) -> None:
    """Check an answer as soon as its file is saved, again and again; Ctrl-C ends it."""
    course = Course.find(target)
    exercises = course.select(names or [])
    from autograder.student.watch import watch as run

    run(course, exercises, _folder(course, target), seed, console)


@app.command()
def hint(
    name: Annotated[str, typer.Argument(help="An exercise.")],
    level: Annotated[int | None, typer.Option(min=1, max=3, help="1 a nudge, 2 the idea, 3 nearly the code.")] = None,
) -> None:
    """One hint at a time: a nudge, then the idea, then nearly the code."""
    from autograder.student.hints import hint as give

    _say(give(Course.find(), name, level).text())


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="An exercise.")],
    png: Annotated[Path | None, typer.Option(help="Write the picture to this file as well.")] = None,
    target: Annotated[Path | None, typer.Option(help="Folder with the chapter files.")] = None,
    seed: Seed = None,
) -> None:
    """A picture of your answer beside what is expected. Exit status as of `check`."""
    from autograder.student.show import show as run

    course = Course.find(target)
    exercise = course.one(name)
    same = run(course, exercise, _folder(course, target), png, seed, console)
    raise typer.Exit(0 if same else 1)


@app.command("list")
def list_(
    names: Names = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """The chapters and exercises, with points."""
    from autograder.listing import as_json, as_table

    course = Course.find()
    exercises = course.select(names or [])
    if json:
        print(as_json(exercises))
    else:
        console.print(as_table(exercises))


@app.command()
def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder with one folder or zip per student.")],
    out: Annotated[Path, typer.Option(help="Where grades, results and feedback go.")],
    names: Annotated[
        list[str] | None, typer.Option("--only", help="Grade only this chapter or exercise (repeatable).")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions graded at a time; default: one per core.")
    ] = None,
    sandbox: Sandbox = "auto",
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Grade on the machines of this dask scheduler.")
    ] = None,
    seed: Seed = None,
) -> None:
    """Grade a class. Run it again after an interruption, or a change: what has not changed is kept.

    Exit status: 0 every submission was graded, 1 some were not (interrupted, or the grader failed), 2 wrong use.
    """
    from autograder.grading.command import How, grade_and_show

    course, how = Course.find(), How(jobs, sandbox, cluster)
    raise typer.Exit(grade_and_show(course, submissions, out, names or [], seed, how, console))


@app.command()
def regrade(
    out: Annotated[Path, typer.Argument(help="The folder that `attend grade --out` filled.")],
    yes: Annotated[bool, typer.Option("--yes", help="Write the changes without asking.")] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions graded at a time; default: one per core.")
    ] = None,
    sandbox: Sandbox = "auto",
) -> None:
    """Judge a graded class again after a change of points, checks or reference, and show what would change.

    Code is run only for calls that were never made before. Exit status as of `grade`.
    """
    from autograder.grading.command import How
    from autograder.grading.regrade import regrade as run

    raise typer.Exit(run(Course.find(), out, How(jobs, sandbox), yes=yes, console=console))


@app.command()
def demo(
    directory: Annotated[Path, typer.Argument(help="Where the sample class goes.")] = Path("demo-class"),
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions graded at a time; default: one per core.")
    ] = None,
    sandbox: Annotated[str, typer.Option(help="auto, required or off.")] = "auto",
) -> None:
    """Make a sample class of right, wrong, broken and hostile submissions, and grade it."""
    from autograder.demo import demo as run

    here = Course.find()
    course = Course.installed() if here.is_copy else here
    raise typer.Exit(run(course, directory, jobs, sandbox, console))


@app.command()
def doctor(
    red_team: Annotated[
        bool, typer.Option("--red-team", help="Grade hostile submissions and see what they do.")
    ] = False,
) -> None:
    """Try the sandbox on this machine and say what it stops. Exit status: 0 all is well, 1 something is not."""
    if red_team:
        from autograder.red_team import show

        raise typer.Exit(show(console))
    from autograder.listing import doctor_table
    from autograder.sandbox.doctor import rows

    found = rows(Course.find().root)
    console.print(doctor_table(found))
    raise typer.Exit(1 if any(row.ok is False for row in found) else 0)


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail on anything stale and name it.")] = False,
) -> None:
    """Write stubs, notebooks, hints and the table of coverage from the course's source."""
    from autograder.author.build import build as write
    from autograder.author.build import stale

    course = Course.find()
    if not check:
        written = write(course)
        for path in written:
            _say(f"wrote {path.relative_to(course.root)}")
        console.print(f"{len(written)} files written" if written else "everything is up to date")
        return
    problems = stale(course)
    for path, reason in problems:
        _say(f"{path.relative_to(course.root)}: {reason}")
    if problems:
        console.print("run `attend build` and commit what it writes")
        raise typer.Exit(1)
    console.print("everything is up to date")


@app.command()
def new(name: Annotated[str, typer.Argument(help="Such as ch15_capstones.")]) -> None:
    """Write the four skeleton files of a new chapter."""
    from autograder.author.new import new as write

    course = Course.find()
    for path in write(course, name):
        _say(f"wrote {path.relative_to(course.root)}")
    console.print("then: fill them in, `attend build`, `attend check --target solutions`")


def main() -> None:
    """Run the command; errors meant for people are one sentence, and exit with status 2."""
    try:
        app()
    except AttendError as error:
        Console(stderr=True, highlight=False).print(f"attend: {error}", style="red", markup=False, soft_wrap=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        needed = {"watchfiles", "msgspec", "jinja2", "nbformat", "jupytext", "landlock", "pyseccomp"}
        if error.name not in needed:
            raise
        mend = "pip install -c constraints.txt -e '.[instructor,dev]'"
        text = f"attend: this command needs {error.name}: {mend} in the course's folder"
        print(text, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\nattend: stopped", file=sys.stderr)
        sys.exit(1)
