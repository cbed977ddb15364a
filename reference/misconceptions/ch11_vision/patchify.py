"""What goes wrong in `patchify`.

Partial tests of the sizes stand before the missing one: where they overlook something, torch complains in its words.
"""

import torch
from torch import nn

from reference.ch11_vision import patchify
from reference.misconceptions import misconception


@misconception("patchify", "patchify-channels-first")
def channels_first(images, patch):
    """Your patches are the right ones, but each is flattened as (C, P, P): one channel after the other.

    The order is (P, P, C), so the channels of a pixel stand side by side; move the channel axis to the end.
    """
    return patchify(images, patch).unflatten(2, (patch * patch, -1)).transpose(2, 3).flatten(2)


@misconception("patchify", "patchify-reshaped")
def reshaped(images, patch):
    """You only reshape the picture, which cuts its memory into strips and not the picture into squares.

    Split H and W into (H / P, P) and (W / P, P), move the two counts of patches right after the batch and the channels
    to the end, and reshape then.
    """
    return images.reshape(patchify(images, patch).shape)


@misconception("patchify", "patchify-strips")
def strips(images, patch):
    """You reshape before the pixels of a patch stand together, so a patch is a strip along the rows of pixels.

    Split both sides before you flatten: patch row, patch column, pixel row, pixel column, channel is the order.
    """
    return images.movedim(1, -1).reshape(patchify(images, patch).shape)


@misconception("patchify", "patchify-mixed-channels")
def mixed_channels(images, patch):
    """Your squares are cut well, but you flatten while the channels are still in front of the grid, which mixes
    patches.

    The shape is then (B, C, rows, columns, P, P): permute to (B, rows, columns, P, P, C) before you reshape.
    """
    squares = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return squares.reshape(patchify(images, patch).shape)


@misconception("patchify", "patchify-columns-first")
def columns_first(images, patch):
    """Your patches come column by column.

    They are read like text, row by row: the patch row must stand before the patch column when you flatten.
    """
    rows = images.shape[2] // patch
    return patchify(images, patch).unflatten(1, (rows, -1)).transpose(1, 2).flatten(1, 2)


@misconception("patchify", "patchify-turned")
def turned(images, patch):
    """Within your patches rows and columns of pixels are swapped.

    A patch is read row by row too: its pixel rows must stand before its pixel columns when you flatten.
    """
    return patchify(images, patch).unflatten(2, (patch, patch, -1)).transpose(2, 3).flatten(2)


@misconception("patchify", "patchify-mirrored")
def mirrored(images, patch):
    """You swap height and width throughout: patches and the pixels in them come column by column.

    Images are (B, C, H, W): the third axis counts rows and the fourth counts columns.
    """
    return patchify(images.transpose(2, 3), patch)


@misconception("patchify", "patchify-as-unfold")
def as_unfold(images, patch):
    """Your result has the form that `F.unfold` gives: (B, C·P·P, N), a column per patch and channels first.

    Patches are the second axis here and numbers the third, flattened as (P, P, C).
    """
    return patchify(images, patch).unflatten(2, (patch * patch, -1)).transpose(2, 3).flatten(2).transpose(1, 2)


@misconception("patchify", "patchify-patches-last")
def patches_last(images, patch):
    """Your patches are the columns of the result: it is (B, P·P·C, N).

    A sequence is (B, N, numbers), one row per patch, as it was for words; swap the last two axes.
    """
    return patchify(images, patch).transpose(1, 2)


@misconception("patchify", "patchify-square-kept")
def square_kept(images, patch):
    """Your patches are still squares: the result is (B, N, P, P, C).

    A linear layer takes one row of numbers; flatten the last three axes.
    """
    return patchify(images, patch).unflatten(2, (patch, patch, -1))


@misconception("patchify", "patchify-grid-kept")
def grid_kept(images, patch):
    """Your patches still lie in their grid: the result is (B, rows, columns, P·P·C).

    A Transformer reads a sequence; flatten the axes of rows and columns to N.
    """
    return patchify(images, patch).unflatten(1, (images.shape[2] // patch, -1))


@misconception("patchify", "patchify-count")
def count(images, patch):
    """You take `patch` for the number of patches along a side.

    It is the side of one patch in pixels: there are H / P rows of patches and W / P columns.
    """
    batch, _, height, width = images.shape
    channels = patchify(images, patch).shape[2] // patch**2
    cut = images.reshape(batch, channels, patch, height // patch, patch, width // patch)
    return cut.permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


@misconception("patchify", "patchify-only-height")
def only_height(images, patch):
    """You check whether P divides the height, but not whether it divides the width.

    Either side may have a remainder; raise ValueError if `height % patch or width % patch`.
    """
    batch, channels, height, width = images.shape
    if height % patch:
        raise ValueError(f"{height} is not divisible by {patch}")
    cut = images.reshape(batch, channels, height // patch, patch, width // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


@misconception("patchify", "patchify-only-width")
def only_width(images, patch):
    """You check whether P divides the width, but not whether it divides the height.

    Either side may have a remainder; raise ValueError if `height % patch or width % patch`.
    """
    batch, channels, height, width = images.shape
    if width % patch:
        raise ValueError(f"{width} is not divisible by {patch}")
    cut = images.reshape(batch, channels, height // patch, patch, width // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


@misconception("patchify", "patchify-area")
def area(images, patch):
    """You check whether P·P divides the number of pixels, which it may do although P divides neither side.

    Check each side: raise ValueError if `height % patch or width % patch`.
    """
    batch, channels, height, width = images.shape
    if (height * width) % patch**2:
        raise ValueError(f"{height} x {width} pixels are not divisible by {patch} x {patch}")
    cut = images.reshape(batch, channels, height // patch, patch, width // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


@misconception("patchify", "patchify-unchecked")
def unchecked(images, patch):
    """You leave it to torch to complain about a side that P does not divide.

    Its RuntimeError names shapes that the caller has never seen; test both remainders first and raise ValueError with
    the sizes.
    """
    batch, channels, height, width = images.shape
    cut = images.reshape(batch, channels, height // patch, patch, width // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


@misconception("patchify", "patchify-crops")
def crops(images, patch):
    """You drop the pixels at the edge that do not fill a whole patch.

    It would go unnoticed that a part of every picture is missing; raise ValueError with the sizes.
    """
    height, width = (pixels // patch * patch for pixels in images.shape[2:])
    return patchify(images[:, :, :height, :width], patch)


@misconception("patchify", "patchify-pads")
def pads(images, patch):
    """You fill the picture up with zeros until P divides its sides.

    That invents pixels and changes the number of patches; raise ValueError with the sizes.
    """
    height, width = images.shape[2:]
    return patchify(nn.functional.pad(images, (0, -width % patch, 0, -height % patch)), patch)


@misconception("patchify", "patchify-asserts")
def asserts(images, patch):
    """You refuse sides that do not divide with `assert`, which raises AssertionError and vanishes under `python -O`.

    Wrong arguments are a ValueError: `raise ValueError(...)` with the sizes in the message.
    """
    height, width = images.shape[2:]
    assert height % patch == 0, f"{height} is not divisible by {patch}"
    assert width % patch == 0, f"{width} is not divisible by {patch}"
    return patchify(images, patch)


@misconception("patchify", "patchify-no-sizes")
def no_sizes(images, patch):
    """Your ValueError does not say which side and which patch size do not fit.

    Put the numbers into an f-string; a reader of the message has only the message.
    """
    if images.shape[2] % patch or images.shape[3] % patch:
        raise ValueError("the image size must be divisible by the patch size")
    return patchify(images, patch)


@misconception("patchify", "patchify-squeezed")
def squeezed(images, patch):
    """You squeeze the result, which drops every axis of size 1.

    A batch of one picture, or a picture of one patch, keeps its axis; leave out `squeeze()`.
    """
    return patchify(images, patch).squeeze()


@misconception("patchify", "patchify-detached")
def detached(images, patch):
    """Your patches are cut off from the picture: no gradient comes back (detach, .data, no_grad or NumPy).

    Move axes with torch's own methods; finding out which pixels mattered needs this gradient.
    """
    return patchify(images.detach(), patch)


@misconception("patchify", "patchify-float32")
def float32(images, patch):
    """Your patches are float32 whatever the picture is.

    Cutting changes no number; leave out `.float()`, and make new tensors with `dtype=images.dtype`.
    """
    return patchify(images.float(), patch)


@misconception("patchify", "patchify-device")
def device(images, patch):
    """You collect the patches in a tensor on the default device instead of the one where the picture lies.

    On a GPU the two cannot be combined. Reshape and permute stay on the picture's device, and so does `torch.stack`.
    """
    cut = patchify(images, patch)
    return torch.cat([torch.empty(len(cut), 0, cut.shape[2], dtype=cut.dtype), cut], dim=1)
