"""What a student's installation needs; each problem comes with its remedy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder import __version__
from autograder.core.text import one_line
from autograder.course.course import Course
from autograder.course.needs import remedy

OLDEST = (3, 11)
NEEDED = ("torch", "numpy", "einops", "msgspec", "pytest", "rich", "typer", "watchfiles")
LOAD = "import torch; torch.ones(2) @ torch.ones(2); print(torch.__version__)"
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class SetupRow:
    """One line of `attend doctor`; `ok` is None if it is neither good nor bad."""

    name: str
    value: str
    ok: bool | None = None


def rows(course: Course, here: Path) -> Iterator[SetupRow]:
    """Yield a row for each part of a student's installation, as soon as it was examined.

    Args:
        here: the folder in which the command was run.
    """
    yield _python()
    yield from _packages()
    yield _torch()
    yield _shadows([here, course.exercises_dir])
    yield _folder(course)
    yield _notebooks()


def _python() -> SetupRow:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST:
        return SetupRow(
            "Python", f"{found} is too old; install 3.11 or newer, and make the environment anew with it", False
        )
    return SetupRow("Python", f"{found} ({sys.executable})", True)


def _packages() -> Iterator[SetupRow]:
    missing = [name for name in NEEDED if _version(name) is None]
    if missing:
        yield SetupRow("packages", f"{', '.join(missing)} not installed: {remedy()}", False)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _torch() -> SetupRow:
    """Load torch in another process, which may crash without harm; never a torch.py of the current folder."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", LOAD],
            cwd=sys.prefix,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return SetupRow(
            "torch", f"does not load within {PATIENCE_SECONDS} s; close other programs and try again", False
        )
    if done.returncode == 0:
        return SetupRow("torch", f"{done.stdout.strip()} loads", True)
    why = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), f"it ends with {done.returncode}")
    if _version("torch") is None:
        return SetupRow("torch", "does not load, as it is not installed", False)
    return SetupRow("torch", f"does not load: {why.strip()[:200]}; {remedy()}, with --force-reinstall", False)


def _shadows(folders: Iterable[Path]) -> SetupRow:
    """Find files such as random.py, which Python would import instead of its own module."""
    if found := _hiding(folders):
        what = ", ".join(map(str, found))
        one = "hides a module of the same name; rename it"
        many = "hide modules of the same names; rename them"
        return SetupRow("files", f"{what}: {one if len(found) == 1 else many}", False)
    return SetupRow("files", "none hides a module", True)


def _hiding(folders: Iterable[Path]) -> list[Path]:
    """Return files and packages that have the name of a module."""
    names = {*NEEDED, *sys.stdlib_module_names, "reference", "autograder"}
    return [
        path
        for folder in dict.fromkeys(folders)
        if folder.is_dir()
        for path in sorted(folder.iterdir())
        if path.stem in names and (path.suffix == ".py" or (path / "__init__.py").is_file())
        if not (folder / "attend.toml").is_file() or path.is_file()  # the course's own packages are folders
    ]


def _folder(course: Course) -> SetupRow:
    if not course.is_copy:
        return SetupRow("folder", f"{course.root} is the course itself; students work in a copy: attend start DIR")
    made = one_line(str(course.settings.get("version", "unknown")))
    if made != __version__:
        fix = "if this is newer, attend update brings the folder up to date, and leaves your answers"
        return SetupRow("folder", f"{course.root} was made by version {made}, this is {__version__}; {fix}", False)
    if missing := [stem for stem in course.chapters if not _has_chapter(course, stem)]:
        fix = "copy what is missing from .attend/stubs"
        return SetupRow("folder", f"{course.exercises_dir} lacks {', '.join(missing)}; {fix}", False)
    return SetupRow("folder", f"{course.root} is your working copy", True)


def _has_chapter(course: Course, stem: str) -> bool:
    return any((course.exercises_dir / f"{stem}{suffix}").is_file() for suffix in (".py", ".ipynb"))


def _notebooks() -> SetupRow:
    found = _version("jupyterlab")
    if found is None:
        return SetupRow("notebooks", f"JupyterLab is not installed; for notebooks: {remedy('notebook')}")
    return SetupRow("notebooks", f"JupyterLab {found}: attend lab", True)
