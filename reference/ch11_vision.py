"""The oracle of chapter 11: pictures cut one patch at a time, embedding as one big sum, counting by shapes."""

import functools
import itertools
import math

import torch
from torch import nn

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding


def patchify(images: torch.Tensor, patch: int) -> torch.Tensor:
    """Square after square is cut out and flattened: (B, C, H, W) -> (B, N, P·P·C)."""
    for side, pixels in zip(("height", "width"), images.shape[2:], strict=True):
        if pixels % patch:
            raise ValueError(f"the {side} of {pixels} pixels is no multiple of the patch side {patch}")
    corners = itertools.product(*(range(0, pixels, patch) for pixels in images.shape[2:]))
    squares = [images[:, :, top : top + patch, left : left + patch] for top, left in corners]
    return torch.stack([square.movedim(1, -1).flatten(1) for square in squares], dim=1)


def unpatchify(patches: torch.Tensor, image_size: tuple[int, int], channels: int) -> torch.Tensor:
    """Each row of squares is joined from left to right, then the rows from top to bottom."""
    height, width = image_size
    patch = round((height * width / patches.shape[1]) ** 0.5)
    squares = [square.unflatten(1, (patch, patch, channels)).movedim(-1, 1) for square in patches.unbind(1)]
    columns = width // patch
    strips = [torch.cat(squares[first : first + columns], dim=3) for first in range(0, len(squares), columns)]
    return torch.cat(strips, dim=2)


def linear_from_conv(weight: torch.Tensor) -> torch.Tensor:
    """The filters' numbers for one pixel after the other: P·P pieces (D, C) side by side."""
    side = weight.shape[-1]
    return torch.cat([weight[:, :, row, column] for row in range(side) for column in range(side)], dim=1)


class PatchEmbedding(nn.Module):
    """Every place gets its position; the class token is added to the first, a weighted sum of pixels to the others."""

    def __init__(self, image_size: int, patch: int, channels: int, width: int) -> None:
        super().__init__()
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(torch.zeros(1, (image_size // patch) ** 2 + 1, width))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """images (B, C, H, W) -> (B, N + 1, D)."""
        side = self.patch
        pixels = images.unflatten(3, (-1, side)).unflatten(2, (-1, side))  # (B, C, rows, P, columns, P)
        filters = self.projection.weight.unflatten(1, (side, side, images.shape[1]))  # (D, P, P, C)
        seen = torch.einsum("bcxiyj,dijc->bxyd", pixels, filters).flatten(1, 2)  # (B, N, D)
        place_of_cls, places = self.positions.split([1, seen.shape[1]], dim=1)
        first = (self.cls + place_of_cls).repeat(images.shape[0], 1, 1)
        return torch.cat([first, seen + (self.projection.bias + places)], dim=1)


class VisionTransformer(nn.Module):
    """Embedding, pre-norm blocks one after the other, the class token singled out, normalised and classified."""

    def __init__(
        self,
        image_size: int,
        patch: int,
        channels: int,
        num_classes: int,
        width: int,
        num_heads: int,
        hidden: int,
        num_blocks: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = GivenEmbedding(image_size, patch, channels, width)
        self.blocks = nn.ModuleList(
            EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
            for _ in range(num_blocks)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """images (B, C, H, W) -> logits (B, classes)."""
        last = functools.reduce(lambda tokens, block: block(tokens), self.blocks, self.embedding(images))
        cls = torch.select(last, 1, 0)
        return torch.addmm(self.head.bias, self.norm(cls), self.head.weight.T)


def vit_parameters(
    image_size: int, patch: int, channels: int, num_classes: int, width: int, hidden: int, num_blocks: int
) -> int:
    """The shapes of all parameters, in the order in which they are made, and the sum of their products."""
    places = 1 + len(range(0, image_size, patch)) ** 2
    embedding = [(width, patch, patch, channels), (width,), (1, 1, width), (1, places, width)]
    attention = 4 * [(width, width), (width,)]
    feed_forward = [(hidden, width), (hidden,), (width, hidden), (width,)]
    norm = [(width,), (width,)]
    head = [(num_classes, width), (num_classes,)]
    blocks = num_blocks * (attention + feed_forward + norm + norm)
    return sum(math.prod(shape) for shape in embedding + blocks + norm + head)


def mean_attention_distance(weights: torch.Tensor, grid: tuple[int, int], patch: int) -> torch.Tensor:
    """The sum of weight times distance over all pairs, shared among queries and images: (B, H, N, N) -> (H,)."""
    rows, columns = grid
    centres = [complex(patch * (x + 0.5), patch * (y + 0.5)) for y in range(rows) for x in range(columns)]
    table = [[abs(key - query) for key in centres] for query in centres]
    distances = torch.tensor(table, dtype=weights.dtype, device=weights.device)
    images, _, queries, _ = weights.shape
    return torch.einsum("bhij,ij->h", weights, distances) / (images * queries)
