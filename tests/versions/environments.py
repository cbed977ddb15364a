"""The environments that the tests run in: each Python of this machine, with the newest torch, with the versions that
grading is reproduced with, and with the lowest ones that are promised."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

OLDEST, NEWEST = 11, 30  # minor versions of Python 3 that are looked for
EXTRAS = "instructor,notebook,nbgrader,dev"
PYENV = Path.home() / ".pyenv" / "versions"
PINNED, NEWEST_TORCH, LOWEST = "pinned", "newest", "lowest"


@dataclass(frozen=True)
class Environment:
    """One of them, in a folder of its own.

    Args:
        python: its version, such as 3.12.
        program: the interpreter that makes it.
        kind: which versions of other software it has.
        home: the folder of all environments.
    """

    python: str
    program: Path
    kind: str
    home: Path

    @property
    def name(self) -> str:
        return f"{self.python}-{self.kind}"

    @property
    def own_python(self) -> Path:
        return self.home / self.name / "bin" / "python"

    @property
    def leniency(self) -> list[str]:
        """Return pytest's options: old versions of libraries use what later ones have told to be deprecated."""
        return ["-W", "ignore::DeprecationWarning"] * (self.kind == LOWEST)

    def make(self, tree: Path) -> None:
        """Make it what the course in the folder `tree` asks for, if it is not.

        Raises:
            subprocess.CalledProcessError: pip found no such versions, and said so.
        """
        wanted, ready = "\n".join(constraints(tree, self.kind)), self.home / self.name / "ready"
        mark = sha256((wanted + (tree / "pyproject.toml").read_text("utf-8")).encode()).hexdigest()
        if ready.exists() and ready.read_text() == mark:
            return
        if not self.own_python.exists():
            subprocess.run([self.program, "-m", "venv", self.home / self.name], check=True)
        limits = self.home / f"{self.name}.txt"
        limits.write_text(wanted, encoding="utf-8")
        pip: list[str | Path] = [self.own_python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-c", limits, "--upgrade", "torch", "-e", f"{tree}[{EXTRAS}]"], check=True)
        ready.write_text(mark)

    def versions(self) -> dict[str, str]:
        """Return what is in it: Python in full, torch, numpy, pytest."""
        names = ("torch", "numpy", "pytest")
        ask = f"import platform, importlib.metadata as m; print(platform.python_version(), *map(m.version, {names}))"
        said = subprocess.run([self.own_python, "-c", ask], check=True, capture_output=True, text=True).stdout
        return dict(zip(("Python", *names), said.split(), strict=True))


def constraints(tree: Path, kind: str) -> list[str]:
    """Return the lines of a file of constraints."""
    pinned = (tree / "constraints.txt").read_text("utf-8").splitlines()
    if kind == PINNED:
        return pinned
    if kind == NEWEST_TORCH:
        return [line for line in pinned if not line.startswith("torch==")]
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    promised = project["dependencies"] + [
        each for extra in ("notebook", "nbgrader", "instructor") for each in project["optional-dependencies"][extra]
    ]
    return sorted({each.replace(">=", "==") for each in promised})


def environments(home: Path) -> list[Environment]:
    """Return those of this machine: the newest torch on each Python, and the other kinds on the oldest one."""
    found = list(_pythons())
    if not found:
        return []
    version, program = found[0]
    others = [Environment(version, program, kind, home) for kind in (PINNED, LOWEST)]
    return others + [Environment(version, program, NEWEST_TORCH, home) for version, program in found]


def _pythons() -> Iterator[tuple[str, Path]]:
    """Yield each minor version with an interpreter, which is on the PATH or one of pyenv's."""
    for minor in range(OLDEST, NEWEST):
        name = f"python3.{minor}"
        on_path = [Path(found)] if (found := shutil.which(name)) else []
        in_pyenv = sorted(PYENV.glob(f"3.{minor}.*/bin/{name}"), key=_by_numbers, reverse=True)
        if program := next(filter(_works, [*in_pyenv, *on_path]), None):
            yield f"3.{minor}", program


def _by_numbers(path: Path) -> list[int]:
    return [*map(int, re.findall(r"\d+", path.parts[-3]))]


def _works(program: Path) -> bool:
    """Return whether it runs, which what pyenv puts on the PATH may not do, and can make environments."""
    return subprocess.run([program, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0
