"""What goes wrong in `masked_softmax`, continued: fills, sums and axes."""

import math

import torch

from reference.ch04_masking import (
    masked_softmax,
)
from reference.misconceptions import misconception


@misconception("masked_softmax", "masked-softmax-plus")
def masked_softmax_fill_of_a_large_number(scores, mask):
    """You fill the forbidden scores with a large positive number, so the forbidden keys get all the weight.

    What must vanish in the softmax needs a score far below all others: -inf, with a minus.
    """
    return torch.softmax(scores.masked_fill(~mask, 1e9), dim=-1)


@misconception("masked_softmax", "masked-softmax-1e6")
def masked_softmax_fill_of_minus_a_million(scores, mask):
    """You fill the forbidden scores with -1e6; where allowed ones are as low, the forbidden keys keep a share.

    Scores may be as low as -1e6; fill with -inf, or with the lowest number of the dtype.
    """
    return torch.softmax(scores.masked_fill(~mask, -1e6), dim=-1).masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


@misconception("masked_softmax", "masked-softmax-1e6-cleared")
def masked_softmax_clears_after_minus_a_million(scores, mask):
    """You fill with -1e6 and clear the forbidden weights later; where allowed scores are as low, a row sums to less.

    Scores may be as low as -1e6; fill with -inf, or with the lowest number of the dtype.
    """
    return torch.softmax(scores.masked_fill(~mask, -1e6), dim=-1).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-product-cleared")
def masked_softmax_clears_after_a_product(scores, mask):
    """You set the forbidden scores to 0, where they take their share, and clear their weights: rows sum to less than 1.

    exp(0) = 1 hides nothing; what must vanish needs a score of -inf, or far below all others.
    """
    return torch.softmax(scores * mask, dim=-1) * mask


@misconception("masked_softmax", "masked-softmax-inverted-nan")
def masked_softmax_inverted_with_infinity(scores, mask):
    """You hide the keys that are allowed, and a row in which all are allowed becomes NaN.

    True = may attend, so what is filled is `~mask`; and clear the forbidden weights after the softmax as well.
    """
    return torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)


@misconception("masked_softmax", "masked-softmax-log")
def masked_softmax_as_logarithms(scores, mask):
    """You return logarithms of the weights.

    `log_softmax` is for losses; weights come from `torch.softmax` and sum to 1.
    """
    return torch.log_softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


@misconception("masked_softmax", "masked-softmax-keepdim")
def masked_softmax_sums_without_keepdim(scores, mask):
    """The sum that you divide by has lost the axis of the keys, so it meets another axis, or does not fit.

    Keep that axis with size 1: `sum(dim=-1, keepdim=True)`.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = torch.exp(filled - filled.amax(dim=-1, keepdim=True)) * mask
    return powers / powers.sum(dim=-1)


@misconception("masked_softmax", "masked-softmax-keepdim-maximum")
def masked_softmax_shifts_without_keepdim(scores, mask):
    """The maximum that you subtract has lost the axis of the keys, so it meets another axis, or does not fit.

    Keep that axis with size 1: `amax(dim=-1, keepdim=True)`.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = torch.exp(filled - filled.amax(dim=-1)) * mask
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-keepdim-any")
def masked_softmax_asks_without_keepdim(scores, mask):
    """Your `mask.any(-1)` has lost the axis of the keys, so it meets another axis of the weights, or does not fit.

    Keep that axis with size 1: `mask.any(dim=-1, keepdim=True)`.
    """
    weights = torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), dim=-1)
    return weights * mask.any(dim=-1)


@misconception("masked_softmax", "masked-softmax-tiny-sum")
def masked_softmax_of_all_with_a_tiny_number(scores, mask):
    """You take the softmax of all scores, clear the forbidden weights, and divide by their sum plus a tiny number.

    Where the forbidden keys have taken nearly all, the tiny number outweighs what is left; hide the scores first.
    """
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / (weights.sum(dim=-1, keepdim=True) + 1e-9)


@misconception("masked_softmax", "masked-softmax-unstable-nan")
def masked_softmax_without_shift_or_rule(scores, mask):
    """You exponentiate the scores as they are and divide by a sum that may be 0 or infinite.

    Subtract the maximum of each row's allowed scores first, and give a row in which nothing is allowed zeros.
    """
    powers = torch.exp(scores) * mask
    return powers / powers.sum(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-extra-axis")
def masked_softmax_with_one_more_axis(scores, mask):
    """You give the mask one more axis, so it meets the wrong axes of the scores.

    It broadcasts as it is, from the last axis on; leave out `unsqueeze`.
    """
    mask = mask.unsqueeze(1)
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-batch-axis")
def masked_softmax_over_the_first_axis(scores, mask):
    """Your softmax runs over the first axis: the sentences of the batch, or the queries where there is no batch.

    Each query shares its attention out among the keys, and those are the last axis, dim=-1.
    """
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~mask, lowest), dim=0).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-shares")
def masked_softmax_of_plain_shares(scores, mask):
    """You divide the scores by their sum; there is no exponential.

    Scores may be negative; exp(score) over the sum of the allowed exponentials is always a share.
    """
    kept = scores.masked_fill(~mask, 0.0)
    return kept / kept.sum(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-indexed-flat")
def masked_softmax_of_all_allowed_together(scores, mask):
    """You take one softmax of all allowed scores together, `softmax(scores[mask])`, whatever row they stand in.

    Every query has a softmax of its own over the last axis, dim=-1.
    """
    weights = torch.zeros_like(scores)
    allowed = mask.expand_as(scores)
    weights[allowed] = torch.softmax(scores[allowed], dim=-1)
    return weights


@misconception("masked_softmax", "masked-softmax-squeezed")
def masked_softmax_squeezed(scores, mask):
    """You drop axes of size 1.

    A batch of one, a single head or a single query is a real axis; leave out `squeeze()`.
    """
    return masked_softmax(scores, mask).squeeze()


@misconception("masked_softmax", "masked-softmax-unmasked-cleared")
def masked_softmax_hides_only_in_dead_rows(scores, mask):
    """Your mask counts only in a row in which nothing is allowed; in all others no key is hidden.

    `masked_fill` and `torch.where` return a new tensor: keep it and pass it to the softmax.
    """
    return torch.softmax(scores, dim=-1).masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


@misconception("masked_softmax", "masked-softmax-dead-keys")
def masked_softmax_looks_for_dead_keys(scores, mask):
    """You look for keys that no query may see, where queries that may see no key are meant.

    A row is dead if nothing in it is allowed. Which axis is that row, and along which one do you ask `any`?
    """
    dead = ~mask.any(dim=-2, keepdim=True)
    kept = scores.masked_fill(~mask, -math.inf).masked_fill(dead, 0.0)
    return torch.softmax(kept, dim=-1).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-kept-above")
def masked_softmax_of_all_with_a_sum_kept_above(scores, mask):
    """You take the softmax of all scores, clear the forbidden weights, and divide by a sum that you keep above 1e-12.

    Where the forbidden keys have taken nearly all, less than that is left, and the row no longer sums to 1. Which
    scores may the softmax see?
    """
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-12)


@misconception("masked_softmax", "masked-softmax-zero-hidden")
def masked_softmax_zero_hidden(scores, mask):
    """An allowed score that is exactly 0 is hidden too: you take every 0 for a forbidden score.

    A product of score and mask is 0 for two reasons. Only the mask tells them apart: ask it.
    """
    hidden = scores * mask == 0
    filled = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim=-1).masked_fill(hidden, 0.0)


@misconception("masked_softmax", "masked-softmax-times-infinity")
def masked_softmax_times_infinity(scores, mask):
    """You multiply forbidden scores by -inf, which makes +inf of negative ones and NaN of 0, and their rows are lost.

    A product depends on the score's sign. What should stand there whatever the score is?
    """
    factor = torch.where(mask, torch.ones_like(scores), torch.full_like(scores, -math.inf))
    return torch.softmax(scores * factor, dim=-1).nan_to_num(0.0)


@misconception("masked_softmax", "masked-softmax-zeros-take-part")
def masked_softmax_with_zeros_that_take_part(scores, mask):
    """Forbidden keys take part in your softmax with a score of 0, so allowed scores far below 0 lose all their weight.

    Dividing by what is left comes too late if nothing is left. What is lower than every score?
    """
    weights = torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1).masked_fill(~mask, 0.0)
    total = weights.sum(dim=-1, keepdim=True)
    return weights / torch.where(total > 0, total, torch.ones_like(total))
