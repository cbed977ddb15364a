"""What goes wrong in `general_scores`, continued: which products are taken, and the axes."""

import torch

from reference.ch03_attention import dot_scores, general_scores
from reference.misconceptions import misconception


@misconception("general_scores", "general-einsum")
def general_einsum(q, k, w):
    """Your einsum names exactly one leading axis, so it fails without one and with two.

    There may be no batch axis, or one for heads too. How does einsum write any number of axes?

    Write `...` for the leading axes: `torch.einsum("...qd,de,...ke->...qk", q, w, k)`.
    """
    return torch.einsum("bqd,de,bke->bqk", q, w, k)


@misconception("general_scores", "general-tanh")
def general_tanh(q, k, w):
    """You apply tanh to the scores.

    Return the products as they are: qᵀ W k.
    """
    return torch.tanh(general_scores(q, k, w))


@misconception("general_scores", "general-pairwise")
def general_pairwise(q, k, w):
    """You multiply query i with key i only, position by position.

    How many scores do 2 queries and 3 keys make? Every query meets every key.

    Multiply by the transposed keys: `q @ w @ k.transpose(-2, -1)`.
    """
    return (q @ w * k).sum(dim=-1)


@misconception("general_scores", "general-diagonal")
def general_diagonal(q, k, w):
    """You use the diagonal of W only.

    Multiply by the whole matrix, `q @ w`: every number of the query meets every number of the key.
    """
    return dot_scores(q * w.diagonal(), k)


@misconception("general_scores", "general-added")
def general_added(q, k, w):
    """You add the plain dot products to the scores.

    Return q W kᵀ alone.
    """
    return general_scores(q, k, w) + dot_scores(q, k)


@misconception("general_scores", "general-queries-alone")
def general_queries_alone(q, k, w):
    """You return the queries times W: the keys are left out.

    Your result has a column for each feature of a key. What would give it a column for each key?

    Multiply by the keys, too: `q @ w @ k.transpose(-2, -1)`.
    """
    return q @ w


@misconception("general_scores", "general-squeezed")
def general_squeezed(q, k, w):
    """You squeeze the scores, which drops every axis of size 1.

    A single query or key keeps its axis: (..., Tq, Tk).
    """
    return general_scores(q, k, w).squeeze()


@misconception("general_scores", "general-detached")
def general_detached(q, k, w):
    """Your scores are cut off from q, k and W: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the tensors as they are.
    """
    return general_scores(q, k, w).detach()


@misconception("general_scores", "general-float32")
def general_float32(q, k, w):
    """You compute in float32, so float64 scores have about seven right digits.

    Leave the dtype of q, k and W as it is.
    """
    return general_scores(q.float(), k.float(), w.float()).to(q.dtype)


@misconception("general_scores", "general-reshaped")
def general_reshaped(q, k, w):
    """You reshape k to (..., Dk, Tk) instead of transposing it, which mixes up the numbers of the keys.

    A reshape only breaks the same row of numbers anew. Try it on two keys, (1, 2, 3) and (4, 5, 6): what is your first
    column?

    `k.transpose(-2, -1)` swaps the axes; `reshape` and `view` do not.
    """
    return q @ w @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


@misconception("general_scores", "general-all-axes")
def general_all_axes(q, k, w):
    """You reverse all axes of k with `.T`, the batch too, where only its last two should change places.

    With k (B, Tk, Dk) you get (Dk, Tk, B). Which axes does the product need swapped, and which must stay?

    `k.transpose(-2, -1)`, or `k.mT`, leaves every axis in front where it is.
    """
    return q @ w @ k.permute(*reversed(range(k.dim())))


@misconception("general_scores", "general-symmetric-part")
def general_symmetric_part(q, k, w):
    """You use the mean of W and W transposed, so a score no longer depends on which of the two is the query.

    What one word asks another is not what the other asks it: W need not be symmetric. Use it as it is.
    """
    return q @ ((w + w.mT) / 2) @ k.mT


@misconception("general_scores", "general-mean-gradient")
def general_mean_gradient(q, k, w):
    """Your backward takes the mean over the sentences for the gradient of W, which is their sum.

    Every sentence pulls at the same W, and what they pull adds up. Torch does that by itself for a product.
    """

    class Form(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, w):
            ctx.save_for_backward(q, k, w)
            return q @ w @ k.mT

        @staticmethod
        def backward(ctx, grad):
            q, k, w = ctx.saved_tensors
            own = (q.mT @ grad @ k).reshape(-1, *w.shape).mean(dim=0)
            return grad @ k @ w.mT, grad.mT @ q @ w, own

    return Form.apply(q, k, w)


@misconception("general_scores", "general-bmm")
def general_by_bmm(q, k, w):
    """You use `torch.bmm`, which takes three axes, neither more nor fewer.

    There may be no batch axis, or one for heads too. Which product takes any number of leading axes?
    """
    return torch.bmm(q @ w, k.mT)
