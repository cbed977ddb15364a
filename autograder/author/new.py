"""Begin a chapter: four files with one small exercise that already works."""

from __future__ import annotations

from pathlib import Path

from autograder.core import files
from autograder.core.errors import UsageError
from autograder.course.course import STEM, Course

_SOURCE = '''\
# %% [markdown]
# # Chapter {number} · {title}
# A question worth answering, and one picture or table that makes it concrete.

# %%
"""Chapter {number}: what it is about, in one line."""

import torch

# %% [markdown]
# ## A first exercise
# What is computed, why it is wanted, and where in the literature it stands.

# %% exercise="{exercise}"
def {exercise}(x: torch.Tensor) -> torch.Tensor:
    """Twice every number of `x`.

    Args:
        x: any shape.

    Returns:
        A tensor of the shape and dtype of `x`.
    """
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% [markdown] hints="{exercise}" difficulty=1 minutes=5
# 1. A nudge: what do all numbers of the result have in common?
# 2. The idea: a tensor can be multiplied by a Python number.
# 3. Nearly the code: return `x` times two.

# %% [markdown] debrief="{exercise}"
# What this piece does in a whole model, and where it comes again. One idea that surprises. What to read.
'''

_REFERENCE = '''\
"""Chapter {number}, the oracle: the same contract in another idiom than the solution's."""

import torch


def {exercise}(x: torch.Tensor) -> torch.Tensor:
    """`x` (any shape) and `x` once more."""
    return x + x
'''

_MISCONCEPTIONS = '''\
"""Known mistakes of chapter {number}."""

import torch

from reference.misconceptions import misconception


@misconception("{exercise}", "{identifier}-squared")
def squared(x: torch.Tensor) -> torch.Tensor:
    """You squared the numbers instead of doubling them.

    Doubling multiplies by two: `2 * x`. A square multiplies each number by itself.
    """
    return x * x


@misconception("{exercise}", "{identifier}-two-more")
def two_more(x: torch.Tensor) -> torch.Tensor:
    """You added two to the numbers instead of doubling them.

    Doubling multiplies by two: `2 * x`. To add two is the same only where a number is two.
    """
    return x + 2
'''

_SUITE = '''\
"""Checks of chapter {number}: what it is about, in one line."""

from autograder.suite import Agree, Draw, exercise


@exercise("{exercise}", points=1, level="property")
def test_zero_stays_zero(agree: Agree, draw: Draw) -> None:
    """twice zero is zero, in the shape of x"""
    agree.satisfies("every number is zero", lambda result: bool((result == 0).all()), 0 * draw("B T"))


@exercise("{exercise}", points=1, level="values")
def test_every_number_is_doubled(agree: Agree, draw: Draw) -> None:
    """every number of x is doubled"""
    agree(draw("B T D"))


@exercise("{exercise}", points=1, level="edges")
def test_gradients_reach_x(agree: Agree, draw: Draw) -> None:
    """gradients flow to x"""
    agree(draw("B T"), gradients=True)
'''


def new(course: Course, stem: str) -> list[Path]:
    """Write the four files of a chapter called `stem`, "ch15_capstones"; the paths, source first.

    After `attend build` the chapter is complete: its solution passes, its misconceptions are caught.

    Raises:
        UsageError: the name is no chapter's name, the number or a file is taken, or this is no course
            to write in. Nothing is written then.
    """
    _refuse_bad_place(course, stem)
    number, topic = stem.removeprefix("ch").split("_", 1)
    words = {
        "number": str(int(number)),
        "title": topic.replace("_", " ").strip().capitalize(),
        "exercise": f"example_{topic}",
        "identifier": f"example-{topic}".replace("_", "-"),
    }
    reference = course.root / "reference"
    texts = {
        course.solution(stem): _SOURCE,
        reference / f"{stem}.py": _REFERENCE,
        reference / "misconceptions" / f"{stem}.py": _MISCONCEPTIONS,
        course.suite(stem): _SUITE,
    }
    for path in texts:
        if path.exists():
            raise UsageError(f"{path} is there already and is left as it is; choose another name, or delete it first")
    for path, text in texts.items():
        files.write(path, text.format(**words))
    return list(texts)


def _refuse_bad_place(course: Course, stem: str) -> None:
    if not STEM.fullmatch(stem):
        raise UsageError(
            f"'{stem}' cannot name a chapter; write chNN_name: two digits, then lower-case letters, digits "
            "or underscores, as in ch15_capstones"
        )
    if course.is_copy:
        raise UsageError(f"{course.root} is a working copy; run `attend new` in the course itself")
    number = stem[:5]
    taken = [chapter for chapter in course.chapters if chapter.startswith(number) and chapter != stem]
    if taken:
        raise UsageError(f"{number[:4]} is {taken[0]} already; choose a number that is free")
