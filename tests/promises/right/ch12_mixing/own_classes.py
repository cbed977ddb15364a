"""Own classes: filters as objects, layers that turn what they are given, an `__init__` of its own, float64 inside."""

import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class Filters:
    """Numbers for each feature, and how far they reach."""

    numbers: torch.Tensor

    @property
    def reach(self):
        return (self.numbers.shape[-1] - 1) // 2

    def conv(self, x):
        rows = x.double()
        kept = self.numbers.double()
        total = rows * kept[:, self.reach]
        for far in range(1, self.reach + 1):
            nothing = rows.new_zeros(rows.shape[0], min(far, rows.shape[1]), rows.shape[2])
            before = torch.cat([nothing, rows], dim=1)[:, : rows.shape[1]]
            after = torch.cat([rows, nothing], dim=1)[:, -rows.shape[1] :]
            total = total + before * kept[:, self.reach - far] + after * kept[:, self.reach + far]
        return total.to(x.dtype)

    def matrix(self, length):
        diagonals = []
        for offset in range(-self.reach, self.reach + 1):
            if abs(offset) < length:
                number = self.numbers[:, self.reach + offset, None].expand(-1, length - abs(offset))
                diagonals.append(torch.diag_embed(number, offset))
        return torch.stack(diagonals, dim=-1).sum(dim=-1)


def depthwise_conv1d(x, filters):
    return Filters(filters).conv(x)


def pointwise_conv1d(x, w):
    layer = nn.Linear(*w.shape, bias=False, device="meta")
    return torch.func.functional_call(layer, {"weight": w.T}, (x,))


def separable_conv1d(x, filters, w):
    layers = (lambda y: Filters(filters).conv(y), lambda y: pointwise_conv1d(y, w))
    for layer in layers:
        x = layer(x)
    return x


def filter_matrix(filters, length):
    return Filters(filters).matrix(length)


def fourier_mixing(x):
    waves = []
    for size in x.shape[1:]:
        numbers = torch.arange(size, device=x.device)
        angles = -2 * torch.pi * (numbers[:, None] * numbers % size).double() / size
        waves.append(torch.polar(torch.ones_like(angles), angles))
    along_positions, along_features = waves
    return (along_positions @ x.to(torch.complex128) @ along_features).real.to(x.dtype)


class Branch(nn.Module):
    """A norm and a network, each with a residual around it, perhaps turned by 90 degrees."""

    def __init__(self, turned):
        super().__init__()
        self.turned = turned

    def forward(self, x, norm, network):
        y = norm(x)
        y = network(y.mT).mT if self.turned else network(y)
        return y + x


class Mlp(nn.Sequential):
    def __init__(self, size, hidden):
        super().__init__(nn.Linear(size, hidden), nn.GELU(approximate="none"), nn.Linear(hidden, size))


class MixerBlock(nn.Module):
    def __init__(self, num_tokens, width, token_hidden, channel_hidden):
        super().__init__()
        self.channel_mixing = Mlp(width, channel_hidden)
        self.token_mixing = Mlp(num_tokens, token_hidden)
        self.norm1, self.norm2 = (nn.LayerNorm([width]) for _ in range(2))
        self.along, self.across = Branch(turned=True), Branch(turned=False)

    def forward(self, x):
        x = self.along(x, self.norm1, self.token_mixing)
        return self.across(x, self.norm2, self.channel_mixing)
