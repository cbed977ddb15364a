"""Loops: number by number where that is possible, the cosines of the Fourier sum from `math`, one feature at a time."""

import math

import torch
from torch import nn


def depthwise_conv1d(x, filters):
    length = x.shape[1]
    size = filters.shape[1]
    half = (size - 1) // 2
    result = torch.zeros_like(x)
    for t in range(length):
        for k in range(size):
            neighbour = t + k - half
            if 0 <= neighbour < length:
                result[:, t] += filters[:, k] * x[:, neighbour]
    return result


def pointwise_conv1d(x, w):
    columns = []
    for e in range(w.shape[1]):
        total = 0
        for d in range(w.shape[0]):
            total = total + x[:, :, d] * w[d, e]
        columns.append(total)
    return torch.stack(columns, dim=2)


def separable_conv1d(x, filters, w):
    filtered = depthwise_conv1d(x, filters)
    positions = []
    for t in range(x.shape[1]):
        positions.append(filtered[:, t] @ w)
    return torch.stack(positions, dim=1)


def filter_matrix(filters, length):
    width, size = filters.shape
    result = torch.zeros(width, length, length, dtype=filters.dtype, device=filters.device)
    for d in range(width):
        for i in range(length):
            for k in range(size):
                j = i + k - size // 2
                if j >= 0 and j < length:
                    result[d, i, j] = filters[d, k]
    return result


def fourier_mixing(x):
    length, width = x.shape[1:]
    result = torch.empty_like(x)
    for m in range(length):
        for n in range(width):
            total = torch.zeros_like(x[:, 0, 0])
            for t in range(length):
                for d in range(width):
                    total = total + x[:, t, d] * math.cos(2 * math.pi * (m * t / length + n * d / width))
            result[:, m, n] = total
    return result


class MixerBlock(nn.Module):
    def __init__(self, num_tokens, width, token_hidden, channel_hidden):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.token_mixing = nn.Sequential(
            nn.Linear(num_tokens, token_hidden), nn.GELU(), nn.Linear(token_hidden, num_tokens)
        )
        self.norm2 = nn.LayerNorm(width)
        self.channel_mixing = nn.Sequential(
            nn.Linear(width, channel_hidden), nn.GELU(), nn.Linear(channel_hidden, width)
        )

    def forward(self, x):
        normed = self.norm1(x)
        mixed = torch.empty_like(x)
        for d in range(x.shape[2]):
            mixed[:, :, d] = self.token_mixing(normed[:, :, d])
        x = x + mixed
        rows = []
        for t in range(x.shape[1]):
            row = x[:, t]
            rows.append(row + self.channel_mixing(self.norm2(row)))
        return torch.stack(rows, dim=1)
