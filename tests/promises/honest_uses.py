"""Honest uses of Python, NumPy and torch, each a function without arguments that raises unless it works."""

import concurrent.futures
import contextlib
import decimal
import hashlib
import importlib.resources
import io
import json
import logging
import mmap
import os
import pathlib
import platform
import queue
import random
import resource
import secrets
import selectors
import shutil
import signal
import sqlite3
import tempfile
import threading
import time
import tracemalloc
import uuid
import warnings

import einops
import numpy as np
import torch
from torch import nn

CAUGHT = []


def catches_a_signal(number, send):
    before = signal.signal(number, lambda *_: CAUGHT.append(number))
    CAUGHT.clear()
    send()
    while not CAUGHT:
        time.sleep(0.001)
    signal.signal(number, before)


def raises_and_catches_a_signal():
    catches_a_signal(signal.SIGUSR1, lambda: signal.raise_signal(signal.SIGUSR1))


def signals_its_own_thread():
    catches_a_signal(signal.SIGUSR2, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGUSR2))


def sets_an_alarm():
    catches_a_signal(signal.SIGALRM, lambda: signal.setitimer(signal.ITIMER_REAL, 0.001))


def blocks_a_signal():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]))


def works_in_many_threads():
    done = queue.Queue()
    threads = [threading.Thread(target=done.put, args=(number,), name=f"t{number}") for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done.qsize() == 20


def waits_for_a_timer():
    ready = threading.Event()
    threading.Timer(0.001, ready.set).start()
    assert ready.wait()


def shares_work_with_a_pool():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(abs, range(-9, 0))) == 45


def waits_for_a_pipe():
    reading, writing = os.pipe()
    with selectors.DefaultSelector() as waiting:
        waiting.register(reading, selectors.EVENT_READ)
        os.write(writing, b".")
        assert waiting.select()
    os.close(reading)
    os.close(writing)


def draws():
    random.SystemRandom().random()
    secrets.token_hex()
    uuid.uuid4()
    np.random.default_rng().normal()
    torch.seed()


def measures_time():
    time.perf_counter(), time.process_time(), time.thread_time(), time.localtime()
    time.sleep(0.001)


def measures_itself():
    os.times(), os.getloadavg, os.cpu_count(), len(os.sched_getaffinity(0)), len(os.sched_getaffinity(os.getpid()))
    resource.getrusage(resource.RUSAGE_SELF), resource.getrlimit(resource.RLIMIT_AS)
    tracemalloc.start()
    tracemalloc.stop()


def computes_exactly():
    decimal.Decimal(2).sqrt()
    hashlib.scrypt(b"a", salt=b"b", n=2, r=8, p=1)


def reads_its_packages():
    importlib.resources.files("numpy").joinpath("version.py").read_text()
    folder = pathlib.Path(einops.__file__).parent
    assert all(path.stat().st_size and path.read_bytes() is not None for path in folder.glob("_*.py"))
    assert list(os.walk(folder))
    shutil.disk_usage(folder)


def does_without_files_that_are_not_there():
    missing = os.path.join(tempfile.gettempdir(), "attend-there-is-no-such-file")
    pathlib.Path(missing).unlink(missing_ok=True)
    with contextlib.suppress(FileNotFoundError):
        os.remove(missing)
    shutil.rmtree(missing, ignore_errors=True)
    os.makedirs(tempfile.gettempdir(), exist_ok=True)
    assert not os.path.exists(missing)


def asks_about_its_surroundings():
    platform.platform(), platform.uname(), os.getuid(), os.getppid(), os.getpgid(0), os.umask(os.umask(0o22))
    shutil.get_terminal_size()
    os.isatty(1)


def writes_into_memory():
    with tempfile.SpooledTemporaryFile() as file:
        file.write(b"a")
    with mmap.mmap(-1, 1 << 16) as memory:
        memory[:4] = b"abcd"
        memory.flush()
        memory.madvise(mmap.MADV_DONTNEED)
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        assert base.execute("select 1").fetchall() == [(1,)]


def logs_and_prints():
    logging.getLogger("honest").addHandler(logging.StreamHandler(io.StringIO()))
    logging.getLogger("honest").warning("a")
    print(json.dumps([1]), flush=True)


def trains_a_transformer():
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(2, 5, 16)).square().mean().backward()
        optimizer.step()


def loads_data():
    data = torch.utils.data.TensorDataset(torch.arange(10.0))
    assert [len(x) for (x,) in torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)] == [4, 4, 2]


def saves_and_loads_in_memory():
    file = io.BytesIO()
    torch.save(nn.Linear(3, 3).state_dict(), file)
    file.seek(0)
    torch.load(file)
    np.save(io.BytesIO(), np.ones(3))


def maps_a_file():
    np.memmap(np.__file__, mode="r")
    torch.from_file(np.__file__, size=100, dtype=torch.uint8)


def uses_several_threads_of_torch():
    torch.set_num_threads(4)
    x = torch.randn(300, 300)
    (x @ x).softmax(-1).sum()
    torch.set_num_threads(1)


def uses_the_whole_of_torch():
    x = torch.randn(8, 8)
    torch.fft.fft(x), torch.linalg.svd(x), torch.linalg.eigh(x @ x.T), torch.linalg.inv(x), x.to_sparse() @ x
    nn.Conv2d(3, 8, 3)(torch.randn(2, 3, 16, 16)).sum().backward()
    x.bfloat16() @ x.bfloat16()
    nn.LSTM(4, 8)(torch.randn(3, 2, 4))
    nn.functional.scaled_dot_product_attention(*[torch.randn(1, 2, 300, 16)] * 3, is_causal=True)
    torch.func.vmap(torch.func.grad(lambda x: (x**2).sum()))(x)
    torch.jit.wait(torch.jit.fork(torch.ones, 3))
    with torch.profiler.profile():
        x + 1


def uses_the_whole_of_numpy():
    x = np.random.rand(80, 80)
    np.linalg.svd(x), np.linalg.inv(x), np.linalg.eig(x), np.fft.fft(x), np.sort(x @ x)
    for _ in range(5):
        np.ones((1000, 1000)), torch.ones(1000, 1000)
    einops.rearrange(x, "a b -> b a")


def draws_a_picture():
    from matplotlib import pyplot as plt

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure, axes = plt.subplots()
        axes.plot([1, 2], [3, 4])
        figure.savefig(io.BytesIO(), format="png")
        plt.close(figure)
