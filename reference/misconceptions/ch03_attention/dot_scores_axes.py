"""What goes wrong in `dot_scores`, continued: axes, and what becomes of the products."""

import torch

from reference.ch03_attention import cosine_scores, dot_scores
from reference.misconceptions import misconception


@misconception("dot_scores", "dot-einsum")
def dot_einsum(q, k):
    """Your einsum names exactly one leading axis, so it fails without one and with two.

    There may be no batch axis, or one for heads too. How does einsum write any number of axes?

    Write `...` for the leading axes: `torch.einsum("...qd,...kd->...qk", q, k)`.
    """
    return torch.einsum("bqd,bkd->bqk", q, k)


@misconception("dot_scores", "dot-two-axes")
def dot_two_axes(q, k):
    """You count the new axes from the left, which is right for (T, d) only: with a batch, sentences meet each other.

    There may be a batch axis, or one for heads too. From which side are the axes of words and features always at the
    same place?

    Count from the end, `q.unsqueeze(-2) * k.unsqueeze(-3)`, or write `q @ k.transpose(-2, -1)`.
    """
    return (q.unsqueeze(1) * k.unsqueeze(0)).sum(dim=-1)


@misconception("dot_scores", "dot-not-transposed")
def dot_not_transposed(q, k):
    """You multiply q by k as it is, so that rows of q meet columns of k.

    Write down the shapes (Tq, d) and (Tk, d). Which two sizes must meet in the middle of the product?

    Swap the last two axes of k: `q @ k.transpose(-2, -1)`.
    """
    return q @ k


@misconception("dot_scores", "dot-reshaped")
def dot_reshaped(q, k):
    """You reshape k to (..., d, Tk) instead of transposing it, which mixes up the numbers of the keys.

    A reshape only breaks the same row of numbers anew. Try it on two keys, (1, 2, 3) and (4, 5, 6): what is your first
    column?

    `k.transpose(-2, -1)` swaps the axes; `reshape` and `view` do not.
    """
    return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


@misconception("dot_scores", "dot-mean")
def dot_mean(q, k):
    """You divide the products by d: you take their mean over the features, not their sum.

    A dot product adds the d products up.
    """
    return dot_scores(q, k) / q.shape[-1]


@misconception("dot_scores", "dot-first-batch")
def dot_first_key(q, k):
    """All queries meet the first sentence's keys.

    Each sentence has keys of its own: multiply q by all of k, with their leading axes.
    """
    return dot_scores(q, k[:1].expand_as(k)) if k.dim() > 2 else dot_scores(q, k)


@misconception("dot_scores", "dot-float32")
@misconception("scaled_dot_scores", "scaled-float32")
def dot_float32(q, k):
    """You compute in float32, so float64 scores have about seven right digits.

    Leave the dtype of q and k as it is.
    """
    return dot_scores(q.float(), k.float()).to(q.dtype)


@misconception("dot_scores", "dot-products")
def dot_products(q, k):
    """You do not add up the products of the features: your result is (..., Tq, Tk, d).

    A dot product is one number. Which axis of your result still holds its parts?

    Sum over the last axis, or let `@` do it: `q @ k.transpose(-2, -1)`.
    """
    return q.unsqueeze(-2) * k.unsqueeze(-3)


@misconception("dot_scores", "dot-cosine")
def dot_cosine(q, k):
    """You divide by the lengths of query and key: that is the cosine.

    Return the products as they are; the cosine is a later exercise.
    """
    return cosine_scores(q, k)


@misconception("dot_scores", "dot-tensordot")
def dot_tensordot(q, k):
    """You score the queries of each sentence against the keys of all sentences: your result is (B, Tq, B, Tk).

    `torch.tensordot` and NumPy's `inner` pair every leading axis of q with every one of k. Which axes must stay
    together?

    A matrix product keeps the leading axes side by side: `q @ k.transpose(-2, -1)`.
    """
    return torch.tensordot(q, k, dims=([-1], [-1]))


@misconception("dot_scores", "dot-up-to-four-axes")
def dot_up_to_four_axes(q, k):
    """You write the product out for two, three and four axes, and there may be more of them.

    Which way of naming the last two axes fits however many stand in front?

    `q @ k.transpose(-2, -1)` needs no cases.
    """
    letters = {2: "qd,kd->qk", 3: "bqd,bkd->bqk", 4: "bhqd,bhkd->bhqk"}
    return torch.einsum(letters[q.dim()], q, k)
