"""Einsum: bands cut out of ones, waves as matrices of cosines and sines, a mixer that never transposes."""

import math

import torch
from torch import Tensor, einsum, nn
from torch.nn.functional import gelu


def filter_matrix(filters: Tensor, length: int) -> Tensor:
    size = filters.shape[1]
    ones = torch.ones(length, length, dtype=filters.dtype, device=filters.device)
    offsets = [k - size // 2 for k in range(size)]
    bands = torch.stack([ones.triu(offset).tril(offset) for offset in offsets])  # (K, T, T)
    return einsum("dk,kij->dij", filters, bands)


def depthwise_conv1d(x: Tensor, filters: Tensor) -> Tensor:
    return einsum("bjd,dij->bid", x, filter_matrix(filters, x.size(1)))


def pointwise_conv1d(x: Tensor, w: Tensor) -> Tensor:
    return einsum("btd,de->bte", x, w)


def separable_conv1d(x: Tensor, filters: Tensor, w: Tensor) -> Tensor:
    return einsum("bjd,dij,de->bie", x, filter_matrix(filters, x.size(1)), w)


def waves(size: int, like: Tensor) -> tuple[Tensor, Tensor]:
    numbers = torch.arange(size, dtype=like.dtype, device=like.device)
    angles = 2 * math.pi / size * torch.outer(numbers, numbers)
    return angles.cos(), angles.sin()


def fourier_mixing(x: Tensor) -> Tensor:
    (cos_t, sin_t), (cos_d, sin_d) = waves(x.size(1), x), waves(x.size(2), x)
    return einsum("mt,btd,dn->bmn", cos_t, x, cos_d) - einsum("mt,btd,dn->bmn", sin_t, x, sin_d)


class MixerBlock(nn.Module):
    def __init__(self, num_tokens: int, width: int, token_hidden: int, channel_hidden: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.token_mixing = nn.Sequential(
            nn.Linear(num_tokens, token_hidden), nn.GELU(), nn.Linear(token_hidden, num_tokens)
        )
        self.norm2 = nn.LayerNorm(width)
        self.channel_mixing = nn.Sequential(
            nn.Linear(width, channel_hidden), nn.GELU(), nn.Linear(channel_hidden, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        first, second = self.token_mixing[0], self.token_mixing[2]
        hidden = gelu(einsum("st,btd->bsd", first.weight, self.norm1(x)) + first.bias[:, None])
        x = x + einsum("ts,bsd->btd", second.weight, hidden) + second.bias[:, None]
        first, second = self.channel_mixing[0], self.channel_mixing[2]
        hidden = gelu(einsum("fd,btd->btf", first.weight, self.norm2(x)) + first.bias)
        return einsum("df,btf->btd", second.weight, hidden) + second.bias + x
