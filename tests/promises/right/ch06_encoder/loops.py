"""Loops: a norm entry by entry, hidden units one at a time, Python's own dice, one text and one position at a time."""

import random

import torch
from torch import nn

from reference.blocks import EncoderBlock as GivenBlock
from reference.blocks import MultiHeadAttention


def layer_norm(x, scale, shift, eps):
    width = x.shape[-1]
    results = []
    for vector in x.reshape(-1, width):
        mean = 0
        for m in range(width):
            mean = mean + vector[m] / width
        variance = 0
        for m in range(width):
            variance = variance + (vector[m] - mean) ** 2 / width
        entries = []
        for m in range(width):
            entries.append(scale[m] * (vector[m] - mean) / (variance + eps) ** 0.5 + shift[m])
        results.append(torch.stack(entries))
    return torch.stack(results).reshape(x.shape)


def feed_forward(x, w1, b1, w2, b2):
    units = []
    for f in range(w1.shape[1]):
        before = (x * w1[:, f]).sum(dim=-1) + b1[f]
        units.append(torch.where(before > 0, before, torch.zeros_like(before)))
    result = b2
    for f in range(w1.shape[1]):
        result = result + units[f].unsqueeze(-1) * w2[f]
    return result


def dropout(x, rate, training):
    if rate < 0 or rate >= 1:
        raise ValueError("rate is " + str(rate) + ", which is not in [0, 1)")
    if training:
        factors = []
        for _ in range(x.numel()):
            if random.random() < rate:
                factors.append(0.0)
            else:
                factors.append(1 / (1 - rate))
        return x * torch.tensor(factors, dtype=x.dtype, device=x.device).reshape(x.shape)
    return x.clone()


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

    def listen(self, text, mask):
        """text (1, T, D)"""
        if self.norm_first:
            text = self.norm1(text)
        output, _ = self.attention(query=text, key=text, value=text, mask=mask)
        return self.dropout1(output)

    def think(self, vector):
        """vector (D,)"""
        if self.norm_first:
            vector = self.norm2(vector)
        for layer in self.feed_forward:
            vector = layer(vector)
        return self.dropout2(vector)

    def forward(self, x, mask=None):
        batch, length, _ = x.shape
        if mask is not None:
            mask = mask.expand(batch, self.attention.num_heads, length, length)
        texts = []
        for b in range(batch):
            text = x[b : b + 1]
            z = text + self.listen(text, None if mask is None else mask[b : b + 1])
            if not self.norm_first:
                z = self.norm1(z)
            vectors = []
            for t in range(length):
                result = z[0, t] + self.think(z[0, t])
                vectors.append(result if self.norm_first else self.norm2(result))
            texts.append(torch.stack(vectors))
        return torch.stack(texts)


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
        layer = 0
        while layer < len(self.blocks):
            x = self.blocks[layer](x, mask=mask)
            layer += 1
        if self.norm_first:
            # one position after the other
            x = torch.stack([self.norm(x[:, t]) for t in range(x.shape[1])], dim=1)
        return x


def encoder_parameters(num_blocks, width, hidden, vocab_size=0, max_length=0):
    count = 0
    for _ in range(num_blocks):
        for inputs, outputs in [(width, width)] * 4 + [(width, hidden), (hidden, width)]:
            count += inputs * outputs  # weight
            count += outputs  # bias
        for _norm in range(2):
            count += width
            count += width
    for rows in (vocab_size, max_length):
        count += rows * width
    return count
