"""Moments: root mean squares and hypotenuses, NumPy's dice, networks unit by unit in parts, blocks by recursion."""
# ruff: noqa: F722, F821 -- shapes in annotations are no Python

import numpy as np
import torch
from torch import Tensor, nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention

DICE = np.random.default_rng()


def layer_norm(x: "Float[Tensor, '... D']", scale: "Float[Tensor, 'D']", shift: "Float[Tensor, 'D']", eps: float):
    centred = x - torch.sum(x, dim=-1, keepdim=True) / x.shape[-1]
    deviation = torch.linalg.vector_norm(centred, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    root = torch.hypot(deviation, torch.full_like(deviation, eps**0.5))  # √(σ² + ε)
    return torch.addcmul(shift, scale.expand_as(x), centred / root)


def feed_forward(x: "Float[Tensor, 'B T D']", w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    result = x.new_zeros(*x.shape[:-1], w2.shape[1])
    for first, offset, second in zip(w1.split(3, dim=1), b1.split(3), w2.split(3, dim=0), strict=True):
        hidden = torch.tensordot(x, first, dims=1).add_(offset).relu_()
        result = result + torch.tensordot(hidden, second, dims=1)
    return result + b2


def dropout(x: Tensor, rate: float, training: bool) -> Tensor:
    match rate:
        case float() | int() if 0 <= rate < 1:
            pass
        case _:
            raise ValueError(f"dropout rate {rate} out of range")
    if not training:
        return x[...]
    kept = torch.tensor(DICE.random(tuple(x.shape)) >= rate, device=x.device)
    return x * kept / (1 - rate)


class EncoderBlock(nn.Module):
    def __init__(self, width: int, num_heads: int, hidden: int, dropout: float = 0.1, norm_first: bool = False) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.dropout2, self.dropout1 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm2, self.norm1 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.attention = MultiHeadAttention(width, num_heads)
        for parameter in self.parameters():
            if parameter.ndim > 1:
                nn.init.kaiming_normal_(parameter)

    def layers(self, mask):
        yield self.norm1, lambda x: self.dropout1(self.attention(x, x, x, mask)[0])
        yield self.norm2, lambda x: self.dropout2(self.feed_forward(x))

    def forward(self, x: "Float[Tensor, 'B T D']", mask: "Bool[Tensor, '...'] | None" = None):
        for norm, layer in self.layers(mask):
            match self.norm_first:
                case True:
                    x = torch.add(x, layer(norm(x)))
                case False:
                    x = norm(torch.add(x, layer(x)))
        return x


class Encoder(nn.Module):
    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        if norm_first:
            self.norm = nn.LayerNorm(width)
        self.norm_first = norm_first
        self.blocks = nn.ModuleList()
        while len(self.blocks) < num_blocks:
            self.blocks.append(
                GivenBlock(width=width, num_heads=num_heads, hidden=hidden, dropout=dropout, norm_first=norm_first)
            )

    def through(self, blocks, x, mask):
        if len(blocks) == 0:
            return x
        return self.through(blocks[1:], blocks[0](x=x, mask=mask), mask)

    def forward(self, x, mask=None):
        x = self.through(self.blocks, x, mask)
        return self.norm(x) if hasattr(self, "norm") else x


def encoder_parameters(num_blocks, width, hidden, vocab_size=0, max_length=0):
    if num_blocks == 0:
        return (vocab_size + max_length) * width
    attention = 4 * (width + 1) * width
    network = (width + 1) * hidden + (hidden + 1) * width
    norms = 2 * (width + width)
    return attention + network + norms + encoder_parameters(num_blocks - 1, width, hidden, vocab_size, max_length)
