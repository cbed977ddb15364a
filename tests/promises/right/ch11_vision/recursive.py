"""Recursive: pictures cut by chunk and joined by cat, patches from a generator, rows with names, `match` on sizes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import torch
from torch import Tensor, nn

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding

Images = Annotated[Tensor, "B C H W"]


class Size(NamedTuple):
    height: int
    width: int


def squares(images: Images, patch: int) -> Iterator[Images]:
    """The patches, row by row, as small pictures."""
    match Size(*images.shape[-2:]):
        case Size(height, _) if height > patch:
            for strip in (images[..., :patch, :], images[..., patch:, :]):
                yield from squares(strip, patch)
        case Size(_, width) if width > patch:
            for part in images.split([patch, width - patch], dim=-1):
                yield from squares(part, patch)
        case _:
            yield images


def patchify(images: Images, patch: int) -> Annotated[Tensor, "B N P*P*C"]:
    match [side for side in images.shape[-2:] if side % patch]:
        case [side, *_]:
            raise ValueError(f"patch={patch} does not divide {side}; {images.shape=}")
    return torch.stack([square.permute(0, 2, 3, 1).flatten(1) for square in squares(images, patch)], 1)


def unpatchify(patches: Annotated[Tensor, "B N P*P*C"], image_size: Size, channels: int) -> Images:
    side = int(math.sqrt(patches.size(-1) / channels))
    small = patches.transpose(0, 1).unflatten(-1, (side, side, channels)).permute(0, 1, 4, 2, 3)
    per_strip, queue = image_size[1] // side, iter(small)
    strips = iter(lambda: [*itertools.islice(queue, per_strip)], [])
    return torch.cat([torch.cat(strip, dim=-1) for strip in strips], dim=-2)


def linear_from_conv(weight: Annotated[Tensor, "D C P P"]) -> Annotated[Tensor, "D P*P*C"]:
    return torch.stack([kernel.movedim(0, -1).ravel() for kernel in weight])


class PatchEmbedding(nn.Module):
    def __init__(self, image_size: int, patch: int, channels: int, width: int) -> None:
        super().__init__()
        side = image_size // patch
        self.positions = nn.Parameter(torch.empty(1, 1 + side * side, width))
        self.cls = nn.Parameter(torch.empty(1, 1, width))
        self.projection = nn.Linear(in_features=channels * patch * patch, out_features=width)
        self.patch = patch
        for parameter in (self.cls, self.positions, self.projection.weight):
            nn.init.trunc_normal_(parameter, std=0.02)

    def tokens(self, images: Images) -> Iterator[Annotated[Tensor, "B D"]]:
        yield self.cls[:, 0].expand(len(images), -1)
        kernel = self.projection.weight.unflatten(-1, (self.patch, self.patch, -1))
        for square in squares(images, self.patch):
            yield torch.tensordot(square, kernel, dims=([2, 3, 1], [1, 2, 3])) + self.projection.bias

    def forward(self, images: Images) -> Annotated[Tensor, "B N+1 D"]:
        pairs = zip(self.tokens(images), self.positions.unbind(1), strict=True)
        return torch.stack([token + position for token, position in pairs]).swapaxes(0, 1)


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
        self.head = nn.Linear(width, num_classes)
        nn.init.zeros_(self.head.bias)
        self.norm = nn.LayerNorm(width)
        shape = {"width": width, "num_heads": num_heads, "hidden": hidden, "dropout": dropout}
        made = [EncoderBlock(**shape, norm_first=True, activation="gelu") for _ in range(num_blocks)]
        self.blocks = nn.ModuleList(made)
        self.embedding = GivenEmbedding(image_size=image_size, patch=patch, channels=channels, width=width)

    def states(self, images: Images) -> Iterator[Annotated[Tensor, "B N+1 D"]]:
        x = self.embedding(images)
        for block in self.blocks:
            yield x
            x = block(x)
        yield x

    def forward(self, images: Images) -> Annotated[Tensor, "B classes"]:
        *_, last = self.states(images)
        return self.head(self.norm(last))[:, 0]


class Layer(NamedTuple):
    inputs: int
    outputs: int

    @property
    def parameters(self) -> int:
        return (self.inputs + 1) * self.outputs


def vit_parameters(
    image_size: int, patch: int, channels: int, num_classes: int, width: int, hidden: int, num_blocks: int
) -> int:
    if num_blocks:
        square, norm = Layer(width, width), 2 * width
        block = 4 * square.parameters + Layer(width, hidden).parameters + Layer(hidden, width).parameters + 2 * norm
        return block + vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks - 1)
    sequence = 1 + len(range(0, image_size, patch)) ** 2
    ends = Layer(patch * patch * channels, width).parameters + Layer(width, num_classes).parameters
    return ends + width + sequence * width + 2 * width


def mean_attention_distance(
    weights: Annotated[Tensor, "B H N N"], grid: tuple[int, int], patch: int
) -> Annotated[Tensor, "H"]:
    centres = [((row + 0.5) * patch, (column + 0.5) * patch) for row, column in itertools.product(*map(range, grid))]
    table = [math.dist(here, there) for here, there in itertools.product(centres, repeat=2)]
    distances = torch.tensor(table, dtype=weights.dtype, device=weights.device)
    return torch.stack([(head.flatten(1) @ distances).mean() for head in weights.unbind(1)]) / len(centres)
