"""Messages between the judge and a template: both are ours, so nothing is checked."""

from __future__ import annotations

import socket
import struct
from typing import Final, Literal, NamedTuple

import msgspec

# The request for a worker: its memory in bytes, its seconds of processor time and its core (-1: any). Its channel and
# its supervisor's socket travel with it.
SPAWN: Final = struct.Struct("<QIi")
# A supervisor's first message: the walls are up, or the text of what failed follows, to the end.
READY: Final = b"R"
FAULT: Final = b"F"
FAULT_BYTES: Final = 1000
EndingKind = Literal["exited", "signalled", "stopped"]
# A supervisor's last message, followed by one byte: exit status or signal. Stopped: by the judge.
ENDINGS: Final[dict[bytes, EndingKind]] = {b"E": "exited", b"K": "signalled", b"S": "stopped"}
_LENGTH: Final = struct.Struct("<I")

MATPLOTLIB: Final = "/tmp/matplotlib"  # matplotlib needs a folder of its own to load
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
    "TORCHINDUCTOR_CACHE_DIR": "/tmp",  # torch's compiler makes its folder when it is loaded, unless it is there
}
"""The whole environment of a worker."""


class Setup(msgspec.Struct, frozen=True):
    """The files that workers may see, and whether they are walled.

    `readable` are files and folders, `listable` folders whose names alone may be read, `hidden_path` entries to drop
    from `sys.path`, `blocks` the folder of `reference.blocks`.
    """

    walled: bool
    readable: tuple[str, ...]
    listable: tuple[str, ...]
    hidden_path: tuple[str, ...]
    blocks: str | None


class Share(NamedTuple):
    """The limits of one worker: bytes of memory beyond torch's own, seconds of processor time."""

    memory_bytes: int
    cpu_seconds: int


class Walls(msgspec.Struct, frozen=True):
    """The walls of a machine: flags for unshare (0: none), Landlock's ABI (0: none), seccomp."""

    namespaces: int = 0
    landlock: int = 0
    seccomp: bool = False


def send(control: socket.socket, message: Setup | Walls) -> None:
    data = msgspec.json.encode(message)
    control.sendall(_LENGTH.pack(len(data)) + data)


def receive(control: socket.socket) -> bytes:
    """Return the other side's message, as JSON.

    Raises:
        EOFError: the other side has ended.
        TimeoutError: nothing arrives within the socket's timeout.
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
