"""What goes wrong in `alibi`: the slopes and the distances."""

import math

import torch

from reference.ch04_masking import alibi
from reference.misconceptions import misconception


@misconception("alibi", "alibi-from-zero")
def heads_from_zero(num_heads, length):
    """You count the heads from 0, so the first slope is 1.

    h goes from 1 to H: the first of eight heads has the slope ½, the last 1/256.
    """
    slopes = 2.0 ** (-8 * torch.arange(num_heads) / num_heads)
    return alibi(1, length) * (slopes * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-halves")
def always_halves(num_heads, length):
    """Your slopes are ½, ¼, ⅛, ..., whatever the number of heads is.

    That is so for eight heads only: the exponent is -8 h / H.
    """
    slopes = 0.5 ** torch.arange(1.0, num_heads + 1, dtype=torch.get_default_dtype())
    return alibi(1, length) * (slopes * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-inverted-exponent")
def inverted_exponent(num_heads, length):
    """Your exponent is -h H / 8 instead of -8 h / H.

    With more heads the slopes lie closer together: the last one is 1/256 for any H.
    """
    heads = torch.arange(1, num_heads + 1)
    return alibi(1, length) * (2.0 ** (-heads * num_heads / 8) * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-floored")
def floored(num_heads, length):
    """You round the exponents down to whole numbers (`//`).

    -8 h / H has a fraction when there are more than eight heads; divide with `/`.
    """
    heads = torch.arange(1, num_heads + 1)
    return alibi(1, length) * (2.0 ** (-8 * heads // num_heads) * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-floored-ratio")
def floored_ratio(num_heads, length):
    """You compute 8 / H as a whole number (`8 // H`), which is 0 for more than eight heads.

    The exponent is -8 h / H; divide with `/`.
    """
    heads = torch.arange(1, num_heads + 1)
    return alibi(1, length) * (2.0 ** -(8 // num_heads * heads).double() * 2.0**8)[:, None, None].to(alibi(1, 1).dtype)


@misconception("alibi", "alibi-natural")
def base_of_exp(num_heads, length):
    """Your slopes are powers of e (`exp`) instead of powers of 2.

    The slope of head h is 2^(-8 h / H).
    """
    slopes = torch.exp(-8 * torch.arange(1, num_heads + 1) / num_heads)
    return alibi(1, length) * (slopes * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-even-slopes")
def even_slopes(num_heads, length):
    """Your slopes are evenly spaced, h / H, instead of a power for each head.

    From head to head the slope is divided by the same number: 2^(-8 h / H).
    """
    slopes = torch.arange(1, num_heads + 1) / num_heads
    return alibi(1, length) * (slopes * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-reversed-heads")
def reversed_heads(num_heads, length):
    """Your heads come in reverse: the first one is the flattest.

    Head 1 has the largest slope, and each further one a smaller.
    """
    return alibi(num_heads, length).flip(0)


@misconception("alibi", "alibi-one-slope")
def one_slope(num_heads, length):
    """All heads have the same slope, the last one's.

    Every head has its own: m_h = 2^(-8 h / H).
    """
    return alibi(1, length).repeat(num_heads, 1, 1)


@misconception("alibi", "alibi-no-slope")
def no_slope(num_heads, length):
    """You leave the slopes out: every head asks 1 for each word of distance.

    Each head's distances are multiplied by its own m_h = 2^(-8 h / H).
    """
    return (alibi(1, length) * 2.0**8).repeat(num_heads, 1, 1)


@misconception("alibi", "alibi-slope-divides")
def slope_divides(num_heads, length):
    """You divide the distances by the slope, or your exponent lacks its minus.

    The slope 2^(-8 h / H) is below 1 and a factor.
    """
    slopes = 2.0 ** (8 * torch.arange(1, num_heads + 1) / num_heads)
    return alibi(1, length) * (slopes * 2.0**8)[:, None, None]


@misconception("alibi", "alibi-reward")
def reward(num_heads, length):
    """You add the distance instead of subtracting it, so far keys are preferred.

    Distance costs: the numbers left of the diagonal are negative.
    """
    return torch.nan_to_num(alibi(num_heads, length), neginf=math.inf).neg()


@misconception("alibi", "alibi-by-key")
def by_key(num_heads, length):
    """You multiply the slope by the key's position alone, m · j.

    After a softmax it is the same, as each row differs by one number; but here the diagonal is 0: use the distance.
    """
    table = alibi(num_heads, length)
    return table - table[:, :, :1]


@misconception("alibi", "alibi-by-key-from-the-end")
def by_key_from_the_end(num_heads, length):
    """You count the distance from the last position in every row, m · (j - (T - 1)).

    After a softmax it is the same, as each row differs by one number; but here the distance is the query's own, i - j.
    """
    table = alibi(num_heads, length)
    return table - table[:, :, :1] + table[:, -1:, :1]


@misconception("alibi", "alibi-one-more")
def one_more(num_heads, length):
    """You count the distance from 1, so that even a word itself costs something.

    A query is no words away from its own key: i - j is 0 there.
    """
    table = alibi(num_heads, length + 1)
    return table[:, 1:, :-1].masked_fill(alibi(1, length).isneginf(), -math.inf)


@misconception("alibi", "alibi-squared")
def squared(num_heads, length):
    """Your price grows with the square of the distance.

    The L in ALiBi is for linear: the slope times i - j.
    """
    table = alibi(num_heads, length)
    return table * -torch.nan_to_num(alibi(1, length) * 2.0**8, neginf=-1.0)


@misconception("alibi", "alibi-spread")
def spread_from_one(num_heads, length):
    """Your exponents go from 0 to -8 in even steps, so the first slope is 1.

    The first of them is -8 / H and the step is the same: h goes from 1 to H, and the exponent is -8 h / H.
    """
    slopes = torch.logspace(0, -8, num_heads, base=2)
    return alibi(1, length) * (slopes * 2.0**8)[:, None, None]
