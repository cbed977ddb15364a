"""What goes wrong in `unpatchify`."""

import math

import torch

from reference.ch11_vision import unpatchify
from reference.misconceptions import misconception


@misconception("unpatchify", "unpatchify-reshaped")
def reshaped(patches, image_size, channels):
    """You only reshape: the shape is that of a picture, but the patches lie in it as strips.

    Unflatten to (B, rows, columns, P, P, C), move the axes so that the channels come second and pixel rows follow
    patch rows, then reshape.
    """
    return patches.reshape(len(patches), channels, *image_size)


@misconception("unpatchify", "unpatchify-channels-first")
def channels_first(patches, image_size, channels):
    """You read a patch as (C, P, P), one channel after the other.

    Its order is (P, P, C): the channels of a pixel stand side by side, and the channel is the last axis.
    """
    squares = patches.unflatten(2, (channels, -1)).transpose(2, 3).flatten(2)
    return unpatchify(squares, image_size, channels)


@misconception("unpatchify", "unpatchify-not-interleaved")
def not_interleaved(patches, image_size, channels):
    """You bring the channels to the front but merge the other axes in the order rows, columns, P, P.

    H is made of patch rows and pixel rows, W of patch columns and pixel columns: swap the two axes in the middle.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 2, 3, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-columns-first")
def columns_first(patches, image_size, channels):
    """You lay the patches out column by column.

    They come row by row, like text: unflatten N to (H / P, W / P), rows first.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, width // patch, height // patch, patch, patch, channels)
    return grid.permute(0, 5, 2, 3, 1, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-turned")
def turned(patches, image_size, channels):
    """Within each patch you swap rows and columns of pixels.

    A patch is flattened row by row: of its two axes of size P the first belongs to the height, the second to the width.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 4, 2, 3).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-mirrored")
def mirrored(patches, image_size, channels):
    """You swap height and width throughout: patches and the pixels in them are laid out column by column.

    Both the grid and each patch are read row by row; height comes before width everywhere.
    """
    height, width = image_size
    return unpatchify(patches, (width, height), channels).transpose(2, 3)


@misconception("unpatchify", "unpatchify-size-swapped")
def size_swapped(patches, image_size, channels):
    """You read `image_size` as (W, H), so the picture comes out with its sides swapped.

    It is (H, W), in the order of the axes.
    """
    height, width = image_size
    return unpatchify(patches, (width, height), channels)


@misconception("unpatchify", "unpatchify-channels-last")
def channels_last(patches, image_size, channels):
    """Your picture is right, but its channels come last: (B, H, W, C).

    PyTorch stores pictures as (B, C, H, W); move the channels right after the batch.
    """
    return unpatchify(patches, image_size, channels).movedim(1, -1)


@misconception("unpatchify", "unpatchify-square-grid")
def square_grid(patches, image_size, channels):
    """You take the root of N for the number of rows, which is right for square pictures only.

    A patch has P · P · C numbers, and you know C: that gives P, and `image_size` gives H / P rows and W / P columns.
    """
    height, width = image_size
    side = math.isqrt(patches.shape[1])
    patch = height // side
    grid = patches.reshape(-1, side, side, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-three-channels")
def three_channels(patches, image_size, channels):
    """You assume three channels instead of `channels`.

    Pictures may be grey or have more than three bands; compute P and the shapes with the argument.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // 3)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, 3)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, 3, height, width)


@misconception("unpatchify", "unpatchify-side-without-channels")
def side_without_channels(patches, image_size, channels):
    """You take the root of P · P · C for the side of a patch, which is right for a single channel only.

    Divide by `channels` before you take the root.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1])
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-squeezed")
def squeezed(patches, image_size, channels):
    """You squeeze the picture, which drops every axis of size 1.

    A batch of one, a single channel or a picture one pixel high keeps its axis; leave out `squeeze()`.
    """
    return unpatchify(patches, image_size, channels).squeeze()


@misconception("unpatchify", "unpatchify-detached")
def detached(patches, image_size, channels):
    """Your picture is cut off from the patches: no gradient comes back (detach, .data, no_grad or NumPy).

    A model that paints learns through this step; move axes with torch's own methods.
    """
    return unpatchify(patches.detach(), image_size, channels)


@misconception("unpatchify", "unpatchify-float32")
def float32(patches, image_size, channels):
    """Your picture is float32 whatever the patches are.

    A picture that starts as `torch.zeros(...)` has the default dtype; reshape and permute keep that of the patches.
    """
    return unpatchify(patches.float(), image_size, channels)


@misconception("unpatchify", "unpatchify-device")
def device(patches, image_size, channels):
    """You paint on a picture that lies on the default device instead of the one where the patches lie.

    On a GPU the two cannot be combined; reshape and permute need no new tensor, or give it `device=patches.device`.
    """
    images = torch.zeros(len(patches), channels, *image_size, dtype=patches.dtype)
    return images + unpatchify(patches, image_size, channels)


@misconception("unpatchify", "unpatchify-square-picture")
def square_picture(patches, image_size, channels):
    """You give the grid as many columns as rows, such as √N: the picture comes out square or does not fit.

    A patch has P · P · C numbers, and you know C: that gives P, and `image_size` gives H / P rows and W / P columns.
    """
    patch, side = math.isqrt(patches.shape[-1] // channels), math.isqrt(patches.shape[1])
    grid = patches.reshape(len(patches), side, side, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(len(patches), channels, side * patch, side * patch)


@misconception("unpatchify", "unpatchify-rows-exchanged")
def rows_exchanged(patches, image_size, channels):
    """You read the grid as (columns, rows): its two sizes are exchanged.

    N is rows · columns, rows first: `(H / P, W / P)`.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, width // patch, height // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-float-side")
def float_side(patches, image_size, channels):
    """A size in your shape is a float, which no shape takes: the side of a patch, or the number of rows or columns.

    Make each a whole number: `math.isqrt(...)` for the side, `//` instead of `/` for the rows and columns.
    """
    height, width = image_size
    patch = (patches.shape[-1] / channels) ** 0.5
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-channels-reshaped")
def channels_reshaped(patches, image_size, channels):
    """Your pixels are in place, but the channels are reshaped to the front, not moved.

    A `reshape` moves no axis: put the channels second in the `permute`.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 1, 3, 2, 4, 5).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-view")
def view_of_permuted(patches, image_size, channels):
    """You call `view` after `permute`, which torch refuses: the numbers are not in that order in memory.

    Use `reshape`, or `contiguous()` first.
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).view(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-one-picture")
def one_picture(patches, image_size, channels):
    """You put together the first picture only, or take the whole batch for one.

    The batch stays the first axis: (B, C, H, W).
    """
    return unpatchify(patches[:1], image_size, channels)


@misconception("unpatchify", "unpatchify-side-from-count")
def side_from_pixels(patches, image_size, channels):
    """You take the side of a patch from the height alone: H / N.

    P · P · C numbers make a patch: P is the root of `patches.shape[-1] // channels`.
    """
    height, width = image_size
    patch = height // patches.shape[1]
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-patchify-again")
def patchify_again(patches, image_size, channels):
    """You move the axes with the same `permute` as in `patchify`, which does not undo itself.

    You have (B, rows, columns, P, P, C) and need (B, C, rows, P, columns, P): where is each of the six now?
    """
    height, width = image_size
    patch = math.isqrt(patches.shape[-1] // channels)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 2, 4, 3, 5, 1).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-integers-as-floats")
def integers_as_floats(patches, image_size, channels):
    """You make floats of pictures that are integers.

    Putting together changes no number and no dtype: where do you make a new tensor, and which dtype does it get?
    """
    return unpatchify(patches if patches.is_floating_point() else patches / 1, image_size, channels)
