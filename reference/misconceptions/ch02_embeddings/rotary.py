"""What goes wrong in `rotary`."""

import torch

from reference.ch02_embeddings import rotary
from reference.misconceptions import misconception


@misconception("rotary", "rotary-halves")
def pairs_are_halves_apart(x, positions):
    """You pair number i with number i + d/2, as GPT-NeoX does; here the pairs are neighbours, 2i and 2i + 1.

    Slice with `x[..., 0::2]` and `x[..., 1::2]`, and interleave the results again instead of concatenating them.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    turned = rotary(torch.stack(x.chunk(2, dim=-1), dim=-1).flatten(-2), positions)
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], dim=-1)


@misconception("rotary", "rotary-concatenated")
def pairs_are_not_put_back(x, positions):
    """You turn the right pairs, but return all first numbers and then all second ones.

    The turned pair goes back to 2i and 2i + 1: stack along a new last axis, `dim=-1`, and flatten the last two.
    """
    turned = rotary(x, positions)
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], dim=-1)


@misconception("rotary", "rotary-backwards")
def turns_clockwise(x, positions):
    """You turn the wrong way, clockwise: your pairs become (a cos φ + b sin φ, -a sin φ + b cos φ).

    Counter-clockwise is (a cos φ - b sin φ, a sin φ + b cos φ).
    """
    return rotary(x, -positions)


@misconception("rotary", "rotary-no-minus")
def no_minus(x, positions):
    """The minus is missing: you compute (a cos φ + b sin φ, a sin φ + b cos φ), which is no turn.

    The first number of the pair is a cos φ - b sin φ.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos + b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-swapped")
def sine_and_cosine_exchanged(x, positions):
    """Sine and cosine are swapped: at position 0 your pairs do not stay where they are.

    The first number of the pair is a cos φ - b sin φ, the second a sin φ + b cos φ.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * sin - b * cos, a * cos + b * sin], dim=-1).flatten(-2)


@misconception("rotary", "rotary-overwritten")
def second_number_uses_the_new_first(x, positions):
    """You overwrite the first number of a pair before you compute the second, which then uses the new one.

    Compute both from the old a and b: stack them, or keep a copy.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    a = a * cos - b * sin
    b = a * sin + b * cos
    return torch.stack([a, b], dim=-1).flatten(-2)


@misconception("rotary", "rotary-own-positions")
def positions_are_ignored(x, positions):
    """You count the positions yourself, 0, 1, 2, …, instead of using those you were given.

    While a model writes, the new word may stand at position 57 although T is 1; use `positions` as they are.
    """
    return rotary(x, torch.arange(x.shape[-2], device=x.device))


@misconception("rotary", "rotary-from-one")
def positions_begin_at_one(x, positions):
    """You add 1 to the positions.

    At position 0 nothing is turned; use the positions as they are.
    """
    return rotary(x, positions + 1)


@misconception("rotary", "rotary-doubled-exponent")
def exponent_is_doubled(x, positions):
    """Your exponent is doubled: you multiply 0, 2, 4, … by 2 once more, or divide them by d/2 instead of d.

    With `torch.arange(0, d, 2)` for the even columns the exponent is `even / d`, without another factor.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (2 * even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-halved-exponent")
def exponent_is_halved(x, positions):
    """Your exponent is i / d with i = 0, 1, 2, …: half of what it should be.

    The exponent of pair i is 2i / d, which makes 0, 2, 4, … over d.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    pair = torch.arange(x.shape[-1] // 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (pair / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-one-speed")
def all_pairs_turn_alike(x, positions):
    """All your pairs are turned by the same angle: the exponent is missing, or lost in an integer division.

    Pair i turns by position · 10000^(-2i/d), more slowly from pair to pair.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    angles = positions[:, None].to(x.dtype)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-inverted")
def hands_become_faster(x, positions):
    """Your pairs turn faster from pair to pair: you multiply the positions by 10000^(2i/d).

    Multiply by 10000^(-2i/d), or divide by 10000^(2i/d).
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] * 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-added")
def positions_are_added(x, positions):
    """You add sines and cosines to x.

    Rotary positions add nothing: each pair is turned, and stays as long as it was.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


@misconception("rotary", "rotary-head-axis")
def angles_on_the_axis_of_heads(x, positions):
    """Your angles meet the axis of the heads: with x (B, H, T, d) you count H, not T.

    T is the second axis from the right however many axes x has; angles of shape (T, d/2) broadcast by themselves.
    """
    return rotary(x.transpose(1, 2), positions).transpose(1, 2) if x.dim() == 4 else rotary(x, positions)


@misconception("rotary", "rotary-odd")
def odd_is_not_noticed(x, positions):
    """You do not check for an odd d: two slices do not fit together, or, where d is 1, nothing comes back.

    Ask before you cut: if d is odd, raise a `ValueError` that names it.
    """
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype, device=x.device)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-odd-left-over")
def odd_number_is_left_alone(x, positions):
    """With an odd d you leave the last number as it is.

    A number without a partner is a mistake in the model's sizes; raise a `ValueError` that names d.
    """
    pairs = x.shape[-1] // 2 * 2
    return torch.cat([rotary(x[..., :pairs], positions), x[..., pairs:]], dim=-1)


@misconception("rotary", "rotary-odd-silent")
def error_names_nothing(x, positions):
    """Your `ValueError` does not name d.

    Put the number into the message: that is what the reader has to change.
    """
    if x.shape[-1] % 2:
        raise ValueError("the width must be even")
    return rotary(x, positions)


@misconception("rotary", "rotary-odd-assert")
def odd_is_asserted(x, positions):
    """For an odd d you raise an AssertionError.

    Write `if ...: raise ValueError(...)`; asserts are for your own mistakes, and can be switched off.
    """
    assert x.shape[-1] % 2 == 0
    return rotary(x, positions)


@misconception("rotary", "rotary-in-place")
def changes_x(x, positions):
    """You write the turned numbers into x.

    The caller still needs it; put them into a new tensor, for instance by stacking.
    """
    result = rotary(x, positions)
    x.copy_(result)
    return result


@misconception("rotary", "rotary-float32-angles")
def angles_in_float32(x, positions):
    """You compute the angles in float32, so a float64 x is turned to about seven digits, and fewer at late positions.

    Give `torch.arange` the dtype of x, and leave out `.float()`.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=torch.float32, device=x.device)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-float32")
def result_in_float32(x, positions):
    """Your result is float32, whatever x is.

    Leave out `.float()`; a tensor that you make to be filled needs the dtype of x too, as `torch.empty_like(x)` has.
    """
    return rotary(x, positions).float()


@misconception("rotary", "rotary-float64")
def result_in_float64(x, positions):
    """Your result is float64, whatever x is.

    Compute the angles in the dtype of x, or convert the result back with `.to(x.dtype)`.
    """
    return rotary(x.double(), positions)


@misconception("rotary", "rotary-device")
def angles_on_the_default_device(x, positions):
    """You make a tensor, such as the speeds of the pairs, on the default device instead of the device of x.

    On a GPU the two cannot be combined; pass `device=x.device` where you make it.
    """
    if x.shape[-1] % 2:
        raise ValueError(f"a vector of {x.shape[-1]} numbers cannot be cut into pairs")
    even = torch.arange(0, x.shape[-1], 2, dtype=x.dtype)
    angles = positions[:, None] / 10000 ** (even / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@misconception("rotary", "rotary-detached")
def detached(x, positions):
    """No gradient reaches x: the result is cut off (detach, .data, no_grad or NumPy).

    Compute with x as it is; only the angles need no gradient.
    """
    return rotary(x, positions).detach()
