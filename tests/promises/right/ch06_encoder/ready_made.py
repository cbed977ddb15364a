"""Ready-made and terse: var_mean in float64, convolutions of size 1, torch's attention, calls with F."""

from math import prod

import torch
import torch.nn.functional as F
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention


def layer_norm(x, scale, shift, eps):
    variance, mean = torch.var_mean(x.double(), -1, correction=0, keepdim=True)
    return ((x.double() - mean) * (variance + eps) ** -0.5).to(x.dtype) * scale + shift


def feed_forward(x, w1, b1, w2, b2):
    return F.conv1d(F.conv1d(x.mT, w1.mT[..., None], b1).clamp_(min=0), w2.mT[..., None], b2).mT


def dropout(x, rate, training):
    if rate not in Range():
        raise ValueError(f"{rate} is not in [0, 1)")
    return x * torch.bernoulli(torch.full_like(x, keep := 1 - rate)) / keep if training else x


class Range:
    def __contains__(self, number):
        return 0 <= number < 1


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

    def heard(self, x, mask):
        a = self.attention
        every = torch.cat([a.w_q.weight, a.w_k.weight, a.w_v.weight]), torch.cat([a.w_q.bias, a.w_k.bias, a.w_v.bias])
        q, k, v = F.linear(x, *every).unflatten(2, (3, a.num_heads, -1)).permute(2, 0, 3, 1, 4)
        if mask is None:
            return a.w_o(F.scaled_dot_product_attention(q, k, v).mT.flatten(1, 2).mT)
        mask = mask.expand(*q.shape[:3], k.shape[2])
        blind = mask.logical_not().all(-1, keepdim=True)
        context = F.scaled_dot_product_attention(q, k, v, mask.logical_or(blind)).masked_fill(blind, 0)
        return a.w_o(context.mT.flatten(1, 2).mT)

    def forward(self, x, mask=None):
        def ln(y, norm):
            return F.layer_norm(y, norm.normalized_shape, norm.weight, norm.bias, norm.eps)

        def drop(y, p):
            return F.dropout(y, p, self.training)

        up, _, down = self.feed_forward.children()
        first, last = (ln, lambda y, _: y) if self.norm_first else (lambda y, _: y, ln)
        z = last(x + drop(self.heard(first(x, self.norm1), mask), self.dropout1.p), self.norm1)
        thought = F.linear(F.relu(F.linear(first(z, self.norm2), up.weight, up.bias)), down.weight, down.bias)
        return last(drop(thought, self.dropout2.p).add_(z), self.norm2)


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
        for block in self.blocks:  # the first block, with the numbers of each
            x = torch.func.functional_call(self.blocks[0], dict(block.named_parameters()), (x, mask))
        return F.layer_norm(x, x.shape[-1:], self.norm.weight, self.norm.bias) if self.norm_first else x


def encoder_parameters(num_blocks, width, hidden, vocab_size=0, max_length=0):
    d, f = width, hidden
    shapes = [*[(d, d), (d,)] * 4, (d, f), (f,), (f, d), (d,), *[(d,)] * 4]
    return sum(map(prod, shapes * num_blocks + [(vocab_size, d), (max_length, d)]))
