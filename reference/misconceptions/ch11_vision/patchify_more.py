"""Axes, sizes and errors in `patchify` that are wrong."""

from reference.ch11_vision import patchify
from reference.misconceptions import misconception


@misconception("patchify", "patchify-view")
def view_of_permuted(images, patch):
    """You call `view` after `permute`, which torch refuses: the numbers are not in that order in memory.

    Use `reshape`, or `contiguous()` first.
    """
    batch, channels, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"{height} or {width} is not divisible by {patch}")
    cut = images.reshape(batch, channels, height // patch, patch, width // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).view(batch, -1, patch * patch * channels)


@misconception("patchify", "patchify-sizes-exchanged")
def sizes_exchanged(images, patch):
    """You split a side into (P, H / P) instead of (H / P, P).

    Neighbouring pixels belong to one patch: the count of patches comes first, the side of a patch second.
    """
    batch, channels, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"{height} or {width} is not divisible by {patch}")
    cut = images.reshape(batch, channels, patch, height // patch, patch, width // patch)
    return cut.permute(0, 3, 5, 2, 4, 1).reshape(batch, -1, patch * patch * channels)


@misconception("patchify", "patchify-square-picture")
def square_picture(images, patch):
    """You take the number of patch rows for that of the columns too.

    There are H / P rows and W / P columns.
    """
    batch, channels, height, width = images.shape
    if height % patch or width % patch:
        raise ValueError(f"{height} or {width} is not divisible by {patch}")
    cut = images.reshape(batch, channels, height // patch, patch, height // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).reshape(batch, -1, patch * patch * channels)


@misconception("patchify", "patchify-type-error")
def type_error(images, patch):
    """You refuse sides that do not divide, but not with a ValueError.

    `raise ValueError(...)` with the sizes in the message: the type tells the caller what is wrong.
    """
    if images.shape[2] % patch or images.shape[3] % patch:
        raise TypeError(f"{tuple(images.shape[2:])} is not divisible by {patch}")
    return patchify(images, patch)


@misconception("patchify", "patchify-no-side")
def no_side(images, patch):
    """Your ValueError names P, but not the side that it does not divide.

    Name both: `raise ValueError(f"the height {height} is not a multiple of {patch}")`.
    """
    if images.shape[2] % patch or images.shape[3] % patch:
        raise ValueError(f"the sides must be multiples of {patch}")
    return patchify(images, patch)


@misconception("patchify", "patchify-no-patch")
def no_patch(images, patch):
    """Your ValueError names the side, but not P.

    Name both: `raise ValueError(f"the height {height} is not a multiple of {patch}")`.
    """
    if images.shape[2] % patch or images.shape[3] % patch:
        raise ValueError(f"{tuple(images.shape[2:])} does not fit the patches")
    return patchify(images, patch)


@misconception("patchify", "patchify-wrong-axes")
def wrong_axes(images, patch):
    """You read the sides from other axes: pictures are (B, C, H, W).

    Height and width are the last two axes: `images.shape[2]` and `images.shape[3]`.
    """
    batch, height, width, channels = images.shape
    if height % patch or width % patch:
        raise ValueError(f"{height} or {width} is not divisible by {patch}")
    cut = images.reshape(batch, height // patch, patch, width // patch, patch, channels)
    return cut.permute(0, 1, 3, 2, 4, 5).reshape(batch, -1, patch * patch * channels)


@misconception("patchify", "patchify-one-row")
def numbers_joined(images, patch):
    """You join all patches of a picture into one row.

    Every patch is a row of its own: (B, N, P·P·C).
    """
    return patchify(images, patch).flatten(1)


@misconception("patchify", "patchify-scaled")
def scaled_pixels(images, patch):
    """You change the numbers: they are divided by 255, or otherwise scaled.

    Cutting changes no number.
    """
    return patchify(images, patch) / 255


@misconception("patchify", "patchify-integers-as-floats")
def integers_as_floats(images, patch):
    """You make floats of pictures that are integers.

    Cutting changes no number and no dtype: where do you make a new tensor, and which dtype does it get?
    """
    return patchify(images if images.is_floating_point() else images / 1, patch)


@misconception("patchify", "patchify-channels-exchanged")
def channels_exchanged(images, patch):
    """You exchange the channels with the last axis, which moves two axes: pixel columns end up in front of the grid.

    Only the channels move, and all other axes keep their order: which method moves one axis?
    """
    height, width = images.shape[2:]
    if height % patch or width % patch:
        raise ValueError(f"{height} or {width} is not divisible by {patch}")
    cut = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return cut.transpose(1, -1).reshape(patchify(images, patch).shape)


@misconception("patchify", "patchify-area-cut-off")
def area_cut_off(images, patch):
    """You check the number of pixels, not each side, so a picture passes whose edges you then cut off.

    P·P may divide H·W although P divides neither side: test H and W one by one.
    """
    height, width = images.shape[2:]
    if (height * width) % patch**2:
        raise ValueError(f"{height} x {width} pixels are not divisible by {patch} x {patch}")
    cut = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return cut.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)
