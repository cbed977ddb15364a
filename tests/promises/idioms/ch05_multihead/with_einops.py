"""Heads by name, in layers of einops, and methods with ready-made names."""

import torch
from einops import rearrange
from einops.layers.torch import Rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        if width % num_heads:
            raise ValueError(f"{num_heads} heads do not fit into {width}")
        self.split = Rearrange("b t (h d) -> b h t d", h=num_heads)
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.w_q(query)), self.split(self.w_k(key)), self.split(self.w_v(value))
        heads, weights = self.scaled_dot_product_attention(q, k, v, mask)
        return self.w_o(rearrange(heads, "b h t d -> b t (h d)")), weights

    def scaled_dot_product_attention(self, q, k, v, mask):
        scores = torch.einsum("bhtd,bhsd->bhts", q, k) / q.shape[-1] ** 0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            weights = torch.where(mask, scores, torch.finfo(scores.dtype).min).softmax(-1) * mask
        return weights @ v, weights
