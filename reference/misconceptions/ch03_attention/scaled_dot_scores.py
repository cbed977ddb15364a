"""What goes wrong in `scaled_dot_scores`."""

import math

import torch

from reference.ch03_attention import (
    dot_scores,
    scaled_dot_scores,
)
from reference.misconceptions import misconception


@misconception("scaled_dot_scores", "scaled-unscaled")
def scaled_unscaled(q, k):
    """Your scores are not divided by √d.

    Divide by √d, d the last size of q: a sum of d products has variance d.
    """
    return dot_scores(q, k)


@misconception("scaled_dot_scores", "scaled-by-d")
def scaled_by_d(q, k):
    """Your scores are divided by d, not by its square root (dividing q and k by √d each does the same).

    The standard deviation of the scores is √d; divide once by that.
    """
    return dot_scores(q, k) / q.shape[-1]


@misconception("scaled_dot_scores", "scaled-multiplied")
def scaled_multiplied(q, k):
    """Your scores are multiplied by √d instead of divided by it.

    Wide vectors make large scores; dividing by √d takes that back.
    """
    return dot_scores(q, k) * math.sqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-by-keys")
def scaled_by_keys(q, k):
    """Your scores are divided by the square root of the number of keys.

    One score is a sum of d products; Tk has no part in it. Divide by the root of `q.shape[-1]`.
    """
    return dot_scores(q, k) / math.sqrt(k.shape[-2])


@misconception("scaled_dot_scores", "scaled-by-queries")
def scaled_by_queries(q, k):
    """Your scores are divided by the square root of the number of queries.

    One score is a sum of d products; Tq has no part in it. Divide by the root of `q.shape[-1]`.
    """
    return dot_scores(q, k) / math.sqrt(q.shape[-2])


@misconception("scaled_dot_scores", "scaled-hard-coded")
def scaled_hard_coded(q, k):
    """Your scores are divided by 8 whatever d is: that is √64, the paper's head width.

    Read d off the tensor: `q.shape[-1]`.
    """
    return dot_scores(q, k) / 8.0


@misconception("scaled_dot_scores", "scaled-swapped")
def scaled_swapped(q, k):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Queries are the rows, so q stands on the left: `q @ k.transpose(-2, -1)`, then divide.
    """
    return scaled_dot_scores(k, q)


@misconception("scaled_dot_scores", "scaled-in-place")
def scaled_in_place(q, k):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; divide the scores, or make a new tensor with `q / ...`.
    """
    q /= math.sqrt(q.shape[-1])
    return dot_scores(q, k)


@misconception("scaled_dot_scores", "scaled-fixed-axes")
def scaled_fixed_axes(q, k):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: count from the right, -2 and -1.
    """
    return q @ k.transpose(1, 2) / math.sqrt(q.shape[2])


@misconception("scaled_dot_scores", "scaled-all-axes")
def scaled_all_axes(q, k):
    """You reverse all axes of k, the batch too, where only its last two should change places.

    `.T` is for matrices: `k.transpose(-2, -1)`, or `k.mT`, leaves every axis in front where it is.
    """
    return q @ k.permute(*reversed(range(k.dim()))) / math.sqrt(q.shape[-1])


@misconception("scaled_dot_scores", "scaled-by-spread")
def scaled_by_spread(q, k):
    """You divide by the spread that the scores of each sentence happen to have, not by √d.

    √d is the spread to be expected of d products, the same for every text. A measured one makes keys change each other.
    """
    scores = dot_scores(q, k)
    return scores / scores.std(dim=(-2, -1), keepdim=True)


@misconception("scaled_dot_scores", "scaled-by-spread-of-all")
def scaled_by_spread_of_all(q, k):
    """You divide by the spread that all scores together happen to have, not by √d.

    √d is the spread to be expected of d products, the same for every text. A measured one makes keys change each other.
    """
    scores = dot_scores(q, k)
    return scores / scores.std()


@misconception("scaled_dot_scores", "scaled-bmm")
def scaled_by_bmm(q, k):
    """You use `torch.bmm`, which takes three axes, neither more nor fewer.

    There may be no batch axis, or one for heads too. Which product takes any number of leading axes?
    """
    return torch.bmm(q, k.mT) / math.sqrt(q.shape[-1])
