"""What goes wrong in `scaled_dot_scores`, continued: the root, and the axes."""

import math

import torch

from reference.ch03_attention import dot_scores, scaled_dot_scores
from reference.misconceptions import misconception


@misconception("scaled_dot_scores", "scaled-by-half")
def scaled_by_half(q, k):
    """Your scores are divided by d/2: `d ** 1 / 2` is (d ** 1) / 2.

    Put the exponent in brackets, `d ** (1 / 2)`, or write `math.sqrt(d)`.
    """
    return dot_scores(q, k) / (q.shape[-1] ** 1 / 2)


@misconception("scaled_dot_scores", "scaled-rounded-root")
def scaled_rounded_root(q, k):
    """Your √d is rounded to float32, so float64 scores have about seven right digits.

    Take the root of a Python number, `math.sqrt(d)` or `d**0.5`; a tensor's root is only as precise as its dtype.
    """
    return dot_scores(q, k) / torch.tensor(q.shape[-1], dtype=torch.float32, device=q.device).sqrt()


@misconception("scaled_dot_scores", "scaled-whole-root")
def scaled_whole_root(q, k):
    """Your √d is rounded to a whole number.

    Divide by the root itself, `math.sqrt(d)`, which is whole for squares only.
    """
    return dot_scores(q, k) / math.isqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-fourth-root")
def scaled_fourth_root(q, k):
    """Your scores are divided by the fourth root of d: by √√d.

    Divide the scores by √d, or both q and k by √√d.
    """
    return dot_scores(q, k) / q.shape[-1] ** 0.25


@misconception("scaled_dot_scores", "scaled-cube")
def scaled_by_cube(q, k):
    """You divide by √d more than once.

    One root of d is enough: the variance of a dot product is d, so its deviation is √d.
    """
    return scaled_dot_scores(q, k) / q.shape[-1]


@misconception("scaled_dot_scores", "scaled-einsum")
def scaled_einsum(q, k):
    """Your einsum names exactly one leading axis, so it fails without one and with two.

    Write `...` for the leading axes: `torch.einsum("...qd,...kd->...qk", q, k)`.
    """
    return torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-pairwise")
def scaled_pairwise(q, k):
    """You multiply query i with key i only, position by position.

    Every query meets every key: `q @ k.transpose(-2, -1)`.
    """
    return (q * k).sum(dim=-1) / math.sqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-reshaped")
def scaled_reshaped(q, k):
    """You reshape k to (..., d, Tk) instead of transposing it, which mixes up the numbers of the keys.

    `k.transpose(-2, -1)` swaps the axes; `reshape` and `view` only break the same row of numbers anew.
    """
    return scaled_dot_scores(q, k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]).transpose(-2, -1))


@misconception("scaled_dot_scores", "scaled-not-transposed")
def scaled_not_transposed(q, k):
    """You multiply q by k as it is, so that rows of q meet columns of k.

    Swap the last two axes of k: `q @ k.transpose(-2, -1)`.
    """
    return q @ k / math.sqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-root-of-all")
def scaled_root_of_scores(q, k):
    """You take the root of the scores, not of d.

    Divide the scores by `math.sqrt(d)`; negative scores have no root.
    """
    return torch.sqrt(dot_scores(q, k))


@misconception("scaled_dot_scores", "scaled-standardised")
def scaled_standardised(q, k):
    """You divide each row of scores by its own standard deviation, measured on the keys, not by √d.

    The scale is a constant that d alone decides; measured, it would be another one in each row, and none for one key.
    """
    scores = dot_scores(q, k)
    return scores / scores.std(dim=-1, keepdim=True)


@misconception("scaled_dot_scores", "scaled-tensordot")
def scaled_tensordot(q, k):
    """You score the queries of each sentence against the keys of all sentences: your result is (B, Tq, B, Tk).

    `torch.tensordot` and NumPy's `inner` pair every leading axis of q with every one of k. Which axes must stay
    together?

    A matrix product keeps the leading axes side by side: `q @ k.transpose(-2, -1)`.
    """
    return torch.tensordot(q, k, dims=([-1], [-1])) / math.sqrt(q.shape[-1])
