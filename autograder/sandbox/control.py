"""What the judge and a template say to each other: both are ours, so this is short and trusts."""

from __future__ import annotations

import socket
import struct
from typing import Final, Literal, NamedTuple

import msgspec

# Asks for a worker: its memory in bytes, its seconds of processor time and its core (-1: any), with its channel and its
# supervisor's socket beside it.
SPAWN: Final = struct.Struct("<QIi")
EndingKind = Literal["exited", "signalled", "stopped"]
LOST_CHANNEL: Final = 70  # exit status of a worker that can no longer hear or answer the judge
# A supervisor's last words, followed by one byte: exit status or signal. Stopped: the judge wanted it.
ENDINGS: Final[dict[bytes, EndingKind]] = {b"E": "exited", b"K": "signalled", b"S": "stopped"}
_LENGTH: Final = struct.Struct("<I")

MATPLOTLIB: Final = "/tmp/matplotlib"  # matplotlib does not load without a folder of its own
ENVIRONMENT: Final = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",  # each arena of a thread takes address space, which is limited
    "CUDA_VISIBLE_DEVICES": "",  # a CUDA context does not survive a fork
    "MPLCONFIGDIR": MATPLOTLIB,
    "MPLBACKEND": "agg",
}
"""All that a worker's environment holds."""


class Setup(msgspec.Struct, frozen=True):
    """What workers may see, and whether they are walled.

    `readable` are files and folders, `listable` folders of which only the names may be read,
    `hidden_path` entries of `sys.path` that go, `blocks` the folder of `reference.blocks`.
    """

    walled: bool
    readable: tuple[str, ...]
    listable: tuple[str, ...]
    hidden_path: tuple[str, ...]
    blocks: str | None


class Share(NamedTuple):
    """What one worker may take: bytes of memory beyond torch's own, seconds of processor time."""

    memory_bytes: int
    cpu_seconds: int


class Walls(msgspec.Struct, frozen=True):
    """Which walls a machine has: flags for unshare (0: none), Landlock's ABI (0: none), seccomp."""

    namespaces: int = 0
    landlock: int = 0
    seccomp: bool = False


def send(control: socket.socket, message: Setup | Walls) -> None:
    data = msgspec.json.encode(message)
    control.sendall(_LENGTH.pack(len(data)) + data)


def receive(control: socket.socket) -> bytes:
    """The other side's message, as JSON.

    Raises:
        EOFError: the other side has ended.
        TimeoutError: it says nothing within the socket's timeout.
    """
    (size,) = _LENGTH.unpack(_exactly(control, _LENGTH.size))
    return _exactly(control, size)


def _exactly(control: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = control.recv(size - len(data))
        if not part:
            raise EOFError("the other side has ended")
        data += part
    return data
