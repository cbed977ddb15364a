"""Loops: pixel by pixel, patch by patch, picture by picture; the encoder blocks taken apart and run by hand."""

import math

import torch
from torch import nn

from reference.blocks import EncoderBlock
from reference.blocks import PatchEmbedding as GivenEmbedding


def patchify(images, patch):
    height, width = images.shape[2:]
    for side in (height, width):
        if side % patch != 0:
            raise ValueError(str(side) + " is not a multiple of " + str(patch))
    patches = []
    for top in range(0, height, patch):
        for left in range(0, width, patch):
            numbers = []
            for i in range(patch):
                for j in range(patch):
                    numbers.append(images[:, :, top + i, left + j])  # (B, C)
            patches.append(torch.cat(numbers, dim=1))
    return torch.stack(patches, dim=1)


def unpatchify(patches, image_size, channels):
    height, width = image_size
    side = 1
    while side * side * channels < patches.shape[2]:
        side += 1
    images = torch.zeros(patches.shape[0], channels, height, width, dtype=patches.dtype, device=patches.device)
    for n in range(patches.shape[1]):
        row, column = divmod(n, width // side)
        square = patches[:, n].reshape(-1, side, side, channels)
        for c in range(channels):
            images[:, c, row * side : (row + 1) * side, column * side : (column + 1) * side] = square[..., c]
    return images


def linear_from_conv(weight):
    side = weight.shape[-1]
    columns = []
    for i in range(side):
        for j in range(side):
            columns.append(weight[:, :, i, j])  # (D, C)
    return torch.cat(columns, dim=1)


class PatchEmbedding(nn.Module):
    def __init__(self, image_size, patch, channels, width):
        super().__init__()
        places = (image_size // patch) ** 2 + 1
        self.patch = patch
        self.projection = nn.Linear(patch * patch * channels, width)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.positions = nn.Parameter(0.02 * torch.randn(1, places, width))

    def forward(self, images):
        pictures = []
        for patches in patchify(images, self.patch):
            tokens = [self.cls[0, 0] + self.positions[0, 0]]
            for n in range(patches.shape[0]):
                tokens.append(self.projection(patches[n]) + self.positions[0, n + 1])
            pictures.append(torch.stack(tokens))
        return torch.stack(pictures)


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
        for number, block in enumerate(self.blocks):
            normed = block.norm1(x)
            asking = normed
            if number == len(self.blocks) - 1:  # of the last block only the class token is ever read
                x, asking = x[:, :1], normed[:, :1]
            attended, _ = block.attention(asking, normed, normed)
            x = x + block.dropout1(attended)
            x = x + block.dropout2(block.feed_forward(block.norm2(x)))
        return self.head(self.norm(x[:, 0]))


def vit_parameters(image_size, patch, channels, num_classes, width, hidden, num_blocks):
    layers = [(patch * patch * channels, width)]
    norms = 1
    for _ in range(num_blocks):
        layers += [(width, width)] * 4 + [(width, hidden), (hidden, width)]
        norms += 2
    layers.append((width, num_classes))
    total = norms * 2 * width
    for inputs, outputs in layers:
        total += inputs * outputs + outputs
    sequence = 1 + (image_size // patch) * (image_size // patch)
    return total + width + sequence * width


def mean_attention_distance(weights, grid, patch):
    batch, heads, n, _ = weights.shape
    total = torch.zeros(heads, dtype=weights.dtype, device=weights.device)
    for i in range(n):
        for j in range(n):
            down = patch * (i // grid[1] - j // grid[1])
            across = patch * (i % grid[1] - j % grid[1])
            total = total + weights[:, :, i, j].sum(0) * math.sqrt(down * down + across * across)
    return total / (batch * n)
