"""A working copy as someone hands it on: whatever is loaded of it leaves a mark."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from autograder.core.files import write
from autograder.course import check_list
from autograder.course.course import Course
from autograder.student.start import start
from tests.autograder.conftest import TOY

NAMES = (
    *("torch", "numpy", "einops", "pytest", "rich", "typer", "watchfiles", "msgspec", "safetensors"),
    *("json", "random", "re", "pathlib", "argparse", "logging", "socket", "tempfile", "zlib", "secrets", "pdb"),
    *("jupyterlab", "jupyter_server", "jupyter_core", "jupyter_lsp", "jupytext", "nbformat", "notebook", "traitlets"),
    *("IPython", "ipykernel", "ipykernel_launcher", "jedi", "debugpy", "ipywidgets", "matplotlib", "nbgrader"),
    *("sitecustomize", "usercustomize", "conftest", "setup", "planted"),
)
"""Modules: of Python's own, of packages, and such as Python and pytest look for."""
SETTINGS = (
    *("ipython_config.py", "ipython_kernel_config.py", "jupyter_config.py", "jupyter_server_config.py"),
    *(
        "jupyter_lab_config.py",
        "jupyter_notebook_config.py",
        ".jupytext.py",
        "jupytext_config.py",
        "nbgrader_config.py",
    ),
)
"""Files that Jupyter, IPython, jupytext or nbgrader run, in some folders."""
PLACES = (
    *(".", "exercises", "tests", "tests/exercises", ".jupyter", ".ipython/profile_default"),
    *("profile_default", "etc/jupyter", "share/jupyter", ".attend", ".attend/jupyter", ".venv/etc/jupyter"),
    *(".local/etc/jupyter", ".attend/jupyter/jupyter_server_config.d"),
)
PYTEST = "-p planted"


@dataclass(frozen=True)
class Received:
    """A working copy at `root`, and the folder of the marks that its files leave when they are run."""

    root: Path
    marks: Path

    def seen(self) -> list[str]:
        """The files of the copy that were run since this was asked last."""
        found = sorted(self.marks.iterdir())
        for path in found:
            path.unlink()
        return [path.name.replace(":", "/") for path in found]


def received(root: Path, *, is_listed: bool) -> Received:
    """Make a working copy in which everything that anything might run leaves a mark, as does the course that it names.

    Args:
        is_listed: whether the list of its checks is that of its suite.
    """
    brought = Course(Path(shutil.copytree(TOY, root.with_name(f"{root.name}-course"))))
    copy = start(brought, root)
    marks = root.with_name(f"{root.name}-marks")
    marks.mkdir()
    for place in PLACES:
        for name in (*(f"{each}.py" for each in NAMES), *SETTINGS, "startup/00-first.py"):
            _plant(copy.root / place / name, copy.root, marks)
        _plant_settings(copy.root / place, marks)
    for path in (brought.root / "reference").rglob("*.py"):
        write(path, path.read_text(encoding="utf-8") + "\n" + marking("course", marks))
    course = Course(copy.root)
    (stem,) = course.chapters
    checks = {stem: course.checks[stem]}
    text = marking("suite", marks) + course.suite(stem).read_text(encoding="utf-8")
    write(course.suite(stem), text)
    if is_listed:
        write(course.table(check_list.NAME), check_list.table_of({stem: text}, checks))
    return Received(copy.root, marks)


def marking(name: str, marks: Path) -> str:
    """A line of Python that leaves a mark."""
    return f"__import__('os').open({str(marks / name)!r}, 0o101)\n"


def _plant(path: Path, root: Path, marks: Path) -> None:
    write(path, marking(path.relative_to(root).as_posix().replace("/", ":"), marks))


def _plant_settings(place: Path, marks: Path) -> None:
    """Settings of Jupyter, pytest, git and a shell that name what was planted."""
    server = {"ServerApp": {"jpserver_extensions": {"planted": True}}}
    kernel = {"IPKernelApp": {"exec_lines": [marking("exec_lines", marks)]}}
    write(place / "jupyter_server_config.json", json.dumps(server))
    write(place / "jupyter_config.json", json.dumps(server))
    write(place / "jupyter_server_config.d" / "planted.json", json.dumps(server))
    write(place / "ipython_config.json", json.dumps(kernel))
    for name in ("python3", "other"):
        argv = ["/bin/sh", "-c", f"touch {marks / 'kernel'}"]
        spec = {"argv": argv, "display_name": "Python 3 (ipykernel)", "language": "python"}
        write(place / "kernels" / name / "kernel.json", json.dumps(spec))
    write(place / "labextensions" / "planted" / "package.json", json.dumps({"name": "planted", "jupyterlab": {}}))
    write(place / "labconfig" / "page_config.json", json.dumps({"planted": True}))
    write(place / "pytest.ini", f"[pytest]\naddopts = {PYTEST}\n")
    write(place / "tox.ini", f"[pytest]\naddopts = {PYTEST}\n")
    write(place / "setup.cfg", f"[tool:pytest]\naddopts = {PYTEST}\n")
    write(place / "pyproject.toml", f'[tool.pytest.ini_options]\naddopts = "{PYTEST}"\n')
    write(place / ".env", f"PYTHONPATH={place}\nPYTHONSTARTUP={place / 'planted.py'}\n")
    write(place / "planted.pth", f"import os; {marking('pth', marks)}")
    write(place / ".git" / "config", f"[core]\n\tfsmonitor = touch {marks / 'git'}\n")
    hook = place / ".git" / "hooks" / "post-checkout"
    write(hook, f"#!/bin/sh\ntouch {marks / 'hook'}\n")
    hook.chmod(0o755)
