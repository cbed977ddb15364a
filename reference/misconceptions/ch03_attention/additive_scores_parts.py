"""What goes wrong in `additive_scores`, continued: the parts of W, the bend, and what becomes of the scores."""

import math

import torch

from reference.ch03_attention import additive_scores
from reference.misconceptions import misconception


@misconception("additive_scores", "additive-cut-in-the-middle")
def additive_cut_in_the_middle(q, k, w, v):
    """You cut W in the middle, which is right only where queries and keys have the same size.

    Query and key may differ in size. Which argument tells how many columns belong to the query?

    The query's columns are the first Dq: `w[:, :q.shape[-1]]` and `w[:, q.shape[-1]:]`.
    """
    left, right = w[:, : w.shape[1] // 2], w[:, w.shape[1] // 2 :]
    return torch.tanh((q @ left.T).unsqueeze(-2) + (k @ right.T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-relu")
def additive_relu(q, k, w, v):
    """You apply a ReLU instead of tanh.

    Which bend does the formula name? It goes from -1 to 1, and a ReLU has no upper bound.

    The score is v · tanh(W [q; k]).
    """
    d = q.shape[-1]
    return torch.relu((q @ w[:, :d].T).unsqueeze(-2) + (k @ w[:, d:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-sigmoid")
def additive_sigmoid(q, k, w, v):
    """You apply a sigmoid instead of tanh.

    Which bend does the formula name? It goes from -1 to 1, and a sigmoid is never negative.

    The score is v · tanh(W [q; k]).
    """
    d = q.shape[-1]
    return torch.sigmoid((q @ w[:, :d].T).unsqueeze(-2) + (k @ w[:, d:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-queries-alone")
def additive_queries_alone(q, k, w, v):
    """Your keys play no part in the scores.

    The last Dk columns of W have nothing to do in your answer. What do they wait for?

    Join each query to each key, or add the key's part, `k @ w[:, Dq:].T`, inside the tanh.
    """
    return additive_scores(q, torch.zeros_like(k), w, v)


@misconception("additive_scores", "additive-keys-alone")
def additive_keys_alone(q, k, w, v):
    """Your queries play no part in the scores.

    The first Dq columns of W have nothing to do in your answer. What do they wait for?

    Join each query to each key, or add the query's part, `q @ w[:, :Dq].T`, inside the tanh.
    """
    return additive_scores(torch.zeros_like(q), k, w, v)


@misconception("additive_scores", "additive-scaled")
def additive_scaled(q, k, w, v):
    """Your scores are divided by a square root of a size, which this score is not.

    Which part of the formula keeps the hidden units small already?

    Return v · tanh(W [q; k]) as it is.
    """
    return additive_scores(q, k, w, v) / math.sqrt(q.shape[-1])


@misconception("additive_scores", "additive-products")
def additive_products(q, k, w, v):
    """You multiply the query's part by the key's part instead of adding them.

    Write out one entry of W [q; k] for a query and a key of two numbers each. What stands between the four terms?

    W times the joined vector is a sum: the query's columns times q plus the key's columns times k.
    """
    d = q.shape[-1]
    return torch.tanh((q @ w[:, :d].T).unsqueeze(-2) * (k @ w[:, d:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-not-summed")
def additive_not_summed(q, k, w, v):
    """You do not add the hidden units up: your result is (..., Tq, Tk, A).

    A score is one number. Which axis of your result still holds its parts?

    Finish with `@ v`, a dot product over the last axis.
    """
    d = q.shape[-1]
    return torch.tanh((q @ w[:, :d].T).unsqueeze(-2) + (k @ w[:, d:].T).unsqueeze(-3)) * v


@misconception("additive_scores", "additive-column")
def additive_column(q, k, w, v):
    """Your scores keep an axis of size 1 at the end: (..., Tq, Tk, 1).

    A matrix of one column leaves an axis for it. What leaves none?

    Multiply by the vector, `@ v`; a column, `v[:, None]`, keeps its axis.
    """
    return additive_scores(q, k, w, v).unsqueeze(-1)


@misconception("additive_scores", "additive-squeezed")
def additive_squeezed(q, k, w, v):
    """You squeeze the scores, which drops every axis of size 1.

    A single query or key keeps its axis: (..., Tq, Tk).
    """
    return additive_scores(q, k, w, v).squeeze()


@misconception("additive_scores", "additive-all-detached")
def additive_all_detached(q, k, w, v):
    """Your scores are cut off from their arguments: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the tensors as they are.
    """
    return additive_scores(q, k, w, v).detach()


@misconception("additive_scores", "additive-overflow")
def additive_overflow(q, k, w, v):
    """Your tanh is built from exponentials, which overflow for large numbers and leave NaN.

    exp(1000) is infinite, and infinity divided by infinity is not a number. Which function of torch is safe?
    """
    d = q.shape[-1]
    power = torch.exp(2 * ((q @ w[:, :d].T).unsqueeze(-2) + (k @ w[:, d:].T).unsqueeze(-3)))
    return (power - 1) / (power + 1) @ v


@misconception("additive_scores", "additive-overflow-both-ways")
def additive_overflow_both_ways(q, k, w, v):
    """Your tanh is built from exponentials, which overflow for large numbers and leave NaN.

    exp(1000) is infinite, and infinity divided by infinity is not a number. Which function of torch is safe?
    """
    d = q.shape[-1]
    hidden = (q @ w[:, :d].T).unsqueeze(-2) + (k @ w[:, d:].T).unsqueeze(-3)
    return (hidden.exp() - (-hidden).exp()) / (hidden.exp() + (-hidden).exp()) @ v
