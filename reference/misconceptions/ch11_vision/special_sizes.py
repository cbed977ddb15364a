"""Patches and counts that are right for some sizes only, or at the first call, or for some pictures."""

import math

import torch

from reference.ch11_vision import patchify, unpatchify, vit_parameters
from reference.misconceptions import misconception


@misconception("patchify", "patchify-refused-by-reshape")
def refused_by_reshape(images, patch):
    """You refuse only what `reshape` refuses: a side that P does not divide goes through if the pixels fill patches.

    9 × 8 pixels are 72 numbers, enough for two patches of 6 × 6. Ask each side by itself what it leaves over.
    """
    batch, channels, height, width = images.shape
    try:
        cut = images.reshape(batch, channels, -1, patch, width // patch, patch)
    except RuntimeError as error:
        raise ValueError(f"height {height} and width {width} must be multiples of {patch}") from error
    return cut.permute(0, 2, 4, 3, 5, 1).reshape(batch, -1, patch * patch * channels)


@misconception("patchify", "patchify-through-floats")
def patches_through_floats(images, patch):
    """Your integers go through float64, which rounds those beyond 2⁵³.

    Numbers that are only moved need no sums and products. Which dtype has each tensor that you make on the way?
    """
    return patchify(images.double(), patch).to(images.dtype)


@misconception("unpatchify", "unpatchify-through-floats")
def pictures_through_floats(patches, image_size, channels):
    """Your integers go through float64, which rounds those beyond 2⁵³.

    Numbers that are only moved need no sums and products. Which dtype has each tensor that you make on the way?
    """
    return unpatchify(patches.double(), image_size, channels).to(patches.dtype)


@misconception("unpatchify", "unpatchify-side-from-divisor")
def side_from_divisor(patches, image_size, channels):
    """You take the greatest common divisor of H and W for the side of a patch; P divides both, but may be smaller.

    A picture of 6 × 12 pixels can have patches of 3 × 3. How many numbers has one patch, and what does that say of P?
    """
    height, width = image_size
    patch = math.gcd(height, width)
    grid = patches.reshape(-1, height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(-1, channels, height, width)


@misconception("unpatchify", "unpatchify-side-cut-off")
def side_cut_off(patches, image_size, channels):
    """You divide two roots and cut off what `int` cuts: where their quotient is just below P, the side is P − 1.

    √18 / √2 comes out as 2.9999999999999996. Divide whole numbers first, and take a root that is exact.
    """
    height, width = image_size
    patch = int(math.sqrt(patches.shape[-1]) / math.sqrt(channels))
    grid = patches.reshape(len(patches), height // patch, width // patch, patch, patch, channels)
    return grid.permute(0, 5, 1, 3, 2, 4).reshape(len(patches), channels, height, width)


@misconception("vit_parameters", "vit-parameters-float32-sum")
def float32_sum(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You add up in float32, which holds whole numbers exactly only up to 2²⁴, about 17 million.

    Larger counts lose their last digits. Python's own whole numbers are always exact.
    """
    count = vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks)
    return int(torch.tensor(count, dtype=torch.float32))


@misconception("vit_parameters", "vit-parameters-equal-shapes")
def equal_shapes(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    """You collect the parts in a dictionary by their shapes: of two kinds with the same shape only one counts.

    Base has P · P · C = D, so its projection and its attention have weights of one shape. Where may parts be alike?
    """
    parts = {
        (width, patch * patch * channels): 1,
        (1, 1, width): 1,
        (1, (image_size // patch) ** 2 + 1, width): 1,
        (width, width): 4 * num_blocks,
        (hidden, width): num_blocks,
        (width, hidden): num_blocks,
        (hidden,): num_blocks,
        (width,): 9 * num_blocks + 3,
        (num_classes, width): 1,
        (num_classes,): 1,
    }
    return sum(number * math.prod(shape) for shape, number in parts.items())
