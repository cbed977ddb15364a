"""Wrong ways to cut D columns into heads."""

import math

import torch

from reference.misconceptions import misconception


@misconception("split_heads", "split-heads-view")
def straight_to_the_shape(x, num_heads):
    """You reshape straight to (B, H, T, d), so that a head gets a piece of the text, not its columns of every position.

    A reshape never swaps axes: cut D into (H, d) first, then let H and T change places.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, num_heads, length, width // num_heads)


@misconception("split_heads", "split-heads-not-exchanged")
def heads_behind_positions(x, num_heads):
    """You cut D into (H, d), but the heads stay behind the positions: (B, T, H, d).

    Attention looks at the last two axes, which must be positions and columns; swap axes 1 and 2.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, num_heads, width // num_heads)


@misconception("split_heads", "split-heads-interleaved")
def every_nth_column(x, num_heads):
    """Your heads take turns at the columns: head 0 gets columns 0, H, 2H and so on.

    A head owns a block of neighbouring columns: cut D into (H, d) in this order, not into (d, H).
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, width // num_heads, num_heads).permute(0, 3, 1, 2)


@misconception("split_heads", "split-heads-count-as-width")
def number_of_heads_as_width(x, num_heads):
    """You get D / H heads of H columns, as if `num_heads` were the width of a head.

    The second argument says how many heads there are; each has D / H columns. In which order do you cut D?
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, width // num_heads, num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-exchanged-first")
def exchanged_before_the_cut(x, num_heads):
    """You swap T and D first and reshape afterwards, so that every row of a head mixes several positions.

    First cut the last axis, (B, T, H, d), then swap axes 1 and 2.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.transpose(1, 2).reshape(batch, num_heads, length, width // num_heads)


@misconception("split_heads", "split-heads-positions-last")
def positions_behind_columns(x, num_heads):
    """Your positions are the last axis: (B, H, d, T).

    Attention transposes the keys to that order; here the order is (B, H, T, d).
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, num_heads, width // num_heads).permute(0, 2, 3, 1)


@misconception("split_heads", "split-heads-before-batch")
def heads_before_the_batch(x, num_heads):
    """Your heads come before the batch: (H, B, T, d).

    The batch stays first; if you stack a list of heads, stack it along axis 1.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, num_heads, width // num_heads).permute(2, 0, 1, 3)


@misconception("split_heads", "split-heads-folded")
def heads_folded_into_the_batch(x, num_heads):
    """You fold the heads into the batch: (B·H, T, d).

    That is one way to run them, but here the heads have an axis of their own: (B, H, T, d).
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2).flatten(0, 1)


@misconception("split_heads", "split-heads-squeezed")
def without_axes_of_size_one(x, num_heads):
    """You drop axes of size 1.

    A batch of one, a single head or a single word is a real axis; leave out `squeeze()`.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2).squeeze()


@misconception("split_heads", "split-heads-larger")
def refused_unless_one_divides_the_other(x, num_heads):
    """Where H is a multiple of D, such as 24 heads for 12 columns, you leave it to torch's reshape to complain.

    24 is a multiple of 12, and yet 24 heads do not fit into 12 columns. Which of the two numbers must divide the other?
    """
    batch, length, width = x.shape
    if width % num_heads and num_heads % width:
        raise ValueError(f"{num_heads} heads do not divide a width of {width}")
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-coprime")
def refused_without_a_common_divisor(x, num_heads):
    """You refuse some H that do not divide D, such as 3 for 10, and leave others, such as 8 for 12, to torch's reshape.

    8 and 12 share the divisor 4, and 12 % 8 is not 1, and yet 8 heads do not fit into 12 columns. When would they fit?

    Refuse every remainder but 0: `if width % num_heads: raise ValueError(...)`, with both numbers in the text.
    """
    batch, length, width = x.shape
    if num_heads > 1 and math.gcd(width, num_heads) == 1:
        raise ValueError(f"{num_heads} heads do not divide a width of {width}")
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-unchecked")
def refused_by_torch_alone(x, num_heads):
    """You leave it to torch's reshape to complain about an H that does not divide D.

    Its RuntimeError names sizes that the caller never chose; check `width % num_heads` first and raise a ValueError
    naming both.
    """
    batch, length, width = x.shape
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-floored")
def remainder_cut_off(x, num_heads):
    """When H does not divide D, you silently drop the columns that are left over.

    Columns that vanish are an error that goes unnoticed; raise a ValueError that names D and H.
    """
    batch, length, width = x.shape
    key_width = width // num_heads
    return x[..., : num_heads * key_width].reshape(batch, length, num_heads, key_width).transpose(1, 2)


@misconception("split_heads", "split-heads-assert")
def asserted(x, num_heads):
    """You check with `assert`, which raises an AssertionError and is skipped under `python -O`.

    The task names the error that it wants. Which statement raises an error of your choice?

    To check arguments, write `if width % num_heads: raise ValueError(...)` with both numbers in the text.
    """
    batch, length, width = x.shape
    assert width % num_heads == 0
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-names-nothing")
def refused_without_numbers(x, num_heads):
    """Your ValueError does not say which numbers do not fit.

    Name the width and the number of heads, as in `f"width {width}, {num_heads} heads"`.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError("the width is not divisible by the number of heads")
    return x.reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-detached")
def cut_off_from_gradients(x, num_heads):
    """No gradient reaches x: the result is cut off from it (detach, .data, no_grad or NumPy).

    `reshape` and `transpose` let gradients through; copy nothing by hand.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} columns, {num_heads} heads")
    return x.detach().reshape(batch, length, num_heads, width // num_heads).transpose(1, 2)


@misconception("split_heads", "split-heads-chunks")
def refused_by_stack_alone(x, num_heads):
    """You leave it to `torch.stack` to notice unequal pieces when H does not divide D.

    `chunk` may even make fewer and wider heads in silence; check `width % num_heads` first and raise a ValueError.
    """
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


@misconception("split_heads", "split-heads-pieces")
def refused_by_stack_for_the_rest(x, num_heads):
    """You cut pieces of D // H columns: if H does not divide D, `split` or `stack` fails, or there are too many heads.

    For 3 heads, 10 columns leave one over; for 8 heads, 12 columns become 12. What tells you so before you cut?

    Check `width % num_heads` first and raise a ValueError that names both numbers.
    """
    return torch.stack(x.split(x.shape[-1] // num_heads, dim=-1), dim=1)


@misconception("split_heads", "split-heads-unchecked-rest")
def refused_by_torch_for_minus_one(x, num_heads):
    """You leave the width of a head to -1, and leave it to torch to complain about an H that does not divide D.

    Its RuntimeError names sizes that the caller never chose; check `width % num_heads` first and raise a ValueError.
    """
    return x.reshape(*x.shape[:2], num_heads, -1).transpose(1, 2)


@misconception("split_heads", "split-heads-unflattened")
def refused_by_unflatten(x, num_heads):
    """You leave it to `unflatten` to complain when H does not divide D.

    Its RuntimeError does not name the number of heads as such; check `width % num_heads` and raise a ValueError.
    """
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


@misconception("split_heads", "split-heads-interleaved-transposed")
def columns_before_heads(x, num_heads):
    """You cut D into (d, H) and leave it so: your result is (B, T, d, H).

    Cut D into (H, d), in this order, then swap axes 1 and 2: (B, H, T, d).
    """
    return x.reshape(*x.shape[:2], x.shape[-1] // num_heads, num_heads)


@misconception("split_heads", "split-heads-positions-cut")
def positions_cut_instead(x, num_heads):
    """You take the first axis for the positions: sentences and positions change places in your heads.

    x comes as (B, T, D); the batch stays first, and what changes places is T and H.
    """
    return x.reshape(*x.shape[:2], num_heads, -1).permute(1, 2, 0, 3)


@misconception("split_heads", "split-heads-own-strides")
def strides_of_your_own(x, num_heads):
    """You read x by strides of your own (`as_strided`), which are wrong where it lies otherwise in memory.

    A transposed x has other strides, and so may a slice. `unflatten` and `transpose` take account of them.
    """
    batch, length, width = x.shape
    if width % num_heads:
        raise ValueError(f"{num_heads} heads do not divide a width of {width}")
    d = width // num_heads
    return x.as_strided((batch, num_heads, length, d), (length * width, d, width, 1))
