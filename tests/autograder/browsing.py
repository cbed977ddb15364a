"""A real browser, and a Jupyter server for it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from tests.autograder.nbgrading import PLACES

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 600_000  # milliseconds, on a machine that does other things as well
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt install chromium)")
leaves_pipes = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""The browser's driver leaves its pipes to the garbage collector."""


def opened(browser: Any, address: str) -> Any:
    """A page of a browser, with this address."""
    page = browser.new_page(viewport={"width": 1300, "height": 1100})
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


@contextmanager
def serving(folder: Path, *command: str) -> Iterator[str]:
    """The address of a Jupyter server, started by `command` in `folder`, until the end."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {name: str(folder.parent / "home" / name.lower()) for name in PLACES}
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    options = ["--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0"]
    process = subprocess.Popen(
        [*command, *options, "--IdentityProvider.token=t"],
        cwd=folder,
        env=os.environ | own | {"PATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/api/status?token=t", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(address).close()
        except (URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not answer")
