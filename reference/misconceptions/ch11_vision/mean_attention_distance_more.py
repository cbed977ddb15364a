"""Distances in `mean_attention_distance` from other places, or over another axis."""

import torch

from reference.ch11_vision import mean_attention_distance
from reference.misconceptions import misconception


@misconception("mean_attention_distance", "attention-distance-float32")
def float32(weights, grid, patch):
    """Your result is float32 whatever the weights are.

    Make the distances with `dtype=weights.dtype`, and leave out `.float()`.
    """
    return mean_attention_distance(weights.float(), grid, patch)


@misconception("mean_attention_distance", "attention-distance-edges")
def corner_to_centre(weights, grid, patch):
    """Your distances are from corner to centre: half a patch is added on one side.

    Measure from centre to centre: whatever is added to both falls out of the difference.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return (weights * torch.cdist(centres, centres + patch / 2)).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-patch-squared")
def patch_squared(weights, grid, patch):
    """You multiply by P twice.

    Centres of neighbouring patches are P pixels apart: once is enough.
    """
    return mean_attention_distance(weights, grid, patch * patch)


@misconception("mean_attention_distance", "attention-distance-rows-only")
def rows_only(weights, grid, patch):
    """Only the distance between rows counts in your answer.

    The distance between two centres is the root of the sum of both squares.
    """
    row = torch.arange(grid[0] * grid[1], device=weights.device) // grid[1]
    return (weights * patch * (row[:, None] - row).abs()).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-columns-only")
def columns_only(weights, grid, patch):
    """Only the distance between columns counts in your answer.

    The distance between two centres is the root of the sum of both squares.
    """
    column = torch.arange(grid[0] * grid[1], device=weights.device) % grid[1]
    return (weights * patch * (column[:, None] - column).abs()).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-over-queries")
def over_queries(weights, grid, patch):
    """You weight the other way round: the distances of a key are averaged over its queries.

    Queries are in the rows: sum over the keys, the last axis; then every query counts alike.
    """
    shares = weights / weights.sum(dim=-2, keepdim=True)
    return mean_attention_distance(shares.transpose(-1, -2), grid, patch)


@misconception("mean_attention_distance", "attention-distance-epsilon")
def epsilon(weights, grid, patch):
    """You add a small number under the root, so a patch is not at distance 0 from itself.

    There is no need: the table of distances needs no gradient.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    distances = ((centres[:, None] - centres).square().sum(-1) + 1e-6).sqrt()
    return (weights * distances).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-first-picture")
def first_picture(weights, grid, patch):
    """Only the first picture counts in your answer.

    Average over the batch.
    """
    return mean_attention_distance(weights[:1], grid, patch)


@misconception("mean_attention_distance", "attention-distance-first-query")
def first_query(weights, grid, patch):
    """Only the first query counts in your answer.

    Average over all queries, the third axis.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return (weights[:, :, 0] * torch.cdist(centres, centres)[0]).sum(-1).mean(dim=0)


@misconception("mean_attention_distance", "attention-distance-softmax-again")
def softmax_again(weights, grid, patch):
    """You take a softmax of the weights, which are weights already.

    Every row sums to 1 as it comes in: multiply by the distances and sum.
    """
    return mean_attention_distance(weights.softmax(dim=-1), grid, patch)


@misconception("mean_attention_distance", "attention-distance-to-centre")
def from_centre(weights, grid, patch):
    """You measure the distance of each key from the centre of the picture, not from the query.

    Every query has distances of its own: an N × N table.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return (weights * (centres - centres.mean(dim=0)).norm(dim=-1)).sum(-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-mean-position")
def distance_of_mean(weights, grid, patch):
    """You measure the distance to the mean place that a query looks at.

    Average the distances, not the places: two neighbours on opposite sides are not at distance 0.
    """
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    return (weights @ centres - centres).norm(dim=-1).mean(dim=(0, 2))


@misconception("mean_attention_distance", "attention-distance-pictures-for-heads")
def pictures_for_heads(weights, grid, patch):
    """You split the joint axis of pictures and heads in the wrong order, so with several of both you mix heads.

    Flattened, all heads of the first picture come before those of the second. Which of the two sizes stands in front?
    """
    batch, heads = weights.shape[:2]
    centres = torch.cartesian_prod(torch.arange(grid[0]), torch.arange(grid[1])).to(weights) * patch
    maps = (weights * torch.cdist(centres, centres)).sum(-1).mean(-1).flatten()
    return maps.view(heads, batch).mean(dim=1)
