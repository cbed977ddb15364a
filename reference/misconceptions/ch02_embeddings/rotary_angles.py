"""What goes wrong in `rotary`, continued: the angles, which numbers meet which angle, and precision."""

import math

import torch

from reference.ch02_embeddings import rotary
from reference.misconceptions import misconception


@misconception("rotary", "rotary-angles-repeated")
def angles_one_after_the_other(x, positions):
    """You turn neighbours, but give number j the angle of pair j mod d/2: the angles are repeated as a whole.

    Each angle belongs to two neighbours: `repeat_interleave(2, dim=-1)`, or slices `0::2` and `1::2`.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=torch.float64, device=x.device)
    angles = (positions[:, None] / 10000 ** (even / x.shape[-1])).repeat(1, 2)
    beside = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return (x * angles.cos() + beside * angles.sin()).to(x.dtype)


@misconception("rotary", "rotary-halves-interleaved")
def halves_with_interleaved_angles(x, positions):
    """You turn number i with number i + d/2, but give neighbours the same angle.

    Here the pairs are neighbours: put (-x[1], x[0], -x[3], x[2], ...) beside x, not the second half before the first.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=torch.float64, device=x.device)
    angles = (positions[:, None] / 10000 ** (even / x.shape[-1])).repeat_interleave(2, dim=-1)
    first, second = x.chunk(2, dim=-1)
    return (x * angles.cos() + torch.cat([-second, first], dim=-1) * angles.sin()).to(x.dtype)


@misconception("rotary", "rotary-float32-products")
def products_in_float32(x, positions):
    """You compute angles and products in float32 and convert the result back: a float64 x loses half its digits.

    Leave out `.float()`: give `torch.arange` the dtype of x, and multiply x as it is.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, device=x.device).float()
    angles = torch.outer(positions.float(), 1.0 / (10000.0 ** (even / x.shape[-1])))
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2).type_as(x)


@misconception("rotary", "rotary-half-angles")
def half_the_angle(x, positions):
    """Your angles are half of what they should be.

    Turn each pair by position · 10000^(-2i/d) itself.
    """
    return rotary(x.to(torch.float64), positions / 2).to(x.dtype)


@misconception("rotary", "rotary-full-turns")
def angles_in_full_turns(x, positions):
    """You multiply the angles by 2π.

    Turn each pair by position · 10000^(-2i/d) radians, without 2π.
    """
    return rotary(x.to(torch.float64), positions.to(torch.float64) * (2 * math.pi)).to(x.dtype)


@misconception("rotary", "rotary-first-half-only")
def only_the_first_half(x, positions):
    """You turn the first half of the numbers only and leave the others as they are.

    Turn all d/2 pairs: 0 and 1, 2 and 3, up to the last two.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    turned = rotary(x, positions)
    return torch.cat([turned[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]], dim=-1)


@misconception("rotary", "rotary-first-pair-only")
def only_the_first_pair(x, positions):
    """You turn the first pair only and leave the others as they are.

    Turn all d/2 pairs: 0 and 1, 2 and 3, up to the last two.
    """
    return torch.cat([rotary(x, positions)[..., :2], x[..., 2:]], dim=-1)


@misconception("rotary", "rotary-only-cosines")
def only_cosines(x, positions):
    """You multiply each number by its cosine and leave out the sines.

    A turn mixes both numbers of a pair: (a cos φ - b sin φ, a sin φ + b cos φ).
    """
    return (rotary(x, positions) + rotary(x, -positions)) / 2


@misconception("rotary", "rotary-added-to-x")
def turned_and_added(x, positions):
    """You add the turned vectors to x.

    Return the turned vectors alone: they take the place of x.
    """
    return x + rotary(x, positions)


@misconception("rotary", "rotary-minus-one-position")
def one_position_too_early(x, positions):
    """You subtract 1 from the positions.

    Take them as they come: a vector at position 0 is not turned.
    """
    return rotary(x, positions - 1)


@misconception("rotary", "rotary-sorted-positions")
def sorted_positions(x, positions):
    """You turn the vectors by the sorted positions, not by those that were given.

    Vector t has position positions[t], in any order.
    """
    return rotary(x, positions.sort().values)


@misconception("rotary", "rotary-one-position")
def one_position_for_all(x, positions):
    """You turn all vectors by the first position's angles.

    Vector t has its own position, positions[t].
    """
    return rotary(x, positions[:1].expand_as(positions))


@misconception("rotary", "rotary-no-base")
def base_e(x, positions):
    """Your base is e: the logarithm of 10000 is missing from the exponent.

    The angle is position · 10000^(-2i/d), which is position · exp(-2i · ln(10000) / d).
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=torch.float64, device=x.device)
    angles = positions[:, None] * torch.exp(-even / x.shape[-1])
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2).to(x.dtype)


@misconception("rotary", "rotary-base-1000")
def base_1000(x, positions):
    """Your base is 1000, a zero too few.

    The angle is position · 10000^(-2i/d).
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=torch.float64, device=x.device)
    angles = positions[:, None] / 1000 ** (even / x.shape[-1])
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2).to(x.dtype)


@misconception("rotary", "rotary-pair-exchanged")
def pair_exchanged(x, positions):
    """You turn the right pairs, but return the second number of each before the first.

    At position 0 nothing is turned. In which order do the numbers of a pair come back there?
    """
    return rotary(x, positions).unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


@misconception("rotary", "rotary-exponent-rounded-down")
def exponents_rounded_down(x, positions):
    """Your exponents are whole numbers, 0 for the first pair and -1 for all others, which turn equally slowly.

    Print the exponents for d = 4: they should be 0 and -1/2. `//` rounds down, so -1/2 becomes -1; `/` keeps it.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] * 10000 ** (-even // x.shape[-1])
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


@misconception("rotary", "rotary-rounded-logarithm")
def rounded_logarithm(x, positions):
    """You round the logarithm of 10000 to 9.2103, so all pairs but the first turn too far, more so at later positions.

    A constant needs all of its digits: let `math.log` compute it, or take a power of 10000.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] * torch.exp(even * (-9.2103 / x.shape[-1]))
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


@misconception("rotary", "rotary-counted-on")
def counted_on_from_the_first(x, positions):
    """You use the first of the positions only, and count on from it, one more for each vector.

    They may come in any order, and twice. Vector t has position positions[t].
    """
    return rotary(x, positions[:1] + torch.arange(len(positions), device=positions.device))
