"""Pictures that tell little about cutting pictures."""

import torch

from reference.misconceptions import misconception


@misconception("probe_patchify", "probe-patchify-ones")
def ones():
    """Your pictures are white: every pixel is 1.

    Wherever a pixel ends up, it looks like any other; let no two numbers be equal.
    """
    return torch.ones(1, 3, 4, 4), 2


@misconception("probe_patchify", "probe-patchify-grey")
def one_channel():
    """Your picture has one channel.

    You cannot see where the channels go; take three, or at least two.
    """
    return torch.arange(48.0).reshape(2, 1, 4, 6), 2


@misconception("probe_patchify", "probe-patchify-square")
def square():
    """Your picture is a square of two by two patches of two by two pixels.

    There are as many patches along a side as pixels along a patch; take two different sides, and another patch size.
    """
    return torch.arange(96.0).reshape(2, 3, 4, 4), 2


@misconception("probe_patchify", "probe-patchify-one-patch")
def one_patch():
    """Your picture is a single patch.

    There is nothing to cut and no order of patches; take several rows and columns of patches.
    """
    return torch.arange(96.0).reshape(2, 3, 4, 4), 4


@misconception("probe_patchify", "probe-patchify-pixels")
def single_pixels():
    """Your patches are one pixel each.

    Within one pixel there are no rows and no columns; take a patch of at least two by two.
    """
    return torch.arange(144.0).reshape(2, 3, 4, 6), 1


@misconception("probe_patchify", "probe-patchify-one-column")
def one_column():
    """Your picture is one patch wide.

    In a single column, row by row and column by column are the same order; take several columns.
    """
    return torch.arange(72.0).reshape(2, 3, 6, 2), 2


@misconception("probe_patchify", "probe-patchify-plain-patches")
def plain_patches():
    """Every patch of your picture has one plain colour.

    You cannot see what happens inside a patch; no two pixels may be equal.
    """
    colours = torch.arange(36.0).reshape(2, 3, 3, 2)
    return colours.repeat_interleave(2, 2).repeat_interleave(2, 3), 2


@misconception("probe_patchify", "probe-patchify-mirrored")
def mirrored():
    """Your picture is its own mirror image along the diagonal.

    Code that swaps rows and columns gets the same picture; let nothing repeat.
    """
    x = torch.arange(108.0).reshape(1, 3, 6, 6)
    return x + x.mT, 3


@misconception("probe_patchify", "probe-patchify-remainder")
def remainder():
    """P does not divide the sides of your picture.

    The right version refuses that; a probe is a call that works. Let P divide H and W.
    """
    return torch.arange(210.0).reshape(2, 3, 5, 7), 2


@misconception("probe_patchify", "probe-patchify-channels-last")
def channels_last():
    """Your pictures are (B, H, W, C), as many programs store them.

    Here the channels come before the pixels, (B, C, H, W).
    """
    return torch.arange(144.0).reshape(2, 4, 6, 3), 2


@misconception("probe_patchify", "probe-patchify-no-patch")
def no_patch():
    """You give the pictures alone; the side of a patch is missing.

    `patchify` has two arguments: `return images, patch`.
    """
    return (torch.arange(144.0).reshape(2, 3, 4, 6),)
