"""What goes wrong in `masked_attention`, continued: what the weights are, and what is made of them."""

import math

import torch

from reference.ch04_masking import (
    masked_attention,
    masked_softmax,
)
from reference.misconceptions import misconception


@misconception("masked_attention", "masked-attention-query-axis")
def attention_over_queries(q, k, v, mask=None):
    """Your softmax runs over the queries: columns of the weights sum to 1 instead of rows.

    Each query shares its attention out among the keys, dim=-1; k qᵀ, transposed later, does this too.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = torch.softmax(scores.masked_fill(~allowed, torch.finfo(q.dtype).min), dim=-2).masked_fill(~allowed, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-head-axis")
def attention_over_heads(q, k, v, mask=None):
    """Your softmax runs over axis 1, the heads, or over the first axis where there is none.

    Without `dim` torch guesses, and `dim=1` is another axis for every number of axes; the keys are always `dim=-1`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    filled = scores.masked_fill(~allowed, torch.finfo(q.dtype).min)
    weights = torch.softmax(filled, dim=1 if scores.dim() > 3 else 0).masked_fill(~allowed, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-flattened")
def attention_over_everything(q, k, v, mask=None):
    """Your softmax runs over all queries and keys at once, so that only all weights together sum to 1.

    Every query has a softmax of its own over the last axis, dim=-1.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    filled = scores.masked_fill(~allowed, torch.finfo(q.dtype).min)
    weights = torch.softmax(filled.flatten(start_dim=-2), dim=-1).reshape(scores.shape).masked_fill(~allowed, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-no-softmax")
def attention_without_softmax(q, k, v, mask=None):
    """You mix the values with the scores themselves; there is no softmax.

    Scores may be negative and sum to anything; the softmax makes shares of them that sum to 1.
    """
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = weights if mask is None else weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-unnormalised")
def attention_unnormalised(q, k, v, mask=None):
    """Your weights are exponentials that are not divided by their sum.

    Divide every row by its sum, so that a query's weights sum to 1.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.exp(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-hard")
def attention_hard(q, k, v, mask=None):
    """Your queries attend to the best allowed key alone: an arg-max, not a softmax.

    Every allowed key gets its share, exp(score) over the sum of the allowed ones.
    """
    return masked_attention(q * 1e6, k, v, mask)


@misconception("masked_attention", "masked-attention-mixes-keys")
def attention_mixes_keys(q, k, v, mask=None):
    """You multiply the weights by the keys instead of the values.

    Keys say which positions count, values are what is passed on: output = weights @ v.
    """
    _, weights = masked_attention(q, k, v, mask)
    return weights @ k, weights


@misconception("masked_attention", "masked-attention-order")
def attention_in_the_wrong_order(q, k, v, mask=None):
    """You return the weights first and the output second.

    The order is (output, weights).
    """
    output, weights = masked_attention(q, k, v, mask)
    return weights, output


@misconception("masked_attention", "masked-attention-output-only")
def attention_output_only(q, k, v, mask=None):
    """You return the output alone; the weights are asked for too.

    Return the pair: output, weights.
    """
    return masked_attention(q, k, v, mask)[0]


@misconception("masked_attention", "masked-attention-returns-scores")
def attention_returns_scores(q, k, v, mask=None):
    """Your second result is the masked scores, not the weights.

    Weights are what comes out of the softmax, and what the values are multiplied by.
    """
    output, _ = masked_attention(q, k, v, mask)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return output, scores if mask is None else scores.masked_fill(~mask, -math.inf)


@misconception("masked_attention", "masked-attention-returns-unmasked")
def attention_returns_unmasked_weights(q, k, v, mask=None):
    """Your output is right, but the weights you return are those without the mask.

    Return the very weights that the output was made with.
    """
    return masked_attention(q, k, v, mask)[0], masked_attention(q, k, v)[1]


@misconception("masked_attention", "masked-attention-mean-weights")
def attention_averages_the_heads(q, k, v, mask=None):
    """You return weights averaged over the heads.

    torch's own layer does that by default; here return each head's weights, (..., Tq, Tk).
    """
    output, weights = masked_attention(q, k, v, mask)
    return output, weights.mean(dim=1) if weights.dim() > 3 else weights


@misconception("masked_attention", "masked-attention-one-for-all")
def attention_with_the_first_mask(q, k, v, mask=None):
    """You use only the first slice of the mask, `mask[0]`, for everything.

    That is the mask of the first sentence (or of the first query); let the whole mask broadcast by itself.
    """
    return masked_attention(q, k, v, None if mask is None else mask[0])


@misconception("masked_attention", "masked-attention-indexed")
def attention_by_indexing(q, k, v, mask=None):
    """You index the scores with the mask, which works only if both have the same shape.

    A mask (B, 1, 1, Tk) or (Tq, Tk) must broadcast; `masked_fill`, `torch.where` and `masked_softmax` do that.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return masked_attention(q, k, v)
    scores[~mask] = torch.finfo(q.dtype).min
    weights = masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-four-axes")
def attention_of_four_axes(q, k, v, mask=None):
    """Your attention works with four axes only.

    Queries may come without heads, or without a batch: address the last two axes as -2 and -1.
    """
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-squeezed")
def attention_squeezed(q, k, v, mask=None):
    """You squeeze the results, which drops every axis of size 1.

    A batch of one, a single head or a single query is a real axis; leave out `squeeze()`.
    """
    output, weights = masked_attention(q, k, v, mask)
    return output.squeeze(), weights.squeeze()


@misconception("masked_attention", "masked-attention-detached")
def attention_detached(q, k, v, mask=None):
    """Your results are right, but no gradient comes back to queries and keys.

    `detach`, `.data`, `no_grad`, `numpy` or a new `torch.tensor` cut it off between scores and weights.
    """
    return masked_attention(q.detach(), k.detach(), v, mask)


@misconception("masked_attention", "masked-attention-in-place")
def attention_in_place(q, k, v, mask=None):
    """You scale the caller's queries in place.

    `q /= ...` writes into the tensor you were given; divide the scores, or make a new tensor with `q / ...`.
    """
    q /= math.sqrt(q.shape[-1])
    return masked_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-turns-the-mask")
def attention_turns_the_mask(q, k, v, mask=None):
    """You invert the caller's mask in place.

    The next block uses the same mask; `~mask` makes a new one, `logical_not_` and `mask[...] =` do not.
    """
    if mask is None:
        return masked_attention(q, k, v)
    return masked_attention(q, k, v, ~mask.logical_not_())


@misconception("masked_attention", "masked-attention-float32")
def attention_in_float32(q, k, v, mask=None):
    """You convert to float32, torch's default dtype, whatever the inputs are.

    Results take the dtype of the inputs; leave out `.float()`, and take dtype and device of new tensors from q.
    """
    return masked_attention(q.float(), k.float(), v.float(), mask)


@misconception("masked_attention", "masked-attention-float64")
def attention_in_float64(q, k, v, mask=None):
    """You return float64, whatever the inputs are.

    float32 inputs give float32 results; leave out `.double()` and hard-code no dtype.
    """
    return masked_attention(q.double(), k.double(), v.double(), mask)


@misconception("masked_attention", "masked-attention-device")
def attention_on_the_default_device(q, k, v, mask=None):
    """You create a tensor on the default device instead of the device of the inputs.

    On a GPU the two cannot be combined; use `masked_fill` or `zeros_like`, or pass `device=q.device`.
    """
    allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    return masked_attention(q, k, v, allowed if mask is None else mask & allowed)


@misconception("masked_attention", "masked-attention-unmasked-cleared")
def attention_hides_only_in_dead_rows(q, k, v, mask=None):
    """Your mask counts only where a query may attend to nothing; for all other queries no key is hidden.

    `masked_fill` returns a new tensor: keep it. If you use `masked_softmax`, pass it the mask.
    """
    output, weights = masked_attention(q, k, v)
    if mask is None:
        return output, weights
    dead = ~mask.any(dim=-1, keepdim=True)
    return output.masked_fill(dead, 0.0), weights.masked_fill(dead, 0.0)


@misconception("masked_attention", "masked-attention-times-infinity")
def attention_times_infinity(q, k, v, mask=None):
    """You multiply forbidden scores by -inf, which makes +inf of negative ones and NaN of 0, and their rows are lost.

    A product depends on the score's sign. What should stand there whatever the score is?
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        factor = torch.where(mask, torch.ones_like(scores), torch.full_like(scores, -math.inf))
        weights = torch.softmax(scores * factor, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-zeros-take-part")
def attention_with_zeros_that_take_part(q, k, v, mask=None):
    """Forbidden keys take part in your softmax with a score of 0, so allowed scores far below 0 lose all their weight.

    Dividing by what is left comes too late if nothing is left. What is lower than every score?
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1).masked_fill(~mask, 0.0)
        total = weights.sum(dim=-1, keepdim=True)
        weights = weights / torch.where(total > 0, total, torch.ones_like(total))
    return weights @ v, weights
