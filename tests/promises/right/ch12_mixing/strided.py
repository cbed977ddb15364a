"""Strided: windows and bands as views of other strides, baddbmm in the mixer, a real part that was an imaginary one."""

import torch
import torch.nn.functional as F
from torch import nn


def depthwise_conv1d(x, filters):
    batch, length, width = x.shape
    size = filters.shape[-1]
    padded = x.new_zeros(batch, length + size - 1, width)
    padded[:, size // 2 : size // 2 + length] = x
    to_text, on, to_feature = padded.stride()
    windows = padded.as_strided((batch, length, size, width), (to_text, on, on, to_feature))
    return windows.mul(filters.T).sum(dim=2)


def pointwise_conv1d(x, w):
    return torch.tensordot(x, w, dims=1)


def separable_conv1d(x, filters, w):
    """All products at once: a filter for every pair of features."""
    both = filters.unsqueeze(1) * w.unsqueeze(-1)  # (D, E, K)
    half = filters.shape[-1] // 2
    windows = F.pad(x, (0, 0, half, half)).unfold(1, filters.shape[-1], 1)  # (B, T, D, K)
    return torch.tensordot(windows, both, dims=([2, 3], [0, 2]))


def filter_matrix(filters, length):
    """Each row is a window on the filter between zeros, moved on by one place against the row above."""
    windows = F.pad(filters, (length, length)).unfold(-1, length, 1)  # [d, s, j]: number j + s - T of the filter
    first = filters.shape[-1] // 2 + 1
    return windows[:, first : first + length].flip(1)


def fourier_mixing(x):
    return torch.fft.fft2(x).mul(-1j).conj().imag


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
        def from_the_left(layer, y):
            return torch.baddbmm(layer.bias[:, None], layer.weight.expand(len(y), *layer.weight.shape), y)

        def from_the_right(layer, y):
            return torch.addmm(layer.bias, y.flatten(0, 1), layer.weight.mT).unflatten(0, y.shape[:2])

        for norm, network, product in (
            (self.norm1, self.token_mixing, from_the_left),
            (self.norm2, self.channel_mixing, from_the_right),
        ):
            up, between, down = network
            hidden = between(product(up, norm(x)))
            x = torch.add(product(down, hidden), x)
        return x
