"""What goes wrong in `location_scores`."""

import math

import torch

from reference.ch03_attention import (
    location_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("location_scores", "location-softmaxed")
def location_softmaxed(q, w):
    """You return weights: the softmax is applied already.

    The paper writes it into the formula; here every score function gives the scores before any softmax.
    """
    return softmax(location_scores(q, w), -1)


@misconception("location_scores", "location-untransposed")
def location_untransposed(q, w):
    """You multiply by W where W transposed is needed.

    W is (Tk, D), one row per position. Which of its axes must meet the D numbers of a query? With a square W the shape
    does not tell.

    `q @ w.T`.
    """
    return q @ w


@misconception("location_scores", "location-swapped")
def location_swapped(q, w):
    """Your scores are transposed: they have positions as rows and queries as columns.

    [i, j] must be query i and position j. Which tensor makes the rows of a product, the left or the right one?

    Queries are the rows, so q stands on the left: `q @ w.T`.
    """
    return location_scores(q, w).transpose(-2, -1)


@misconception("location_scores", "location-scaled")
def location_scaled(q, w):
    """Your scores are divided by √D, which this score is not.

    W learns any scale that is needed; return the product as it is.
    """
    return location_scores(q, w) / math.sqrt(q.shape[-1])


@misconception("location_scores", "location-detached-w")
def location_detached_w(q, w):
    """No gradient reaches W: it is detached, or rebuilt with `.data`, `torch.tensor` or `nn.Parameter`.

    W is what this score learns; use it as it is.
    """
    return location_scores(q, w.detach())


@misconception("location_scores", "location-linear-layer")
def location_linear_layer(q, w):
    """You put W into an `nn.Linear` with a bias of its own: random numbers in float32, which this score does not have.

    Wrapped in a parameter of your layer, W would get no gradient either. Does one product of q and W need a layer?

    Multiply by W itself: `q @ w.T`.
    """
    layer = torch.nn.Linear(w.shape[1], w.shape[0])
    layer.weight = torch.nn.Parameter(w)
    return layer(q)
