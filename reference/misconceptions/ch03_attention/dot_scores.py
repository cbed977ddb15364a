"""What goes wrong in `dot_scores`."""

import math

import torch

from reference.ch03_attention import (
    dot_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("dot_scores", "dot-swapped")
def dot_swapped(q, k):
    """Your scores are transposed: they have keys as rows and queries as columns.

    [i, j] must be query i times key j. Which tensor makes the rows of a product, the left or the right one?

    Queries are the rows, so q stands on the left: `q @ k.transpose(-2, -1)`.
    """
    return k @ q.transpose(-2, -1)


@misconception("dot_scores", "dot-scaled")
def dot_scaled(q, k):
    """Your scores are divided by √d, which the plain dot product is not.

    Return the products as they are; the scaled dot product is the next exercise.
    """
    return dot_scores(q, k) / math.sqrt(q.shape[-1])


@misconception("dot_scores", "dot-softmaxed")
@misconception("scaled_dot_scores", "scaled-softmaxed")
def dot_softmaxed(q, k):
    """You return weights: the softmax is applied already.

    Return the scores themselves: a score function stops before the softmax.
    """
    return softmax(dot_scores(q, k), -1)


@misconception("dot_scores", "dot-pairwise")
def dot_pairwise(q, k):
    """You multiply query i with key i only, position by position.

    Every query is scored against every key: that is a matrix product, q times the transposed keys.
    """
    return (q * k).sum(-1)


@misconception("dot_scores", "dot-fixed-axes")
def dot_fixed_axes(q, k):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too. From which side are the two axes you swap always at the same
    place?

    Count from the right: `k.transpose(-2, -1)` always swaps the last two.
    """
    return q @ k.transpose(1, 2)


@misconception("dot_scores", "dot-squeezed")
def dot_squeezed(q, k):
    """You squeeze the scores, which drops every axis of size 1.

    A batch of one, a single query or a single key is a real axis; leave out `squeeze()`.
    """
    return dot_scores(q, k).squeeze()


@misconception("dot_scores", "dot-detached")
@misconception("scaled_dot_scores", "scaled-detached")
def dot_detached(q, k):
    """Your scores are cut off from q and k: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    return dot_scores(q.detach(), k.detach())


@misconception("dot_scores", "dot-all-axes")
def dot_all_axes(q, k):
    """You reverse all axes of k, the batch too, where only its last two should change places.

    With k (B, T, d) you get (d, T, B). Which axes of k does the product with q need swapped, and which must stay?

    `.T` is for matrices: `k.transpose(-2, -1)`, or `k.mT`, leaves every axis in front where it is.
    """
    return q @ k.permute(*reversed(range(k.dim())))


@misconception("dot_scores", "dot-bmm")
def dot_by_bmm(q, k):
    """You use `torch.bmm`, which takes three axes, neither more nor fewer.

    There may be no batch axis, or one for heads too. Which product takes any number of leading axes?
    """
    return torch.bmm(q, k.mT)
