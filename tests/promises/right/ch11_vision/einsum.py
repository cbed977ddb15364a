"""Einsum: axes that are only renamed, kernels that read the uncut picture's squares, distances by cdist."""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor, einsum, nn

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding


def squares(images: Tensor, patch: int) -> Tensor:
    """(B, C, H, W) -> (B, C, rows, P, columns, P), nothing copied."""
    if any(side % patch for side in images.shape[2:]):
        raise ValueError(f"images of shape {list(images.shape)} have no whole number of patches of side {patch}")
    return images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))


def patchify(images: Tensor, patch: int) -> Tensor:
    return einsum("bcrpsq->brspqc", squares(images, patch)).flatten(3).flatten(1, 2)


def unpatchify(patches: Tensor, image_size: tuple[int, int], channels: int) -> Tensor:
    height, width = image_size
    patch = round((height * width / patches.size(1)) ** 0.5)
    cut = patches.unflatten(2, (patch, patch, channels)).unflatten(1, (height // patch, -1))
    return einsum("brspqc->bcrpsq", cut).flatten(4).flatten(2, 3)


def linear_from_conv(weight: Tensor) -> Tensor:
    return einsum("dcpq->dpqc", weight).reshape(weight.size(0), -1)


class PatchEmbedding(nn.Module):
    """The linear layer as a tensor with an axis for each thing it reads."""

    def __init__(self, image_size: int, patch: int, channels: int, width: int) -> None:
        super().__init__()
        places = (image_size // patch) ** 2 + 1
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, width))

    def forward(self, images: Tensor) -> Tensor:
        kernel = self.projection.weight.unflatten(1, (self.patch, self.patch, -1))
        seen = einsum("bcrpsq,dpqc->brsd", squares(images, self.patch), kernel).flatten(1, 2)
        class_position, patch_positions = self.positions.split((1, seen.size(1)), dim=1)
        class_token = (self.cls + class_position).expand(seen.size(0), 1, seen.size(2))
        return torch.cat((class_token, seen + (self.projection.bias + patch_positions)), 1)


class VisionTransformer(nn.Module):
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

    def forward(self, images: Tensor) -> Tensor:
        read = reduce(lambda x, block: block(x), self.blocks, self.embedding(images))
        return einsum("btd,kd->btk", self.norm(read), self.head.weight)[:, 0] + self.head.bias


def vit_parameters(
    image_size: int, patch: int, channels: int, num_classes: int, width: int, hidden: int, num_blocks: int
) -> int:
    per_column = patch**2 * channels + 1  # the projection
    per_column += 1 + (image_size // patch) ** 2 + 1  # class token, positions
    per_column += num_blocks * (4 * width + 2 * hidden + 9) + 2  # blocks without F's own bias, last norm
    per_column += num_classes
    return per_column * width + num_blocks * hidden + num_classes


def mean_attention_distance(weights: Tensor, grid: tuple[int, int], patch: int) -> Tensor:
    ticks = [(torch.arange(n, dtype=weights.dtype, device=weights.device) + 0.5) * patch for n in grid]
    centres = torch.cartesian_prod(*ticks)
    shares = weights / weights[..., 0].numel() * weights.size(1)
    return einsum("bhij,ij->h", shares, torch.cdist(centres, centres))
