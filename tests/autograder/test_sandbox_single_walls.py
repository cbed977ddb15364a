"""Each wall holds by itself, and what it stops goes through where it is missing."""

from __future__ import annotations

import functools
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox import probe
from autograder.sandbox.control import Walls
from tests.autograder.processes import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has walls for single processes")
COURSE = Path(__file__).resolve().parents[2]

# Forks behind the walls that are named, evaluates one expression there, says "done" or the exception.
SCRIPT = """
import ctypes, fcntl, json, mmap, os, resource, socket, subprocess, sys, threading, time
from autograder.sandbox import probe, walls
from autograder.sandbox.control import Setup, Share, Walls

limits, wanted, act, names = json.loads(sys.argv[1])
wanted = Walls(**wanted)
walls.found()  # as in a template, so that libseccomp is loaded before files are out of reach
walls.unshare(wanted.namespaces)
os.dup2(0, 9)
answer, channel = os.pipe()
if os.fork() == 0:
    try:
        if limits:
            walls.put_up(wanted, Setup(True, tuple(sys.path), (), (), None), channel, Share(1 << 30, 60))
        eval(act, {**globals(), **names})
        said = "done"
    except BaseException as error:
        said = type(error).__name__
    os.write(channel, said.encode())
    os._exit(0)
os.close(channel)
print(os.read(answer, 1000).decode())
"""

ACTS = {
    "read": "open(secret).read()",
    "list": "os.listdir(folder)",
    "library": "(open(os.__file__).read(), os.listdir(os.path.dirname(os.__file__)))",
    "create": "open(new, 'w')",
    "append": "os.write(os.open(secret, os.O_WRONLY), b'43')",
    "chmod": "os.chmod(secret, 0o777)",
    "fork": "os.fork() or os._exit(0)",
    "program": "subprocess.run(['/bin/true'])",
    "signal": "os.kill(outsider, 0)",
    "limits": "resource.prlimit(outsider, resource.RLIMIT_CPU)",
    "cores": "os.sched_setaffinity(outsider, os.sched_getaffinity(outsider))",
    "priority": "os.setpriority(os.PRIO_PROCESS, outsider, os.getpriority(os.PRIO_PROCESS, outsider))",
    "owner": "fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, outsider)",
    "owner by a wide number": "ctypes.CDLL(None).syscall(72, os.pipe()[0], ctypes.c_ulong(8 | 1 << 32), outsider) "
    "and 1 / 0",
    "thread of another": "probe._thread(outsider)",
    "oneself": "(resource.prlimit(0, resource.RLIMIT_CPU), os.sched_setaffinity(0, os.sched_getaffinity(0)))",
    "socket": "socket.socket()",
    "server": "socket.create_server(('127.0.0.1', 0))",
    "memory": "mmap.mmap(-1, 2 << 30)",
    "inherited file": "os.fstat(9)",
    "many files": "[os.open('/dev/null', 0) for _ in range(100)]",
    "privilege": "walls.unshare(0x40000000)",
    "thread": "threading.Thread(target=int).start()",
}


@functools.cache
def found() -> Walls:
    """The walls of this machine, asked for by a process without torch."""
    code = "from autograder.sandbox.walls import found; import msgspec; print(msgspec.json.encode(found()).decode())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=COURSE)
    return Walls(**json.loads(said.stdout))


def outcome(folder: Path, act: str, *names: str, limits: bool = True, abi: int = 0) -> str:
    """What came of `act` behind the walls `names`: "done", or the name of the exception; `abi` is that of Landlock."""
    missing = [name for name in names if not getattr(found(), name)]
    if missing:
        pytest.skip(f"this machine has no {missing[0]}")
    (folder / "secret").write_text("42")
    paths = {"secret": f"{folder}/secret", "folder": str(folder), "new": f"{folder}/new"}
    wanted = {name: getattr(found(), name) for name in names} | ({"landlock": abi} if abi else {})
    order = json.dumps([limits, wanted, ACTS[act], paths | {"outsider": os.getpid()}])
    command = [sys.executable, "-c", SCRIPT, order]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, cwd=COURSE, check=True
    ).stdout.strip()


@pytest.mark.parametrize(
    ("name", "act", "error"),
    [
        ("landlock", "read", "PermissionError"),
        ("landlock", "list", "PermissionError"),
        ("landlock", "create", "PermissionError"),
        ("landlock", "server", "PermissionError"),
        ("landlock", "signal", "PermissionError"),
        ("seccomp", "fork", "PermissionError"),
        ("seccomp", "program", "PermissionError"),
        ("seccomp", "socket", "PermissionError"),
        ("seccomp", "chmod", "PermissionError"),
        ("seccomp", "signal", "PermissionError"),
        ("seccomp", "limits", "PermissionError"),
        ("seccomp", "owner", "PermissionError"),
        ("seccomp", "thread of another", "PermissionError"),
        ("namespaces", "signal", "ProcessLookupError"),
    ],
)
def test_one_wall_refuses_what_goes_through_without_it(tmp_path: Path, name: str, act: str, error: str) -> None:
    assert outcome(tmp_path, act, name) == error
    assert outcome(tmp_path, act) == "done"


@pytest.mark.parametrize(
    ("act", "error"),
    [("append", "OSError"), ("memory", "OSError"), ("inherited file", "OSError"), ("many files", "OSError")],
)
def test_limits_hold_where_the_kernel_has_no_walls(tmp_path: Path, act: str, error: str) -> None:
    assert outcome(tmp_path, act) == error
    assert outcome(tmp_path, act, limits=False) == "done"


def test_privileges_are_dropped(tmp_path: Path) -> None:
    assert outcome(tmp_path, "privilege", "namespaces") == "PermissionError"
    assert outcome(tmp_path, "privilege", "namespaces", limits=False) == "done"


@pytest.mark.parametrize("act", ["cores", "priority"])
def test_what_an_ordinary_user_may_do_to_their_other_processes_a_worker_may_not(tmp_path: Path, act: str) -> None:
    assert outcome(tmp_path, act, "seccomp") == "PermissionError"
    assert outcome(tmp_path, act, limits=False) == "done"  # root without capabilities would be refused in any case


@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls are known by other numbers there")
def test_the_upper_half_of_a_command_hides_nothing(tmp_path: Path) -> None:
    assert outcome(tmp_path, "owner by a wide number", "seccomp") == "ZeroDivisionError"
    assert outcome(tmp_path, "owner by a wide number") == "done"


def test_a_worker_may_look_at_its_own_limits_and_choose_its_own_cores(tmp_path: Path) -> None:
    assert outcome(tmp_path, "oneself", "seccomp") == "done"


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=COURSE).stdout


NO_FILTER_OF_OURS = """
from autograder.sandbox import seccomp, walls
real = seccomp.load
def load(program):
    if len(program) > 100:
        raise OSError("refused")
    real(program)
seccomp.load = load
print(walls.found().seccomp)
"""


def test_a_filter_of_ours_that_does_not_load_is_no_machine_without_seccomp() -> None:
    assert run(NO_FILTER_OF_OURS).strip() == str(found().seccomp)


UNLISTED = """
import ctypes, os
from autograder.sandbox import allowed, seccomp, walls

libc, resolve = ctypes.CDLL(None, use_errno=True), seccomp._library().seccomp_syscall_resolve_name
listed = {rule.call for rule in allowed.rules() if not rule.error}
known = {call if isinstance(call, int) else resolve(call.encode()) for call in listed}
walls._filter()
if os.fork() == 0:
    walls._restrict_calls()
    probes = (335, 336)  # on x86_64 for the kernel alone, which no filter sees: any other caller gets SIGILL
    tried = [number for number in range(512) if number not in known and number not in probes]
    for number in tried:
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 2, 38):
            print(number, flush=True)
    print(len(tried), libc.syscall(resolve(b"getpid")) == os.getpid(), flush=True)
    os._exit(0)
os.wait()
"""


def test_every_call_that_is_not_listed_is_refused_and_a_listed_one_is_not() -> None:
    if not found().seccomp:
        pytest.skip("this machine has no seccomp")
    said = run(UNLISTED)
    assert re.fullmatch(r"\d+ True\n", said), said
    assert int(said.split()[0]) > 350


LEFTOVERS = {
    "hint": "probe._hint(own)",
    **{f"its {kind}": f"probe._control({kind!r})(own)" for kind in probe._CONTROLS},
    "attributes": "probe._attributes(own)",
    "times": "probe._times(own)",
    "rights": "probe._rights(own)",
    "label": "probe._label(own)",
    "lock": "probe._whole_lock(own)",
    "lock of a range": "probe._range_lock(own)",
    "lock of the open file": "probe._open_file_lock(own)",
    "lease": "probe._lease(own)",
    "watching files": "probe._ask('inotify_init1', 0)",
    "watching a folder": "fcntl.fcntl(os.open(folder, os.O_RDONLY), fcntl.F_NOTIFY, 0)",
    "shared memory": "probe._object({})",
    "message queue": "os.close(probe._ask('mq_open', b'/attend', os.O_CREAT | os.O_RDWR, 0o600, None))",
    "keys": "probe._ask('keyctl', 0, -3, 0)",
    "timer": "probe._timer({})",
    "byte if it is cached": "probe._cached(own)",
    "count of what is cached": "probe._cache_counts(own)",
    "dropping from the cache": "os.posix_fadvise(os.open(own, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)",
    "paging out": "mmap.mmap(-1, 4096).madvise(21)",
    "writing": "open(own, 'r+')",
    "deleting": "os.unlink(own)",
    "renaming": "os.rename(new, own)",
    "making a folder": "os.mkdir(new + '2')",
    "linking": "os.symlink(own, new + '3')",
    "signals when data arrives": "fcntl.fcntl(os.pipe()[0], fcntl.F_SETFL, os.O_ASYNC)",
    "choosing that signal": "fcntl.fcntl(os.pipe()[0], fcntl.F_SETSIG, 9)",
    "size of a pipe": "fcntl.fcntl(os.pipe()[0], 1031, 8192)",
    "staying when the parent ends": "probe._ask('prctl', 1, 0, 0, 0, 0)",
    "name of a thread": "probe._ask('prctl', 15, b'attend', 0, 0, 0)",
    "memory for others to read": "probe._ask('prctl', 4, 1, 0, 0, 0)",
    "personality": "probe._ask('personality', 0xFFFFFFFF)",
    "pages of a process": "probe._pages(os.getpid())",
    "group of processes": "os.setpgid(0, 0)",
    "message out of band": "socket.socket(fileno=end).send(b'.', socket.MSG_OOB)",
}
# What an old kernel, a file system or an architecture may lack.
RARE = {*(f"its {kind}" for kind in probe._CONTROLS), "attributes", "lease", "count of what is cached", "keys"}
RARE |= {"paging out", "pages of a process", "message queue", "message out of band", "byte if it is cached", "label"}

MANY = """
import errno, fcntl, json, mmap, os, socket, sys
from autograder.sandbox import probe, walls

filtered, acts, own, folder, new = json.loads(sys.argv[1])
open(own, "w").close(), open(new, "w").close()
walls._filter()
end = socket.socketpair()[0].detach()
child = os.fork()
if child == 0:
    if filtered:
        walls._restrict_calls()
    for name, act in acts.items():
        try:
            eval(act)
            said = "done"
        except OSError as error:
            said = errno.errorcode[error.errno]
        print(json.dumps([name, said]), flush=True)
    os._exit(0)
os.wait()
"""


def test_of_all_that_would_be_left_behind_the_filter_of_calls_alone_refuses_each(tmp_path: Path) -> None:
    if not found().seccomp:
        pytest.skip("this machine has no seccomp")
    within, without = (
        run(MANY, json.dumps([filtered, LEFTOVERS, f"{tmp_path}/own", str(tmp_path), f"{tmp_path}/new"]))
        for filtered in (True, False)
    )
    refused, done = (dict(map(json.loads, said.splitlines())) for said in (within, without))
    assert refused == dict.fromkeys(LEFTOVERS, "EPERM") | {"deleting": "ENOENT", "attributes": "ENOSYS"}
    assert {name for name, said in done.items() if said != "done"} <= RARE


def test_a_call_that_nobody_knows_stays_refused_and_a_machine_without_libseccomp_has_no_such_wall() -> None:
    code = """
from autograder.sandbox import seccomp, walls
print(seccomp.compiled([seccomp.Rule("no_such_call")], 1) == seccomp.compiled([], 1))
print(seccomp.compiled([seccomp.Rule("getpid")], 1) == seccomp.compiled([], 1))
seccomp._library.cache_clear()
seccomp.LIBRARY = "libnothing.so.2"
print(walls.found().seccomp)
"""
    assert run(code).split() == ["True", "False", "False"]


@pytest.mark.parametrize("abi", range(1, 8))
def test_each_landlock_allows_what_is_listed_and_refuses_what_it_knows(tmp_path: Path, abi: int) -> None:
    if found().landlock < abi:
        pytest.skip("this kernel knows no such Landlock")
    acts = ("read", "list", "create", "server", "signal")
    refused = tuple(act for act in acts if outcome(tmp_path, act, abi=abi) == "PermissionError")
    assert refused == acts[: 3 + (abi >= 4) + (abi >= 6)]
    assert outcome(tmp_path, "library", abi=abi) == "done"


def test_threads_stay_possible_behind_every_wall(tmp_path: Path) -> None:
    assert outcome(tmp_path, "thread", "namespaces", "landlock", "seccomp") == "done"


DAEMON = """
import os, sys, time
from autograder.sandbox import walls

walls.unshare(int(sys.argv[1]))
alive, held = os.pipe()
begun, begin = os.pipe()
orphaned, orphan = os.pipe()
child = os.fork()
if child == 0:
    if os.fork() == 0:
        os.setsid()
        os.close(orphan)
        os.write(begin, b".")
        os.read(orphaned, 1)
        os.write(held, b"I am still here")
        os._exit(0)
    time.sleep(600)
os.close(held)
os.read(begun, 1)
os.kill(child, 9)
os.waitpid(child, 0)
os.write(orphan, b".")
print(os.read(alive, 100).decode() or "gone")
"""


def test_a_daemon_dies_with_its_worker_only_in_a_pid_namespace() -> None:
    if not found().namespaces:
        pytest.skip("this machine has no namespaces")
    said = [
        subprocess.run([sys.executable, "-c", DAEMON, flags], capture_output=True, text=True, cwd=COURSE, check=True)
        for flags in (str(found().namespaces), "0")
    ]
    assert [one.stdout.strip() for one in said] == ["gone", "I am still here"]
