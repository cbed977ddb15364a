"""The texts that `attend new` writes: a small exercise that works, for the author to overwrite."""

from __future__ import annotations

CHAPTER = '''\
# %% [markdown]
# # Chapter {number} · {title}
# A question worth answering, and one picture or table that makes it concrete.

# %%
"""Chapter {number}: what it is about, in one line."""

import torch

'''

EXERCISE = '''\
# %% [markdown]
# ## {heading}
# What is computed, why it is wanted, and where in the literature it stands.


# %% exercise="{name}"
def {name}(x: torch.Tensor) -> torch.Tensor:
    """Twice every number of `x`.

    Args:
        x: any shape.

    Returns:
        A tensor of the shape and dtype of `x`.
    """
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% [markdown] hints="{name}" difficulty=1 minutes=5
# 1. A nudge: what do all numbers of the result have in common?
# 2. The idea: a tensor can be multiplied by a Python number.
# 3. Nearly the code: return `x` times two.

# %% [markdown] debrief="{name}"
# What this piece is good for, and where it comes again. Something more to know about it. What to read.
'''

REFERENCE_HEAD = '''\
"""Chapter {number}, the oracle: the same contract in another idiom than the solution's."""

import torch
'''

REFERENCE = '''

def {name}(x: torch.Tensor) -> torch.Tensor:
    """`x` (any shape) and `x` once more."""
    return x + x
'''

MISTAKES_HEAD = '''\
"""{mistakes}"""

import torch

from reference.misconceptions import misconception
'''

MISTAKES = '''

@misconception("{name}", "{id}-squared")
def {snake}_squared(x: torch.Tensor) -> torch.Tensor:
    """You squared the numbers instead of doubling them.

    Doubling multiplies by two: `2 * x`. A square multiplies each number by itself.
    """
    return x * x


@misconception("{name}", "{id}-two-more")
def {snake}_two_more(x: torch.Tensor) -> torch.Tensor:
    """You added two to the numbers instead of doubling them.

    Doubling multiplies by two: `2 * x`. To add two is the same only where a number is two.
    """
    return x + 2
'''

SUITE_HEAD = '''\
"""Checks of chapter {number}: what it is about, in one line."""

from autograder.suite import Agree, Draw, exercise
'''

CHECKS = ("test_{snake}_keeps_zero", "test_{snake}_doubles_every_number", "test_{snake}_lets_gradients_through")

SUITE = f'''

@exercise("{{name}}", points=1, level="property")
def {CHECKS[0]}(agree: Agree, draw: Draw) -> None:
    """twice zero is zero, in the shape of x"""
    agree.satisfies("every number is zero", lambda result: bool((result == 0).all()), 0 * draw("B T"))


@exercise("{{name}}", points=1, level="values")
def {CHECKS[1]}(agree: Agree, draw: Draw) -> None:
    """every number of x is doubled"""
    agree(draw("B T D"))


@exercise("{{name}}", points=1, level="edges")
def {CHECKS[2]}(agree: Agree, draw: Draw) -> None:
    """gradients flow to x"""
    agree(draw("B T"), gradients=True)
'''

RIGHT = '''\
"""Right answers to `{name}`, a cell each: at least three, unlike each other and the solution."""

import torch


# %% stacked
def {name}(x: torch.Tensor) -> torch.Tensor:
    return torch.stack([x, x]).sum(0)
'''
