"""Right answers in idioms and under names that look forbidden earn everything, here and behind the wall."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import torch

from autograder.author.proof.mutants import grade_versions
from autograder.core.records import SubmissionResult
from autograder.judging.wall import Wall
from autograder.source.stub import defines
from tests.promises.world import COURSE, grade

IDIOMS = sorted(Path(__file__).parent.glob("idioms/ch*/*.py"))
CHAPTERS = sorted({path.parent.name for path in IDIOMS})
TEXTS = {path: path.read_text(encoding="utf-8") for path in IDIOMS}

# What torch and a student's own code warn of costs nothing.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As in the judge: small tensors only wait for a second one."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def texts(chapter: str) -> dict[str, str]:
    return {path.stem: text for path, text in TEXTS.items() if path.parent.name == chapter}


@cache
def graded(chapter: str) -> dict[str, SubmissionResult]:
    return grade(chapter, texts(chapter))


def check(path: Path, results: dict[str, SubmissionResult]) -> None:
    answered = [each for each in results[path.stem].exercises if defines(TEXTS[path], each.exercise)]
    lost = [check.message.text for each in answered for check in each.checks if check.status != "passed"]
    assert answered
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("path", IDIOMS, ids=[f"{path.parent.name} {path.stem}" for path in IDIOMS])
def test_an_idiom_earns_everything(path: Path) -> None:
    check(path, graded(path.parent.name))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no sandbox on this system")
@pytest.mark.parametrize("chapter", [pytest.param(chapter, id=f"wall: {chapter}") for chapter in CHAPTERS])
def test_the_idioms_of_a_chapter_earn_everything_behind_the_wall_too(chapter: str, wall: Wall) -> None:
    results = grade_versions(COURSE, wall.hand, COURSE.of(chapter), texts(chapter), jobs=1, seed=20)
    for path in IDIOMS:
        if path.parent.name == chapter:
            check(path, results)
