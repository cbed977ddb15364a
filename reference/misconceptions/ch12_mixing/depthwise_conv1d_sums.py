"""Sums in `depthwise_conv1d` that run over too much, and lengths that go wrong for some texts."""

import torch
from torch.nn import functional

from reference.misconceptions import misconception


@misconception("depthwise_conv1d", "depthwise-sums-multiplied")
def sums_multiplied(x, filters):
    """You add up window and filter each by itself, and multiply the two sums.

    Number k of the filter belongs to place k of the window. In an `einsum` two different letters are two axes.
    """
    size = filters.shape[1]
    windows = functional.pad(x, (0, 0, size // 2, size // 2)).unfold(1, size, 1)
    return windows.sum(dim=-1) * filters.sum(dim=-1)


@misconception("depthwise_conv1d", "depthwise-inverse-without-length")
def inverse_without_length(x, filters):
    """Where T + K − 1 is odd, your inverse transform gives one place fewer, and all numbers are wrong.

    Half a spectrum does not tell whether the length was even or odd, and `irfft` takes it for even unless you say.
    """
    length, size = x.shape[1], filters.shape[1]
    total = length + size - 1
    spectrum = torch.fft.rfft(x, n=total, dim=1) * torch.fft.rfft(filters.flip(1), n=total, dim=1).mT
    return torch.fft.irfft(spectrum, dim=1)[:, size // 2 : size // 2 + length]


@misconception("depthwise_conv1d", "depthwise-slice-from-the-end")
def slice_from_the_end(x, filters):
    """Where the filter reaches beyond the whole text, the end of your slice is negative and counts from the end.

    With T = 2 and three places to move, `x[:, : T − 3]` is no empty slice. What should be left of x there?
    """
    length, half = x.shape[1], filters.shape[1] // 2
    result = x * filters[:, half]
    for step in range(1, half + 1):
        result[:, step:] += x[:, : length - step] * filters[:, half - step]
        result[:, : length - step] += x[:, step:] * filters[:, half + step]
    return result
