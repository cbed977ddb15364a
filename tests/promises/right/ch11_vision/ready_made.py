"""Ready-made: pixel_unshuffle and its inverse, Tensor.unfold, a convolution where it is no cheat, vmap, float64."""

import math

import torch
from torch import nn
from torch.func import vmap
from torch.nn import functional as F

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding

torch.manual_seed(11)


def patchify(images, patch):
    try:
        deep = F.pixel_unshuffle(images, patch)  # (B, C·P·P, rows, columns)
    except RuntimeError:
        raise ValueError(f"{images.shape[-2:]} / {patch}") from None
    return deep.unflatten(1, (images.shape[1], patch * patch)).flatten(3).permute(0, 3, 2, 1).flatten(2)


def unpatchify(patches, image_size, channels):
    side = math.isqrt(patches.shape[-1] // channels)
    deep = patches.unflatten(-1, (side * side, channels)).transpose(1, 3).flatten(1, 2)
    return F.pixel_shuffle(deep.unflatten(-1, [length // side for length in image_size]), side)


def linear_from_conv(weight):
    channels, side = weight.shape[1:3]
    units = torch.eye(side * side * channels, dtype=weight.dtype, device=weight.device)
    pictures = unpatchify(units[:, None], (side, side), channels)  # a single pixel is on in each
    return F.conv2d(pictures, weight, stride=side).squeeze((2, 3)).mT


class PatchEmbedding(nn.Module):
    def __init__(self, image_size, patch, channels, width):
        super().__init__()
        places = (image_size // patch) ** 2 + 1
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, width))

    def forward(self, images):
        windows = images.unfold(2, self.patch, self.patch).unfold(3, self.patch, self.patch)  # (B, C, rows, cols, P, P)
        patches = torch.movedim(windows, 1, -1).flatten(3).flatten(1, 2)
        matrix = self.projection.weight.t().expand(len(images), -1, -1)
        tokens = torch.baddbmm(self.projection.bias, patches, matrix)
        room = F.pad(tokens, (0, 0, 1, 0))
        return room + F.pad(self.cls, (0, 0, 0, tokens.shape[1])) + self.positions


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

    def one(self, image):
        x = self.embedding(image[None])
        for number in range(len(self.blocks)):
            x = self.get_submodule(f"blocks.{number}")(x, mask=None)
        x = F.layer_norm(x[0, 0], self.norm.normalized_shape, self.norm.weight, self.norm.bias, self.norm.eps)
        return torch.addmv(self.head.bias, self.head.weight, x)

    def forward(self, images):
        return torch.stack([self.one(image) for image in images])


def linear(a, b):
    return torch.Size([b, a]).numel() + torch.Size([b]).numel()


def vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    shapes = [(1, 1, width), (1, math.prod([image_size // patch] * 2) + 1, width), (2, width)]
    block = math.fsum([4 * linear(width, width), linear(width, hidden), linear(hidden, width), 2 * 2 * width])
    ends = linear(channels * patch**2, width) + linear(width, num_classes)
    return sum(map(math.prod, shapes)) + num_blocks * int(block) + ends


def mean_attention_distance(weights, grid, patch):
    across, down = torch.meshgrid(*[torch.arange(n, device=weights.device) for n in reversed(grid)], indexing="xy")
    y, x = down.double().ravel(), across.double().ravel()
    distances = torch.hypot(y[:, None] - y, x[:, None] - x) * patch
    of_a_head = vmap(lambda one: (one.double() * distances).sum(-1).mean(), in_dims=1)
    return of_a_head(weights).to(weights.dtype)
