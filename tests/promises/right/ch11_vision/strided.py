"""Strided: patches by as_strided, a fold by sums of shifted units, weights in baddbmm, distances in float64."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding


def whole(side, patch):
    """How many patches fit, and nothing may be left."""
    count, rest = divmod(side, patch)
    if rest:
        raise ValueError(f"{side} pixels are {count} patches of {patch} pixels and {rest} more")
    return count


def patchify(images, patch):
    batch, channels, height, width = images.shape
    rows, columns = whole(height, patch), whole(width, patch)
    to_image, to_channel, down, right = images.stride()
    cut = images.as_strided(
        size=(batch, rows, columns, patch, patch, channels),
        stride=(to_image, down * patch, right * patch, down, right, to_channel),
    )
    return cut.reshape(batch, rows * columns, -1)


def unpatchify(patches, image_size, channels):
    height, width = image_size
    batch, _, numbers = patches.shape
    side = next(p for p in range(1, height + 1) if p * p * channels == numbers)
    images = patches.new_empty(batch, channels, height, width)
    window = images.unfold(2, side, side).unfold(3, side, side)  # (B, C, rows, columns, P, P), a view
    window.copy_(patches.reshape(batch, height // side, width // side, side, side, channels).movedim(-1, 1))
    return images


def linear_from_conv(weight):
    return torch.cat([part.squeeze(2) for part in weight.flatten(2).split(1, dim=2)], dim=1)


class PatchEmbedding(nn.Module):
    def __init__(self, image_size, patch, channels, width):
        super().__init__()
        places = (image_size // patch) ** 2 + 1
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, width))

    def forward(self, images):
        patches = patchify(images, patch=self.patch)
        first, others = self.positions[0, :1], self.positions[0, 1:]
        matrix = self.projection.weight.T.expand(len(images), *self.projection.weight.T.shape)
        seen = torch.baddbmm((others + self.projection.bias).expand(len(images), -1, -1), patches, matrix)
        return torch.column_stack([torch.add(self.cls, first).expand(len(images), -1, -1), seen])


def linear(layer, x):
    return torch.tensordot(x, layer.weight, dims=([-1], [1])).add_(layer.bias)


def attend(layer, x):
    q, k, v = (linear(part, x).unflatten(-1, (layer.num_heads, -1)) for part in (layer.w_q, layer.w_k, layer.w_v))
    scores = torch.einsum("bihd,bjhd->bhij", q, k).mul_(layer.key_width**-0.5)
    mixed = torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), v)
    return linear(layer.w_o, mixed.flatten(2))


class VisionTransformer(nn.Module):
    def __init__(self, image_size, patch, channels, num_classes, width, num_heads, hidden, num_blocks, dropout=0.0):
        super().__init__()
        self.embedding = GivenEmbedding(image_size, patch, channels, width)
        self.blocks = nn.ModuleList(
            EncoderBlock(width, num_heads, hidden, dropout, norm_first=True, activation="gelu")
            for _ in range(num_blocks)
        )
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, images):
        x = self.embedding(images)
        for block in self.blocks:
            x = x + block.dropout1(attend(block.attention, block.norm1(x)))
            up, _, down = block.feed_forward
            inner = linear(up, block.norm2(x))
            x = x + block.dropout2(linear(down, inner * (1 + torch.erf(inner * 0.5**0.5)) / 2))
        wide = x[:, 0].double()
        variance, mean = torch.var_mean(wide, dim=-1, keepdim=True, unbiased=False)
        unit = ((wide - mean) / torch.sqrt(variance + self.norm.eps)).to(x.dtype)
        return F.linear(unit * self.norm.weight + self.norm.bias, self.head.weight, self.head.bias)


@functools.cache
def linear_parameters(inputs, outputs, /, *, bias=True):
    return inputs * outputs + bias * outputs


def vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    counts = {
        "projection": linear_parameters(channels * patch * patch, width),
        "class token": width,
        "positions": width * (1 + (image_size // patch) ** 2),
        "attention": num_blocks * linear_parameters(width, 4 * width),
        "feed-forward": num_blocks * (linear_parameters(width, hidden) + linear_parameters(hidden, width)),
        "norms": (num_blocks * 2 + 1) * (width + width),
        "head": linear_parameters(width, num_classes),
    }
    return sum(counts.values())


def mean_attention_distance(weights, grid, patch):
    places = torch.cartesian_prod(*(torch.arange(size, device=weights.device) for size in grid)).double()
    steps = (places.unsqueeze(0) - places.unsqueeze(1)).mul_(patch)  # (N, N, 2)
    distances = torch.linalg.vector_norm(steps, dim=-1)
    spent = torch.tensordot(weights.double(), distances, dims=([2, 3], [0, 1]))  # (B, H)
    return spent.mean(0).div(len(places)).to(weights.dtype)
