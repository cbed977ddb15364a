"""The machine's description, the time of a command, and the load of other programs."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import torch

from autograder.core.errors import AttendError
from autograder.core.versions import versions

LOOK_SECONDS = 2.0
GIB = 2**30
IDLE = {"idle", "iowait", "steal", "guest", "guest_nice"}  # the time of guests is in that of users already


@dataclass(frozen=True)
class Timed:
    """A finished command: seconds by the clock, busy core-seconds of the whole machine, and its output."""

    seconds: float
    busy: float
    output: str


class Stopwatch:
    """Measures seconds by the clock, and core-seconds of all programs, from its creation."""

    def __init__(self) -> None:
        self._clock, self._busy = time.perf_counter(), busy()

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self._clock, busy() - self._busy


def describe() -> dict[str, str]:
    """Describe the machine, without names of hosts, people or folders."""
    memory = psutil.virtual_memory().total / GIB
    known = versions()
    there = torch.cuda.is_available()
    return {
        "processor": f"{processor()}, {cores()} cores",
        **({"graphics processor": torch.cuda.get_device_name()} if there else {}),
        "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "python": known["python"],
        "torch": known["torch"],
        "attend": known["attend"],
    }


def processor() -> str:
    """Return the processor's name, as the kernel gives it."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def busy() -> float:
    """Return the core-seconds that all programs have used since the machine started."""
    times = psutil.cpu_times()._asdict()
    return float(sum(seconds for kind, seconds in times.items() if kind not in IDLE))


def busy_cores(seconds: float = LOOK_SECONDS) -> float:
    """Return the number of busy cores while this process sleeps."""
    watch = Stopwatch()
    time.sleep(seconds)
    passed, used = watch.read()
    return used / passed


def program(name: str) -> str:
    """Return the path of a program of this environment, such as "attend"."""
    return str(Path(sys.executable).with_name(name))


def timed(
    command: Sequence[str], folder: Path, more: Mapping[str, str] | None = None, *, may_be: Sequence[int] = (0,)
) -> Timed:
    """Run a command in `folder` to its end, with `more` in its environment.

    Raises:
        AttendError: its exit status is none of `may_be`.
    """
    watch = Stopwatch()
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(more or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    seconds, used = watch.read()
    accept(command, done.returncode, done.stdout, may_be)
    return Timed(seconds, used, done.stdout)


def accept(command: Sequence[str], status: int, output: str, may_be: Sequence[int] = (0,)) -> None:
    """Check a command's exit status.

    Raises:
        AttendError: it is none of `may_be`; the message holds the last lines of output.
    """
    if status not in may_be:
        last = "\n".join(output.splitlines()[-12:])
        raise AttendError(
            f"`{' '.join(command[:4])} …` ended with exit status {status}, so there is no figure:\n{last}"
        )
