"""The texts of a new course: a chapter with an exercise in NumPy and one in PyTorch, and all that belongs to them."""

from __future__ import annotations

from typing import Final

STEM: Final = "ch01_scales"

SETTINGS = """\
# Marks the root of a course. `attend start` writes one with kind = "copy" into a student's working copy.
title = {title}
kind = "course"
"""

IGNORED = """\
__pycache__/
.pytest_cache/
.ipynb_checkpoints/
.venv/
.attend/
/handout/
/handout.zip
/class/
/grades/
"""

README = """\
# {name}

An auto-graded course that names the mistake. Its first chapter has two small exercises, one in NumPy and one in
PyTorch, for you to write over. In this folder:

```
attend build                             # stubs and notebooks from solutions/, and docs/coverage.md
attend check --target solutions          # the course's own answers, which must earn everything
attend prove                             # what the course promises its students: right answers keep every point, ...
attend prove --mutants --gallery         # every small change of an answer loses points; right answers, 50 seeds
attend release handout --sealed          # what students need, as a zip
attend grade submissions.zip --out grades
```

| folder | what it holds |
|---|---|
| `solutions/` | the one source of each chapter: lesson, answers, hints |
| `reference/` | the right answers that checks compare with, and `misconceptions/`, the known mistakes |
| `tests/exercises/` | the graded suites |
| `tests/promises/right/` | right answers, written in different ways: none may lose a point |
| `exercises/` | what `attend build` makes of all this; do not edit it |

`attend new ch02_name` begins a chapter, `attend new NAME --in ch01` an exercise.
"""

REFERENCE_PACKAGE = '"""What is right: the oracle of every chapter."""\n'

MISTAKES_PACKAGE = '''\
"""What is wrong: known mistakes, each a small function with what to say about it."""

from autograder.course.mistakes import misconception

__all__ = ["misconception"]
'''

BLOCKS = '''\
"""What chapters are given: parts to build on, and `mine`, the learner's own answers that have passed."""

from reference.blocks.pieces import mine

__all__ = ["mine"]
'''

PIECES = '''\
"""`mine`: the learner's own answers by name, and given parts in the place of those that have not passed yet."""

from autograder.student.mine import Pieces

mine = Pieces()
'''

SOURCE = '''\
# %% [markdown]
# # Chapter 1 · Scales
# Ten metres or 33 feet: how do you compare numbers that were measured on different scales?

# %%
"""Chapter 1: numbers without their scale, as standard scores and as vectors of length 1."""

import numpy as np
import torch

# %% [markdown]
# ## Standard scores
# Subtract the mean, divide by the standard deviation: what is left says how unusual a number is, in any unit.


# %% exercise="standard_scores"
def standard_scores(numbers: np.ndarray) -> np.ndarray:
    """Each number's distance from the mean, in standard deviations.

    The standard deviation divides by n. Where all numbers are equal, every score is 0.

    Args:
        numbers: (n,), at least one.

    Returns:
        (n,) float64.
    """
    ### BEGIN SOLUTION
    apart = numbers - numbers.mean()
    spread = numbers.std()
    return apart / spread if spread else apart
    ### END SOLUTION


# %% [markdown] hints="standard_scores" difficulty=1 minutes=10
# 1. How far is each number from the mean? Which number says whether that is far?
# 2. An array minus a number is an array. Only then divide, and look what happens if all numbers are equal.
# 3. `(numbers - numbers.mean()) / numbers.std()`, but zeros where the standard deviation is 0.

# %% [markdown] debrief="standard_scores"
# Standard scores make features comparable, and most models learn faster from them. What divides by n − 1 estimates the
# spread of a population from a sample of it.

# %% [markdown]
# ## Directions
# A vector divided by its length keeps its direction alone. Cosine similarity compares two such vectors.


# %% exercise="directions"
def directions(vectors: torch.Tensor) -> torch.Tensor:
    """Each vector divided by its Euclidean length. A vector of zeros stays as it is.

    Args:
        vectors: (..., D).

    Returns:
        (..., D), of the dtype of `vectors`.
    """
    ### BEGIN SOLUTION
    lengths = vectors.square().sum(-1, keepdim=True).sqrt()
    return vectors / torch.where(lengths > 0, lengths, torch.ones_like(lengths))
    ### END SOLUTION


# %% [markdown] hints="directions" difficulty=2 minutes=15
# 1. Each vector has a length of its own. Which shape must the lengths have, so that each is divided by its own?
# 2. The length is the root of the sum of squares along the last axis; `keepdim=True` keeps that axis.
# 3. Divide by the lengths, after replacing those that are 0 by 1.

# %% [markdown] debrief="directions"
# The product of two directions is the cosine of the angle between them: 1 if they are the same, 0 if at right angles.

# %% [markdown]
# ## See it run

# %%
if __name__ == "__main__":
    from reference.blocks import mine

    mine("standard_scores", "directions")
    print(mine.standard_scores(np.array([180.0, 170.0, 190.0])).round(2))
    print(mine.directions(torch.tensor([[3.0, 4.0], [0.0, 2.0]])))

# %% [markdown] debrief="ch01_scales"
# You can compare numbers and vectors that were measured on different scales.
'''

REFERENCE = '''\
"""Chapter 1, the oracle: the same contracts in another idiom than the solution's."""

import numpy as np
import torch


def standard_scores(numbers: np.ndarray) -> np.ndarray:
    """`numbers` (n,) to scores (n,)."""
    values = [float(number) for number in numbers]
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    if max(values) == min(values):
        return np.zeros(len(values))
    return np.array([(value - mean) / spread for value in values])


def directions(vectors: torch.Tensor) -> torch.Tensor:
    """`vectors` (..., D) to vectors of length 1, or 0."""
    lengths = torch.einsum("...d,...d->...", vectors, vectors).sqrt().unsqueeze(-1)
    return torch.where(lengths == 0, vectors, vectors / torch.where(lengths == 0, 1, lengths))
'''

MISTAKES = '''\
"""Known mistakes of chapter 1."""

import numpy as np
import torch

from reference.misconceptions import misconception


@misconception("standard_scores", "scores-sample-deviation")
def sample_deviation(numbers: np.ndarray) -> np.ndarray:
    """You divide by the standard deviation of a sample, which has n − 1 in its denominator.

    Here the numbers are all there is, so the mean of the squares counts: which `ddof` does your function use?
    """
    spread = numbers.std(ddof=1) if len(numbers) > 1 else 0.0
    return (numbers - numbers.mean()) / spread if spread else 0 * numbers


@misconception("standard_scores", "scores-by-variance")
def by_variance(numbers: np.ndarray) -> np.ndarray:
    """You divide by the variance instead of the standard deviation.

    The variance is in squared units. Which function of it has the unit of the numbers again?
    """
    spread = numbers.var()
    return (numbers - numbers.mean()) / spread if spread else 0 * numbers


@misconception("standard_scores", "scores-not-centred")
def not_centred(numbers: np.ndarray) -> np.ndarray:
    """You do not subtract the mean.

    A score says how far a number is from the mean. What should the scores of any numbers sum to?
    """
    spread = numbers.std()
    return numbers / spread if spread else 1 * numbers


@misconception("directions", "directions-of-the-whole")
def of_the_whole(vectors: torch.Tensor) -> torch.Tensor:
    """You divide by one length for all vectors together.

    Each vector has a length of its own: along which axis do you sum the squares?
    """
    length = vectors.square().sum().sqrt()
    return vectors / length if length else vectors * 1


@misconception("directions", "directions-by-sum")
def by_sum(vectors: torch.Tensor) -> torch.Tensor:
    """You divide by the sum of the absolute values instead of the length.

    That is another norm. The Euclidean length is what Pythagoras gives: what does it do with each number first?
    """
    sums = vectors.abs().sum(-1, keepdim=True)
    return vectors / sums.masked_fill(sums == 0, 1)


@misconception("directions", "directions-no-root")
def no_root(vectors: torch.Tensor) -> torch.Tensor:
    """You divide by the squared length.

    The sum of squares is not yet a length. What is the last step of Pythagoras?
    """
    squares = vectors.square().sum(-1, keepdim=True)
    return vectors / squares.masked_fill(squares == 0, 1)
'''

SUITE = '''\
"""Checks of chapter 1: numbers without their scale, as standard scores and as vectors of length 1."""

import numpy as np

from autograder.suite import Agree, Draw, exercise, near

FORBIDDEN = {"directions": ("normalize",)}


@exercise("standard_scores", points=1, level="property")
def test_scores_have_mean_zero_and_deviation_one(agree: Agree, draw: Draw) -> None:
    """scores have mean 0 and standard deviation 1"""
    agree.satisfies(
        "the mean is 0 and the standard deviation 1",
        lambda scores: near(scores.mean(), 0.0) and near(scores.std(), 1.0),
        7 + 3 * draw.array("n"),
    )


@exercise("standard_scores", points=2, level="values")
def test_scores_are_distances_from_the_mean(agree: Agree, draw: Draw) -> None:
    """each score is the distance from the mean, in standard deviations"""
    agree(5 + 2 * draw.array("n"))
    agree(9 - draw.array("n"))
    agree(draw.integers("n", -40, 40).numpy())


@exercise("standard_scores", points=1, level="edges")
def test_equal_numbers_have_scores_of_zero(agree: Agree, draw: Draw) -> None:
    """where all numbers are equal, every score is 0; a single number is equal to itself"""
    number = float(draw.random.randrange(2, 4000))
    agree(np.full(draw.size("n"), number))
    agree(np.array([number]))


@exercise("directions", points=1, level="property")
def test_directions_have_length_one(agree: Agree, draw: Draw) -> None:
    """each vector has length 1"""
    agree.satisfies("each length is 1", lambda result: near(result.norm(dim=-1), 1.0), draw("B N D"))


@exercise("directions", points=2, level="values")
def test_directions_are_vectors_divided_by_their_lengths(agree: Agree, draw: Draw) -> None:
    """each vector is divided by its own length, and gradients flow"""
    agree(draw("B N D"), gradients=True)
    agree(draw("D"))
    for one in ("1 N D", "B 1 D", "B N 1"):
        agree(draw(one))


@exercise("directions", points=1, level="edges")
def test_a_vector_of_zeros_stays_as_it_is(agree: Agree, draw: Draw) -> None:
    """a vector of zeros stays as it is, and float32 stays float32"""
    vectors = draw("N D")
    vectors[0] = 0
    agree(vectors)
    agree.keeps_dtype_and_device(draw("N D"))
'''

RIGHT: Final = {
    "by_hand": '''\
"""By hand: loops over plain numbers."""

import math

import numpy as np
import torch


def standard_scores(numbers):
    mean = sum(numbers.tolist()) / len(numbers)
    spread = math.sqrt(sum((each - mean) ** 2 for each in numbers.tolist()) / len(numbers))
    return np.array([(each - mean) / spread if spread else 0.0 for each in numbers.tolist()])


def directions(vectors):
    rows = []
    for row in vectors.reshape(-1, vectors.shape[-1]):
        length = (row @ row) ** 0.5
        rows.append(row / torch.where(length == 0, torch.ones_like(length), length))
    return torch.stack(rows).reshape(vectors.shape)
''',
    "in_steps": '''\
"""In steps: sums written out, each with a name."""

import numpy as np
import torch


def standard_scores(numbers):
    centred = numbers - np.sum(numbers) / numbers.size
    variance = np.dot(centred, centred) / numbers.size
    return np.zeros(numbers.shape) if variance == 0 else centred / np.sqrt(variance)


def directions(vectors):
    squares = (vectors * vectors).sum(dim=-1)
    safe = torch.where(squares > 0, squares, torch.ones_like(squares))
    return vectors / safe.sqrt()[..., None]
''',
    "library": '''\
"""With what the libraries offer for parts of it."""

import numpy as np
import torch


def standard_scores(numbers):
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(np.subtract(numbers, np.average(numbers)) / np.std(numbers))


def directions(vectors):
    lengths = torch.linalg.vector_norm(vectors, dim=-1, keepdim=True)
    return vectors.div(lengths + (lengths == 0).to(vectors.dtype))
''',
}
"""Right answers to the chapter, by style."""

EQUIVALENT = """\
[[equivalent]]
exercise = "directions"
was = "    return vectors / torch.where(lengths > 0, lengths, torch.ones_like(lengths))"
now = "    return vectors / torch.where(lengths != 0, lengths, torch.ones_like(lengths))"
why = "A length is never negative, so above 0 and not 0 are the same."
"""
"""Changes of the solution that are right too."""
