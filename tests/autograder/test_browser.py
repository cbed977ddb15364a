"""A student in JupyterLab and an instructor in formgrader, in a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from autograder.course.course import Course
from autograder.student.start import start
from tests.autograder import handing_in
from tests.autograder.nbgrading import PLACES, STEM

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 600_000  # milliseconds, on a machine that does other things as well
pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt install chromium)"),
    # The browser's driver leaves its pipes to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
WRONG = "def scaled_dot_scores(q, k):\n    return q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5\n"
RIGHT = WRONG.replace(" * ", " / ")


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def opened(browser: Any, address: str) -> Any:
    """A page of a browser, with this address."""
    page = browser.new_page(viewport={"width": 1300, "height": 1100})
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


@pytest.fixture(scope="module")
def lab(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of a notebook in JupyterLab, whose kernel has loaded Attend."""
    copy = start(Course.installed(), tmp_path_factory.mktemp("lab") / "mine").root
    with serving(copy, "attend", "lab", str(copy)) as address:
        page = opened(browser, f"{address}/lab/tree/exercises/ch03_attention.ipynb?token=t&reset")
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        run(page, "%load_ext autograder")
        yield page
        page.close()


def cell(page: Any, text: str) -> Any:
    """The code cell with this text; a long notebook draws only what is near the window."""
    found = page.locator(".jp-CodeCell", has=page.locator(".cm-content", has_text=text))
    for _ in range(100):
        if found.count():
            break
        page.mouse.move(650, 600)
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(100)
    return found.first


def run(page: Any, text: str, new: str | None = None) -> Any:
    """Run the cell with this text, or another one in its place, and wait for its end."""
    chosen = cell(page, text)
    chosen.locator(".cm-content").click()
    if new is not None:
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.insert_text(new)
    prompt = chosen.locator(".jp-InputArea-prompt").first
    before = prompt.inner_text()
    until = time.monotonic() + PATIENCE / 1000
    for turn in count():
        now = prompt.inner_text()
        if now != before and "*" not in now:
            return chosen.locator(".jp-OutputArea-output")
        assert time.monotonic() < until, f"the cell with {text} does not run"
        if now == before and turn % 100 == 0:  # a page that is still being made loses what is typed
            chosen.locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
        page.wait_for_timeout(100)
    raise AssertionError("unreachable")


def test_a_wrong_answer_in_jupyterlab_is_named_and_pictured_and_passes_when_it_is_mended(lab: Any) -> None:
    run(lab, "def scaled_dot_scores", WRONG)
    told = run(lab, "%check scaled_dot_scores").first
    told.wait_for()
    assert "Your scores are multiplied by √d instead of divided by it." in told.inner_text()
    assert told.locator("svg").count() == 2  # expected, and yours
    run(lab, "def scaled_dot_scores", RIGHT)
    told = run(lab, "%check scaled_dot_scores").first
    told.wait_for()
    assert "4 of 4 points" in told.inner_text()
    assert told.locator("svg").count() == 0


def test_a_training_in_jupyterlab_shows_its_tables_as_its_page_does(lab: Any) -> None:
    told = run(lab, "%load_ext autograder", "# %load_ext autograder\n%train markov")
    told.get_by_text("How to hand it in").wait_for()
    baseline = told.locator("tr", has_text="looking at any word").locator("th, td")
    sides = baseline.evaluate_all("cells => cells.map(each => getComputedStyle(each).textAlign)")
    assert sides == ["left", "right"]


def test_formgrader_shows_the_grades_and_the_mistake_that_attend_has_found(tmp_path: Path, browser: Any) -> None:
    root = handing_in.course(tmp_path / "course")
    handing_in.hand_in(root, "ada", handing_in.answered(root, handing_in.RIGHT))
    handing_in.hand_in(root, "ben", handing_in.answered(root, handing_in.SQUARED))
    handing_in.grade(root)
    with serving(root, "jupyter", "lab") as address:
        page = opened(browser, f"{address}/formgrader?token=t")  # the page that lets one in
        page.wait_for_load_state("networkidle")
        page.goto(f"{address}/formgrader/gradebook/{STEM}/{STEM}")
        page.get_by_text("13 / 13").first.wait_for()
        assert page.get_by_text("10 / 13").count()
        page.goto(f"{address}/formgrader/submissions/{_submission(root, 'ben')}")
        page.get_by_text("You squared the numbers.").first.wait_for()


def _submission(root: Path, student: str) -> str:
    query = """
        SELECT submitted_notebook.id FROM submitted_notebook
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
        WHERE submitted_assignment.student_id = ?
    """
    with closing(sqlite3.connect(root / "gradebook.db")) as book:
        return str(book.execute(query, (student,)).fetchone()[0])
