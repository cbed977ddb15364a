"""Selectors: nothing is split: each head sees all columns, and those of others are zero; einsum, a fill of -1e30."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, einsum, nn


def selectors(num_heads: int, key_width: int, like: Tensor) -> Tensor:
    """(H, H·d): 1 in a head's own columns, else 0."""
    return torch.kron(torch.eye(num_heads, dtype=like.dtype, device=like.device), like.new_ones(key_width))


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    width = x.shape[-1]
    try:
        heads = x.view(*x.shape[:-1], num_heads, -1) if x.is_contiguous() else x.unflatten(-1, (num_heads, -1))
    except RuntimeError as error:
        raise ValueError(f"a width of {width} for {num_heads} heads") from error
    return einsum("bthd->bhtd", heads)


def merge_heads(x: Tensor) -> Tensor:
    return torch.cat(x.unbind(dim=1), dim=-1)


def weights_of(scores: Tensor, mask: Tensor | None) -> Tensor:
    if mask is None:
        return torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))
    scores = torch.where(mask, scores, -1e30)
    return torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True)) * mask.to(scores.dtype)


class MultiHeadAttention(nn.Module):
    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        if width % num_heads != 0:
            raise ValueError(f"{num_heads} heads of equal width do not fit into a width of {width}")
        self.num_heads = num_heads
        self.key_width = width // num_heads
        self.w_o = nn.Linear(width, width)
        self.w_v = nn.Linear(width, width)
        self.w_k = nn.Linear(width, width)
        self.w_q = nn.Linear(width, width)
        for layer in (self.w_q, self.w_k, self.w_v, self.w_o):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)  # (B, T, H·d)
        own = selectors(self.num_heads, self.key_width, like=q)
        scores = einsum("bqc,hc,bkc->bhqk", q, own, k) / math.sqrt(self.key_width)
        weights = weights_of(scores, mask)
        return self.w_o(einsum("bhqk,hc,bkc->bqc", weights, own, v)), weights


class WideMultiHeadAttention(nn.Module):
    def __init__(self, width: int, num_heads: int, key_width: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.key_width = key_width
        for letter in "qkv":
            setattr(self, f"w_{letter}", nn.Linear(width, num_heads * key_width))
        self.w_o = nn.Linear(num_heads * key_width, width)
        self.register_buffer("scale", torch.tensor(key_width**-0.5, dtype=torch.float64), persistent=False)

    forward_of_columns = MultiHeadAttention.forward

    def forward(self, query, key, value, mask=None):
        output, weights = self.forward_of_columns(query=query, key=key, value=value, mask=mask)
        return output, weights


@dataclass(frozen=True, kw_only=True, slots=True)
class Matrix:
    rows: int
    columns: int
    bias: bool = True

    def __int__(self) -> int:
        return int(np.prod([self.rows + self.bias, self.columns]))


def attention_parameters(width, num_heads, key_width=None, bias=True):
    match key_width:
        case None if width % num_heads:
            raise ValueError(f"{width} columns, {num_heads} heads")
        case None:
            inner = width
        case _:
            inner = num_heads * key_width
    into, out = Matrix(rows=width, columns=inner, bias=bias), Matrix(rows=inner, columns=width, bias=bias)
    return sum(int(matrix) for matrix in (into, into, into, out))


def grouped_query_attention(q, k, v, mask=None):
    shared = q.shape[1] // k.shape[1]
    owns = torch.eye(k.shape[1], dtype=q.dtype, device=q.device).repeat_interleave(shared, dim=0)  # (H, G)
    scores = einsum("bhqd,hg,bgkd->bhqk", q, owns, k) / q.shape[-1] ** 0.5
    return einsum("bhqk,hg,bgkd->bhqd", weights_of(scores, mask), owns, v)
