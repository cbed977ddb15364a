"""What goes wrong in `masked_softmax`."""

import math

import torch

from reference.ch04_masking import (
    additive_mask,
    masked_softmax,
)
from reference.misconceptions import misconception


@misconception("masked_softmax", "masked-softmax-inverted")
def masked_softmax_inverted(scores, mask):
    """You hide the keys that are allowed and keep the forbidden ones.

    True = may attend, so what is filled is `~mask`; a mask from elsewhere may mean the opposite.
    """
    return masked_softmax(scores, ~mask)


@misconception("masked_softmax", "masked-softmax-unmasked")
def masked_softmax_loses_the_mask(scores, mask):
    """Your weights are those of a softmax without any mask.

    `masked_fill` and `torch.where` return a new tensor: keep it and pass it to the softmax.
    """
    return torch.softmax(scores, dim=-1)


@misconception("masked_softmax", "masked-softmax-afterwards")
def masked_softmax_afterwards(scores, mask):
    """You take the softmax of all scores and clear the forbidden weights afterwards, so rows no longer sum to 1.

    The forbidden keys have taken their share by then; hide their scores before the softmax.
    """
    return torch.softmax(scores, dim=-1) * mask


@misconception("masked_softmax", "masked-softmax-1e4")
def masked_softmax_fill_of_minus_ten_thousand(scores, mask):
    """You fill forbidden scores with a number like -10000; where allowed ones are lower still, the forbidden keys win.

    Scores may be as low as -1e6; fill with -inf, or with the lowest number of the dtype.
    """
    return torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1) * mask.any(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-product")
def masked_softmax_of_product(scores, mask):
    """You set the forbidden scores to 0 (or to a tiny number such as 1e-9), but exp(0) = 1 hides nothing.

    What must vanish in the softmax needs a score of -inf, or far below all others.
    """
    return torch.softmax(scores * mask, dim=-1)


@misconception("masked_softmax", "masked-softmax-sum")
def masked_softmax_of_sum(scores, mask):
    """You add the boolean mask to the scores, which raises the allowed ones by 1 and hides none.

    A mask to be added holds 0 and -inf (`additive_mask`); with a boolean one, fill.
    """
    return torch.softmax(scores + mask, dim=-1)


@misconception("masked_softmax", "masked-softmax-minus-ten")
def masked_softmax_fill_of_minus_ten(scores, mask):
    """You fill the forbidden scores with -10, which is not low enough: they keep a little weight.

    The weight must be exactly 0; fill with -inf, or with the lowest number of the dtype.
    """
    return torch.softmax(scores.masked_fill(~mask, -10.0), dim=-1) * mask.any(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-dead-uniform")
def masked_softmax_uniform_for_dead_rows(scores, mask):
    """A row in which nothing is allowed becomes uniform: all its keys get the same weight.

    One finite fill repeated makes equal scores; clear the forbidden weights after the softmax as well.
    """
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


@misconception("masked_softmax", "masked-softmax-dead-unmasked")
def masked_softmax_ordinary_for_dead_rows(scores, mask):
    """A row in which nothing is allowed gets the weights it would have without a mask.

    A softmax never gives zero weight to a whole row, whatever is added to it; clear the forbidden weights afterwards.
    """
    return torch.softmax(scores - 1e9 * ~mask, dim=-1)


@misconception("masked_softmax", "masked-softmax-dead-gradient")
def masked_softmax_nan_on_the_way_back(scores, mask):
    """Your weights are right, but a row in which nothing is allowed has NaN gradients: its NaN is repaired too late.

    Replacing NaN after the softmax repairs the weights, not the gradients. Instead of adding -inf use `masked_fill`,
    through which no gradient flows back to a forbidden score.
    """
    return torch.nan_to_num(torch.softmax(scores + additive_mask(mask, scores.dtype), dim=-1))


@misconception("masked_softmax", "masked-softmax-all-for-any")
def masked_softmax_clears_every_masked_row(scores, mask):
    """You clear every row in which something is forbidden.

    Only a row in which everything is forbidden becomes zero: ask `mask.any(-1)`, not `mask.all(-1)`.
    """
    return masked_softmax(scores, mask) * mask.all(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-dead-nan")
def masked_softmax_nan_for_dead_rows(scores, mask):
    """A row in which nothing is allowed becomes NaN.

    There 0 is divided by 0, and NaN · 0 is still NaN. So do not multiply: what replaces a value whatever it is?

    Set the forbidden weights to 0: `weights.masked_fill(~mask, 0.0)`.
    """
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


@misconception("masked_softmax", "masked-softmax-renormalised")
def masked_softmax_renormalised(scores, mask):
    """You remove the forbidden weights after the softmax and divide by what is left, which may be nothing.

    A large forbidden score leaves the allowed weights no digits at all, then 0/0; hide the scores first.
    """
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True)


@misconception("masked_softmax", "masked-softmax-forbidden-max")
def masked_softmax_shifts_by_a_forbidden_score(scores, mask):
    """A forbidden score far above the rest takes part in your softmax, and the weights of the allowed keys vanish.

    Hide the scores first: neither the maximum you subtract nor the sum you divide by may know the forbidden ones.
    """
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-unstable")
def masked_softmax_without_shift(scores, mask):
    """You exponentiate the scores as they are, so large ones overflow and very low ones vanish.

    Subtract the maximum of each row's allowed scores first, or leave it to `torch.softmax`.
    """
    powers = torch.exp(scores.masked_fill(~mask, -math.inf))
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-global-max")
def masked_softmax_global_max(scores, mask):
    """You subtract the largest score of the whole tensor, so rows that lie far below it are lost.

    Each row has its own maximum: `amax(dim=-1, keepdim=True)` over its allowed scores.
    """
    filled = scores.masked_fill(~mask, -math.inf)
    powers = torch.exp(filled - filled.max())
    return powers / powers.sum(dim=-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)


@misconception("masked_softmax", "masked-softmax-epsilon")
def masked_softmax_with_epsilon(scores, mask):
    """You add a small number to the sum you divide by, so rows no longer sum to 1.

    It saves dead rows at the cost of all others; handle the dead ones with `where`, `masked_fill` or `clamp_min`.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = torch.exp(filled - filled.amax(dim=-1, keepdim=True)) * mask
    return powers / (powers.sum(dim=-1, keepdim=True) + 1e-6)


@misconception("masked_softmax", "masked-softmax-unnormalised")
def masked_softmax_unnormalised(scores, mask):
    """Your weights are exponentials that are not divided by their sum.

    Divide every row by its sum, so that the allowed weights sum to 1.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.exp(filled - filled.amax(dim=-1, keepdim=True)) * mask


@misconception("masked_softmax", "masked-softmax-hard")
def masked_softmax_hard(scores, mask):
    """Your weights are 1 at the highest allowed score and 0 elsewhere: an arg-max, not a softmax.

    Every allowed key gets its share, exp(score) over the sum of the allowed ones.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    best = torch.nn.functional.one_hot(filled.argmax(dim=-1), scores.shape[-1])
    return best.to(scores.dtype).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-query-axis")
def masked_softmax_over_queries(scores, mask):
    """Your softmax runs over the queries: columns sum to 1 instead of rows.

    Each query shares its attention out among the keys, and those are the last axis, dim=-1.
    """
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~mask, lowest), dim=-2).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-head-axis")
def masked_softmax_over_heads(scores, mask):
    """Your softmax runs over axis 1, the heads, or over the first axis where there is none.

    Without `dim` torch guesses, and `dim=1` is another axis for every number of axes; the keys are always `dim=-1`.
    """
    lowest = torch.finfo(scores.dtype).min
    dim = 1 if scores.dim() > 3 else 0
    return torch.softmax(scores.masked_fill(~mask, lowest), dim=dim).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-flattened")
def masked_softmax_over_everything(scores, mask):
    """Your softmax runs over all queries and keys at once, so that only all weights together sum to 1.

    Every query has a softmax of its own over the last axis, dim=-1.
    """
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(filled.flatten(start_dim=-2), dim=-1).reshape(scores.shape)
    return weights.masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-one-for-all")
def masked_softmax_with_the_first_mask(scores, mask):
    """You use only the first slice of the mask, `mask[0]`, for everything.

    That is the mask of the first sentence (or of the first query); let the whole mask broadcast by itself.
    """
    return masked_softmax(scores, mask[0])


@misconception("masked_softmax", "masked-softmax-indexed")
def masked_softmax_by_indexing(scores, mask):
    """You index the scores with the mask, which works only if both have the same shape.

    A mask (B, 1, 1, Tk) or (Tq, Tk) must broadcast; `masked_fill` and `torch.where` do that.
    """
    filled = scores.clone()
    filled[~mask] = torch.finfo(scores.dtype).min
    weights = torch.softmax(filled, dim=-1)
    weights[~mask] = 0.0
    return weights


@misconception("masked_softmax", "masked-softmax-detached")
def masked_softmax_detached(scores, mask):
    """Your weights are right, but no gradient comes back to the scores.

    `detach`, `.data`, `no_grad`, `numpy` or a new `torch.tensor` cut it off; compute with the scores themselves.
    """
    return masked_softmax(scores.detach(), mask)


@misconception("masked_softmax", "masked-softmax-in-place")
def masked_softmax_in_place(scores, mask):
    """You write into the caller's scores.

    `masked_fill_` with an underscore, and assignment to `scores[...]`, change them; `masked_fill` makes a new tensor.
    """
    scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)


@misconception("masked_softmax", "masked-softmax-float32")
def masked_softmax_in_float32(scores, mask):
    """You convert to float32, torch's default dtype, whatever the scores are.

    Results take the dtype of the inputs; leave out `.float()`, and give new tensors the dtype of the scores.
    """
    return masked_softmax(scores.float(), mask)


@misconception("masked_softmax", "masked-softmax-float64")
def masked_softmax_in_float64(scores, mask):
    """You return float64, whatever the scores are.

    float32 scores give float32 weights; leave out `.double()` and hard-code no dtype.
    """
    return masked_softmax(scores.double(), mask)


@misconception("masked_softmax", "masked-softmax-device")
def masked_softmax_on_the_default_device(scores, mask):
    """You create a tensor on the default device instead of the device of the scores.

    On a GPU the two cannot be combined; use `masked_fill`, `torch.zeros_like`, or pass `device=scores.device`.
    """
    lowest = torch.full(scores.shape, torch.finfo(scores.dtype).min, dtype=scores.dtype)
    return torch.softmax(torch.where(mask, scores, lowest), dim=-1).masked_fill(~mask, 0.0)
