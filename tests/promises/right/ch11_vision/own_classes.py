"""Own classes: a numbering of pixels that gathers and scatters, a counted model, a complex plane."""

import dataclasses

import torch
from torch import nn

from reference import blocks


class UnevenError(ValueError):
    pass


@dataclasses.dataclass(frozen=True)
class Grid:
    """How a picture is laid out in patches."""

    height: int
    width: int
    patch: int
    channels: int

    def __post_init__(self):
        if self.height % self.patch or self.width % self.patch:
            raise UnevenError(f"{self}: sides that do not divide")

    @property
    def rows(self):
        return self.height // self.patch

    @property
    def columns(self):
        return self.width // self.patch

    def numbers(self, device=None):
        """(N, P·P·C): where in the flattened picture (C, H, W) each number of each patch stands."""
        side = torch.arange(self.patch, device=device)
        y = (torch.arange(self.rows, device=device) * self.patch).view(-1, 1, 1, 1, 1) + side.view(-1, 1, 1)
        x = (torch.arange(self.columns, device=device) * self.patch).view(-1, 1, 1, 1) + side.view(-1, 1)
        c = torch.arange(self.channels, device=device)
        return ((c * self.height + y) * self.width + x).reshape(self.rows * self.columns, -1)


def patchify(images, patch):
    grid = Grid(height=images.shape[2], width=images.shape[3], patch=patch, channels=images.shape[1])
    return images.flatten(1)[:, grid.numbers(images.device)]


def unpatchify(patches, image_size, channels):
    area = patches.size(-1) // channels
    grid = Grid(*image_size, patch=int(area**0.5 + 0.5), channels=channels)
    numbers = grid.numbers(patches.device).flatten().expand(len(patches), -1)
    flat = torch.zeros_like(numbers, dtype=patches.dtype).scatter(1, numbers, patches.flatten(1))
    return flat.unflatten(1, (channels, *image_size))


def linear_from_conv(weight):
    _, channels, side, _ = weight.shape
    numbers = Grid(side, side, side, channels).numbers(weight.device)
    return weight.flatten(1).index_select(1, numbers[0])


class Cut(nn.Module):
    """`patchify` as a layer, its numbering made once."""

    def __init__(self, grid):
        super().__init__()
        self.register_buffer("numbers", grid.numbers())

    def forward(self, images):
        return torch.take_along_dim(images.flatten(1), self.numbers.reshape(1, -1), dim=1).view(-1, *self.numbers.shape)


class PatchEmbedding(nn.Module):
    def __init__(self, image_size, patch, channels, width):
        super().__init__()
        places = (image_size // patch) ** 2 + 1
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, width))
        self.cut = Cut(Grid(image_size, image_size, patch, channels))

    def forward(self, images):
        result = self.positions.repeat(images.shape[0], 1, 1)
        result[:, :1] += self.cls
        result[:, 1:] += self.projection(self.cut(images))
        return result


class VisionTransformer(nn.Module):
    def __init__(
        self,
        image_size,
        patch,
        channels,
        num_classes,
        width,
        num_heads,
        hidden,
        num_blocks,
        dropout=0.0,
    ):
        super().__init__()
        self.embedding = blocks.PatchEmbedding(image_size, patch, channels, width)
        self.blocks = nn.ModuleList(
            blocks.EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
            for _ in range(num_blocks)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, num_classes)

    def classify(self, summary):
        return nn.Sequential(self.norm, self.head)(summary)

    def forward(self, images):
        encoder = nn.Sequential(self.embedding, *self.blocks)
        class_token, *_ = encoder(images).unbind(dim=1)
        return self.classify(class_token)


def vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    with torch.device("meta"):  # shapes without numbers: even Huge costs nothing
        model = VisionTransformer(image_size, patch, channels, num_classes, width, 1, hidden, num_blocks)
    return sum(p.numel() for p in model.parameters())


def mean_attention_distance(weights, grid, patch):
    rows, columns = (torch.arange(n, dtype=weights.dtype, device=weights.device) for n in grid)
    points = torch.complex(*torch.broadcast_tensors(rows[:, None], columns)).flatten() * patch
    distances = (points[:, None] - points).abs()
    per_picture = torch.linalg.vecdot(weights.flatten(2), distances.flatten()) / len(points)  # (B, H)
    return per_picture.mean(0)
