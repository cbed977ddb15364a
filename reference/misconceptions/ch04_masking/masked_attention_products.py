"""What goes wrong in `masked_attention`, continued: scales, axes and products."""

import math

import torch

from reference.ch04_masking import (
    masked_attention,
    masked_softmax,
)
from reference.misconceptions import misconception


@misconception("masked_attention", "masked-attention-by-axis-one")
def attention_scaled_by_axis_one(q, k, v, mask=None):
    """You divide the scores by the root of `q.shape[1]`, which is not the width where there is a batch.

    Count from the end: the width is the last size of q, `q.shape[-1]`, with any number of axes in front.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / q.shape[1]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-queries")
def attention_scaled_by_queries(q, k, v, mask=None):
    """You divide the scores by the square root of the number of queries.

    A score is a sum over the d entries of a query, so √d is the measure: `q.shape[-1]`.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / q.shape[-2]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-batch")
def attention_scaled_by_batch(q, k, v, mask=None):
    """You divide the scores by the square root of the first size of q.

    The width is the last size: `q.shape[-1]`, not `q.shape[0]` or `len(q)`.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / q.shape[0]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-square")
def attention_scaled_by_square(q, k, v, mask=None):
    """You divide the scores by d² instead of √d.

    The standard deviation of a sum of d products grows with √d: `math.sqrt(d)` or `d ** 0.5`.
    """
    return masked_attention(q / q.shape[-1] ** 1.5, k, v, mask)


@misconception("masked_attention", "masked-attention-quarter-root")
def attention_scaled_by_fourth_root(q, k, v, mask=None):
    """You divide the scores by the fourth root of d instead of √d.

    If you divide by it before the product, divide both queries and keys; or divide the scores once by √d.
    """
    return masked_attention(q * q.shape[-1] ** 0.25, k, v, mask)


@misconception("masked_attention", "masked-attention-all-axes-reversed")
def attention_with_all_axes_reversed(q, k, v, mask=None):
    """You transpose the keys with `.T`, which reverses all axes, those of the batch too.

    Swap only the last two: `k.transpose(-2, -1)` or `k.mT`.
    """
    scores = q @ k.permute(*reversed(range(k.dim()))) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-three-axes")
def attention_of_three_axes(q, k, v, mask=None):
    """You swap axes 1 and 2 of the keys, which are the last two only where there are three axes.

    There may be heads, or no batch: address the last two axes as -2 and -1.
    """
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-not-transposed")
def attention_without_transposing(q, k, v, mask=None):
    """You multiply the queries by the keys without transposing the keys.

    A score is the dot product of a query row and a key row: `q @ k.transpose(-2, -1)`.
    """
    scores = q @ k / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-letters")
def attention_of_four_letters(q, k, v, mask=None):
    """Your einsum names exactly four axes, so it works with four axes only.

    Queries may come without heads, or without a batch: write `...` for the axes in front, as in "...qd,...kd->...qk".
    """
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-scores-turned")
def attention_of_turned_scores(q, k, v, mask=None):
    """Your scores are k qᵀ: keys in the rows, queries in the columns.

    Rows are queries, columns are keys: q kᵀ, (..., Tq, Tk).
    """
    scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(q.dtype).min), dim=-1).masked_fill(~mask, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-weights-turned")
def attention_with_turned_weights(q, k, v, mask=None):
    """You mix the values with the transposed weights.

    Rows are queries: multiply the values from the left by the weights as they are, `weights @ v`.
    """
    _, weights = masked_attention(q, k, v, mask)
    return weights.transpose(-2, -1) @ v, weights


@misconception("masked_attention", "masked-attention-truth")
def attention_asks_for_truth(q, k, v, mask=None):
    """You ask a whole mask for its truth value, as `if mask` does.

    A tensor of many entries has none; ask `mask is not None`.
    """
    return masked_attention(q, k, v, mask if mask else None)


@misconception("masked_attention", "masked-attention-causal")
def attention_always_causal(q, k, v, mask=None):
    """Without a mask you hide the future all the same.

    `mask=None` allows every pair; a caller who wants a triangle passes one.
    """
    if mask is None:
        mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril()
    return masked_attention(q, k, v, mask)


@misconception("masked_attention", "masked-attention-two-softmaxes")
def attention_with_two_softmaxes(q, k, v, mask=None):
    """You apply the softmax twice.

    Weights already sum to 1; a second softmax makes them nearly equal, and brings back the forbidden keys.
    """
    _, weights = masked_attention(q, k, v, mask)
    weights = torch.softmax(weights, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-extra-axis")
def attention_with_one_more_axis(q, k, v, mask=None):
    """You give the mask one more axis, so it meets the wrong axes of the scores.

    It broadcasts as it is, from the last axis on; leave out `unsqueeze` or the index `None` that adds the axis.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return masked_attention(q, k, v)
    mask = mask.unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(q.dtype).min), dim=-1).masked_fill(~mask, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-guessed-order")
def attention_guesses_the_order(q, k, v, mask=None):
    """You decide by the sizes whether the keys must be transposed, which fails where Tk = d.

    Keys always come as (..., Tk, d): transpose their last two axes, whatever the sizes are.
    """
    turned = k if k.shape[-2] == q.shape[-1] else k.transpose(-2, -1)
    scores = q @ turned / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-weights-detached")
def attention_returns_detached_weights(q, k, v, mask=None):
    """The weights you return are detached: no gradient reaches queries and keys through them.

    Return them as they are; a caller that only wants to look at them can detach them.
    """
    output, weights = masked_attention(q, k, v, mask)
    return output, weights.detach()


@misconception("masked_attention", "masked-attention-global-max")
def masked_attention_global_max(q, k, v, mask=None):
    """You subtract the largest allowed score of the whole tensor, so a query with scores far below it gets no weights.

    Each query has a maximum of its own. Along which axis must you look for it, and with which `keepdim`?
    """
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    largest = scores.detach().amax().clamp_min(torch.finfo(scores.dtype).min)
    powers = torch.exp(scores - largest)
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-zero-hidden")
def masked_attention_zero_hidden(q, k, v, mask=None):
    """An allowed key whose score is exactly 0 is hidden too: you take every 0 for a forbidden score.

    A product of score and mask is 0 for two reasons. Only the mask tells them apart: ask it.
    """
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    hidden = (scores if mask is None else scores * mask) == 0
    weights = torch.softmax(scores.masked_fill(hidden, torch.finfo(scores.dtype).min), -1).masked_fill(hidden, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-whole-root")
def masked_attention_whole_root(q, k, v, mask=None):
    """You divide by √d rounded to a whole number.

    `math.isqrt` and `int` drop what follows the point: √11 is 3.32, not 3.
    """
    return masked_attention(q * (math.sqrt(q.shape[-1]) / math.isqrt(q.shape[-1])), k, v, mask)
