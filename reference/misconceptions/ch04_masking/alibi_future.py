"""What goes wrong in `alibi`, continued: later keys, axes and dtypes."""

import math

import torch

from reference.ch04_masking import alibi
from reference.misconceptions import misconception


@misconception("alibi", "alibi-sees-the-future")
def no_mask(num_heads, length):
    """Later keys get positive numbers instead of -inf: the future is not hidden, it is preferred.

    i - j is negative there, so its price becomes a reward; fill those entries with -inf.
    """
    table = alibi(num_heads, length)
    return torch.where(table.isneginf(), -table.transpose(1, 2), table)


@misconception("alibi", "alibi-symmetric")
def symmetric(num_heads, length):
    """Later keys cost as much as earlier ones, |i - j|, instead of being hidden.

    These are causal scores: every later key gets -inf.
    """
    table = alibi(num_heads, length)
    return torch.maximum(table, table.transpose(1, 2))


@misconception("alibi", "alibi-free-future")
def free_future(num_heads, length):
    """Later keys get 0: they cost nothing and are not hidden.

    0 changes no score; a key is hidden by -inf.
    """
    return alibi(num_heads, length).masked_fill(alibi(1, length).isneginf(), 0.0)


@misconception("alibi", "alibi-billion")
def a_billion(num_heads, length):
    """Later keys get a large negative number instead of -inf.

    Beside scores that are lower still it hides nothing: use `float("-inf")`.
    """
    return alibi(num_heads, length).masked_fill(alibi(1, length).isneginf(), -1e9)


@misconception("alibi", "alibi-lowest")
def lowest(num_heads, length):
    """Later keys get the lowest finite number of the dtype instead of -inf.

    It hides as well, but the exercise asks for -inf, and two such masks added overflow: use `float("-inf")`.
    """
    table = alibi(num_heads, length)
    return table.masked_fill(table.isneginf(), torch.finfo(table.dtype).min)


@misconception("alibi", "alibi-hides-itself")
def hides_itself(num_heads, length):
    """You hide a query's own key too, so the first row hides everything.

    Only later keys get -inf: where j > i, not where j ≥ i.
    """
    return alibi(num_heads, length).masked_fill(torch.eye(length, dtype=torch.bool), -math.inf)


@misconception("alibi", "alibi-one-ahead")
def one_ahead(num_heads, length):
    """The next key is not hidden: your -inf begins two places right of the diagonal.

    A query may see keys up to its own place and none after it.
    """
    table = alibi(num_heads, length)
    return torch.where(torch.ones(length, length, dtype=torch.bool).triu(2), table, torch.nan_to_num(table, neginf=0.0))


@misconception("alibi", "alibi-transposed")
def transposed(num_heads, length):
    """Rows and columns are swapped: a query sees itself and what comes after it.

    Row i is the query, column j the key; the -inf stand right of the diagonal.
    """
    return alibi(num_heads, length).transpose(1, 2)


@misconception("alibi", "alibi-heads-last")
def heads_last(num_heads, length):
    """The heads are the last axis, (T, T, H).

    Scores are (B, H, T, T): put the heads in front, with two new axes behind the slopes.
    """
    return alibi(num_heads, length).permute(1, 2, 0)


@misconception("alibi", "alibi-batch-axis")
def with_a_batch_axis(num_heads, length):
    """You put an axis for the batch in front.

    (H, T, T) broadcasts to (B, H, T, T) by itself.
    """
    return alibi(num_heads, length)[None]


@misconception("alibi", "alibi-squeezed")
def squeezed(num_heads, length):
    """You squeeze the result, which drops every axis of size 1.

    One head is an axis of size 1, and so is one word; leave out `squeeze()`.
    """
    return alibi(num_heads, length).squeeze()


@misconception("alibi", "alibi-weights")
def weights(num_heads, length):
    """You return e to the power of the biases.

    The table is added to the scores, before the softmax does that.
    """
    return alibi(num_heads, length).exp()


@misconception("alibi", "alibi-mask")
def boolean(num_heads, length):
    """You return a boolean mask, the causal one, without prices.

    The table holds numbers to be added: prices, and -inf for later keys.
    """
    return ~alibi(num_heads, length).isneginf()


@misconception("alibi", "alibi-float")
def always_float32(num_heads, length):
    """You always return float32.

    The result has torch's default dtype: leave out `dtype=torch.float32` and `.float()`.
    """
    return alibi(num_heads, length).float()


@misconception("alibi", "alibi-double")
def always_float64(num_heads, length):
    """You always return float64, as NumPy does.

    The result has torch's default dtype: build it from torch's own numbers, without `dtype=torch.float64`.
    """
    return alibi(num_heads, length).double()


@misconception("alibi", "alibi-nan")
def zero_times_infinity(num_heads, length):
    """You multiply by -inf where you should fill it in: 0 · inf is NaN.

    Use a fill (`masked_fill`, `torch.where`), not a product with a mask of zeros and ones.
    """
    table = alibi(num_heads, length)
    earlier = (~table.isneginf()).to(table.dtype)
    return torch.nan_to_num(table, neginf=0.0) * earlier + (1 - earlier) * -math.inf


@misconception("alibi", "alibi-hides-the-past")
def hides_the_past(num_heads, length):
    """You hide the earlier keys instead of the later ones.

    Row i is the query, column j the key: j > i is later, to the right of the diagonal.
    """
    table = alibi(num_heads, length)
    return torch.where(table.isneginf(), -table.transpose(1, 2), -math.inf).where(table != 0, table)


@misconception("alibi", "alibi-plus-infinity")
def plus_infinity(num_heads, length):
    """Later keys get +inf: they get all of the attention, or NaN.

    A key is hidden by -inf, whose exponential is 0.
    """
    return torch.nan_to_num(alibi(num_heads, length), neginf=math.inf)


@misconception("alibi", "alibi-fractions-dropped")
def fractions_dropped(num_heads, length):
    """You drop the fractions of 8 h / H (`//`, `int`), which the exponents have where there are more than eight heads.

    A power of 2 need not have a whole exponent; divide with `/`.
    """
    heads = torch.arange(1, num_heads + 1)
    return alibi(1, length) * (2.0 ** -(8 * heads // num_heads).double() * 2.0**8)[:, None, None].to(alibi(1, 1).dtype)
