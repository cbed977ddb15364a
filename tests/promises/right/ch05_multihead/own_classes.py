"""Own classes: a layout, a softmax with a backward of its own, a mix-in that works in float64, a named result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Attended(NamedTuple):
    output: Tensor
    weights: Tensor


@dataclass(frozen=True)
class Layout:
    """How H heads of d columns lie side by side."""

    num_heads: int
    key_width: int

    @classmethod
    def dividing(cls, width: int, num_heads: int) -> Layout:
        if num_heads * (width // num_heads) != width:
            raise ValueError(f"no {num_heads} equal heads in {width} columns")
        return cls(num_heads, width // num_heads)

    @property
    def width(self) -> int:
        return self.num_heads * self.key_width

    def split(self, x: Tensor) -> Tensor:
        return torch.permute(x.reshape(*x.shape[:-1], self.num_heads, self.key_width), (0, 2, 1, 3))

    def merge(self, x: Tensor) -> Tensor:
        return x.permute(0, 2, 1, 3).contiguous().view(x.shape[0], x.shape[2], self.width)


class MaskedSoftmax(torch.autograd.Function):
    """Zeros stay zeros on the way back: nothing there depends on the scores."""

    @staticmethod
    def forward(ctx, scores, mask):
        top = scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True)
        powers = torch.exp(scores - top).masked_fill_(~mask, 0)
        weights = powers / powers.sum(-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).tiny)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        (weights,) = ctx.saved_tensors
        return weights * (grad - (weights * grad).sum(-1, keepdim=True)), None


class Heads(nn.Module):
    """What both layers do; they differ in how wide their heads are."""

    def project(self, letter: str, x: Tensor) -> Tensor:
        layer = getattr(self, f"w_{letter}")
        return x.double() @ layer.weight.double().t() + layer.bias.double()

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Attended:
        layout = Layout(self.num_heads, self.key_width)
        q, k, v = (layout.split(self.project(*each)) for each in zip("qkv", (query, key, value), strict=True))
        scores = torch.einsum("...qd,...kd->...qk", q, k) / layout.key_width**0.5
        if mask is None:
            mask = torch.full((1,), True, device=scores.device)
        self.seen = MaskedSoftmax.apply(scores, mask.expand_as(scores))  # to be looked at later
        output = self.project("o", layout.merge(self.seen @ v))
        return Attended(output.type_as(query), self.seen.type_as(query))


class MultiHeadAttention(Heads):
    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        if width % num_heads != 0:
            raise ValueError(f"{num_heads} heads of equal width do not fit into a width of {width}")
        self.num_heads = num_heads
        self.key_width = width // num_heads
        self.w_q = nn.Linear(width, width)
        self.w_k = nn.Linear(width, width)
        self.w_v = nn.Linear(width, width)
        self.w_o = nn.Linear(width, width)


class WideMultiHeadAttention(Heads):
    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        self.w_q = nn.Linear(width, num_heads * key_width)
        self.w_k = nn.Linear(width, num_heads * key_width)
        self.w_v = nn.Linear(width, num_heads * key_width)
        self.w_o = nn.Linear(num_heads * key_width, width)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    return Layout.dividing(x.shape[-1], num_heads).split(x)


def merge_heads(x: Tensor) -> Tensor:
    return Layout(x.shape[1], x.shape[3]).merge(x)


@dataclass
class Layer:
    inputs: int
    outputs: int

    def __len__(self) -> int:
        return self.inputs * self.outputs


def attention_parameters(width: int, num_heads: int, key_width: int | None = None, bias: bool = True) -> int:
    layout = Layout.dividing(width, num_heads) if key_width is None else Layout(num_heads, key_width)
    layers = [Layer(width, layout.width)] * 3 + [Layer(layout.width, width)]
    return sum(map(len, layers)) + (sum(layer.outputs for layer in layers) if bias else 0)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    grouped = q.unflatten(1, (k.shape[1], -1))  # (B, G, H / G, T, d)
    scores = torch.einsum("bgsqd,bgkd->bgsqk", grouped, k) * (q.shape[-1] ** -0.5)
    if mask is None:
        weights = torch.softmax(scores, -1)
    else:
        mask = mask.expand(*q.shape[:3], k.shape[2]).unflatten(1, grouped.shape[1:3])
        weights = MaskedSoftmax.apply(scores, mask)
    return torch.einsum("bgsqk,bgkd->bgsqd", weights, v).flatten(1, 2)
