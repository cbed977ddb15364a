"""Strided: heads as a view by strides, pieces by tensor_split, heads from generators, float64, a key for nobody."""

from collections.abc import Iterator
from functools import partial, reduce
from itertools import pairwise, starmap
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F


class Pair(NamedTuple):
    output: torch.Tensor
    weights: torch.Tensor


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    batch, length, width = x.shape
    if width != width // num_heads * num_heads:
        raise ValueError(f"D must be a multiple of H, but D={width} and H={num_heads}")
    per_text, per_word, per_column = x.stride()
    size = (batch, num_heads, length, width // num_heads)
    stride = (per_text, width // num_heads * per_column, per_word, per_column)
    return x.as_strided(size, stride, x.storage_offset())


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    heads = [x.select(1, h) for h in range(x.size(1))]
    return reduce(lambda left, right: torch.cat((left, right), dim=2), heads)


def weigh(scores: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """With a key more, which takes what nobody may have."""
    scores = F.pad(scores, (0, 1), value=torch.finfo(scores.dtype).min)
    if mask is not None:
        walls = F.pad(~mask.expand(*scores.shape[:-1], scores.shape[-1] - 1), (0, 1), value=False)
        scores = scores.masked_fill(walls, -torch.inf)
    return F.softmax(scores, dim=-1)[..., :-1]


class Attention(nn.Module):
    """What both layers are."""

    num_heads: int
    key_width: int

    def columns(self) -> Iterator[slice]:
        yield from starmap(slice, pairwise(range(0, (self.num_heads + 1) * self.key_width, self.key_width)))

    def heads(self, letter: str, x: torch.Tensor) -> Iterator[torch.Tensor]:
        """(B, T, d) of each head, in float64."""
        layer = getattr(self, "w_" + letter)
        for own in self.columns():
            yield F.linear(x.double(), layer.weight[own].double(), layer.bias[own].double())

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.expand(len(query), self.num_heads, query.shape[1], key.shape[1])
        output, weights = self.w_o.bias.double(), []
        every = zip(self.heads("q", query), self.heads("k", key), self.heads("v", value), strict=True)
        for h, ((q, k, v), own) in enumerate(zip(every, self.columns(), strict=True)):
            scores = torch.bmm(q, k.transpose(1, 2)) / self.key_width**0.5
            weights.append(weigh(scores, None if mask is None else mask[:, h]))
            output = output + torch.bmm(weights[-1], v) @ self.w_o.weight[:, own].double().t()
        return Pair(output.to(query.dtype), torch.stack(weights, dim=1).to(query.dtype))


class MultiHeadAttention(Attention):
    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        if width % num_heads != 0:
            raise ValueError(f"{num_heads} heads of equal width do not fit into a width of {width}")
        self.num_heads = num_heads
        self.key_width = width // num_heads
        linear = partial(nn.Linear, width, width)
        self.w_q, self.w_k, self.w_v, self.w_o = (linear() for _ in range(4))


class WideMultiHeadAttention(Attention):
    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads, self.key_width = num_heads, key_width
        layers = {f"w_{letter}": nn.Linear(width, num_heads * key_width) for letter in "vkq"}
        for name, layer in layers.items():
            self.add_module(name, layer)
        self.w_o = nn.Linear(num_heads * key_width, width)


def attention_parameters(width, num_heads, key_width=None, bias=True):
    if key_width is None:
        key_width, rest = divmod(width, num_heads)
        if rest:
            raise ValueError("cannot divide", width, "by", num_heads)
    total = 4 * width * num_heads * key_width
    if bias:
        total += 3 * num_heads * key_width + width
    return total


def grouped_query_attention(q, k, v, mask=None):
    allowed = [None] * k.shape[1]
    if mask is not None:
        full = torch.ones(*q.shape[:3], k.shape[2], dtype=torch.bool, device=q.device) & mask
        allowed = full.tensor_split(k.shape[1], dim=1)
    results = []
    for g, group in enumerate(q.tensor_split(k.shape[1], dim=1)):  # (B, H / G, T, d)
        scores = group @ k[:, g : g + 1].mT * (1 / q.shape[-1] ** 0.5)
        results.append(weigh(scores, allowed[g]) @ v[:, g : g + 1])
    return torch.cat(results, dim=1)
