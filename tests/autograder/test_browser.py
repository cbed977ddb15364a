"""A student in JupyterLab, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from autograder.course.course import Course
from autograder.student.start import start
from tests.autograder.browsing import PATIENCE, leaves_pipes, needs_chromium, opened, serving

pytestmark = [needs_chromium, leaves_pipes]
WRONG = "def scaled_dot_scores(q, k):\n    return q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5\n"
RIGHT = WRONG.replace(" * ", " / ")


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
    told.get_by_text("What to hand in").wait_for()
    baseline = told.locator("tr", has_text="looking at any word").locator("th, td")
    sides = baseline.evaluate_all("cells => cells.map(each => getComputedStyle(each).textAlign)")
    assert sides == ["left", "right"]
