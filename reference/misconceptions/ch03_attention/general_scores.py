"""What goes wrong in `general_scores`."""

import math

from reference.ch03_attention import (
    dot_scores,
    general_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("general_scores", "general-ignores-w")
def general_ignores_w(q, k, w):
    """Your scores are plain dot products: W is not used.

    Query and key may differ in size here. What turns a query of size Dq into one of size Dk?

    Translate the queries first: `q @ w` has the size of a key.
    """
    return dot_scores(q, k)


@misconception("general_scores", "general-transposed-w")
def general_transposed_w(q, k, w):
    """You multiply by W transposed.

    W is (Dq, Dk): its rows belong to the query, its columns to the key. Is it right for q as it stands?

    Leave W as it is: `q @ w`.
    """
    return general_scores(q, k, w.T)


@misconception("general_scores", "general-swapped")
def general_swapped(q, k, w):
    """Your scores are transposed: they have keys as rows and queries as columns.

    Queries are the rows: start with q, end with the transposed keys.
    """
    return general_scores(q, k, w).transpose(-2, -1)


@misconception("general_scores", "general-roles")
def general_roles(q, k, w):
    """You compute k W qᵀ: queries and keys have swapped roles.

    Read qᵀ W k from left to right. Whose size do the rows of W have, and who stands next to its columns?

    Start with q and end with the transposed keys: `q @ w @ k.transpose(-2, -1)`.
    """
    return general_scores(k, q, w)


@misconception("general_scores", "general-both")
def general_both(q, k, w):
    """You apply W to the queries and to the keys.

    W stands once between them: q W kᵀ.
    """
    return dot_scores(q @ w, k @ w)


@misconception("general_scores", "general-scaled")
def general_scaled(q, k, w):
    """Your scores are divided by a square root, which this score is not.

    W learns any scale that is needed; return q W kᵀ as it is.
    """
    return general_scores(q, k, w) / math.sqrt(k.shape[-1])


@misconception("general_scores", "general-softmaxed")
def general_softmaxed(q, k, w):
    """You return weights: the softmax is applied already.

    Return the scores themselves: a score function stops before the softmax.
    """
    return softmax(general_scores(q, k, w), -1)


@misconception("general_scores", "general-fixed-axes")
def general_fixed_axes(q, k, w):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too. Which way of counting finds the axes of a key in all three cases?

    Count from the right: `k.transpose(-2, -1)` always swaps the last two.
    """
    return q @ w @ k.transpose(1, 2)


@misconception("general_scores", "general-detached-w")
def general_detached_w(q, k, w):
    """No gradient reaches W: it is detached, or rebuilt with `.data`, `torch.tensor` or `nn.Parameter`.

    W is what this score learns; use it as it is.
    """
    return general_scores(q, k, w.detach())


@misconception("general_scores", "general-summed-alone")
def general_summed_alone(q, k, w):
    """You add up the numbers of each query, and the rows of W, on their own, before they can meet.

    Number i of a query belongs to row i of W alone. In an einsum the two need the same letter.
    """
    return q.sum(-1, keepdim=True) * (k @ w.sum(0)).unsqueeze(-2)
