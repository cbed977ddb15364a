"""Start a template: inside bubblewrap where it is available, else as a plain process.

Inside, the file system holds only the interpreter, the packages it needs, this engine and `reference/blocks`, all
read-only.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import msgspec

import autograder
from autograder.core.errors import SandboxError
from autograder.sandbox import control
from autograder.sandbox.control import ENVIRONMENT, MATPLOTLIB, Setup, Walls

START_SECONDS: Final = 120.0
_LAST_SECONDS: Final = 5.0  # for a process that has hung up to end
_MORE_TRIES: Final = 2  # for a process that ends before it is ready, as someone may have killed it
NEEDED: Final = ("torch", "numpy", "einops", "msgspec")
SECRET_FOLDERS: Final = ("reference", "solutions", "exercises", "tests")
# The parts of an installation that programs need; in /usr/local or a conda base, private files may lie beside them.
_PARTS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share", "pyvenv.cfg")
_SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
_INSTALLED: Final = ("/usr", "/usr/local")
_DEVICES: Final = ("/dev/null", "/dev/urandom")


@dataclass(frozen=True)
class RunningTemplate:
    """A template that is ready: its process, its socket, the walls of its workers.

    `outer` is "bwrap" or "none"; `reason` says why it is "none".
    """

    process: subprocess.Popen[bytes]
    socket: socket.socket
    walls: Walls
    outer: str
    reason: str


class Loading:
    """The process of a template that loads, which takes seconds.

    Workers do not see files and folders in `private`. The calling thread must outlive the template: bubblewrap ends
    with the thread that started it.

    Raises:
        SandboxError: this system cannot fork.
    """

    def __init__(self, course: Path, *, walled: bool = True, private: Sequence[Path] = ()) -> None:
        if not hasattr(os, "fork"):
            raise SandboxError(
                f"grading does not run on {platform.system()}, which has no walls for untrusted code: "
                "use WSL (`wsl --install`), or a Linux machine"
            )
        hidden = secrets(course, private)
        self._setup = setup_for(course, hidden, walled=walled)
        self._outer, self._reason = "none", "the sandbox is switched off"
        self._command = plain_command()
        if walled:
            program = shutil.which("bwrap") if sys.platform == "linux" else None
            self._outer, self._reason = ("bwrap", "") if program else ("none", "bwrap is not installed")
            self._command = [*(bubblewrap(program, hidden, self._setup) if program else []), *self._command]
        self._started = _Started(self._command)

    def template(self) -> RunningTemplate:
        """Wait until it is ready, and return it. What fails is tried again before bubblewrap is given up.

        Raises:
            SandboxError: it does not start even without bubblewrap.
        """
        try:
            return self._template()
        except SandboxError as error:
            if self._outer == "none":
                raise
            self._outer, self._reason = "none", str(error)
            self._command = plain_command()
            self._started = _Started(self._command)
            return self._template()

    def end(self) -> None:
        """End the process, if it has not ended."""
        self._started.end()

    def _template(self) -> RunningTemplate:
        walls = self._agreed()
        return RunningTemplate(self._started.process, self._started.socket, walls, self._outer, self._reason)

    def _agreed(self) -> Walls:
        for _ in range(_MORE_TRIES):
            with contextlib.suppress(SandboxError):
                return self._started.agree(self._setup)
            self._started = _Started(self._command)
        return self._started.agree(self._setup)


def start(course: Path, *, walled: bool = True, private: Sequence[Path] = ()) -> RunningTemplate:
    """Start a template for the course rooted at `course`, and wait until it is ready; as for `Loading`.

    Raises:
        SandboxError: it does not start even without bubblewrap, or this system cannot fork.
    """
    return Loading(course, walled=walled, private=private).template()


def setup_for(course: Path, hidden: tuple[Path, ...], *, walled: bool) -> Setup:
    """Return the files that workers of `course` may see."""
    places = dict.fromkeys(path.resolve() for path in (*map(Path, _DEVICES), *visible()))
    granted = [_grant(path, hidden) for path in places]
    blocks = course / "reference" / "blocks"
    own = [str(blocks)] if blocks.is_dir() else []
    root = package_folder().parent
    return Setup(
        walled=walled,
        readable=(*(str(path) for paths, _ in granted for path in paths), *own),
        listable=tuple(str(path) for _, paths in granted for path in paths),
        hidden_path=() if root in _package_roots() else (str(root),),
        blocks=own[0] if own else None,
    )


def visible() -> tuple[Path, ...]:
    """Return the existing files and folders that Python, torch and this engine need, none inside another."""
    installed = (Path(prefix, part) for prefix in (*_INSTALLED, sys.base_prefix, sys.prefix) for part in _PARTS)
    wanted = [*map(Path, _SYSTEM), *installed, *_package_roots(), package_folder()]
    wanted += [path.resolve() for path in wanted]
    kept: list[Path] = []
    for path in sorted(set(wanted), key=lambda path: len(path.parts)):
        if os.path.exists(path) and path != Path("/") and not any(path.is_relative_to(folder) for folder in kept):
            kept.append(path)
    return tuple(kept)


def secrets(course: Path, private: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Return what workers must not see: `private`, and folders of `course` and of the installed course."""
    roots = dict.fromkeys((course.resolve(), package_folder().parent))
    folders = [root / name for root in roots for name in SECRET_FOLDERS]
    return tuple(path for path in dict.fromkeys((*folders, *(path.resolve() for path in private))) if path.exists())


def package_folder() -> Path:
    return Path(autograder.__file__).resolve().parent


def plain_command() -> list[str]:
    """Return the command of the template, without its last argument, the number of its socket."""
    return [sys.executable, "-s", "-P", "-B", "-m", "autograder.sandbox.template"]


def bubblewrap(program: str, hidden: Sequence[Path], setup: Setup) -> list[str]:
    """Return the command of the outer wall: new namespaces, and nothing to write to but an empty /tmp."""
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--hostname", "attend", "--proc", "/proc", "--dev", "/dev"]
    command += ["--tmpfs", "/tmp", "--chdir", "/tmp", "--dir", MATPLOTLIB]
    for path in visible():
        command += _bind(path)
    for path in hidden:
        if any(path.is_relative_to(folder) for folder in visible()):
            covered = ["--tmpfs", str(path), "--remount-ro"] if path.is_dir() else ["--ro-bind", os.devnull]
            command += [*covered, str(path)]
    if setup.blocks is not None:
        command += ["--ro-bind", setup.blocks, setup.blocks]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--clearenv"]
    for name, value in environment().items():
        command += ["--setenv", name, value]
    return [*command, "--"]


def environment() -> dict[str, str]:
    """Return a template's whole environment; it drops PYTHONPATH after its imports."""
    roots = dict.fromkeys([package_folder().parent, *_package_roots()])
    return {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(map(str, roots))}


def _bind(path: Path) -> list[str]:
    if path.is_symlink():  # its target is bound too
        return ["--symlink", os.readlink(path), str(path)]
    return ["--ro-bind", str(path), str(path)]


def _package_roots() -> tuple[Path, ...]:
    """Return the folders of the packages that a template imports."""
    specs = [importlib.util.find_spec(name) for name in NEEDED]
    origins = [Path(spec.origin) for spec in specs if spec is not None and spec.origin is not None]
    return tuple(dict.fromkeys(p.parent.parent if p.name == "__init__.py" else p.parent for p in origins))


def _grant(path: Path, secret: tuple[Path, ...]) -> tuple[list[Path], list[Path]]:
    """Return the paths to make readable and listable for access to all of `path` but `secret`.

    Landlock can only grant, so a folder around a secret is granted entry by entry.
    """
    if path in secret:
        return [], []
    if not any(folder.is_relative_to(path) for folder in secret):
        return [path], []
    parts = [_grant(child, secret) for child in sorted(path.iterdir())]
    return [p for readable, _ in parts for p in readable], [path, *(p for _, names in parts for p in names)]


class _Started:
    """A process of a template, its log, and our end of its socket."""

    def __init__(self, command: list[str]) -> None:
        self.socket, theirs = socket.socketpair()
        self._name = command[0]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # closed by `agree` or `end`
        with theirs:
            self.process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                start_new_session=True,
            )

    def agree(self, setup: Setup) -> Walls:
        """Tell the process its setup, and return its walls once it is ready."""
        try:
            self.socket.settimeout(START_SECONDS)
            control.send(self.socket, setup)
            walls = msgspec.json.decode(control.receive(self.socket), type=Walls)
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            raise SandboxError(f"the sandbox does not start: {self._how_it_failed(error)}") from error
        self._log.close()
        return walls

    def _how_it_failed(self, error: Exception) -> str:
        """End the process, and return its last line and how it had ended, or `error` if it had not."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_LAST_SECONDS if isinstance(error, (ConnectionError, EOFError)) else 0)
        status, line = self.process.returncode, _last_line(self._log)
        self.end()
        if status is None:
            return line or str(error)
        how = f"exit status {status}" if status >= 0 else f"signal {-status}"
        return f"{Path(self._name).name} ended with {how}" + (f": {line}" if line else "")

    def end(self) -> None:
        self._log.close()
        self.socket.close()
        self.process.kill()
        self.process.wait()


def _last_line(log: IO[bytes]) -> str:
    log.seek(0)
    lines: Iterator[str] = (line.strip() for line in log.read().decode("utf-8", "replace").splitlines())
    return next((line for line in reversed(list(lines)) if line), "")
