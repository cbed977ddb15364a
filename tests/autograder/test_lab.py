"""`attend lab`: JupyterLab with this environment's Python, on the copy, at the chapter that comes next."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import psutil
import pytest
from jupyter_client.kernelspec import KernelSpecManager

from autograder.author.build import build
from autograder.author.new import new
from autograder.core.errors import UsageError
from autograder.core.files import write
from autograder.course.course import Course
from autograder.student import lab as module
from autograder.student.lab import lab, launch, run, settings, working_copy
from autograder.student.start import start
from tests.autograder.processes import soon

TOY = Path(__file__).parent / "toy"
SOLUTION = (TOY / "solutions" / "ch01_toy.py").read_text(encoding="utf-8")
PATIENCE = 600
PLACE = Path(os.sep, "settings")
ELSEWHERE = {"argv": ["/nowhere/python", "{connection_file}"], "display_name": "Mine", "language": "python"}


@pytest.fixture
def copy(tmp_path: Path) -> Course:
    return Course(start(Course(TOY), tmp_path / "mine").root)


def with_a_kernel_of_ones_own(folder: Path) -> Path:
    """A folder of Jupyter data in which python3 is another Python."""
    write(folder / "kernels" / "python3" / "kernel.json", json.dumps(ELSEWHERE))
    return folder


def opened(course: Course) -> str:
    """What JupyterLab shows first."""
    key = "--LabApp.default_url="
    return next(each.removeprefix(key) for each in launch(course, PLACE, ()).command if each.startswith(key))


def test_the_command_runs_this_python_in_the_copy_and_what_the_student_adds_comes_last(copy: Course) -> None:
    launched = launch(copy, PLACE, ("--no-browser", "--port=9000"))
    assert launched.command[:4] == (sys.executable, "-P", "-m", "jupyterlab")
    assert f"--ServerApp.root_dir={copy.root}" in launched.command
    assert launched.command[-2:] == ("--no-browser", "--port=9000")


def test_attend_is_at_hand_in_terminals_and_cells(copy: Course) -> None:
    place = launch(copy, PLACE, ()).environment["PATH"].split(os.pathsep)[0]
    assert shutil.which("attend", path=place)


def test_the_kernel_is_this_python_though_the_student_has_another_python3(
    copy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_PATH", str(with_a_kernel_of_ones_own(tmp_path / "data")))
    assert KernelSpecManager().get_kernel_spec("python3").argv[0] == "/nowhere/python"
    for path, text in settings(tmp_path).items():
        write(path, text)
    monkeypatch.setenv("JUPYTER_PATH", launch(copy, tmp_path, ()).environment["JUPYTER_PATH"])
    assert KernelSpecManager().get_kernel_spec("python3").argv[0] == sys.executable


def test_it_opens_the_first_chapter_with_an_open_exercise(tmp_path: Path) -> None:
    course = Course(Path(shutil.copytree(TOY, tmp_path / "toy")))
    new(course, "ch02_more")
    build(Course(course.root))
    copy = Course(start(Course(course.root), tmp_path / "mine").root)
    assert opened(copy) == "/lab/tree/exercises/ch01_toy.ipynb"
    (copy.exercises_dir / "ch01_toy.py").write_text(SOLUTION, encoding="utf-8")
    assert opened(copy) == "/lab/tree/exercises/ch02_more.ipynb"


def test_where_everything_is_answered_or_the_notebook_is_gone_it_opens_the_folder(copy: Course) -> None:
    (copy.exercises_dir / "ch01_toy.ipynb").unlink()
    assert opened(copy) == "/lab/tree/exercises"
    start(Course(TOY), copy.root)
    assert opened(copy) == "/lab/tree/exercises/ch01_toy.ipynb"
    (copy.exercises_dir / "ch01_toy.py").write_text(SOLUTION, encoding="utf-8")
    assert opened(copy) == "/lab/tree/exercises"


def test_the_copy_is_found_from_any_folder_in_it(copy: Course) -> None:
    assert working_copy(copy.exercises_dir).root == copy.root


def test_elsewhere_it_says_how_to_get_a_copy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no working copy; `attend start DIR` makes one, then `attend lab DIR`"):
        lab([str(tmp_path)])
    with pytest.raises(UsageError, match=r"is the course itself; `attend start DIR` makes your own copy"):
        lab([str(TOY), "--no-browser"])


def test_options_need_no_folder_before_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"{tmp_path} is no working copy"):
        lab(["--no-browser"])


def test_without_jupyterlab_it_says_what_to_install(copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r'needs jupyterlab: pip install .*"\.\[notebook\]"'):
        lab([str(copy.root)])


def test_root_is_told_what_to_do(copy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(module, "run", lambda _: 7)
    with pytest.raises(UsageError, match=r"refuses to run as root; use an account of your own, or: .* --allow-root"):
        lab([str(copy.root)])
    assert lab([str(copy.root), "--allow-root"]) == 7


@pytest.mark.parametrize(
    ("code", "status"), [("import sys; sys.exit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137)]
)
def test_the_exit_status_is_handed_on(copy: Course, code: str, status: int) -> None:
    assert run(module.Launch(copy.root, (sys.executable, "-c", code), os.environ)) == status


class Running:
    """`attend lab` in a terminal of its own, without a browser."""

    def __init__(self, copy: Path, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        port = self.url.rpartition(":")[2]
        options = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=toy"]
        places = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
        environment = os.environ | {name: str(home / name.lower()) for name in places}
        environment |= {"JUPYTER_PATH": str(with_a_kernel_of_ones_own(home / "data")), "OMP_NUM_THREADS": "1"}
        environment |= {"PYTHONPATH": str(Path(__file__).parents[2])}
        self._terminal, inside = pty.openpty()  # without one, Jupyter takes Ctrl-C for no question
        self.log = home / "log"
        with self.log.open("wb") as log:
            self.process = psutil.Popen(
                [sys.executable, "-m", "autograder", "lab", str(copy), "--", *options],
                env=environment,
                stdin=inside,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        os.close(inside)

    def get(self, path: str, data: bytes | None = None) -> tuple[str, str]:
        """The address where a request ended, and what was answered."""
        request = Request(self.url + path, data, {"Authorization": "token toy"})
        with urlopen(request, timeout=PATIENCE) as answer:
            return answer.url, answer.read().decode()

    def wait(self) -> None:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and self.process.is_running():
            try:
                self.get("/api/status")
                return
            except URLError:
                time.sleep(0.2)
        pytest.fail(self.log.read_text())

    def interrupt(self) -> int:
        """As Ctrl-C does: all that runs in the terminal is asked to stop."""
        os.killpg(self.process.pid, signal.SIGINT)
        return int(self.process.wait(PATIENCE))

    def close(self) -> None:
        os.close(self._terminal)
        if self.process.is_running():
            for each in [*self.process.children(recursive=True), self.process]:
                with suppress(psutil.NoSuchProcess):
                    each.kill()
            self.process.wait(PATIENCE)  # or a later test is blamed for what is still running


@pytest.fixture
def running(copy: Course, tmp_path: Path) -> Iterator[Running]:
    (tmp_path / "home").mkdir()
    lab = Running(copy.root, tmp_path / "home")
    yield lab
    lab.close()


def command(process: psutil.Process) -> str:
    """What a process runs; "" of one that has ended."""
    with suppress(psutil.NoSuchProcess):  # a zombie is one as well
        return " ".join(process.cmdline())
    return ""


def test_a_real_one_starts_as_promised_and_ctrl_c_leaves_nothing_behind(running: Running) -> None:
    running.wait()
    assert running.get("/")[0] == f"{running.url}/lab/tree/exercises/ch01_toy.ipynb"
    spec = json.loads(running.get("/api/kernelspecs")[1])["kernelspecs"]["python3"]["spec"]
    assert spec["argv"][0] == sys.executable
    page = running.get("/lab")[1].partition('id="jupyter-config-data"')[2].partition(">")[2].partition("</script>")[0]
    told = json.loads(page)
    assert "@jupyterlab/apputils-extension:announcements" in told["disabledExtensions"]
    assert told["serverRoot"].endswith("mine")
    json.loads(running.get("/api/kernels", b'{"name": "python3"}')[1])
    assert soon(lambda: any("ipykernel_launcher" in command(each) for each in running.process.children(recursive=True)))
    started = running.process.children(recursive=True)
    assert running.interrupt() == 0, running.log.read_text()
    _, left = psutil.wait_procs(started, timeout=PATIENCE)
    assert left == []
