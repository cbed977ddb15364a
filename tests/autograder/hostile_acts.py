"""Random acts: a submission that the fuzzer makes ends with the text of this file, and runs behind the walls.

It may import what a worker has, and nothing of the tests.
"""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import random
import resource
import signal
import socket
import stat
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

LIBC = ctypes.CDLL(None, use_errno=True)
PREFIX = struct.Struct("<IQ")
MAIN = threading.get_native_id()
Act = Callable[[random.Random], object]


def channel() -> int:
    """The number of the socket that answers go through."""
    return next(number for number in range(3, 64) if _is_socket(number))


def _is_socket(number: int) -> bool:
    with suppress(OSError):
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    return False


def number_of(chance: random.Random) -> int:
    """A file's number, often the channel's."""
    with suppress(StopIteration):
        return channel() if chance.random() < 0.7 else chance.randrange(70)
    return chance.randrange(70)


class _Event(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("how", ctypes.c_int),
        ("rest", ctypes.c_char * 48),
    )


def _timer(chance: random.Random) -> None:
    timer, sign = ctypes.c_void_p(), chance.choice([9, 19, chance.randrange(1, 65)])
    if LIBC.timer_create(1, ctypes.byref(_Event(None, sign, 0)), ctypes.byref(timer)) == 0:
        LIBC.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1000), None)
        time.sleep(0.01)


def _limit(chance: random.Random) -> None:
    resource.setrlimit(chance.randrange(16), (chance.choice([0, 1]), chance.choice([0, 1])))


def _spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def _threads(chance: random.Random) -> None:
    for _ in range(chance.randrange(1, 20)):
        threading.Thread(target=_spin, args=(chance.random() / 5,), daemon=True).start()


def _later(chance: random.Random) -> None:
    act = chance.choice(list(ACTS.values()))
    threading.Timer(chance.random() / 50, _tried, [act, random.Random(chance.random())]).start()


def _tried(act: Act, chance: random.Random) -> None:
    with suppress(Exception):
        act(chance)


def _whole_range(chance: random.Random) -> None:
    start = chance.randrange(1 << 47) & -4096
    LIBC.munmap(ctypes.c_void_p(start), ctypes.c_size_t(chance.choice([4096, 1 << 30, 1 << 46])))


ACTS: dict[str, Act] = {
    "a signal to oneself": lambda chance: LIBC.tgkill(os.getpid(), MAIN, chance.randrange(1, 65)),
    "a signal to all": lambda chance: os.kill(
        chance.choice([0, -1, os.getppid(), os.getpid()]), chance.choice([9, 19])
    ),
    "an ignored signal": lambda chance: signal.signal(chance.randrange(1, 65), signal.SIG_IGN),
    "a signal as the kernel has it": lambda chance: signal.signal(chance.randrange(1, 65), signal.SIG_DFL),
    "blocked signals": lambda chance: signal.pthread_sigmask(signal.SIG_BLOCK, chance.sample(range(1, 65), 9)),
    "an alarm": lambda chance: signal.setitimer(chance.choice([0, 1, 2]), 0.001, 0.001),
    "a timer": _timer,
    "an exit of one thread": lambda _: LIBC.pthread_exit(None),
    "an exit": lambda chance: os._exit(chance.randrange(256)),
    "a closed file": lambda chance: os.close(number_of(chance)),
    "closed files": lambda chance: os.closerange(chance.randrange(70), 70),
    "a file in another's place": lambda chance: os.dup2(number_of(chance), number_of(chance)),
    "a pipe in its place": lambda chance: os.dup2(os.pipe()[chance.choice([0, 1])], number_of(chance)),
    "a channel that waits for nothing": lambda chance: os.set_blocking(number_of(chance), False),
    "half a channel": lambda chance: LIBC.shutdown(number_of(chance), chance.choice([0, 1, 2])),
    "a setting of the channel": lambda chance: LIBC.setsockopt(
        number_of(chance), 1, chance.randrange(80), struct.pack("<q", chance.choice([0, 1, 1 << 20])), 8
    ),
    "words": lambda chance: os.write(number_of(chance), chance.randbytes(chance.choice([1, 12, 5000]))),
    "words that go first": lambda chance: LIBC.send(number_of(chance), b"abc", chance.randrange(4), 1),
    "words that are heard": lambda chance: os.read(number_of(chance), chance.randrange(1, 20)),
    "files that travel": lambda chance: socket.send_fds(socket.socket(fileno=os.dup(channel())), [b"x"], [0] * 30),
    "a command to a file": lambda chance: fcntl.fcntl(number_of(chance), chance.choice([4, 8, 10, 1031, 1036]), 1),
    "a command to a device": lambda chance: LIBC.ioctl(
        number_of(chance), chance.choice([0x541B, 0x5421, 0x5452]), b"1"
    ),
    "a setting of the process": lambda chance: LIBC.prctl(chance.randrange(1, 70), chance.randrange(10), 0, 0, 0),
    "a limit": _limit,
    "threads": _threads,
    "a process": lambda _: os.fork() or os._exit(0),
    "memory": lambda chance: mmap.mmap(-1, 1 << chance.randrange(12, 40)),
    "memory that goes": _whole_range,
    "a nap": lambda chance: time.sleep(chance.random() / 20),
    "something later": _later,
}


def changed(value: Any, chance: random.Random) -> Any:
    """The value of a header, with something in it replaced."""
    if chance.random() < 0.15:
        return chance.choice([None, True, -1, 2**63, 1.5, "", "tensor", "\x1b[2J", [], {}, ["list", []], b"\xff"])
    if isinstance(value, dict):
        return {chance.choice([key, key, "type"]): changed(each, chance) for key, each in value.items()}
    if isinstance(value, list):
        kept = [changed(each, chance) for each in value if chance.random() < 0.95]
        return kept * chance.choice([1, 1, 1, 1, 2, 500])
    return value


def spoiled(frame: bytes, chance: random.Random) -> bytes:
    """A reply with its header, its lengths, its bytes or its end changed."""
    header, body = PREFIX.unpack(frame[: PREFIX.size])
    head, rest = frame[PREFIX.size : PREFIX.size + header], frame[PREFIX.size + header :]
    way = chance.randrange(7)
    if way == 0:
        head = msgspec.msgpack.encode(changed(msgspec.msgpack.decode(head), chance))
    elif way == 1:
        kind = chance.choice(["fault", "loaded", "failed", "answer", "ask", "load"])
        head = msgspec.msgpack.encode({**msgspec.msgpack.decode(head), "type": kind, "message": "no wall"})
    elif way == 2:
        header += chance.choice([-1, 1, 2**31])
        return PREFIX.pack(header % 2**32, body) + head + rest
    elif way == 3:
        return PREFIX.pack(header, chance.choice([0, body + 1, 2**40, 2**64 - 1])) + head + rest
    elif way == 4:
        return frame[: chance.randrange(len(frame))]
    elif way == 5:
        return frame * 2
    else:
        rest = chance.randbytes(len(rest))
        place = chance.randrange(len(head))
        head = head[:place] + chance.randbytes(1) + head[place + 1 :]
    return PREFIX.pack(len(head), len(rest)) + head + rest


def begin(seed: int) -> None:
    """Spoil replies and do something before some of them, all as the seed has it."""
    from autograder.sandbox import worker

    chance, real = random.Random(seed), worker._encoded
    names, wordy = chance.sample(list(ACTS), 3), chance.random() < 0.5
    earlier: list[bytes] = []

    def encoded(reply: Any) -> bytes:
        frame = real(reply)
        for name in names:
            if chance.random() < 0.4:
                _tried(ACTS[name], chance)
        earlier.append(frame)
        if wordy and chance.random() < 0.5:
            frame = chance.choice([spoiled(frame, chance), spoiled(frame, chance), chance.choice(earlier)])
        if chance.random() < 0.1:  # in two parts
            half = chance.randrange(len(frame))
            with suppress(OSError, StopIteration):
                return frame[os.write(channel(), frame[:half]) :]
        return frame

    worker._encoded = encoded
