"""Recursive: a filter is its first number and the rest, a Fourier transform is two of half the size."""

# ruff: noqa: F722
import functools
import itertools
from collections.abc import Iterator

import torch
from torch import nn


def moved(x: "B T D", places: int) -> "B T D":
    """Position t gets what stands at t + places, or zero."""
    nothing = torch.zeros_like(x)
    if abs(places) >= x.shape[1]:
        return nothing
    if places < 0:
        return torch.cat([nothing[:, :-places], x[:, :places]], dim=1)
    return torch.cat([x[:, places:], nothing[:, :places]], dim=1)


def depthwise_conv1d(x: "B T D", filters: "D K") -> "B T D":
    half = filters.size(1) // 2

    def total(k: int) -> "B T D":
        here = filters[:, k] * moved(x, k - half)
        return here if k == 0 else torch.add(total(k - 1), here)

    return total(2 * half)


def pointwise_conv1d(x: "B T D", w: "D E") -> "B T E":
    rows = zip(x.unbind(-1), w, strict=True)
    return functools.reduce(torch.add, (column[..., None] * row for column, row in rows))


def separable_conv1d(x: "B T D", filters: "D K", w: "D E") -> "B T E":
    return pointwise_conv1d(w=w, x=depthwise_conv1d(filters=filters, x=x))


def filter_matrix(filters: "D K", length: int) -> "D T T":
    half = filters.shape[1] // 2
    places = torch.arange(length, device=filters.device)
    numbers = places - places[:, None] + half
    inside = (numbers >= 0) & (numbers < filters.shape[1])
    return torch.where(inside, filters[:, numbers.clamp(min=0, max=2 * half)], 0)


def transform(z: "complex ... n") -> "complex ... n":
    """The discrete Fourier transform of the last axis, after Cooley and Tukey."""
    match z.shape[-1]:
        case 1:
            return z
        case size if size % 2:
            numbers = torch.arange(size, device=z.device)
            angles = -2 * torch.pi / size * (numbers * numbers[:, None] % size).to(z.real.dtype)
            return z @ torch.complex(angles.cos(), angles.sin())
        case size:
            even, odd = transform(z[..., ::2]), transform(z[..., 1::2])
            angles = torch.arange(size // 2, dtype=z.real.dtype, device=z.device) * (-2 * torch.pi / size)
            odd = odd * torch.polar(torch.ones_like(angles), angles)
            return torch.cat([even + odd, even - odd], dim=-1)


def fourier_mixing(x: "B T D") -> "B T D":
    along_features = transform(torch.complex(x, torch.zeros_like(x)))
    return torch.view_as_real(transform(along_features.mT)).select(-1, 0).mT


class MixerBlock(nn.Module):
    def __init__(self, num_tokens: int, width: int, token_hidden: int, channel_hidden: int) -> None:
        super().__init__()
        self.norm2, self.norm1 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.channel_mixing, self.token_mixing = (
            nn.Sequential(*self._layers(*sizes)) for sizes in ((width, channel_hidden), (num_tokens, token_hidden))
        )

    @staticmethod
    def _layers(size: int, hidden: int) -> Iterator[nn.Module]:
        for number, (inputs, outputs) in enumerate(itertools.pairwise((size, hidden, size))):
            layer = nn.Linear(inputs, outputs)
            nn.init.kaiming_normal_(layer.weight)
            yield from (nn.GELU(), layer) if number else (layer,)

    def _mix(self, x: "B T D", *, axis: int) -> "B T D":
        match axis:
            case 1:
                return self.token_mixing(self.norm1(x).transpose(1, 2)).transpose(1, 2).add_(x)
            case 2:
                before = self._mix(x, axis=1)
                return self.channel_mixing(self.norm2(before)).add_(before)
        raise AssertionError(axis)

    def forward(self, x: "B T D") -> "B T D":
        return self._mix(x, axis=2)
