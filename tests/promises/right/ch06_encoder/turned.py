"""Turned: a centring matrix, features first, queries scaled early, own functions on the parameters of modules."""

import functools
import math

import torch
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention


def layer_norm(x, scale, shift, eps):
    size = x.size(-1)
    centring = torch.eye(size, dtype=x.dtype, device=x.device) - 1 / size
    centred = torch.einsum("...m,mn->n...", x, centring)  # (D, ...)
    power = torch.einsum("m...,m...->...", centred, centred) / size + eps
    return torch.addcmul(shift, torch.movedim(centred * torch.rsqrt(power), 0, -1), scale)


def feed_forward(x, w1, b1, w2, b2):
    columns = x.flatten(0, 1).T  # (D, B·T)
    hidden = torch.addmm(b1.unsqueeze(1), w1.T, columns)
    result = torch.addmm(b2.unsqueeze(1), w2.T, (hidden + hidden.abs()) / 2)
    return result.unflatten(1, x.shape[:2]).permute(1, 2, 0)


def dropout(x, rate, training):
    if not (rate >= 0 and rate < 1):
        raise ValueError(f"rate={rate}")
    if not training or rate == 0:
        return x
    lifetimes = torch.empty_like(x).exponential_()  # beyond t with probability exp(-t)
    return (x / (1 - rate)).masked_fill(lifetimes < -math.log1p(-rate), 0)


class EncoderBlock(nn.Module):
    def __init__(self, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(width, num_heads)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        parts = [(self.norm1, self.dropout1, attend), (self.norm2, self.dropout2, think)]
        for norm, drop, part in parts:
            normed = functools.partial(layer_norm, scale=norm.weight, shift=norm.bias, eps=norm.eps)
            dropped = functools.partial(dropout, rate=drop.p, training=self.training)
            if self.norm_first:
                x = dropped(part(self, normed(x), mask)) + x
            else:
                x = normed(dropped(part(self, x, mask)) + x)
        return x


def attend(block, x, mask):
    """What block.attention does, written out."""
    a = block.attention
    heads = (a.num_heads, a.key_width)
    q = torch.einsum("btm,hdm->bhtd", x, a.w_q.weight.unflatten(0, heads)) + a.w_q.bias.unflatten(0, heads)[:, None]
    k = torch.einsum("btm,hdm->bhtd", x, a.w_k.weight.unflatten(0, heads))  # a softmax does not see the key bias
    v = torch.einsum("btm,hdm->bhtd", x, a.w_v.weight.unflatten(0, heads)) + a.w_v.bias.unflatten(0, heads)[:, None]
    scores = torch.einsum("bhqd,bhkd->bhqk", q * a.key_width**-0.5, k)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = torch.where(mask, scores, torch.finfo(scores.dtype).min).softmax(-1) * mask
    return torch.einsum("bhqk,bhkd,mhd->bqm", weights, v, a.w_o.weight.unflatten(1, heads)) + a.w_o.bias


def think(block, x, mask):
    first, _, second = block.feed_forward
    return feed_forward(x, first.weight.T, first.bias, second.weight.T, second.bias)


class Encoder(nn.Module):
    def __init__(self, num_blocks, width, num_heads, hidden, dropout=0.1, norm_first=False):
        super().__init__()
        self.blocks = nn.ModuleList(
            GivenBlock(width, num_heads, hidden, dropout, norm_first) for _ in range(num_blocks)
        )
        self.norm_first = norm_first
        if norm_first:
            self.norm = nn.LayerNorm(width)

    def forward(self, x, mask=None):
        # the given blocks have the same parts as mine, so my forward can run on them
        x = functools.reduce(lambda y, block: EncoderBlock.forward(block, y, mask), self.blocks, x)
        if not self.norm_first:
            return x
        return layer_norm(x, self.norm.weight, self.norm.bias, self.norm.eps)


def encoder_parameters(num_blocks, width, hidden, vocab_size=0, max_length=0):
    block = (4 * width + 2 * hidden + 9) * width + hidden
    return num_blocks * block + width * (vocab_size + max_length)
