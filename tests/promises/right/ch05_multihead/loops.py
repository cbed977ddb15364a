"""Loops: one head after the other, one query after the other, and a softmax written out."""

import math

import torch
from torch import nn


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    width = x.shape[2]
    if width % num_heads != 0:
        raise ValueError(f"cannot give {num_heads} heads the same share of {width} columns")
    d = width // num_heads
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h * d : (h + 1) * d])
    return torch.stack(heads, dim=1)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, T, d = x.shape  # noqa: N806
    result = torch.zeros(B, T, H * d, dtype=x.dtype, device=x.device)
    for h in range(H):
        result[:, :, h * d : (h + 1) * d] = x[:, h]
    return result


def soft(row, allowed):
    """Of one query: row (B, Tk), allowed (B, Tk) or None."""
    if allowed is None:
        powers = torch.exp(row - row.max(dim=-1, keepdim=True).values)
        return powers / powers.sum(dim=-1, keepdim=True)
    row = row.masked_fill(~allowed, -1e9)
    powers = torch.exp(row - row.max(dim=-1, keepdim=True).values) * allowed
    total = powers.sum(dim=-1, keepdim=True)
    return powers / torch.where(total == 0, torch.ones_like(total), total)


def attend(q, k, v, mask):
    """One head: q (B, Tq, d), k and v (B, Tk, d), mask (B, Tq, Tk) or None."""
    rows, contexts = [], []
    for i in range(q.shape[1]):
        scores = (q[:, i : i + 1] * k).sum(dim=-1)  # (B, Tk)
        row = soft(scores / math.sqrt(q.shape[-1]), None if mask is None else mask[:, i])
        rows.append(row)
        contexts.append((row[:, :, None] * v).sum(dim=1))
    return torch.stack(contexts, dim=1), torch.stack(rows, dim=1)


class MultiHeadAttention(nn.Module):
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

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.expand(query.shape[0], self.num_heads, query.shape[1], key.shape[1])
        contexts, weights = [], []
        for h in range(self.num_heads):
            own = slice(h * self.key_width, (h + 1) * self.key_width)
            q = query @ self.w_q.weight[own].T + self.w_q.bias[own]
            k = key @ self.w_k.weight[own].T + self.w_k.bias[own]
            v = value @ self.w_v.weight[own].T + self.w_v.bias[own]
            context, weight = attend(q, k, v, None if mask is None else mask[:, h])
            contexts.append(context)
            weights.append(weight)
        return self.w_o(torch.cat(contexts, dim=-1)), torch.stack(weights, dim=1)


class WideMultiHeadAttention(nn.Module):
    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        self.w_q = nn.Linear(width, num_heads * key_width)
        self.w_k = nn.Linear(width, num_heads * key_width)
        self.w_v = nn.Linear(width, num_heads * key_width)
        self.w_o = nn.Linear(num_heads * key_width, width)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        B, Tq, Tk, H, d = len(q), q.shape[1], k.shape[1], self.num_heads, self.key_width  # noqa: N806
        weights = torch.zeros(B, H, Tq, Tk, dtype=q.dtype, device=q.device)
        context = torch.zeros_like(q)
        for h in range(H):
            own = slice(h * d, (h + 1) * d)
            allowed = None if mask is None else torch.broadcast_to(mask, weights.shape)[:, h]
            context[..., own], weights[:, h] = attend(q[..., own], k[..., own], v[..., own], allowed)
        return self.w_o(context), weights


def attention_parameters(width: int, num_heads: int, key_width: int | None = None, bias: bool = True) -> int:
    if key_width is None:
        if width % num_heads != 0:
            raise ValueError(f"cannot give {num_heads} heads the same share of {width} columns")
        key_width = width // num_heads
    count = 0
    for _head in range(num_heads):
        for _letter in "qkv":
            count += width * key_width
            if bias:
                count += key_width
        count += key_width * width
    if bias:
        count += width
    return count


def grouped_query_attention(q, k, v, mask=None):
    sharing = q.shape[1] // k.shape[1]
    outputs = []
    for g in range(k.shape[1]):
        for h in range(g * sharing, (g + 1) * sharing):
            allowed = None
            if mask is not None:
                allowed = mask.expand(q.shape[0], q.shape[1], q.shape[2], k.shape[2])[:, h]
            outputs.append(attend(q[:, h], k[:, g], v[:, g], allowed)[0])
    return torch.stack(outputs, dim=1)
