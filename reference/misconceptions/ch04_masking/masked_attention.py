"""What goes wrong in `masked_attention`: masks and the scale of scores; the weights have a file of their own."""

import math

import torch

from reference.ch04_masking import (
    additive_mask,
    masked_attention,
)
from reference.misconceptions import misconception


@misconception("masked_attention", "masked-attention-unmasked")
def attention_loses_the_mask(q, k, v, mask=None):
    """Your attention takes no notice of the mask.

    `masked_fill` returns a new tensor: keep it. If you use `masked_softmax`, pass it the mask.
    """
    return masked_attention(q, k, v)


@misconception("masked_attention", "masked-attention-inverted")
def attention_inverted(q, k, v, mask=None):
    """Your queries attend to exactly what is forbidden, and to nothing else.

    True = may attend, so what is hidden is `~mask`; a mask from elsewhere may mean the opposite.
    """
    return masked_attention(q, k, v, None if mask is None else ~mask)


@misconception("masked_attention", "masked-attention-required")
def attention_needs_a_mask(q, k, v, mask=None):
    """Your attention cannot do without a mask.

    `mask=None` means that every pair is allowed: take the ordinary softmax then.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(q.dtype).min), dim=-1).masked_fill(~mask, 0.0)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-unscaled")
def attention_unscaled(q, k, v, mask=None):
    """Your scores are not divided by √d.

    Divide q kᵀ by √d, d the last size of q, before the softmax: unscaled ones saturate it.
    """
    return masked_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-d")
def attention_scaled_by_d(q, k, v, mask=None):
    """You divide the scores by d instead of √d.

    The standard deviation of a sum of d products grows with √d, so dividing by √d brings it back to 1.
    """
    return masked_attention(q / math.sqrt(q.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-multiplied")
def attention_scaled_up(q, k, v, mask=None):
    """You multiply the scores by √d instead of dividing by it.

    Wide vectors make large scores; dividing by √d takes that back.
    """
    return masked_attention(q * q.shape[-1], k, v, mask)


@misconception("masked_attention", "masked-attention-by-length")
def attention_scaled_by_length(q, k, v, mask=None):
    """You divide the scores by the square root of the number of keys.

    A score is a sum over the d entries of a query, so √d is the measure: `q.shape[-1]`.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / k.shape[-2]), k, v, mask)


@misconception("masked_attention", "masked-attention-by-eight")
def attention_scaled_by_eight(q, k, v, mask=None):
    """You divide the scores by 8, which is √d only for the paper's heads of width 64.

    Take d from the queries themselves, `q.shape[-1]`.
    """
    return masked_attention(q * math.sqrt(q.shape[-1]) / 8, k, v, mask)


@misconception("masked_attention", "masked-attention-by-value-width")
def attention_scaled_by_value_width(q, k, v, mask=None):
    """You divide the scores by the square root of the values' width.

    Values may be wider or narrower than queries and keys; d is the last size of q.
    """
    return masked_attention(q * math.sqrt(q.shape[-1] / v.shape[-1]), k, v, mask)


@misconception("masked_attention", "masked-attention-scaled-late")
def attention_scaled_late(q, k, v, mask=None):
    """You divide by √d after the softmax, so the weights no longer sum to 1.

    Scale the scores first, then mask, then take the softmax.
    """
    _, weights = masked_attention(q * math.sqrt(q.shape[-1]), k, v, mask)
    weights = weights / math.sqrt(q.shape[-1])
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-afterwards")
def attention_masked_afterwards(q, k, v, mask=None):
    """You mask the weights after the softmax, so rows no longer sum to 1.

    The forbidden keys have taken their share by then; mask the scores, before the softmax.
    """
    _, weights = masked_attention(q, k, v)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-1e4")
def attention_fill_of_minus_ten_thousand(q, k, v, mask=None):
    """You fill forbidden scores with a number like -10000; where allowed ones are lower still, the forbidden keys win.

    Large vectors make such scores; fill with -inf or the lowest number, or use `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = torch.softmax(scores.masked_fill(~allowed, -1e4), dim=-1) * allowed.any(dim=-1, keepdim=True)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-product")
def attention_of_product(q, k, v, mask=None):
    """You set forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    What must vanish in the softmax needs a score of -inf, or far below all others.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores * mask, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-sum")
def attention_of_sum(q, k, v, mask=None):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask to be added holds 0 and -inf (`additive_mask`); with a boolean one, use `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-minus-ten")
def attention_fill_of_minus_ten(q, k, v, mask=None):
    """You fill the forbidden scores with -10, which is not low enough: what is forbidden leaks into the output.

    The weight must be exactly 0; fill with -inf or the lowest number, or use `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = torch.softmax(scores.masked_fill(~allowed, -10.0), dim=-1) * allowed.any(dim=-1, keepdim=True)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-nan")
def attention_nan_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing gets NaN.

    There 0 is divided by 0; its weights and its output must be zero. `masked_softmax` knows that rule.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-renormalised")
def attention_renormalised(q, k, v, mask=None):
    """You remove the forbidden weights after the softmax and divide by what is left, which may be nothing.

    A large forbidden score leaves the allowed weights no digits at all, then 0/0; hide the scores first.
    """
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-unstable")
def attention_without_shift(q, k, v, mask=None):
    """You exponentiate the scores as they are, so large ones overflow and very low ones vanish.

    Subtract the maximum of each row's allowed scores first, or leave it to `masked_softmax`.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    powers = torch.exp(scores if mask is None else scores.masked_fill(~mask, -math.inf))
    weights = powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(q.dtype).tiny)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-uniform")
def attention_uniform_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing gets the plain average of all values.

    One finite fill repeated makes equal scores; weights and output must be zero. `masked_softmax` knows that rule.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-unmasked")
def attention_ordinary_for_dead_rows(q, k, v, mask=None):
    """A query that may attend to nothing attends as if there were no mask.

    A softmax never gives zero weight to a whole row, whatever is added to it; weights and output must be zero.
    `masked_softmax` knows that rule.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores - 1e9 * ~mask, dim=-1)
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-output-only")
def attention_clears_only_the_output(q, k, v, mask=None):
    """A query that may attend to nothing has the right output, zero, but its weights are not zero.

    Clear the weights instead of the output; the output follows by itself.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return masked_attention(q, k, v)
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return (weights @ v) * mask.any(dim=-1, keepdim=True), weights


@misconception("masked_attention", "masked-attention-dead-weights-only")
def attention_repairs_only_the_weights(q, k, v, mask=None):
    """A query that may attend to nothing has the right weights, zero, but its output was computed before that.

    Repair the weights first, then multiply them by the values.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ v, torch.nan_to_num(weights)


@misconception("masked_attention", "masked-attention-dead-gradient")
def attention_nan_on_the_way_back(q, k, v, mask=None):
    """Your output is right, but a query that may attend to nothing has NaN gradients: its NaN is repaired too late.

    Replacing NaN after the softmax repairs the weights, not the gradients. Instead of adding -inf use `masked_fill`,
    through which no gradient flows back to a forbidden score.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores if mask is None else scores + additive_mask(mask, q.dtype)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@misconception("masked_attention", "masked-attention-dead-value-gradient")
def attention_repairs_the_results(q, k, v, mask=None):
    """Your results are right, but you repair their NaN too late: the values get NaN gradients.

    In between, NaN weights met the values; repair the weights first, then multiply.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
    return torch.nan_to_num(weights @ v), torch.nan_to_num(weights)
