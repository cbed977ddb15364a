"""The commands of instructors."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.common import Names, Seed, at_rest, console, installation_is_sound, named_course, say
from autograder.core.errors import AttendError
from autograder.core.text import join_names
from autograder.sandbox.limits import DEFAULT_LIMITS

Jobs = Annotated[int | None, typer.Option(min=1, help="Submissions graded at a time; default: one per core.")]
Budget = Annotated[
    float, typer.Option(min=1, metavar="SECONDS", help="For one chapter of one submission, all its checks together.")
]
BUDGET_SECONDS = DEFAULT_LIMITS.budget_seconds
Hold = Annotated[
    bool | None,
    typer.Option(
        "--hold/--no-hold", help="Leave out grades with something undecided; default: ask, without a terminal hold."
    ),
]
Sandbox = Annotated[str, typer.Option(help="auto, required (refuse without the full wall) or off.")]


def grade(
    submissions: Annotated[
        str,
        typer.Argument(
            help="The zip that your course platform lets you download, or a folder with one folder or zip per "
            "student; with --nbgrader an assignment's name."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Where grades, results and feedback go; with --nbgrader DIR/attend/NAME.")
    ] = None,
    nbgrader_course: Annotated[
        Path | None,
        typer.Option(
            "--nbgrader", metavar="DIR", help="Grade an assignment of this nbgrader course, into its gradebook."
        ),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Option("--only", help="Grade only this chapter or exercise (repeatable).")
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(help="Who is in the class: a CSV, such as the gradebook that your platform exports.")
    ] = None,
    late: Annotated[
        Path | None, typer.Option(help="Canvas's report of late work, a CSV: when each late student handed in.")
    ] = None,
    layout: Annotated[
        str,
        typer.Option(
            metavar="PATTERN",
            help="How the paths in the download tell whose each is, if no platform is recognised: "
            "'{name}_{id}/{file}'. Fields: {name} {first} {last} {id} {login} {email} {time} {attempt} {group} {file} "
            "{*}.",
        ),
    ] = "",
    groups: Annotated[
        bool,
        typer.Option("--groups", help="What one member of a group on the roster hands in counts for all."),
    ] = False,
    departed: Annotated[
        bool, typer.Option("--drop-departed", help="Drop the grades of students who are not among the submissions.")
    ] = False,
    left: Annotated[bool, typer.Option("--left", hidden=True)] = False,
    jobs: Jobs = None,
    sandbox: Sandbox = "auto",
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Grade on the machines of this dask scheduler.")
    ] = None,
    budget: Budget = BUDGET_SECONDS,
    seed: Seed = None,
) -> None:
    """Grade a class. Run it again after an interruption or a change: results that have not changed are kept.

    Exit status: 0 every submission was graded, 1 some were not (interrupted, or the grader failed), or most of the
    roster handed in nothing, 2 wrong use, 130 interrupted with nothing graded.
    """
    from autograder.commands.grade_class import grade_and_show
    from autograder.grading.admit import ClassOptions
    from autograder.grading.run import GradingOptions

    course, options = named_course(), GradingOptions(jobs, sandbox, cluster, budget, seed)
    if left:
        console.print("--left is called --drop-departed now")
        departed = True
    if nbgrader_course:
        if names:
            raise AttendError("with --nbgrader all exercises of the assignment are graded; leave out --only")
        if roster or late or layout or groups or departed:
            raise AttendError(
                "an nbgrader course has its own students and times; leave out --roster, --late, --layout, --groups "
                "and --drop-departed"
            )
        from autograder.platforms.nbgrader.grading import grade_assignment

        raise typer.Exit(grade_assignment(course, nbgrader_course, submissions, out, options, console))
    if out is None:
        raise AttendError("say where grades, results and feedback go: --out DIR")
    wanted = ClassOptions(names or (), roster, late, layout, in_groups=groups, drop_departed=departed)
    raise typer.Exit(grade_and_show(course, Path(submissions), out, options, console, wanted))


def regrade(
    out: Annotated[Path, typer.Argument(help="The folder that `attend grade --out` filled.")],
    yes: Annotated[bool, typer.Option("--yes", help="Write the changes without asking.")] = False,
    jobs: Jobs = None,
    sandbox: Sandbox = "auto",
    budget: Budget = BUDGET_SECONDS,
) -> None:
    """Judge a graded class again after a change of checks, points or policy.toml, and show what would change.

    Code is run only for calls that were never made before. Exit status as for `grade`.
    """
    from autograder.grading.regrade import regrade as run
    from autograder.grading.run import GradingOptions

    raise typer.Exit(run(named_course(), out, GradingOptions(jobs, sandbox, budget=budget), yes=yes, console=console))


def nbgrader(
    directory: Annotated[Path, typer.Argument(help="Folder of the nbgrader course, new or old.")],
    names: Names = None,
    assignment: Annotated[str | None, typer.Option(help="One assignment of this name for all chosen chapters.")] = None,
    hide_edges: Annotated[
        bool, typer.Option("--hide-edges", help="Run checks of level edges only when grading.")
    ] = False,
) -> None:
    """Write a course for nbgrader, one assignment per chapter; its own commands release, collect and grade."""
    from autograder.platforms.nbgrader.course import make

    say(make(named_course(), directory, names or [], assignment, hide_edges).text())


def release(
    directory: Annotated[Path, typer.Argument(help="Folder of the release, new or old; DIR.zip is put beside it.")],
    chapters: Annotated[
        list[str] | None, typer.Option("--chapters", metavar="NAME", help="Only this chapter (repeatable).")
    ] = None,
    sealed: Annotated[
        bool,
        typer.Option("--sealed", help="Record answers; hand out neither reference nor checks of level edges."),
    ] = False,
    audited: Annotated[
        bool, typer.Option("--audit", help="Then hand in each of its files as an answer; none may earn a point.")
    ] = False,
    hints: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="Hints of each exercise to hand out; default: all 3, with --sealed 2."),
    ] = None,
) -> None:
    """Make a folder with all that students need, and a zip of it. An open one holds the solutions, but packed.

    Exit status: 0 all is well, 1 the audit found files that hold answers, 2 wrong use.
    """
    from autograder.author.release.bundle import release as make

    course = named_course()
    made = make(course, directory, chapters or [], sealed=sealed, console=console, hints=hints)
    say(made.text())
    if audited:
        from autograder.author.release.audit import audit

        found = audit(replace(course, only=made.chapters), made.placed.archive, console)
        say(found.text())
        raise typer.Exit(1 if found.earned else 0)


def demo(
    directory: Annotated[Path, typer.Argument(help="Where the sample class goes.")] = Path("demo-class"),
    jobs: Jobs = None,
    sandbox: Sandbox = "auto",
) -> None:
    """Make a sample class of right, wrong, broken and hostile submissions, and grade it."""
    from autograder.commands.demo import demo as run

    raise typer.Exit(run(named_course().source, directory, jobs, sandbox, console))


def doctor(
    red_team: Annotated[
        bool, typer.Option("--red-team", help="Grade hostile submissions and report what they do.")
    ] = False,
) -> None:
    """Examine this installation, and in the course itself the sandbox as well.

    Exit status: 0 all is well, 1 something is not.
    """
    if red_team:
        from autograder.commands.red_team import show

        raise typer.Exit(show(console))
    course = at_rest()
    sound = installation_is_sound(course)
    if sound and not course.is_copy:
        from autograder.commands.listing import doctor_table
        from autograder.sandbox.doctor import findings as walls
        from autograder.sandbox.launch import package_folder

        tried = walls(package_folder().parent)
        console.print(doctor_table(tried))
        sound = all(row.ok is not False for row in tried)
    raise typer.Exit(0 if sound else 1)


def grades(
    folders: Annotated[
        list[Path], typer.Argument(metavar="GRADES", help="The folders that runs of `attend grade --out` filled.")
    ],
    roster: Annotated[
        Path, typer.Option(help="Who is in the class: a CSV, such as the gradebook that your platform exports.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Where grades.csv goes, for `attend export` too; default: only show the sums.")
    ] = None,
) -> None:
    """Sum the grades of chapters that were graded in several folders, student by student.

    Exit status: 0 every grade is summed, 1 some wait for a decision or are not on the roster, 2 wrong use.
    """
    from autograder.commands.sum_class import sum_and_show

    raise typer.Exit(sum_and_show(folders, roster, out, console))


def question_sheets(graded: Path, seed: int | None) -> int:
    """Write a page of questions for each student of a graded class, and the key; return the exit status."""
    from autograder.grading.question_sheets import write_sheets

    return write_sheets(named_course(), graded, seed, console)


def export(
    graded: Annotated[
        Path,
        typer.Argument(metavar="GRADES", help="The folder that `attend grade --out` or `attend grades --out` filled."),
    ],
    file: Annotated[
        Path,
        typer.Argument(
            help="The table that the platform exported: a gradebook of Canvas, Blackboard or Brightspace, a worksheet "
            "of Moodle, grades.csv of Sakai, status.csv of ILIAS, participants of OLAT."
        ),
    ],
    column: Annotated[
        str | None, typer.Option(help="The assignment's column, or a part of its name; default: the one that fits.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the table goes; default: into GRADES, as canvas.csv and so on.")
    ] = None,
    hold: Hold = None,
) -> None:
    """Put the grades into a platform's table, ready to upload; everything else in it stays.

    Exit status: 0 every graded student is in the table, 1 some are not or were held back, 2 wrong use.
    """
    from autograder.platforms.export import export as run

    done = run(graded, file, column, out, hold=_is_held(graded, hold))
    say(done.text())
    raise typer.Exit(1 if done.unmatched or done.held else 0)


def _is_held(graded: Path, hold: bool | None) -> bool:
    """Return whether undecided grades are held back; ask where the command line does not say, on a terminal."""
    from autograder.platforms.export import undecided

    if hold is not None:
        return hold
    waiting = undecided(graded)
    if not waiting or not sys.stdin.isatty():
        return True
    say(f"something is undecided for {join_names(waiting)} ({len(waiting)})")
    return typer.confirm("Hold these grades back?", default=True)


def return_(
    platform: Annotated[
        str,
        typer.Argument(
            help="moodle, canvas, brightspace, sakai, ilias or blackboard; mail makes a table to send pages."
        ),
    ],
    graded: Annotated[Path, typer.Argument(metavar="GRADES", help="The folder that `attend grade --out` filled.")],
    out: Annotated[
        Path | None, typer.Option(help="The file to write; default: into GRADES, as moodle-feedback.zip and so on.")
    ] = None,
    hold: Hold = None,
) -> None:
    """Give students their feedback pages back: a zip that their platform takes, or a table for a mail merge.

    Exit status: 0 every page is in it, 1 some are not or were held back, 2 wrong use.
    """
    from autograder.platforms.handing_back import form_of, hand_back

    form = form_of(platform.lower())
    done = hand_back(form, graded, out, hold=_is_held(graded, hold))
    say(done.text())
    raise typer.Exit(1 if done.left or done.held else 0)


def gradescope(
    file: Annotated[Path, typer.Argument(metavar="ZIP", help="Where the autograder goes, such as autograder.zip.")],
    names: Names = None,
) -> None:
    """Make an autograder for Gradescope, for the whole course or some chapters or exercises of it."""
    from autograder.platforms.gradescope.bundle import make

    say(make(named_course(), file, names or []))


def github(
    directory: Annotated[Path, typer.Argument(help="A folder that `attend release` made.")],
) -> None:
    """Put a workflow into a released course that checks every push to a student's repository on GitHub."""
    from autograder.platforms.github.workflow import put

    say(put(directory))
