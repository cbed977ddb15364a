"""What goes wrong in `scaled_dot_product_attention`: the scale, and which axes and tensors meet."""

import math

import torch

from reference.ch03_attention import (
    dot_scores,
    scaled_dot_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("scaled_dot_product_attention", "attention-unscaled")
def attention_unscaled(q, k, v):
    """Your scores are not divided by √d.

    Divide q kᵀ by √d, d the last size of q, before the softmax: unscaled ones saturate it.
    """
    weights = softmax(dot_scores(q, k), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-d")
def attention_by_d(q, k, v):
    """Your scores are divided by d, not by its square root (dividing q and k by √d each does the same).

    The standard deviation of the scores is √d; divide once by that.
    """
    weights = softmax(dot_scores(q, k) / q.shape[-1], -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-multiplied")
def attention_multiplied(q, k, v):
    """Your scores are multiplied by √d instead of divided by it.

    Wide vectors make large scores; dividing by √d takes that back.
    """
    weights = softmax(dot_scores(q, k) * math.sqrt(q.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-length")
def attention_by_length(q, k, v):
    """Your scores are divided by the square root of the number of keys.

    One score is a sum of d products; Tk has no part in it. Divide by the root of `q.shape[-1]`.
    """
    weights = softmax(dot_scores(q, k) / math.sqrt(k.shape[-2]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-by-value-width")
def attention_by_value_width(q, k, v):
    """Your scores are divided by the square root of the values' size.

    Values may have a different size from queries and keys; d is the last size of q.
    """
    weights = softmax(dot_scores(q, k) / math.sqrt(v.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-hard-coded")
def attention_hard_coded(q, k, v):
    """Your scores are divided by 8 whatever d is: that is √64, the paper's head width.

    Read d off the tensor: `q.shape[-1]`.
    """
    weights = softmax(dot_scores(q, k) / 8.0, -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-scaled-late")
def attention_scaled_late(q, k, v):
    """You divide by √d after the softmax, so the weights no longer sum to 1.

    Scale the scores first, then apply the softmax.
    """
    weights = softmax(dot_scores(q, k), -1) / math.sqrt(q.shape[-1])
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-query-axis")
def attention_query_axis(q, k, v):
    """Your softmax runs over the queries, so the columns sum to 1 and the rows do not.

    Each query shares its weight out among the keys: the last axis, dim=-1.
    """
    weights = softmax(scaled_dot_scores(q, k), -2)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-batch-axis")
def attention_batch_axis(q, k, v):
    """Your softmax runs over the first axis, not over the keys.

    Each query shares its weight out among its own keys: the last axis. Say dim=-1, as `functional.softmax` takes the
    first of three axes if you give no `dim`.
    """
    weights = softmax(scaled_dot_scores(q, k), 0)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-axis-1")
def attention_axis_one(q, k, v):
    """Your softmax runs over axis 1: the queries of (B, T, d), but the heads of (B, H, T, d).

    Each query shares its weight out among its own keys, the last axis however many there are: dim=-1.
    """
    weights = softmax(scaled_dot_scores(q, k), 1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-fixed-axes")
def attention_fixed_axes(q, k, v):
    """You count the axes from the left, which is right for (B, T, d) only.

    There may be no batch axis, or one for heads too: count from the right, -2 and -1.
    """
    weights = softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[2]), 2)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-flattened")
def attention_flattened(q, k, v):
    """Your softmax runs over all queries and keys at once, so that only all weights together sum to 1.

    Every query has its own softmax over the keys: the last axis, dim=-1.
    """
    scores = scaled_dot_scores(q, k)
    weights = softmax(scores.flatten(-2), -1).reshape(scores.shape)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-swapped")
def attention_swapped(q, k, v):
    """Queries and keys have swapped roles: you compute k qᵀ.

    Queries are the rows of the scores, so q stands on the left: `q @ k.transpose(-2, -1)`.
    """
    weights = softmax(scaled_dot_scores(k, q), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-transposed-weights")
def attention_transposed_weights(q, k, v):
    """You mix the values with the transposed weights.

    Row i of the weights belongs to query i: keep them on the left, untransposed, `weights @ v`.
    """
    weights = softmax(scaled_dot_scores(q, k), -1)
    return weights.transpose(-2, -1) @ v, weights


@misconception("scaled_dot_product_attention", "attention-mixes-keys")
def attention_mixes_keys(q, k, v):
    """You mix the keys; the values are not used.

    A key only says where to look; what is found there is the value: `weights @ v`.
    """
    weights = softmax(scaled_dot_scores(q, k), -1)
    return weights @ k, weights


@misconception("scaled_dot_product_attention", "attention-keys-and-values")
def attention_keys_and_values(q, k, v):
    """Keys and values have swapped roles: you score against v and mix k.

    Scores come from q and k; the values are what is mixed.
    """
    weights = softmax(scaled_dot_scores(q, v), -1)
    return weights @ k, weights


@misconception("scaled_dot_product_attention", "attention-all-axes")
def attention_all_axes(q, k, v):
    """You reverse all axes of the keys with `.T`, the batch too, where only the last two should change places.

    With k (B, Tk, d) you get (d, Tk, B). Which axes does the product with q need swapped, and which must stay?

    `k.transpose(-2, -1)`, or `k.mT`, leaves every axis in front where it is.
    """
    weights = softmax(q @ k.permute(*reversed(range(k.dim()))) / math.sqrt(q.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-zero-hidden")
def attention_zero_hidden(q, k, v):
    """A key whose score is exactly 0 gets no weight, as if it were padding.

    0 is a score like any other, below the positive and above the negative ones. Does the formula leave a key out?
    """
    scores = scaled_dot_scores(q, k)
    weights = softmax(scores.masked_fill(scores == 0, -math.inf), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-gradient-clipped")
def attention_gradient_clipped(q, k, v):
    """You clip the gradient of the weights to -1 and 1, so q and k get wrong gradients where values are large.

    Clipping belongs to the training loop, after the backward pass. Leave out the hook.
    """
    weights = softmax(scaled_dot_scores(q, k), -1)
    if weights.requires_grad:
        weights.register_hook(lambda grad: grad.clamp(-1, 1))
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-bmm")
def attention_by_bmm(q, k, v):
    """You use `torch.bmm`, which takes three axes, neither more nor fewer.

    There may be no batch axis, or one for heads too. Which product takes any number of leading axes?
    """
    weights = torch.softmax(torch.bmm(q, k.mT) / math.sqrt(q.shape[-1]), dim=-1)
    return torch.bmm(weights, v), weights
