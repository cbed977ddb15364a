"""What goes wrong in `mean_attention_distance`."""

import math

import torch

from reference.ch11_vision import mean_attention_distance
from reference.misconceptions import misconception


@misconception("mean_attention_distance", "attention-distance-in-patches")
def in_patches(weights, grid, patch):
    """Your distances are measured in patches instead of pixels.

    Centres of neighbouring patches are P pixels apart; multiply by `patch`.
    """
    return mean_attention_distance(weights, grid, 1)


@misconception("mean_attention_distance", "attention-distance-grid-swapped")
def grid_swapped(weights, grid, patch):
    """You number the patches column by column, or read `grid` as (columns, rows), which comes to the same.

    `grid` is (rows, columns), and patches are numbered row by row: patch k is in row `k // columns`.
    """
    return mean_attention_distance(weights, (grid[1], grid[0]), patch)


@misconception("mean_attention_distance", "attention-distance-square-grid")
def square_grid(weights, grid, patch):
    """You assume that the grid is a square with the root of N as its side.

    Use `grid`: patch k is in row `k // columns` and column `k % columns`.
    """
    index = torch.arange(weights.shape[-1], device=weights.device)
    side = math.isqrt(weights.shape[-1])
    centres = torch.stack([index // side, index % side], dim=-1).to(weights.dtype) * patch
    return (weights * torch.cdist(centres, centres)).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-in-line")
def in_line(weights, grid, patch):
    """You measure how far the patches are apart in the sequence, |i − j|, not in the picture.

    The patch below is a whole row of patches away in the sequence, yet a neighbour; use rows and columns.
    """
    index = torch.arange(weights.shape[-1], device=weights.device).to(weights.dtype)
    distances = patch * (index[:, None] - index).abs()
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-manhattan")
def manhattan(weights, grid, patch):
    """You add up the distances along rows and columns, as if you had to walk around corners.

    The distance between two centres is the root of the sum of both squares.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    distances = (centres[:, None] - centres).abs().sum(-1)
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-larger-side")
def larger_side(weights, grid, patch):
    """You take the larger of the two differences, along rows or along columns, for the distance.

    The distance between two centres is the root of the sum of both squares.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    distances = (centres[:, None] - centres).abs().amax(-1)
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-squared")
def squared(weights, grid, patch):
    """You average squared distances: the root is missing.

    Pythagoras gives the square of a distance; take its root before you weight it.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    distances = (centres[:, None] - centres).square().sum(-1)
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-root-last")
def root_last(weights, grid, patch):
    """You average squared distances and take the root of the mean.

    Each distance is a root of its own, and the mean is that of the distances; far patches count too much otherwise.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    distances = (centres[:, None] - centres).square().sum(-1)
    return (weights * distances).sum(-1).mean(dim=(0, 2)).sqrt()


@misconception("mean_attention_distance", "attention-distance-mean-over-keys")
def mean_over_keys(weights, grid, patch):
    """You average over the keys as well, so your distances are N times too small.

    The weights of a query sum to 1, so their sum over the keys is the mean already: sum there, and average over
    everything else.
    """
    return mean_attention_distance(weights, grid, patch) / weights.shape[-1]


@misconception("mean_attention_distance", "attention-distance-sum-over-queries")
def sum_over_queries(weights, grid, patch):
    """You add up over the queries instead of averaging, so your distances are N times too large.

    Sum over the keys, average over the queries.
    """
    return mean_attention_distance(weights, grid, patch) * weights.shape[-1]


@misconception("mean_attention_distance", "attention-distance-sum-over-images")
def sum_over_images(weights, grid, patch):
    """You add up over the pictures of the batch instead of averaging.

    The result should not depend on how many pictures were looked at: average over them.
    """
    return mean_attention_distance(weights, grid, patch) * len(weights)


@misconception("mean_attention_distance", "attention-distance-per-image")
def per_image(weights, grid, patch):
    """You return a row for each picture, (B, H).

    Average over the batch too: one number per head.
    """
    return torch.stack([mean_attention_distance(image[None], grid, patch) for image in weights])


@misconception("mean_attention_distance", "attention-distance-per-query")
def per_query(weights, grid, patch):
    """You return a number for each query, (H, N).

    Average over the queries too: one number per head.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return (weights * torch.cdist(centres, centres)).sum(-1).mean(dim=0)


@misconception("mean_attention_distance", "attention-distance-squeezed")
def squeezed(weights, grid, patch):
    """You squeeze the result, which drops the axis of a single head.

    One head gives one number in a vector of length 1; leave out `squeeze()`.
    """
    return mean_attention_distance(weights, grid, patch).squeeze()


@misconception("mean_attention_distance", "attention-distance-over-heads")
def over_heads(weights, grid, patch):
    """You average over the heads, and a single number is left.

    That heads differ is what the measure is for: keep their axis, and average over queries and pictures.
    """
    return mean_attention_distance(weights, grid, patch).mean()


@misconception("mean_attention_distance", "attention-distance-heads-for-images")
def heads_for_images(weights, grid, patch):
    """You average over the heads and keep the pictures: your result is (B,).

    Weights are (B, H, N, N), and you need one number per head: average over axes 0 and 2.
    """
    return mean_attention_distance(weights.transpose(0, 1), grid, patch)


@misconception("mean_attention_distance", "attention-distance-detached")
def detached(weights, grid, patch):
    """Your result is cut off from the weights: no gradient comes back (detach, .data, no_grad, item or NumPy).

    Training heads to look near or far needs that gradient; compute with the given tensor throughout.
    """
    return mean_attention_distance(weights.detach(), grid, patch)


@misconception("mean_attention_distance", "attention-distance-strongest")
def strongest(weights, grid, patch):
    """You take the distance to the strongest key alone.

    All keys count, each with its weight: multiply the distances by the weights and sum over the keys.
    """
    winner = weights.argmax(dim=-1, keepdim=True)
    return mean_attention_distance(torch.zeros_like(weights).scatter(-1, winner, 1.0), grid, patch)


@misconception("mean_attention_distance", "attention-distance-unweighted")
def unweighted(weights, grid, patch):
    """You do not use the weights: every head gets the mean distance of all patches.

    Multiply the distances by the weights and sum over the keys.
    """
    return mean_attention_distance(torch.full_like(weights, 1 / weights.shape[-1]), grid, patch)


@misconception("mean_attention_distance", "attention-distance-without-itself")
def without_itself(weights, grid, patch):
    """You leave out the attention that a patch pays to itself and rescale the rest to sum to 1.

    Looking at its own patch is a distance of 0 pixels, and that counts; use the weights as they are.
    """
    itself = torch.eye(weights.shape[-1], dtype=torch.bool, device=weights.device)
    others = weights.masked_fill(itself, 0.0)
    return mean_attention_distance(others / others.sum(-1, keepdim=True).clamp(min=1e-12), grid, patch)


@misconception("mean_attention_distance", "attention-distance-cls-dropped")
def cls_dropped(weights, grid, patch):
    """You drop the first row and column of the weights as those of the class token.

    It has already been left out: N is rows · columns, and all of the weights are between patches.
    """
    patches = weights[:, :, 1:, 1:]
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return (patches * torch.cdist(centres, centres)).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-float32-table")
def float32_table(weights, grid, patch):
    """Your distances are computed in float32, so the result is less precise than float64 weights allow.

    The table needs the dtype of the weights: `.float()` is float32, a root of integers has torch's default dtype, and a
    table that is kept from an earlier call has that call's.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights.device).float() * patch
    distances = (centres[:, None] - centres).square().sum(-1).sqrt()
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-float64")
def float64(weights, grid, patch):
    """Your result is float64 whatever the weights are.

    Make the table of distances with `dtype=weights.dtype`, and leave out `.double()`.
    """
    return mean_attention_distance(weights.double(), grid, patch)


@misconception("mean_attention_distance", "attention-distance-device")
def device(weights, grid, patch):
    """You build the distances on the default device instead of the one where the weights lie.

    On a GPU the two cannot be combined; pass `device=weights.device`.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights.dtype) * patch
    distances = (centres[:, None] - centres).square().sum(-1).sqrt()
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-overwrites")
def overwrites(weights, grid, patch):
    """You multiply the weights in place, and the caller's weights are gone.

    `weights * distances` makes a new tensor; leave out `*=` and methods that end in an underscore.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return weights.mul_(torch.cdist(centres, centres)).sum(-1).mean(dim=(0, 2))
