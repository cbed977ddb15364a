"""What goes wrong in `sinusoidal_positions`."""

import math

import torch

from reference.ch02_embeddings import sinusoidal_positions
from reference.misconceptions import misconception


@misconception("sinusoidal_positions", "sinusoid-doubled-exponent")
def exponent_is_doubled(length, width):
    """Your exponent is doubled: you multiply 0, 2, 4, … by 2 once more, or divide them by D/2 instead of D.

    Take D = 4 and write down the exponent of columns 2 and 3. It should be 2/4; which of your numbers is 2 already?

    With `torch.arange(0, width, 2)` for the even columns the exponent is `even / width`, without another factor.
    """
    even = torch.arange(0, width, 2)
    angles = torch.arange(length)[:, None] / 10000 ** (2 * even / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-halved-exponent")
def exponent_is_halved(length, width):
    """Your exponent is i / D with i = 0, 1, 2, …: half of what it should be.

    The exponent of pair i is 2i / D, which makes 0, 2, 4, … over D; yours amounts to a base of 100.
    """
    pair = torch.arange((width + 1) // 2)
    angles = torch.arange(length)[:, None] / 10000 ** (pair / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-concatenated")
def sines_before_cosines(length, width):
    """You put all sines first and all cosines behind them.

    Here they alternate: sin, cos, sin, cos. In which order does `flatten` read a tensor (length, pairs, 2)?

    Stack sines and cosines along a new last axis, `dim=-1`, and flatten the last two.
    """
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-swapped")
def cosine_before_sine(length, width):
    """Sine and cosine are swapped: your even columns hold the cosine.

    Column 0 is a sine: the row of position 0 reads 0, 1, 0, 1 and so on.
    """
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-own-exponents")
def cosine_has_its_own_exponent(length, width):
    """Your cosines use the number of their own column, so sine and cosine of a pair have different angles.

    Columns 2i and 2i + 1 share the exponent 2i / D: two coordinates of one hand of the clock.
    """
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(width) / width)
    return torch.where(torch.arange(width) % 2 == 0, angles.sin(), angles.cos())


@misconception("sinusoidal_positions", "sinusoid-odd-exponents")
def cosine_has_the_next_exponent(length, width):
    """Your cosines use the exponent 2(i + 1) / D, that of the next pair.

    Columns 2i and 2i + 1 share the exponent 2i / D: two coordinates of one hand of the clock.
    """
    column = torch.arange(width)
    angles = torch.arange(length)[:, None] / 10000 ** ((column + column % 2) / width)
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


@misconception("sinusoidal_positions", "sinusoid-from-one")
def positions_begin_at_one(length, width):
    """Your positions begin at 1.

    They are 0 to length - 1, so that the first row is 0, 1, 0, 1 and so on.
    """
    return sinusoidal_positions(length + 1, width)[1:]


@misconception("sinusoidal_positions", "sinusoid-one-speed")
def all_hands_have_one_speed(length, width):
    """All your pairs turn at the same speed: the exponent is 0 everywhere, perhaps by an integer division.

    Print the exponents for D = 4. They should be 0 and 1/2; which operation loses the fraction?

    Divide with `/`, not `//`, and keep the exponent in brackets: `10000 ** (even / width)`.
    """
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2) // width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-precedence")
def power_before_division(length, width):
    """You divide by `width` outside the exponent: `10000 ** even / width` is (10000 ** even) / width.

    A power binds more tightly than a division. What belongs into the exponent as a whole?

    Put brackets around the exponent: `10000 ** (even / width)`.
    """
    even = torch.arange(0, width, 2, dtype=torch.get_default_dtype())
    angles = torch.arange(length)[:, None] / (10000**even / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-inverted")
def hands_become_faster(length, width):
    """Your hands get faster from pair to pair: you multiply the position by 10000^(2i/D).

    Divide by it, or make the exponent negative.
    """
    angles = torch.arange(length)[:, None] * 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-base-1000")
def base_has_a_zero_too_few(length, width):
    """Your base is 1000, a zero too few.

    The formula has 10000, in the logarithm too if you use one.
    """
    angles = torch.arange(length)[:, None] / 1000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-timescales")
def slowest_hand_at_ten_thousand(length, width):
    """Your speeds run from 1 to exactly 1/10000: the exponent of pair i is i / (number of pairs - 1) instead of 2i / D.

    Some libraries do that; the paper's exponents are 2i / D, so the last one stays below 1.
    """
    pairs = (width + 1) // 2
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(pairs) / max(pairs - 1, 1))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-only-sines")
def no_cosines(length, width):
    """Your odd columns hold sines too.

    Odd columns are the cosines of the same angles; without them a hand's left and right look alike.
    """
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return angles.sin().repeat_interleave(2, dim=1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-relative")
def positions_as_shares(length, width):
    """You divide the positions by the length of the text.

    Leave out the division by the length: otherwise position 3 looks different in every text.
    """
    angles = torch.arange(length)[:, None] / length / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-odd-width")
def odd_width_does_not_fit(length, width):
    """With an odd width your cosines do not fit: there is one column fewer for them than for the sines.

    An odd width ends with a sine; take only the first `width // 2` cosines, or cut the last column off at the end.
    """
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    table = torch.zeros(length, width)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


@misconception("sinusoidal_positions", "sinusoid-odd-rounded")
def odd_width_changes_the_speeds(length, width):
    """With an odd width you compute the table of the next even width, exponents included, and cut it.

    The exponents are 2i / D with the D that was asked for; only the number of columns is rounded up.
    """
    return sinusoidal_positions(length, width + width % 2)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-transposed")
def one_column_per_position(length, width):
    """Your table lies on its side: it has a column per position, (width, length).

    Row p is position p. If the speeds are a row, what must the positions be, so that each meets each?

    Make the positions a column of numbers: `torch.arange(length)[:, None]`.
    """
    return sinusoidal_positions(length, width).T


@misconception("sinusoidal_positions", "sinusoid-batch-axis")
def axis_for_the_batch(length, width):
    """Your table has an axis of size 1 in front.

    Return (length, width): added to x (B, T, D) it broadcasts without that axis.
    """
    return sinusoidal_positions(length, width)[None]


@misconception("sinusoidal_positions", "sinusoid-float32-angles")
def angles_in_float32(length, width):
    """You compute the angles in float32, so the table has no more than about seven digits, even in float64.

    Leave out `.float()` and `dtype=torch.float32`: with the default dtype everything is as precise as it can be.
    """
    speeds = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    angles = torch.arange(length).float()[:, None] * speeds
    table = torch.zeros(length, width)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()[:, : width // 2]
    return table


@misconception("sinusoidal_positions", "sinusoid-float32")
def table_in_float32(length, width):
    """Your table is float32, whatever torch's default dtype is.

    Leave out `.float()` and `dtype=torch.float32`; tensors then come in the default dtype by themselves.
    """
    return sinusoidal_positions(length, width).float()


@misconception("sinusoidal_positions", "sinusoid-float64")
def table_in_float64(length, width):
    """Your table is float64, whatever torch's default dtype is; NumPy's numbers are float64 too.

    Convert what you return to `torch.get_default_dtype()`, or compute with torch and name no dtype.
    """
    even = torch.arange(0, width, 2, dtype=torch.float64)
    angles = torch.arange(length)[:, None] / 10000 ** (even / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-device")
def table_on_the_cpu(length, width):
    """Your table is on the CPU, whatever torch's default device is.

    Name no device and take no detour through NumPy; what torch makes is then on the right one.
    """
    even = torch.arange(0, width, 2, device="cpu")
    angles = torch.arange(length, device="cpu")[:, None] / 10000 ** (even / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]
