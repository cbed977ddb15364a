"""What goes wrong in `sinusoidal_positions`, continued: the speeds and the rows."""

import math

import torch

from reference.ch02_embeddings import sinusoidal_positions
from reference.misconceptions import misconception


@misconception("sinusoidal_positions", "sinusoid-no-base")
def base_e(length, width):
    """Your base is e: the logarithm of 10000 is missing from the exponent.

    The angle is p / 10000^(2i/D), which is p · exp(-2i · ln(10000) / D).
    """
    dtype = torch.get_default_dtype()
    column = torch.arange(width, dtype=dtype)
    angles = torch.arange(length, dtype=dtype)[:, None] * torch.exp(-(column - column % 2) / width)
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


@misconception("sinusoidal_positions", "sinusoid-base-100000")
def base_100000(length, width):
    """Your base is 100000, a zero too many.

    The angle is p / 10000^(2i/D).
    """
    dtype = torch.get_default_dtype()
    column = torch.arange(width, dtype=dtype)
    angles = torch.arange(length, dtype=dtype)[:, None] * 100000 ** (-(column - column % 2) / width)
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())


@misconception("sinusoidal_positions", "sinusoid-full-turns")
def full_turns(length, width):
    """You multiply the angles by 2π.

    The angle is p / 10000^(2i/D) radians, without 2π.
    """
    dtype = torch.get_default_dtype()
    column = torch.arange(width, dtype=dtype)
    angles = torch.arange(length, dtype=dtype)[:, None] * 10000 ** (-(column - column % 2) / width)
    return torch.where(column % 2 == 0, (2 * math.pi * angles).sin(), (2 * math.pi * angles).cos())


@misconception("sinusoidal_positions", "sinusoid-reversed")
def last_position_first(length, width):
    """Your rows run from the last position to the first.

    Row p belongs to position p: the first row is 0, 1, 0, 1 and so on.
    """
    return sinusoidal_positions(length, width).flip(0)


@misconception("sinusoidal_positions", "sinusoid-one-row-more")
def one_row_more(length, width):
    """Your table has one row too many.

    Positions run from 0 to length - 1: `torch.arange(length)`.
    """
    return sinusoidal_positions(length + 1, width)


@misconception("sinusoidal_positions", "sinusoid-one-row-fewer")
def one_row_fewer(length, width):
    """Your table has one row too few.

    Positions run from 0 to length - 1: `torch.arange(length)`.
    """
    return sinusoidal_positions(max(length - 1, 0), width)


@misconception("sinusoidal_positions", "sinusoid-only-cosines")
def only_cosines(length, width):
    """Your even columns hold cosines too.

    Even columns are sines, odd ones the cosines of the same angles.
    """
    dtype = torch.get_default_dtype()
    column = torch.arange(width, dtype=dtype)
    return (torch.arange(length, dtype=dtype)[:, None] * 10000 ** (-(column - column % 2) / width)).cos()


@misconception("sinusoidal_positions", "sinusoid-zero-columns")
def odd_columns_empty(length, width):
    """Your odd columns are zero: the cosines were never written.

    Print the row of position 0. Every second number is cos 0: what is that?

    Fill both: `table[:, 0::2]` with the sines, `table[:, 1::2]` with the cosines.
    """
    table = sinusoidal_positions(length, width)
    return torch.where(torch.arange(width) % 2 == 0, table, torch.zeros_like(table))


@misconception("sinusoidal_positions", "sinusoid-angles")
def angles_alone(length, width):
    """You return the angles: their sines and cosines are missing.

    Even columns are the sines of the angles, odd ones the cosines.
    """
    dtype = torch.get_default_dtype()
    column = torch.arange(width, dtype=dtype)
    return torch.arange(length, dtype=dtype)[:, None] * 10000 ** (-(column - column % 2) / width)


@misconception("sinusoidal_positions", "sinusoid-slowest-first")
def slowest_pair_first(length, width):
    """Your slowest pair comes first: the speeds are in reverse order.

    Pair i has the angle p / 10000^(2i/D): the first pair turns fastest, by p itself.
    """
    even = torch.arange(0, width, 2).flip(0)
    angles = torch.arange(length)[:, None] / 10000 ** (even / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-rounded-pi")
def sinusoid_rounded_pi(length, width):
    """Your cosines are sines moved by 3.14159 / 2, which is no quarter turn: they are off by up to 1.3e-6.

    Five decimals of π are too few. Take the cosine itself, or `math.pi`.
    """
    column = torch.arange(width)
    angle = torch.arange(length).double()[:, None] / 10000.0 ** ((column - column % 2).double() / width)
    return torch.sin(angle + column % 2 * (3.14159 / 2)).to(torch.get_default_dtype())


@misconception("sinusoidal_positions", "sinusoid-rounded-pi-further")
def sinusoid_rounded_pi_further(length, width):
    """Your cosines are sines moved by 3.14 / 2, which is no quarter turn: they are off by up to 8e-4.

    Two decimals of π are too few. Take the cosine itself, or `math.pi`.
    """
    column = torch.arange(width)
    angle = torch.arange(length).double()[:, None] / 10000.0 ** ((column - column % 2).double() / width)
    return torch.sin(angle + column % 2 * (3.14 / 2)).to(torch.get_default_dtype())


@misconception("sinusoidal_positions", "sinusoid-exponent-rounded-down")
def exponents_rounded_down(length, width):
    """Your exponents are whole numbers, 0 for the first pair and -1 for all others, which turn equally slowly.

    Print the exponents for D = 4: they should be 0 and -1/2. `//` rounds down, so -1/2 becomes -1; `/` keeps it.
    """
    even = torch.arange(0, width, 2)
    angles = torch.arange(length)[:, None] * 10000.0 ** (-even // width).to(torch.get_default_dtype())
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]


@misconception("sinusoidal_positions", "sinusoid-rounded-logarithm")
def rounded_logarithm(length, width):
    """You round the logarithm of 10000 to 9.2103, so all hands but the first run too fast and later angles drift.

    A constant needs all of its digits: let `math.log` compute it, or take a power of 10000.
    """
    even = torch.arange(0, width, 2, dtype=torch.get_default_dtype())
    angles = torch.arange(length)[:, None] * torch.exp(even * (-9.2103 / width))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width]
