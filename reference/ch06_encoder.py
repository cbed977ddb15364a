"""The oracle of chapter 6: norms as geometry, dropout as coin tosses, blocks spelled out in these functions."""

import functools
import math

import torch
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention


def layer_norm(x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor, eps: float) -> torch.Tensor:
    """Take x off the line of constant vectors and give it a length of about √D: (..., D) -> (..., D)."""
    width = x.shape[-1]
    centring = torch.eye(width, dtype=x.dtype, device=x.device) - 1 / width
    centred = torch.einsum("...i,ij->...j", x, centring)
    squares = torch.einsum("...i,...i->...", centred, centred)
    return torch.einsum("...d,...,d->...d", centred, (squares / width + eps) ** -0.5, scale) + shift


def feed_forward(
    x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor
) -> torch.Tensor:
    """Only hidden units above zero speak (Vaswani et al. 2017, eq. 2): (B, T, D) -> (B, T, D)."""
    hidden = torch.einsum("...d,df->...f", x, w1) + b1
    firing = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
    return torch.einsum("...f,fd->...d", firing, w2) + b2


def dropout(x: torch.Tensor, rate: float, training: bool) -> torch.Tensor:
    """A coin for each entry: heads, with probability 1 - rate, and it grows; tails, and it is gone."""
    if rate < 0 or rate >= 1:
        raise ValueError(f"a dropout rate lies between 0 and 1, 1 excluded, unlike {rate}")
    heads = torch.bernoulli(torch.full_like(x, 1 - rate, requires_grad=False)) if training else torch.ones_like(x)
    return torch.where(heads > 0, x / (1 - rate * training), torch.zeros_like(x))


class EncoderBlock(nn.Module):
    """The block of Vaswani et al. 2017 (section 3.1), or with norms first that of Xiong et al. 2020."""

    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1, norm_first: bool = False) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """(B, T, D) -> (B, T, D), in this chapter's own functions."""

        def attend(y: torch.Tensor) -> torch.Tensor:
            return dropout(self.attention(y, y, y, mask)[0], self.dropout1.p, self.training)

        def think(y: torch.Tensor) -> torch.Tensor:
            first, _, second = self.feed_forward
            fed = feed_forward(y, first.weight.T, first.bias, second.weight.T, second.bias)
            return dropout(fed, self.dropout2.p, self.training)

        if self.norm_first:
            z = torch.add(x, attend(_normalised(self.norm1, x)))
            return torch.add(z, think(_normalised(self.norm2, z)))
        z = _normalised(self.norm1, torch.add(x, attend(x)))
        return _normalised(self.norm2, torch.add(z, think(z)))


class Encoder(nn.Module):
    """Blocks in a row (Vaswani et al. 2017, section 3.1); with norms first, one more at the end."""

    def __init__(
        self,
        num_blocks: int,
        width: int,
        num_heads: int,
        hidden: int,
        dropout: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            GivenBlock(width, num_heads, hidden, dropout, norm_first) for _ in range(num_blocks)
        )
        self.norm_first = norm_first
        if norm_first:
            self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """(B, T, D) -> (B, T, D)."""
        last = functools.reduce(lambda y, block: block(y, mask=mask), self.blocks, x)
        return _normalised(self.norm, last) if self.norm_first else last


def _normalised(norm: nn.LayerNorm, x: torch.Tensor) -> torch.Tensor:
    return layer_norm(x, norm.weight, norm.bias, norm.eps)


def encoder_parameters(num_blocks: int, width: int, hidden: int, vocab_size: int = 0, max_length: int = 0) -> int:
    """The sizes of all parameters, read off a list of their shapes."""
    linear = [(width, width), (width,)]
    network = [(hidden, width), (hidden,), (width, hidden), (width,)]
    norm = [(width,), (width,)]
    block = linear * 4 + network + norm * 2
    return sum(map(math.prod, block * num_blocks + [(vocab_size, width), (max_length, width)]))


def rms_norm(x: torch.Tensor, scale: torch.Tensor, eps: float) -> torch.Tensor:
    """Stretch or shrink x to a length of about √D (Zhang and Sennrich 2019, eq. 4): (..., D) -> (..., D)."""
    squares = torch.einsum("...i,...i->...", x, x)
    return torch.einsum("...d,...,d->...d", x, (squares / x.shape[-1] + eps) ** -0.5, scale)


def swiglu(x: torch.Tensor, w_gate: torch.Tensor, w_up: torch.Tensor, w_down: torch.Tensor) -> torch.Tensor:
    """Each hidden unit is gate · up / (1 + e^-gate) (Shazeer 2020, eq. 6): (..., D) -> (..., D)."""
    gate, up = (torch.einsum("...d,df->...f", x, matrix) for matrix in (w_gate, w_up))
    return torch.einsum("...f,...f,...f,fd->...d", gate, up, torch.special.expit(gate), w_down)
