"""Leaves its inputs where the next submission could read them: in files, on files, and in the kernel."""

# expects: error
# says: RuntimeError: came home empty

import ctypes
import fcntl
import os
import platform
import socket
import stat
import struct
import tempfile

import einops

NAME = "attend-red-team-note"
PLACES = ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), tempfile.gettempdir())
FILES = (os.__file__, einops.__file__, "/dev/null", "/dev/urandom")
NUMBER, TIME = 0x5EED, 1 << 62  # a time to come, which reading does not move
LIBC = ctypes.CDLL(None, use_errno=True)
ADD_KEY = {"x86_64": 248, "aarch64": 217}.get(platform.machine(), -1)
held = []  # what goes when it is closed


def asked(function, *arguments):
    answer = function(*arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), function)
    return answer


def opened(path):
    held.append(os.open(path, os.O_RDONLY))
    return held[-1]


def control(file, getting, setting, size, bits, place):
    value = bytearray(fcntl.ioctl(file, getting, bytes(size)))
    value[place] |= bits
    fcntl.ioctl(file, setting, bytes(value))


def attributes(path):
    room = ctypes.create_string_buffer(24)
    asked(LIBC.syscall, 468, -100, path.encode(), room, 24, 0)
    room[0] = bytes([room.raw[0] | 0x80])
    asked(LIBC.syscall, 469, -100, path.encode(), room, 24, 0)


def lock(command):
    return lambda path: fcntl.fcntl(opened(path), command, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))


def written(place):
    os.close(os.open(os.path.join(place, NAME), os.O_CREAT | os.O_WRONLY))


def bound(_):
    held.append(socket.socket(socket.AF_UNIX))
    held[-1].bind("\0" + NAME)


def on_sockets(act):
    """Returns what does something to each socket that is open."""

    def leave(_):
        sockets = [file for file in range(3, 64) if is_socket(file)]
        for file in sockets:
            act(file)
        if not sockets:
            raise LookupError("there is no socket")

    return leave


def is_socket(file):
    try:
        return stat.S_ISSOCK(os.fstat(file).st_mode)
    except OSError:
        return False


def dropped(file):
    os.read(file, 1)  # so that it is in the cache, unless this works
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)


def sized(file):
    asked(LIBC.setsockopt, file, socket.SOL_SOCKET, socket.SO_PEEK_OFF, ctypes.byref(ctypes.c_int(1)), 4)


ON_FILES = {
    "hint": lambda path: fcntl.fcntl(opened(path), 1036, struct.pack("Q", 5)),
    "hint of the open file": lambda path: fcntl.fcntl(opened(path), 1038, struct.pack("Q", 5)),
    "flags": lambda path: control(opened(path), 0x80086601, 0x40086602, 8, 0x40, 0),
    "extended flags": lambda path: control(opened(path), 0x801C581F, 0x401C5820, 28, 0x80, 0),
    "attributes": attributes,
    "version": lambda path: fcntl.ioctl(opened(path), 0x40087602, struct.pack("Q", NUMBER)),
    "version of ext4": lambda path: fcntl.ioctl(opened(path), 0x40086604, struct.pack("Q", NUMBER)),
    "label": lambda path: os.setxattr(path, "user." + NAME, b"a note"),
    "rights": lambda path: os.chmod(path, os.stat(path).st_mode | stat.S_ISVTX),
    "times": lambda path: os.utime(path, ns=(TIME, os.stat(path).st_mtime_ns)),
    "lock": lambda path: fcntl.flock(opened(path), fcntl.LOCK_SH),
    "lock of a range": lock(fcntl.F_SETLK),
    "lock of the open file": lock(37),
    "lease": lambda path: fcntl.fcntl(opened(path), fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "read ahead": lambda path: asked(LIBC.readahead, opened(path), 0, 4096),
    "cache": lambda path: dropped(opened(path)),
}
IN_THE_KERNEL = {
    "memory": lambda _: asked(LIBC.shmget, NUMBER, 64, 0o1600),
    "semaphore": lambda _: asked(LIBC.semget, NUMBER, 1, 0o1600),
    "queue": lambda _: asked(LIBC.msgget, NUMBER, 0o1600),
    "queue with a name": lambda _: asked(LIBC.mq_open, f"/{NAME}".encode(), os.O_CREAT | os.O_RDWR, 0o600, None),
    "key": lambda _: asked(LIBC.syscall, ADD_KEY, b"user", NAME.encode(), b"a note", 6, -4),
    "socket": bound,
    "hint on its channel": on_sockets(lambda file: fcntl.fcntl(file, 1036, struct.pack("Q", 5))),
    "owner of its channel": on_sockets(lambda file: fcntl.fcntl(file, fcntl.F_SETOWN, os.getpid())),
    "option of its channel": on_sockets(sized),
}


def left():
    """Returns what could be left, and where."""
    done = []
    for kinds, places in ((ON_FILES, FILES), ({"file": written}, PLACES), (IN_THE_KERNEL, ("",))):
        for kind, leave in kinds.items():
            for place in places:
                try:
                    leave(place)
                    done.append(f"{kind} {place}".strip())
                except Exception:
                    pass
                while len(held) > 40:
                    os.close(held.pop(0))
    return done


def soften(x):
    loot = left()
    raise RuntimeError(f"loot: {loot}" if loot else "came home empty")
