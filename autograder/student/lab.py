"""`attend lab`: JupyterLab on a working copy, with this environment's Python as its kernel.

Nothing in the copy configures Jupyter, and nothing in it runs before the student runs a cell.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.core.reading import text
from autograder.course.course import Course
from autograder.course.folders import course_around
from autograder.course.needs import remedy
from autograder.intake.submissions import read_folder
from autograder.source.stub import defines, is_stub_answer
from autograder.student.misnamed_files import misnamed_files

ROOT = "--allow-root"
NOT_HERE = "-P"
"""Keeps the current folder out of the places where Python looks for modules."""
OWN_MODULES = "autograder.student.notebook.import_path"
# The question about news, and a second way besides `attend sync` to pair a .py with its notebook.
DISABLED = {"@jupyterlab/apputils-extension:announcements": True, "jupyterlab-jupytext": True}


@dataclass(frozen=True)
class Launch:
    """The folder, command and environment to start JupyterLab with."""

    folder: Path
    command: tuple[str, ...]
    environment: Mapping[str, str]


def lab(arguments: Sequence[str]) -> int:
    """Run JupyterLab until it ends, and return its exit status.

    Args:
        arguments: the working copy (default: the one around this folder), then options for `jupyter lab`.

    Raises:
        UsageError: there is no working copy, JupyterLab is not installed, or this is root.
    """
    given = bool(arguments) and not arguments[0].startswith("-")
    course = working_copy(Path(arguments[0]) if given else Path.cwd())
    if importlib.util.find_spec("jupyterlab") is None:
        raise UsageError(f"this command needs jupyterlab: {remedy('notebook')}")
    options = arguments[1:] if given else arguments
    if _is_root() and ROOT not in options:
        raise UsageError(f"JupyterLab refuses to run as root; use an account of your own, or: attend lab DIR {ROOT}")
    for each in misnamed_files(course):
        print(f"note: {each}", file=sys.stderr)
    with TemporaryDirectory(prefix="attend-lab-") as place:
        for path, text in settings(Path(place)).items():
            files.write(path, text)
        return run(launch(course, Path(place), options))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def working_copy(folder: Path) -> Course:
    """Return the working copy around `folder`.

    Raises:
        UsageError: there is none.
    """
    here = folder.expanduser().resolve()
    course = course_around(here)
    if course is None:
        raise UsageError(f"{here} is no working copy; `attend start DIR` makes one, then `attend lab DIR` opens it")
    if not course.is_copy:
        raise UsageError(
            f"{course.root} is the course itself; `attend start DIR` makes your own copy, then `attend lab DIR`"
        )
    return replace(course, inert=True)


def settings(place: Path) -> dict[Path, str]:
    """Return the files in `place` that configure JupyterLab: the kernel, and the extensions that are off."""
    contents = {
        Path("kernels", "python3", "kernel.json"): kernel(),
        Path("labconfig", "page_config.json"): {"disabledExtensions": DISABLED},
        Path("jupyter_server_config.d", "attend.json"): {
            "ServerApp": {"jpserver_extensions": {"jupyterlab_jupytext": False}}
        },
    }
    return {place / name: json.dumps(content, indent=2) + "\n" for name, content in contents.items()}


def kernel() -> dict[str, Any]:
    """Return the kernel, which looks for modules beside the notebook only once a cell was run."""
    from ipykernel.kernelspec import get_kernel_dict

    found = get_kernel_dict(
        ["--InteractiveShellApp.ignore_cwd=True", f"--InteractiveShellApp.extra_extensions={OWN_MODULES}"]
    )
    program, *words = found["argv"]
    return {**found, "argv": [program, NOT_HERE, *words]}


def launch(course: Course, place: Path, options: Sequence[str]) -> Launch:
    """Return how to start JupyterLab at the first chapter with an open exercise; `options` come last and win.

    Args:
        place: the folder of the settings. JupyterLab runs in it, as it may look for programs where it runs.
    """
    opened = "/".join(("/lab/tree", *_first_open(course).relative_to(course.root).parts))
    chosen = (f"--ServerApp.root_dir={course.root}", f"--LabApp.default_url={opened}", "--ServerApp.answer_yes=True")
    first = {"JUPYTER_PATH": str(place), "JUPYTER_CONFIG_PATH": str(place), "PATH": str(Path(sys.executable).parent)}
    ahead = {name: os.pathsep.join((path, *_elsewhere(name))) for name, path in first.items()}
    ahead |= {"PYTHONPATH": os.pathsep.join(_elsewhere("PYTHONPATH"))}
    return Launch(place, (sys.executable, NOT_HERE, "-m", "jupyterlab", *chosen, *options), os.environ | ahead)


def _elsewhere(variable: str) -> list[str]:
    """Return the folders that an environment variable lists, but none that depends on the current one."""
    return [path for path in os.environ.get(variable, "").split(os.pathsep) if Path(path).is_absolute()]


def _first_open(course: Course) -> Path:
    """Return the notebook of the first chapter with an exercise that neither form answers; else the folder."""
    for chapter in course.chapters:
        notebook = course.exercises_dir / f"{chapter}.ipynb"
        if notebook.is_file() and not _is_answered(course, chapter):
            return notebook
    return course.exercises_dir


def _is_answered(course: Course, chapter: str) -> bool:
    read = read_folder(course.exercises_dir, replace(course, only=(chapter,))).chapters.get(chapter)
    stub = course.stub(chapter)
    pristine = text(stub) if stub.is_file() else ""
    return read is not None and all(
        defines(read.text, each.name) and not is_stub_answer(read.text, pristine, each.name)
        for each in course.of(chapter)
    )


def run(launched: Launch) -> int:
    """Run JupyterLab and return its exit status. Ctrl-C reaches it directly; SIGTERM is passed on."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    process = subprocess.Popen(launched.command, cwd=launched.folder, env=launched.environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        status = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return status if status >= 0 else 128 - status
