"""What goes wrong in `additive_scores`."""

import torch

from reference.ch03_attention import (
    additive_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("additive_scores", "additive-key-first")
def additive_key_first(q, k, w, v):
    """You put the key before the query.

    In W [q; k] the query comes first. Which columns of W does it meet?

    The first Dq columns of W belong to q.
    """
    width = k.shape[-1]
    from_query, from_key = q @ w[:, width:].T, k @ w[:, :width].T
    return torch.tanh(from_query.unsqueeze(-2) + from_key.unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-one-half")
def additive_one_half(q, k, w, v):
    """You apply the same columns of W to queries and keys.

    W has Dq + Dk columns. How many of them does your answer never read?

    The first Dq columns of W belong to the query, the others to the key.
    """
    half = w[:, : q.shape[-1]].T
    return torch.tanh((q @ half).unsqueeze(-2) + (k @ half).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-no-tanh")
def additive_no_tanh(q, k, w, v):
    """The tanh is missing between W and v.

    Without the bend the query adds the same number to all its scores, and a softmax ignores that. Where in the formula
    does it stand?

    Apply `tanh` to W [q; k].
    """
    width = q.shape[-1]
    return ((q @ w[:, :width].T).unsqueeze(-2) + (k @ w[:, width:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-tanh-last")
def additive_tanh_last(q, k, w, v):
    """You apply tanh after v, to the finished scores.

    Read the formula from the inside out. What has the tanh around it, the hidden units or their weighted sum?

    The tanh belongs to the hidden layer: v · tanh(W [q; k]).
    """
    width = q.shape[-1]
    return torch.tanh(((q @ w[:, :width].T).unsqueeze(-2) + (k @ w[:, width:].T).unsqueeze(-3)) @ v)


@misconception("additive_scores", "additive-two-tanhs")
def additive_two_tanhs(q, k, w, v):
    """You apply tanh to the query's part and to the key's part before adding them.

    Add first: there is one tanh, of the sum, or query and key never meet.
    """
    width = q.shape[-1]
    return (torch.tanh(q @ w[:, :width].T).unsqueeze(-2) + torch.tanh(k @ w[:, width:].T).unsqueeze(-3)) @ v


@misconception("additive_scores", "additive-no-v")
def additive_no_v(q, k, w, v):
    """You add up the hidden units without weighing them: v is not used.

    v says how much each hidden unit counts. Which product makes one number of A units and A weights?

    The score is the dot product of v and the hidden layer.
    """
    return additive_scores(q, k, w, torch.ones_like(v))


@misconception("additive_scores", "additive-swapped")
def additive_swapped(q, k, w, v):
    """Your scores are transposed: they have keys as rows and queries as columns.

    The hidden layer is (..., Tq, Tk, A). Which of its axes do your queries lie on, and which your keys?

    Give the queries the axis -3 and the keys the axis -2.
    """
    return additive_scores(q, k, w, v).transpose(-2, -1)


@misconception("additive_scores", "additive-pairwise")
def additive_pairwise(q, k, w, v):
    """You join query i with key i only, position by position.

    How many scores do 2 queries and 3 keys make?

    Every query meets every key: the hidden layer has the shape (..., Tq, Tk, A).
    """
    return torch.tanh(torch.cat([q, k], dim=-1) @ w.T) @ v


@misconception("additive_scores", "additive-softmaxed")
def additive_softmaxed(q, k, w, v):
    """You return weights: the softmax is applied already.

    Return the scores themselves: a score function stops before the softmax.
    """
    return softmax(additive_scores(q, k, w, v), -1)


@misconception("additive_scores", "additive-fixed-axes")
def additive_fixed_axes(q, k, w, v):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too. From which side are the axes of words and features always at the
    same place?

    Count from the right: `unsqueeze(-2)` for the queries and `unsqueeze(-3)` for the keys.
    """
    width = q.shape[-1]
    return torch.tanh((q @ w[:, :width].T).unsqueeze(2) + (k @ w[:, width:].T).unsqueeze(1)) @ v


@misconception("additive_scores", "additive-detached")
def additive_detached(q, k, w, v):
    """No gradient reaches W and v: they are detached, or rebuilt with `.data`, `torch.tensor` or `nn.Parameter`.

    W and v are what this score learns; use them as they are.
    """
    return additive_scores(q, k, w.detach(), v.detach())
