"""The sandbox of this machine, found by trying forbidden acts."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from autograder.calls.records import Call
from autograder.core.errors import SandboxError, UsageError
from autograder.core.submission import ChapterSource, Submission
from autograder.sandbox import probe
from autograder.sandbox.control import ENVIRONMENT
from autograder.sandbox.handles import Template
from autograder.sandbox.launch import RunningTemplate
from autograder.sandbox.limits import Limits
from autograder.sandbox.target import SandboxTarget

LEVELS: Final = ("auto", "required", "off")
TierName = Literal["full", "partial", "off"]
_MEMORY: Final = 256 << 20
_REMEDY: Final = "Install what is missing: apt install bubblewrap libseccomp2"
_REPAIR: Final = "bubblewrap is there and puts up no wall: let it make namespaces, or run where it may"
_OF_BUBBLEWRAP: Final = "see sizes and times of files of the system or of people"  # the act that it alone refuses
_CHAPTER: Final = "ch00_probe"


@dataclass(frozen=True)
class Act:
    """A forbidden act, whether it was refused, and the outcome of the attempt."""

    name: str
    refused: bool
    detail: str


@dataclass(frozen=True)
class Tier:
    """The strength of a sandbox: "full" if it has bubblewrap and refuses every act, "off" if it is switched off."""

    name: TierName
    acts: tuple[Act, ...] = ()

    @property
    def open(self) -> tuple[str, ...]:
        """Return the acts that were not refused."""
        return tuple(act.name for act in self.acts if not act.refused)


@dataclass(frozen=True)
class Finding:
    """One line of `attend doctor`; `ok` is None where it is neither good nor bad."""

    name: str
    value: str
    ok: bool | None = None


def prepare(
    level: str, course: Path, started: RunningTemplate | None = None, private: Sequence[Path] = ()
) -> tuple[Template, Tier]:
    """Return a template for `course` with the sandbox that `level` asks for, and its tier.

    Args:
        level: "auto" takes any tier, "required" only the full one, "off" has no walls.
        started: the template's process, if it runs already.
        private: as for `Template`.

    Raises:
        UsageError: there is no such level.
        SandboxError: this system has no sandbox, or less than "required" asks for.
    """
    if level not in LEVELS:
        raise UsageError(f"there is no sandbox level '{level}'; choose {', '.join(LEVELS)}")
    template = Template(course, walled=level != "off", started=started, private=private)
    try:
        return template, require(level, template)
    except BaseException:
        template.close()
        raise


def require(level: str, template: Template) -> Tier:
    """Return the tier of `template`.

    Raises:
        SandboxError: `level` is "required", and some act is not refused.
    """
    if level == "off":
        return Tier("off")
    tier = examine(template)
    if level == "required" and tier.name != "full":
        raise SandboxError(
            f"the full sandbox was asked for, and this one is {verdict(tier, template.started.reason)}; "
            "or grade with `--sandbox auto`, if this is enough"
        )
    return tier


def examine(template: Template) -> Tier:
    """Return the tier of `template`, found by a worker that tries every forbidden act."""
    source = Path(probe.__file__).read_text(encoding="utf-8")
    submission = Submission("probe", {_CHAPTER: ChapterSource(_CHAPTER, source, "probe.py")})
    limits = Limits(call_seconds=30.0, memory_bytes=_MEMORY)
    with (
        decoys(template.course, template.started.process.pid) as wanted,
        SandboxTarget(template, submission, limits) as target,
    ):
        outcomes = target.observe(_CHAPTER, Call("attempt", (wanted,))).result
    if not isinstance(outcomes, Mapping):
        raise SandboxError(f"the sandbox's self-test gives no answer ({outcomes}); run `attend doctor`")
    acts = tuple(_act(name, str(outcomes.get(name, "done: no answer"))) for name in probe.ACTS)
    whole = template.started.outer == "bwrap" and all(act.refused for act in acts)
    return Tier("full" if whole else "partial", acts)


def verdict(tier: Tier, reason: str) -> str:
    """Return a sentence on `tier`; `reason` says why there is no outer wall."""
    if tier.name == "off":
        return "off: a submission can read, write and send whatever you can"
    if tier.name == "full":
        return f"full: all {len(tier.acts)} forbidden acts are refused"
    if sys.platform != "linux":
        return f"{tier.name}: on {platform.system()} there are resource limits, and no walls"
    why = f" ({reason})" if reason else ""
    is_in_vain = shutil.which("bwrap") is not None and (bool(reason) or _OF_BUBBLEWRAP in tier.open)
    advice = _REPAIR if is_in_vain else _REMEDY
    return f"{tier.name}{why}: a submission could {', '.join(tier.open)}. {advice}"


def findings(course: Path) -> list[Finding]:
    """Return the lines of `attend doctor`, the sandbox's tier last."""
    found = [_bubblewrap()]
    try:
        template, tier = prepare("auto", course)
    except SandboxError as error:
        return [*found, Finding("sandbox", str(error), False)]
    with template:
        walls = template.started.walls
        found += [
            Finding("outer wall", template.started.outer, template.started.outer == "bwrap"),
            Finding("namespaces", "yes" if walls.namespaces else "no", bool(walls.namespaces)),
            Finding("landlock", f"ABI {walls.landlock}" if walls.landlock else "no", bool(walls.landlock)),
            Finding("seccomp", "yes" if walls.seccomp else "no", walls.seccomp),
        ]
    return [*found, Finding("sandbox", verdict(tier, template.started.reason), tier.name == "full")]


def _act(name: str, outcome: str) -> Act:
    word, _, detail = outcome.partition(": ")
    return Act(name, word == "refused", detail)


@contextmanager
def decoys(course: Path, outsider: int) -> Iterator[dict[str, Any]]:
    """Provide targets for the probe: a secret file, listening sockets, the process `outsider`, the course."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="attend-")))
        (folder / "secret.py").write_text("ANSWER = 42\n", encoding="utf-8")
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        secrets = _answers(course)
        yield {
            "secrets": [*map(str, secrets), str(folder / "secret.py")],
            "modules": ["reference.misconceptions", *(f"reference.{path.stem}" for path in secrets)],
            "marked": [str(folder / "secret.py"), os.__file__, os.devnull],
            "files": ["/etc/passwd", str(Path.home() / ".bashrc")],
            "unseen": [str(folder / "secret.py"), "/etc/passwd", *map(str, secrets)],
            "folders": ["/tmp", "/dev/shm", str(folder), str(Path.home()), str(course), os.getcwd()],
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": list(_unix_listeners(folder, stack)),
            "process": outsider,
            "environment": list(ENVIRONMENT),
            "memory": 4 * _MEMORY,
        }


def _answers(course: Path) -> list[Path]:
    folders = ("reference", "solutions", "tests/exercises")
    found = [path for folder in folders for path in sorted((course / folder).glob("*.py"))]
    return [path for path in found if path.name != "__init__.py"]


def _unix_listeners(folder: Path, stack: ExitStack) -> Iterator[str]:
    addresses = [str(folder / "socket")]
    addresses += [f"\0attend-probe-{os.getpid()}"] if sys.platform == "linux" else []
    for address in addresses:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(address)
        listener.listen()
        yield address


def _bubblewrap() -> Finding:
    program = shutil.which("bwrap")
    if program is None:
        return Finding("bubblewrap", "not installed", False)
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return Finding("bubblewrap", done.stdout.strip().removeprefix("bubblewrap "), done.returncode == 0)
