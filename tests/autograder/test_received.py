"""Nothing that a received folder holds runs before its owner runs a check, a training or a cell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager

from autograder.commands.cli import STUDENTS, app
from autograder.core.files import write
from autograder.course.course import Course
from autograder.student import install
from autograder.student.lab import Launch, kernel, launch, settings
from tests.autograder.received import Received, received
from tests.autograder.test_lab import PATIENCE, Running

ATTEND = Path(sys.executable).with_name("attend")
RUN = ("check", "watch", "show", "explain", "train", "sample", "ask")
"""Commands that run answers, checks or the course's own mistakes."""
AT_REST: Mapping[str, Sequence[str]] = {
    "start": ("start", "../other"),
    "warm": ("warm", "--stop"),
    "hint": ("hint", "double"),
    "solution": ("solution", "double", "--anyway"),
    "reset": ("reset", "double"),
    "sync": ("sync", "ch01", "--yes"),
    "list": ("list",),
    "doctor": ("doctor",),
    "lab": ("lab", "--show-config", "--allow-root"),
    "update": ("update",),  # last, as it brings other checks
}
MORE = [
    (),
    ("train",),
    ("sample",),
    ("list", "--core"),
    ("update", "--undo"),
    ("--help",),
    ("hint",),
    ("build",),
    ("grade", "."),
]
LISTED, CHANGED = "checks that are listed", "checks that have changed"


@pytest.fixture
def folder(tmp_path: Path) -> Received:
    return received(tmp_path / "mine", is_listed=True)


def attend(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """What comes of a command as a student types it in a folder."""
    return subprocess.run(
        [ATTEND, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_each_command_of_students_is_among_those_that_run_answers_or_those_tried_here() -> None:
    names = {each.__name__.strip("_") for each in STUDENTS} | {"doctor"}
    assert names == {*RUN, *AT_REST}
    assert names <= {str(each.name) for each in app.registered_commands}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Received]:
    """Two copies for commands that leave them nearly as they are."""
    places = {kind: tmp_path_factory.mktemp("shared") / "mine" for kind in (LISTED, CHANGED)}
    return {kind: received(place, is_listed=kind == LISTED) for kind, place in places.items()}


@pytest.mark.parametrize("kind", [LISTED, CHANGED])
@pytest.mark.parametrize("words", [*MORE, *AT_REST.values()], ids=" ".join)
def test_a_command_runs_nothing_of_the_folder(words: Sequence[str], kind: str, shared: Mapping[str, Received]) -> None:
    folder = shared[kind]
    done = attend(words, folder.root)
    assert folder.seen() == []
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr


def test_what_is_planted_runs_where_a_check_is_asked_for(folder: Received) -> None:
    attend(("check", "double"), folder.root)
    assert {"suite", "course"} <= {*folder.seen()}


def test_a_course_whose_code_may_be_run_loads_checks_that_have_changed(tmp_path: Path) -> None:
    folder = received(tmp_path / "mine", is_listed=False)
    assert Course(folder.root).checks
    assert folder.seen() == ["suite"]


def test_to_try_torch_in_the_folder_itself_would_run_the_one_there(folder: Received) -> None:
    subprocess.run([sys.executable, "-c", install.LOAD], cwd=folder.root, check=False)
    assert "torch.py" in folder.seen()


@pytest.fixture
def launched(folder: Received, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Launch:
    """JupyterLab as `attend lab` starts it, where the student's own settings are empty and PYTHONPATH is careless."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", str(Path(__file__).parents[2])]))
    place = tmp_path / "place"
    for path, text in settings(place).items():
        write(path, text)
    return launch(Course(folder.root, inert=True), place, ("--show-config", "--allow-root"))


def run(launched: Launch) -> None:
    """Let JupyterLab read its settings, and end."""
    subprocess.run(launched.command, cwd=launched.folder, env=launched.environment, capture_output=True, check=True)


def test_jupyterlab_takes_no_settings_from_the_copy(folder: Received, launched: Launch) -> None:
    run(launched)
    assert folder.seen() == []


@pytest.mark.parametrize(
    ("door", "mark"),
    [
        ("the current folder", "nbgrader_config.py"),
        ("modules of the current folder", "jupyterlab.py"),
        ("JUPYTER_CONFIG_PATH", ".attend/jupyter/jupyter_server_config.py"),
        ("PYTHONPATH", "sitecustomize.py"),
    ],
)
def test_with_one_door_open_it_does(folder: Received, launched: Launch, door: str, mark: str) -> None:
    opened = {
        "the current folder": replace(launched, folder=folder.root),
        "modules of the current folder": replace(
            launched, folder=folder.root, command=tuple(word for word in launched.command if word != "-P")
        ),
        "JUPYTER_CONFIG_PATH": _with(launched, "JUPYTER_CONFIG_PATH", str(folder.root / ".attend" / "jupyter")),
        "PYTHONPATH": replace(_with(launched, "PYTHONPATH", f"{os.pathsep}/nowhere"), folder=folder.root),
    }
    run(opened[door])
    assert mark in folder.seen()


def _with(launched: Launch, name: str, value: str) -> Launch:
    return replace(launched, environment={**launched.environment, name: value})


def test_its_kernel_is_this_python_unless_the_copy_is_searched(
    folder: Received, launched: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_PATH", launched.environment["JUPYTER_PATH"])
    assert KernelSpecManager().get_kernel_spec("python3").argv[0] == sys.executable
    monkeypatch.setenv("JUPYTER_PATH", str(folder.root / ".attend" / "jupyter"))
    assert KernelSpecManager().get_kernel_spec("python3").argv[0] == "/bin/sh"


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_kernel_begins_without_the_modules_beside_the_notebook(
    folder: Received, launched: Launch, is_ours: bool
) -> None:
    program, *options = kernel()["argv"]
    command = [program, *(word for word in options if word not in ("-f", "{connection_file}"))]
    if not is_ours:
        command = [word for word in command if word != "-P"]
    exercises = folder.root / "exercises"
    done = replace(launched, folder=exercises, command=(*command, "--show-config"))
    run(done)
    assert folder.seen() == ([] if is_ours else ["exercises/ipykernel_launcher.py"])


@pytest.fixture
def running(folder: Received, tmp_path: Path) -> Iterator[Running]:
    (tmp_path / "home").mkdir()
    lab = Running(folder.root, tmp_path / "home")
    yield lab
    lab.close()


def test_in_a_notebook_the_students_own_modules_can_be_imported_from_the_first_cell_on(
    folder: Received, running: Running, tmp_path: Path
) -> None:
    running.wait()
    path = "exercises/ch01_toy.ipynb"
    asked = {"name": "ch01_toy.ipynb", "path": path, "type": "notebook", "kernel": {"name": "python3"}}
    running.get("/api/sessions", json.dumps(asked).encode())
    client = BlockingKernelClient(connection_file=str(next((tmp_path / "home").rglob("kernel-*.json"))))
    client.load_connection_file()
    client.start_channels()
    try:
        client.kernel_info(reply=True, timeout=PATIENCE)
        client.complete("import pla", reply=True)
        client.inspect("print", reply=True)
        client.execute_interactive("import planted", silent=True)
        assert folder.seen() == []
        client.execute_interactive("import planted")
        assert folder.seen() == ["exercises/planted.py"]
    finally:
        client.stop_channels()
        assert running.interrupt() == 0, running.log.read_text()
