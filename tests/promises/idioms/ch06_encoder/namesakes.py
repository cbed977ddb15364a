"""Own classes inside others, and everything called as the library calls it."""

from types import SimpleNamespace

import torch
from torch import nn

from reference.blocks import MultiHeadAttention


class Layers:
    class LayerNorm(nn.LayerNorm):
        """The library's parameters, and work of its own."""

        def forward(self, x):
            mean = x.mean(-1, keepdim=True)
            variance = x.var(-1, correction=0, keepdim=True)
            return (x - mean) * (variance + self.eps).rsqrt()

    class Dropout:
        def __init__(self, dropout):
            self.dropout = dropout

        def __call__(self, x):
            return x * torch.zeros_like(x).bernoulli_(1 - self.dropout) / (1 - self.dropout)


functional = SimpleNamespace(layer_norm=lambda x, eps: Layers.LayerNorm(x.shape[-1], eps)(x))


def layer_norm(x, scale, shift, eps):
    return functional.layer_norm(x, eps) * scale + shift


def dropout(x, rate, training):
    if not 0 <= rate < 1:
        raise ValueError(f"a rate of {rate}")
    return Layers.Dropout(dropout=rate)(x) if training else x


class TransformerEncoderLayer(nn.Module):
    def transformer_encoder_layer_fwd(self, x, mask):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.dropout1(self.attention(y, y, y, mask)[0])
            return x + self.dropout2(self.feed_forward(self.norm2(x)))
        x = self.norm1(x + self.dropout1(self.attention(x, x, x, mask)[0]))
        return self.norm2(x + self.dropout2(self.feed_forward(x)))


class EncoderBlock(TransformerEncoderLayer):
    def __init__(self, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        return self.transformer_encoder_layer_fwd(x, mask)
