"""What goes wrong in `scaled_dot_product_attention`, continued: the softmax, and what comes back."""

import math

import torch

from reference.ch03_attention import (
    dot_scores,
    scaled_dot_product_attention,
    scaled_dot_scores,
    softmax,
)
from reference.misconceptions import misconception


@misconception("scaled_dot_product_attention", "attention-hard")
def attention_hard(q, k, v):
    """Each query takes the one value with the highest score, instead of a mean.

    That is an arg-max, which passes no gradient to the scores; weigh all values by the softmax.
    """
    scores = scaled_dot_scores(q, k)
    weights = (scores == scores.amax(-1, keepdim=True)).to(scores.dtype)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-unnormalised")
def attention_unnormalised(q, k, v):
    """Your weights are exponentials that are not divided by their sum.

    Divide each row by its sum, so that a query's weights sum to 1.
    """
    weights = scaled_dot_scores(q, k).exp()
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-no-softmax")
def attention_no_softmax(q, k, v):
    """You mix with the raw scores: the softmax is missing.

    Weights must be positive and sum to 1; apply the softmax over the keys first.
    """
    scores = scaled_dot_scores(q, k)
    return scores @ v, scores


@misconception("scaled_dot_product_attention", "attention-two-softmaxes")
def attention_two_softmaxes(q, k, v):
    """You apply the softmax twice.

    The second one sees numbers from 0 to 1 and makes them nearly equal; once is enough.
    """
    weights = softmax(softmax(scaled_dot_scores(q, k), -1), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-unstable")
def attention_unstable(q, k, v):
    """Your softmax overflows: the scores are exponentiated as they are.

    Use your `softmax`, which subtracts each row's maximum first.
    """
    exponentials = scaled_dot_scores(q, k).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-global-max")
def attention_global_maximum(q, k, v):
    """You subtract the largest score of all before the softmax, not each row's own.

    A query whose scores all lie far below it gets 0/0; take `scores.amax(-1, keepdim=True)`.
    """
    scores = scaled_dot_scores(q, k)
    exponentials = (scores - scores.max()).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-order")
def attention_order(q, k, v):
    """You return the weights first and the output second.

    Return `output, weights`.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return weights, output


@misconception("scaled_dot_product_attention", "attention-output-only")
def attention_output_only(q, k, v):
    """You return the output alone; the weights are asked for too.

    Return the pair: output, weights.
    """
    return scaled_dot_product_attention(q, k, v)[0]


@misconception("scaled_dot_product_attention", "attention-returns-scores")
def attention_returns_scores(q, k, v):
    """You return the scores as the second result, not the weights.

    Return what the values are multiplied by, after the softmax.
    """
    return scaled_dot_product_attention(q, k, v)[0], scaled_dot_scores(q, k)


@misconception("scaled_dot_product_attention", "attention-squeezed")
def attention_squeezed(q, k, v):
    """You squeeze the results, which drops every axis of size 1.

    A batch of one, a single query or a single key is a real axis; leave out `squeeze()`.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return output.squeeze(), weights.squeeze()


@misconception("scaled_dot_product_attention", "attention-default-dtype")
def attention_default_dtype(q, k, v):
    """Your results are float32, whatever dtype q, k and v have.

    Leave out `.float()`; `torch.zeros(...)` makes float32 on the CPU, `q.new_zeros(...)` follows q.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return output.to("cpu", torch.float32), weights.to("cpu", torch.float32)


@misconception("scaled_dot_product_attention", "attention-in-place")
def attention_in_place(q, k, v):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; divide the scores, or make a new tensor with `q / ...`.
    """
    q /= math.sqrt(q.shape[-1])
    weights = softmax(dot_scores(q, k), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-detached-weights")
def attention_detached_weights(q, k, v):
    """Your weights are cut off from q and k: no gradient comes back to them (detach, .data, no_grad or NumPy).

    Queries and keys learn through the weights alone; compute with the given tensors and with torch throughout.
    """
    weights = softmax(scaled_dot_scores(q, k), -1).detach()
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-detached")
def attention_detached(q, k, v):
    """Your results are cut off from q, k and v: no gradient comes back (detach, .data, no_grad or NumPy).

    Compute with the given tensors themselves and with torch's operations throughout.
    """
    return scaled_dot_product_attention(q.detach(), k.detach(), v.detach())


@misconception("scaled_dot_product_attention", "attention-by-half")
def attention_by_half(q, k, v):
    """Your scores are divided by d/2: `d ** 1 / 2` is (d ** 1) / 2.

    Put the exponent in brackets, `d ** (1 / 2)`, or write `math.sqrt(d)`.
    """
    weights = softmax(dot_scores(q, k) / (q.shape[-1] ** 1 / 2), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-whole-root")
def attention_whole_root(q, k, v):
    """Your √d is rounded to a whole number.

    Divide by the root itself, `math.sqrt(d)`, which is whole for squares only.
    """
    weights = softmax(dot_scores(q, k) / math.isqrt(q.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-einsum")
def attention_einsum(q, k, v):
    """Your einsum names exactly one leading axis, so it fails without one and with two.

    Write `...` for the leading axes: `torch.einsum("...qd,...kd->...qk", q, k)`.
    """
    weights = softmax(torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(q.shape[-1]), -1)
    return torch.einsum("bqk,bke->bqe", weights, v), weights


@misconception("scaled_dot_product_attention", "attention-residual")
def attention_residual(q, k, v):
    """You add the queries to the output.

    The output is the weighted sum of the values and nothing else.
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return output + q, weights


@misconception("scaled_dot_product_attention", "attention-softmax-without-dim")
def attention_softmax_without_dim(q, k, v):
    """Your softmax is not told its axis, and torch takes one by the number of axes: 0 for three, 1 for four.

    Name the axis of the keys: each query's weights sum to 1 along it.
    """
    scores = scaled_dot_scores(q, k)
    weights = torch.softmax(scores, 0 if scores.dim() in (1, 3) else 1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-weights-detached")
def attention_weights_detached(q, k, v):
    """The weights you return are detached: no gradient reaches queries and keys through them.

    Someone may put the weights into a loss, to make them sharper. What must `backward` find there?
    """
    output, weights = scaled_dot_product_attention(q, k, v)
    return output, weights.detach()


@misconception("scaled_dot_product_attention", "attention-not-transposed")
def attention_not_transposed(q, k, v):
    """You multiply q by k as it is, so that rows of q meet columns of k.

    Write down the shapes (Tq, d) and (Tk, d). Which two sizes must meet in the middle of the product?
    """
    weights = softmax(q @ k / math.sqrt(q.shape[-1]), -1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention", "attention-reshaped")
def attention_reshaped(q, k, v):
    """You reshape k to (..., d, Tk) instead of transposing it, which mixes up the numbers of the keys.

    A reshape only breaks the same row of numbers anew. Try it on two keys, (1, 2, 3) and (4, 5, 6): what is your first
    column?
    """
    weights = softmax(q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(q.shape[-1]), -1)
    return weights @ v, weights
