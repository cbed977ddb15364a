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


@misconception("additive_mask", "additive-mask-product-inverted")
def additive_by_product_of_the_mask(mask, dtype):
    """You multiply the mask itself by -inf: -inf where attending is allowed, and 0 · ∞ = NaN where it is not.

    Fill instead: zeros with -inf at `~mask`, by `masked_fill` or `torch.where`.
    """
    return mask.to(dtype) * -math.inf


@misconception("additive_mask", "additive-mask-allowed-one")
def additive_of_one_where_allowed(mask, dtype):
    """Your mask adds 1 to the allowed scores; they must stay as they are.

    Fill a tensor of zeros, not the mask made into numbers: 0 where allowed, -inf where not.
    """
    return mask.to(dtype).masked_fill(~mask, -math.inf)


@misconception("additive_mask", "additive-mask-one-where-forbidden")
def additive_of_the_opposite_in_numbers(mask, dtype):
    """You return 0 where allowed and 1 where not.

    That is the inverted mask in numbers, or -inf filled into booleans (`zeros_like(mask)`), where it becomes True.
    Make the zeros with `dtype=dtype` and fill them with -inf.
    """
    return (~mask).to(dtype)


@misconception("additive_mask", "additive-mask-minus-one")
def additive_of_minus_one(mask, dtype):
    """Your additive mask holds -1 where attending is forbidden.

    Lowered by 1, a score still gets its share of the softmax; only -inf removes it.
    """
    return mask.to(dtype) - 1


@misconception("additive_mask", "additive-mask-1e20")
def additive_with_minus_1e20(mask, dtype):
    """Your additive mask holds -1e20 instead of -inf.

    A large negative number hides most of the time, -inf always: fill with `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -1e20)


@misconception("additive_mask", "additive-mask-1e10")
def additive_with_minus_1e10(mask, dtype):
    """Your additive mask holds -1e10 instead of -inf.

    A large negative number hides most of the time, -inf always: fill with `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -1e10)


@misconception("additive_mask", "additive-mask-lowest-float32")
def additive_with_the_lowest_float32(mask, dtype):
    """Your additive mask holds the lowest finite float32 number, -3.4e38, instead of -inf.

    It hides as well, but the exercise asks for -inf; use `float("-inf")`.
    """
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, torch.finfo(torch.float32).min)


@misconception("additive_mask", "additive-mask-dead-rows")
def additive_spares_dead_rows(mask, dtype):
    """A row in which nothing is allowed gets no -inf at all.

    What such a row becomes is up to the softmax; the mask says -inf wherever attending is not allowed.
    """
    return additive_mask(mask | ~mask.any(dim=-1, keepdim=True), dtype)


@misconception("additive_mask", "additive-mask-squeezed")
def additive_squeezed(mask, dtype):
    """You drop axes of size 1.

    The mask must still broadcast as before: return the shape it came in, and leave out `squeeze()`.
    """
    return additive_mask(mask, dtype).squeeze()


@misconception("additive_mask", "additive-mask-half-float32")
def additive_of_full_precision(mask, dtype):
    """Where half precision is asked for you return float32.

    The scores would become float32 with it. Which dtype does the caller name?
    """
    dtype = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    return torch.log(mask.to(dtype))


@misconception("additive_mask", "additive-mask-always-causal")
def additive_always_causal(mask, dtype):
    """You use the shape of the mask and not its entries: every mask becomes a causal one.

    A padding mask hides other places than the future. Which of your lines asks where the mask is False?
    """
    return torch.triu(torch.full(mask.shape, -math.inf, dtype=dtype, device=mask.device), diagonal=1)


@misconception("additive_mask", "additive-mask-overflow")
def additive_by_overflow(mask, dtype):
    """You reach -inf by an overflow, which float64 does not have there: its number stays finite.

    float32 ends at 3e38, float64 at 2e308. Write the infinity itself, `-math.inf`.
    """
    return (mask.to(dtype) - 1) * 1e38 * 1e38
