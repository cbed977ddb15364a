"""What goes wrong in `additive_mask`."""

import math

import torch

from reference.ch04_masking import (
    additive_mask,
)
from reference.misconceptions import misconception


@misconception("additive_mask", "additive-mask-inverted")
def additive_inverted(mask, dtype):
    """Your additive mask is inverted: -inf where attending is allowed, 0 where it is not.

    True means "may attend" and must leave the score alone: 0 there. Fill where `~mask`.
    """
    return additive_mask(~mask, dtype)


@misconception("additive_mask", "additive-mask-ones")
def additive_of_ones_and_zeros(mask, dtype):
    """You return 1 where allowed and 0 where not: the boolean mask in numbers.

    Added to a score, 1 and 0 hide nothing; it takes 0 where allowed and -inf where not.
    """
    return mask.to(dtype)


@misconception("additive_mask", "additive-mask-1e9")
def additive_with_minus_1e9(mask, dtype):
    """Your additive mask holds -1e9 instead of -inf.

    A large negative number hides most of the time, -inf always: fill with `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -1e9)


@misconception("additive_mask", "additive-mask-1e4")
def additive_with_minus_1e4(mask, dtype):
    """Your additive mask holds -10000 instead of -inf.

    That was a habit of half precision; scores below -10000 would lose against it. Use `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -1e4)


@misconception("additive_mask", "additive-mask-lowest")
def additive_with_the_lowest_number(mask, dtype):
    """Your additive mask holds the lowest finite number of the dtype instead of -inf.

    It hides as well, but the exercise asks for -inf, and two such masks added overflow; use `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, torch.finfo(dtype).min)


@misconception("additive_mask", "additive-mask-plus")
def additive_with_plus_infinity(mask, dtype):
    """Your additive mask holds +inf where attending is forbidden.

    Softmax would give such a key everything; a score that must vanish needs -inf.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, math.inf)


@misconception("additive_mask", "additive-mask-product")
def additive_by_product(mask, dtype):
    """You multiply by -inf, which makes 0 · ∞ = NaN where attending is allowed.

    Fill instead: zeros with -inf at `~mask`, by `masked_fill` or `torch.where`.
    """
    return (1 - mask.to(dtype)) * -math.inf


@misconception("additive_mask", "additive-mask-log")
def additive_by_log_of_almost_zero(mask, dtype):
    """You take the logarithm of the mask plus a small number, so forbidden pairs only get about -21.

    log 0 = -inf is just what is wanted here; leave the small number out.
    """
    return torch.log(mask.to(dtype) + 1e-9)


@misconception("additive_mask", "additive-mask-fill-lost")
def additive_loses_the_fill(mask, dtype):
    """You return zeros everywhere: the -inf of the forbidden pairs never got into the result.

    Fill with -inf where `~mask`, and keep what `masked_fill` returns; only `masked_fill_` works in place.
    """
    return torch.zeros_like(mask, dtype=dtype)


@misconception("additive_mask", "additive-mask-default-dtype")
def additive_in_the_default_dtype(mask, dtype):
    """You ignore `dtype`: the result is always float32, torch's default.

    Scores are not always float32, and a mask should not decide their precision; create it with `dtype=dtype`.
    """
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


@misconception("additive_mask", "additive-mask-device")
def additive_on_the_default_device(mask, dtype):
    """You create the result on the default device instead of the device of the mask.

    On a GPU the two cannot be combined; create it with `device=mask.device`.
    """
    result = torch.zeros(mask.shape, dtype=dtype)
    result[~mask] = -math.inf
    return result


@misconception("additive_mask", "additive-mask-overwrites")
def additive_overwrites_the_mask(mask, dtype):
    """You invert the caller's mask in place.

    The mask is used again after this; `~mask` makes a new one, `logical_not_` does not.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(mask.logical_not_(), -math.inf)
